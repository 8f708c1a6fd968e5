// Functions of sets. Tested by vm/functions/set_functions_test.cc.

#include "hclvm/vm/functions/set_functions.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/uniform_list.h"

namespace hcl::internal {
namespace {

using ValueVector = absl::InlinedVector<Value, 16>;

// A set of the unified element types. Known sets that are empty and of dynamic do not count: they suit any other.
Type SetOperationType(FunctionCall* call, absl::Span<const Value> arguments) {
  absl::InlinedVector<Type, 4> types;
  for (const Value& set : arguments) {
    const Type element = ElementTypeOf(set);
    if (set.is_set() && set.size() == 0 && element.is_dynamic()) continue;
    if (types.empty() || types.back() != element) types.push_back(element);
  }
  if (types.empty()) return Common().set_of_dynamic;
  Type element = types[0];
  Unification unified;
  if (types.size() > 1) {
    if (!Unification::Of(types, call->heap(), &unified, call->fuel())) {
      return call->TypeError("the sets must have compatible element types");
    }
    element = unified.OfElements(arguments);
  }
  switch (element.kind()) {
    case TypeKind::kBool:
      return Common().set_of_bool;
    case TypeKind::kString:
      return Common().set_of_string;
    case TypeKind::kNumber:
      return Common().set_of_number;
    default:
      return call->types()->Set(element);
  }
}

// Elements are put in order; those that are no scalars are ordered by texts that are made of them.
uint64_t CostOfSet(uint64_t count, uint64_t weight) {
  return CostOfHashing(count, weight) + 3 * CostOfSorting(count, weight);
}

// The arguments as sets of the result type; false when the call has failed. Elements must be of one type before they
// are compared, or equal ones would count as different.
bool ConvertSets(FunctionCall* call, absl::Span<const Value> arguments, ValueVector* sets, uint64_t* elements) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value set = arguments[i];
    if (!HasType(set, call->result_type())) {
      ConversionError error = NewError(call);
      const uint64_t cost = ConversionCost(set, call->result_type());
      if (!call->Charge(cost + CostOfSorting(set.size(), set.weight()))) return false;
      if (!Convert(arguments[i], call->result_type(), call->heap(), &set, &error)) {
        ConversionFailed(call, static_cast<int>(i), error);
        return false;
      }
    }
    *elements += set.size();
    sets->push_back(set);
  }
  uint64_t weight = 0;
  for (const Value& set : *sets) weight += set.weight();
  return CanMake(call, *elements, 4 * sizeof(Value)) && call->Charge(CostOfSet(*elements, weight));
}

// Room for `count` elements of the result, to be filled; all elements of `sets`, one set behind the other.
internal::Sequence* JoinSets(FunctionCall* call, const ValueVector& sets, uint64_t count) {
  internal::Sequence* joined = NewList(call, count, call->result_type().element());
  Value* next = joined->mutable_items();
  for (const Value& set : sets) next = std::copy(set.elements().begin(), set.elements().end(), next);
  return joined;
}

// Sorting them all finds that the sets are sorted already, and merges them.
Value Union(FunctionCall* call, absl::Span<const Value> arguments) {
  ValueVector sets;
  uint64_t count = 0;
  if (!ConvertSets(call, arguments, &sets, &count)) return Value();
  internal::Sequence* joined = JoinSets(call, sets, count);
  if (call->result_type().element().is_dynamic() && !internal::AllSameType({joined->items(), count})) {
    // What is unknown in the sets decides between two types.
    if (call->heap()->dialect() == Dialect::kSpec) return Value::Unknown(call->result_type());
    // What the reference cannot unify stays as it is, and then must be of one type.
    return call->Error("the sets must have elements of one type");
  }
  joined->size = static_cast<uint32_t>(SortSetElements({joined->mutable_items(), count}, call->arena()));
  return FinishSet(joined);
}

// What Select() makes of two sets of strings. These are in order, so that each element is looked at once.
template <typename Predicate>
Value SelectStrings(FunctionCall* call, const Value& first, const Value& second, const Predicate& keeps) {
  const absl::Span<const Value> ours = first.elements(), theirs = second.elements();
  internal::Sequence* const selected = NewList(call, ours.size() + theirs.size(), Type::String());
  Value* next = selected->mutable_items();
  for (size_t n = 0, m = 0; n < ours.size() || m < theirs.size();) {
    const int order = n == ours.size() ? 1 : m == theirs.size() ? -1 : CompareStrings(ours[n], theirs[m]);
    if (keeps(order == 0 ? 2 : 1, order <= 0)) *next++ = order <= 0 ? ours[n] : theirs[m];
    n += order <= 0 ? 1 : 0;
    m += order >= 0 ? 1 : 0;
  }
  selected->size = static_cast<uint32_t>(next - selected->mutable_items());
  return FinishSet(selected);
}

// The elements of which keeps(number of sets with it, whether the first set is one) is true. All three operations are
// decided so, whatever the number of sets.
template <typename Predicate>
Value Select(FunctionCall* call, absl::Span<const Value> arguments, const Predicate& keeps) {
  ValueVector sets;
  uint64_t count = 0;
  if (!ConvertSets(call, arguments, &sets, &count)) return Value();
  for (const Value& set : sets) {
    // An element that is not known yet may turn out to be any other.
    if (!set.is_wholly_known()) return Value::Unknown(call->result_type());
  }
  const auto are_strings = [&](const Value& set) {
    return set.element_type() == Type::String() && !set.has_marks() && internal::HasNoNulls(set);
  };
  if (sets.size() == 2 && are_strings(sets[0]) && are_strings(sets[1])) {
    return SelectStrings(call, sets[0], sets[1], keeps);
  }
  internal::Sequence* joined = JoinSets(call, sets, count);
  Value* const items = joined->mutable_items();
  const Scratch<uint32_t> counts(count, call->arena());
  const size_t different = SortSetElements({items, count}, call->arena(), counts.data());
  // Of equal elements the first is left, so that all elements of the first set are there, in their order.
  const Value* of_first = sets[0].elements().data();
  const Value* const end_of_first = of_first + sets[0].size();
  uint32_t kept = 0;
  for (size_t i = 0; i < different; ++i) {
    const bool in_first = of_first != end_of_first && of_first->SameBits(items[i]);
    of_first += in_first ? 1 : 0;
    if (keeps(counts[i], in_first)) items[kept++] = items[i];
  }
  joined->size = kept;
  return FinishSet(joined);
}

Value Intersection(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [&](size_t count, bool) { return count == arguments.size(); });
}

Value Subtract(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [](size_t count, bool in_first) { return count == 1 && in_first; });
}

// The operation on more than two sets is applied to one after the other, which keeps what is in an odd number of them.
Value SymmetricDifference(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [](size_t count, bool) { return count % 2 == 1; });
}

// The type to which all elements of an argument of setproduct convert; false when there is none.
bool ProductElement(FunctionCall* call, const Value& argument, Type* element) {
  if (KindOf(argument) != TypeKind::kTuple) {
    *element = ElementTypeOf(argument);
    return true;
  }
  uint64_t cost = 0;
  if (const Type uniform = internal::UniformElementType(argument, &cost); !uniform.is_dynamic()) {
    *element = uniform;
    return call->Charge(cost);
  }
  // The reference unifies nothing with a null without a type, and then asks for one type of all the others.
  if (argument.is_tuple() && argument.size() > 0 && call->heap()->dialect() == Dialect::kHashiCorp) {
    if (!call->Charge(ConversionCost(argument, Common().list_of_dynamic))) return false;
    Value list;
    ConversionError error = NewError(call);
    if (!Convert(argument, Common().list_of_dynamic, call->heap(), &list, &error)) {
      if (error.is_limit) call->LimitError(error.ToString());
      return false;
    }
    *element = list.element_type();
    return true;
  }
  if (!call->Charge(ConversionCost(argument, Common().list_of_dynamic))) return false;
  const Type tuple = TypeOf(argument, call->types());
  absl::InlinedVector<Type, 8> types;
  for (size_t i = 0; i < tuple.size(); ++i) types.push_back(tuple.element(i));
  *element = Type::Dynamic();
  Unification unified;
  if (types.empty()) return true;
  if (!Unification::Of(types, call->heap(), &unified, call->fuel())) return false;
  *element = unified.OfElements({&argument, 1});
  return true;
}

Type SetProductType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.size() < 2) return call->TypeError("at least two arguments are required");
  absl::InlinedVector<Type, 4> elements(arguments.size());
  bool any_set = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypeKind kind = KindOf(arguments[i]);
    any_set |= kind == TypeKind::kSet;
    if (kind != TypeKind::kSet && kind != TypeKind::kList && kind != TypeKind::kTuple) {
      return call->ArgumentTypeError(
          i, [&] { return absl::StrCat("a set, list or tuple is required, not ", WithArticle(arguments[i])); });
    }
    if (!ProductElement(call, arguments[i], &elements[i])) {
      if (call->failed()) return Type::Dynamic();
      return call->ArgumentTypeError(i, "all elements must have the same type");
    }
  }
  const Type tuple = call->types()->Tuple(elements);
  return any_set ? call->types()->Set(tuple) : call->types()->List(tuple);
}

// The elements of all arguments, one behind the other, converted to the types of the result's tuples; false when the
// call has failed.
using Factors = absl::InlinedVector<Value, 32>;
bool ConvertFactors(FunctionCall* call, absl::Span<const Value> arguments, Factors* factors) {
  const Type tuple = call->result_type().element();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type type = tuple.element(i);
    for (const Value& element : arguments[i].elements()) {
      Value converted = element;
      ConversionError error = NewError(call);
      if (!call->Charge(1 + CostOf(element))) return false;
      if (!HasType(element, type) && !Convert(element, type, call->heap(), &converted, &error)) {
        ConversionFailed(call, static_cast<int>(i), error);
        return false;
      }
      factors->push_back(converted);
    }
  }
  return true;
}

// Where the elements of one argument stand among those of all, and which of them is in the next result.
struct Wheel {
  const Value* items;
  size_t size;
  size_t at;
};

// Results that are made between two charges.
constexpr uint64_t kPiece = 4096;

// The number of results is the product of the lengths: it is bounded in 32 bits and asked for before anything is made.
// The last argument varies fastest, as in the reference.
Value SetProduct(FunctionCall* call, absl::Span<const Value> arguments) {
  const bool is_list = call->result_type().kind() == TypeKind::kList;
  const Type tuple = call->result_type().element();
  const bool is_empty =
      std::any_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.is_sequence() && v.size() == 0; });
  if (internal::AnyUnknown(arguments) && !is_empty) return Value::Unknown(call->result_type());
  if (is_empty) return is_list ? FinishList(NewList(call, 0, tuple)) : FinishSet(NewList(call, 0, tuple));
  uint64_t total = 1;
  for (const Value& argument : arguments) {
    // Unknown elements of a set may turn out to be the same as others.
    if (HasOpenLength(argument)) {
      return Value::Unknown(call->result_type());
    }
    const bool overflows = total > std::numeric_limits<uint32_t>::max() / argument.size();
    total = overflows ? std::numeric_limits<uint32_t>::max() : total * argument.size();
  }
  if (!CanMake(call, total, (arguments.size() + 3) * sizeof(Value))) return Value();
  if (!is_list && !call->Charge(CostOfSet(total, total * arguments.size()))) return Value();
  Factors factors;
  if (!ConvertFactors(call, arguments, &factors)) return Value();
  absl::InlinedVector<Wheel, 8> wheels;
  const Value* items = factors.data();
  for (const Value& argument : arguments) {
    wheels.push_back({items, argument.size(), 0});
    items += argument.size();
  }
  internal::Sequence* products = NewList(call, total, tuple);
  absl::InlinedVector<Value, 8> combination(arguments.size());
  for (uint64_t n = 0; n < total; ++n) {
    // Paid for as it goes, since the host may want it to stop.
    if (n % kPiece == 0 && !call->Charge(std::min(kPiece, total - n) * arguments.size() / 2)) return Value();
    for (size_t i = 0; i < wheels.size(); ++i) combination[i] = wheels[i].items[wheels[i].at];
    products->mutable_items()[n] = MakeTuple(combination, call->arena());
    for (size_t i = wheels.size(); i-- > 0 && ++wheels[i].at == wheels[i].size;) wheels[i].at = 0;
  }
  if (is_list) return FinishList(products);
  products->size = static_cast<uint32_t>(SortSetElements({products->mutable_items(), total}, call->arena()));
  return FinishSet(products);
}

}  // namespace

void RegisterSetFunctions(FunctionRegistryBuilder* builder) {
  const Type set = Common().set_of_dynamic;
  const Parameter first = Param("first_set", set, kAllowDynamic);
  const Parameter others = Param("other_sets", set, kAllowDynamic);
  builder->Add(FailingByType(DefineVariadic("setunion", {first}, others, SetOperationType, Union)));
  using Special = Function::Special;
  builder->Add(FailingByType(KnownAs(
      Special::kSetIntersection, DefineVariadic("setintersection", {first}, others, SetOperationType, Intersection))));
  builder->Add(FailingByType(KnownAs(
      Special::kSetSubtract, Define("setsubtract", {Param("a", set, kAllowDynamic), Param("b", set, kAllowDynamic)},
                                    SetOperationType, Subtract))));
  builder->Add(DefineVariadic("setsymmetricdifference", {first}, others, SetOperationType, SymmetricDifference));
  builder->Add(DefineVariadic("setproduct", {}, Param("sets", Type::Dynamic(), internal::kAllowUnknown), SetProductType,
                              SetProduct));
}

}  // namespace hcl::internal
