// Functions of sets. Tested by vm/functions/set_functions_test.cc.

#include "hclvm/vm/functions/set_functions.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/type.h"

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
  if (types.size() > 1 && !Unify(types, call->heap(), &element)) {
    return call->TypeError("the sets must have compatible element types");
  }
  return call->types()->Set(element);
}

// Elements are hashed, and the result is put in order; those that are no scalars are ordered by texts that are made of
// them.
uint64_t CostOfSet(uint64_t count, uint64_t weight) {
  return CostOfHashing(count, weight) + 3 * CostOfSorting(count, weight);
}

// The arguments as sets of the result type; false when the call has failed. Elements must be of one type before they
// are compared, or equal ones would count as different.
bool ConvertSets(FunctionCall* call, absl::Span<const Value> arguments, ValueVector* sets, uint64_t* elements) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value set = arguments[i];
    ConversionError error;
    if (!HasType(set, call->result_type()) && !call->Charge(ConversionCost(set, call->result_type(), call->types()) +
                                                            CostOfSorting(set.size(), set.weight()))) {
      return false;
    }
    if (!HasType(set, call->result_type()) && !Convert(arguments[i], call->result_type(), call->heap(), &set, &error)) {
      ConversionFailed(call, static_cast<int>(i), error);
      return false;
    }
    *elements += set.size();
    sets->push_back(set);
  }
  uint64_t weight = 0;
  for (const Value& set : *sets) weight += set.weight();
  return CanMake(call, *elements, 4 * sizeof(Value)) && call->Charge(CostOfSet(*elements, weight));
}

Value MakeResultSet(FunctionCall* call, const std::vector<Value>& elements) {
  return MakeSet(call->result_type().element(), elements, call->arena());
}

Value Union(FunctionCall* call, absl::Span<const Value> arguments) {
  ValueVector sets;
  uint64_t count = 0;
  if (!ConvertSets(call, arguments, &sets, &count)) return Value();
  std::vector<Value> elements;
  elements.reserve(count);
  for (const Value& set : sets) elements.insert(elements.end(), set.elements().begin(), set.elements().end());
  return MakeResultSet(call, elements);
}

// In how many of the sets an element is, and the first of them.
struct Membership {
  size_t count = 0;
  size_t first = 0;
};

// The elements whose membership in the sets satisfies `keeps`. Each element is hashed once, whatever the number of
// sets; counts decide all three operations. The hash table's order does not show, because MakeSet() sorts.
template <typename Predicate>
Value Select(FunctionCall* call, absl::Span<const Value> arguments, const Predicate& keeps) {
  ValueVector sets;
  uint64_t count = 0;
  if (!ConvertSets(call, arguments, &sets, &count)) return Value();
  for (const Value& set : sets) {
    // An element that is not known yet may turn out to be any other.
    if (!set.is_wholly_known()) return Value::Unknown(call->result_type());
  }
  absl::flat_hash_map<Value, Membership, internal::ValueHash, internal::ValueSame> members;
  for (size_t i = 0; i < sets.size(); ++i) {
    for (const Value& element : sets[i].elements()) {
      Membership& membership = members[element];
      if (membership.count++ == 0) membership.first = i;
    }
  }
  std::vector<Value> kept;
  for (const auto& [element, membership] : members) {
    if (keeps(membership)) kept.push_back(element);
  }
  return MakeResultSet(call, kept);
}

Value Intersection(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [&](const Membership& m) { return m.count == arguments.size(); });
}

Value Subtract(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [](const Membership& m) { return m.count == 1 && m.first == 0; });
}

// The operation on more than two sets is applied to one after the other, which keeps what is in an odd number of them.
Value SymmetricDifference(FunctionCall* call, absl::Span<const Value> arguments) {
  return Select(call, arguments, [](const Membership& m) { return m.count % 2 == 1; });
}

// The type to which all elements of an argument of setproduct convert; false when there is none.
bool ProductElement(FunctionCall* call, const Value& argument, Type* element) {
  if (KindOf(argument) != TypeKind::kTuple) {
    *element = ElementTypeOf(argument);
    return true;
  }
  if (!call->Charge(ConversionCost(argument, Common().list_of_dynamic, call->types()))) return false;
  const Type tuple = TypeOf(argument, call->types());
  absl::InlinedVector<Type, 8> types;
  for (size_t i = 0; i < tuple.size(); ++i) types.push_back(tuple.element(i));
  *element = Type::Dynamic();
  return types.empty() || Unify(types, call->heap(), element);
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
          i, absl::StrCat("a set, list or tuple is required, not ", internal::NameOfType(arguments[i], call->types())));
    }
    if (!ProductElement(call, arguments[i], &elements[i])) {
      return call->ArgumentTypeError(i, "all elements must have the same type");
    }
  }
  const Type tuple = call->types()->Tuple(elements);
  return any_set ? call->types()->Set(tuple) : call->types()->List(tuple);
}

// The elements of each argument, converted to the types of the result's tuples; false when the call has failed.
bool ConvertFactors(FunctionCall* call, absl::Span<const Value> arguments, std::vector<std::vector<Value>>* factors) {
  const Type tuple = call->result_type().element();
  for (size_t i = 0; i < arguments.size(); ++i) {
    factors->emplace_back();
    for (const Value& element : arguments[i].elements()) {
      Value converted = element;
      ConversionError error;
      if (!call->Charge(1 + CostOf(element))) return false;
      if (!HasType(element, tuple.element(i)) &&
          !Convert(element, tuple.element(i), call->heap(), &converted, &error)) {
        ConversionFailed(call, static_cast<int>(i), error);
        return false;
      }
      factors->back().push_back(converted);
    }
  }
  return true;
}

// Results that are made between two charges.
constexpr uint64_t kPiece = 4096;

// The number of results is the product of the lengths: it is bounded in 32 bits and asked for before anything is made.
// The last argument varies fastest, as in the reference.
Value SetProduct(FunctionCall* call, absl::Span<const Value> arguments) {
  const bool is_list = call->result_type().kind() == TypeKind::kList;
  const Type tuple = call->result_type().element();
  uint64_t total = 1;
  for (const Value& argument : arguments) {
    // Unknown elements of a set may turn out to be the same as others.
    if (argument.is_set() && !argument.is_wholly_known() && argument.size() > 1) {
      return Value::Unknown(call->result_type());
    }
    const bool overflows = argument.size() != 0 && total > std::numeric_limits<uint32_t>::max() / argument.size();
    total = overflows ? std::numeric_limits<uint32_t>::max() : total * argument.size();
  }
  for (const Value& argument : arguments) total = argument.size() == 0 ? 0 : total;
  if (!CanMake(call, total, (arguments.size() + 3) * sizeof(Value))) return Value();
  if (!is_list && !call->Charge(CostOfSet(total, total * arguments.size()))) return Value();
  std::vector<std::vector<Value>> factors;
  if (!ConvertFactors(call, arguments, &factors)) return Value();
  std::vector<Value> products;
  products.reserve(total);
  std::vector<Value> combination(arguments.size());
  for (uint64_t n = 0; n < total; ++n) {
    // Paid for as it goes, since the host may want it to stop.
    if (n % kPiece == 0 && !call->Charge(std::min(kPiece, total - n) * arguments.size() / 2)) return Value();
    uint64_t rest = n;
    for (size_t i = arguments.size(); i-- > 0; rest /= factors[i].size()) {
      combination[i] = factors[i][rest % factors[i].size()];
    }
    products.push_back(MakeTuple(combination, call->arena()));
  }
  return is_list ? MakeList(tuple, products, call->arena()) : MakeSet(tuple, products, call->arena());
}

}  // namespace

void RegisterSetFunctions(FunctionRegistryBuilder* builder) {
  const Type set = Common().set_of_dynamic;
  const Parameter first = Param("first_set", set, kAllowDynamic);
  const Parameter others = Param("other_sets", set, kAllowDynamic);
  builder->Add(DefineVariadic("setunion", {first}, others, SetOperationType, Union));
  builder->Add(DefineVariadic("setintersection", {first}, others, SetOperationType, Intersection));
  builder->Add(Define("setsubtract", {Param("a", set, kAllowDynamic), Param("b", set, kAllowDynamic)}, SetOperationType,
                      Subtract));
  builder->Add(DefineVariadic("setsymmetricdifference", {first}, others, SetOperationType, SymmetricDifference));
  builder->Add(DefineVariadic("setproduct", {}, Param("sets", Type::Dynamic()), SetProductType, SetProduct));
}

}  // namespace hcl::internal
