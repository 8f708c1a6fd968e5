// Functions of collections of any kind. Tested by vm/functions/collection_functions_test.cc.

#include "hclvm/vm/functions/collection_functions.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/uniform_list.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Steps of a search in a set by its order, at most.
constexpr uint64_t kSearchDepth = 32;

// Whether `set` can be searched by its order: its elements and the value are known, and of one primitive type.
bool CanSearchSet(const Value& set, const Value& value) {
  return set.is_set() && set.is_wholly_known() && set.element_type().is_primitive() && !value.is_null() &&
         HasType(value, set.element_type());
}

bool TakesSequence(FunctionCall* call, const Value& list) {
  if (MayBeSequence(KindOf(list))) return true;
  call->Error([&] { return absl::StrCat("a list, tuple or set is required, not ", WithArticle(list)); });
  return false;
}

void CheckContains(FunctionCall* call, absl::Span<const Value> arguments) { TakesSequence(call, arguments[0]); }

// The result is unknown when an element may equal the value and none certainly does. A set of primitives is searched by
// its order; other sequences are gone through, and paid for, up to the element that is found. With a literal list the
// compiler makes one instruction of it (ContainsSlow in vm/interpreter_calls.cc answers alike).
Value Contains(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  const Value& value = arguments[1];
  if (!list.is_sequence()) return TakesSequence(call, list), Value();
  const uint64_t weight = value.weight();
  if (CanSearchSet(list, value)) {
    // A search compares the value with some elements, and each comparison may go through it.
    return call->Charge(CostOfSorting(1, weight) * kSearchDepth) ? Value::Bool(FindSetElement(list, value) >= 0)
                                                                 : Value();
  }
  bool undecided = false;
  for (const Value& element : list.elements()) {
    const bool is_plain = !element.is_number() || element.is_int();
    if (!call->Charge((is_plain ? 1 : 3) + std::min(weight, element.weight()) / 4)) return Value();
    switch (EqualsTri(value, element)) {
      case Tri::kTrue:
        return Value::Bool(true);
      case Tri::kUnknown:
        undecided = true;
        break;
      case Tri::kFalse:
        break;
    }
  }
  return undecided ? Value::Unknown(Type::Bool()) : Value::Bool(false);
}

// Objects are refused, as in the reference: their attributes are fixed by the type and not counted.
Type LengthType(FunctionCall* call, absl::Span<const Value> arguments) {
  switch (KindOf(arguments[0])) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kDynamic:
      return Type::Number();
    default:
      return call->TypeError([&] {
        const bool is_text = KindOf(arguments[0]) == TypeKind::kString;
        return absl::StrCat("a list, set, map or tuple is required, not ", WithArticle(arguments[0]),
                            is_text ? "; strlen counts the characters of a text" : "");
      });
  }
}

// An unknown number of elements between these.
Value UnknownLength(uint64_t min, uint64_t max, Arena* arena) {
  Refinement refinement;
  refinement.type = Type::Number();
  refinement.not_null = true;
  refinement.min = NumberBound{Number::FromUint64(min, arena), true};
  if (max != UINT64_MAX) refinement.max = NumberBound{Number::FromUint64(max, arena), true};
  return RefinedUnknown(refinement, arena);
}

// More precise than an unknown number: a tuple's length is in its type, and what is known of an unknown collection's
// length becomes a range of the result.
Value Length(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& collection = arguments[0];
  if (collection.is_unknown()) {
    const Type type = collection.null_or_unknown_type();
    if (type.kind() == TypeKind::kTuple) return Value::Int(static_cast<int64_t>(type.size()));
    const Refinement known = RefinementOf(collection);
    return UnknownLength(known.min_length, known.max_length, call->arena());
  }
  // Unknown elements of a set may turn out to be the same as others.
  if (internal::HasOpenLength(collection)) {
    return UnknownLength(1, collection.size(), call->arena());
  }
  return Value::Int(static_cast<int64_t>(collection.size()));
}

// What finding the types of several values takes: those of tuples and objects are in their parts.
uint64_t CostOfTypes(absl::Span<const Value> values) {
  uint64_t cost = values.size() / 4;
  for (const Value& value : values) {
    if (values.size() > 1 && (value.is_tuple() || value.is_object())) cost += 2 * CostOf(value);
  }
  return cost;
}

// The type of the result that unification gives: that which the first argument that is not null becomes. An unknown one
// may be null or not, and so it is dynamic where those that may be the first become different types.
Type FirstOf(const internal::Unification& unification, absl::Span<const Value> arguments) {
  if (unification.is_settled()) return unification.preferred();
  const Value* first = nullptr;
  for (const Value& argument : arguments) {
    if (argument.is_null()) continue;
    if (first == nullptr) first = &argument;
    if (unification.Of(argument) != unification.Of(*first)) return Type::Dynamic();
    if (!argument.is_unknown()) break;
  }
  return first == nullptr ? unification.preferred() : unification.Of(*first);
}

// Dynamic when the known arguments have one type: the result is one of them as it is.
Type CoalesceType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) return call->TypeError("at least one argument is required");
  if (!call->Charge(CostOfTypes(arguments))) return Type::Dynamic();
  if (internal::AllSameType(arguments)) {
    return internal::AnyUnknown(arguments) ? TypeOf(arguments[0], call->types()) : Type::Dynamic();
  }
  if (const Type list = internal::UnifyUniformTuples(arguments, call->heap()); !list.is_dynamic()) return list;
  absl::InlinedVector<Type, 8> types;
  for (const Value& argument : arguments) types.push_back(TypeOf(argument, call->types()));
  internal::Unification unified;
  if (!internal::Unification::Of(types, call->heap(), &unified, call->fuel())) {
    return call->TypeError("all arguments must have the same type");
  }
  return FirstOf(unified, arguments);
}

// An unknown argument ends the search, since it may turn out to be null or not.
Value Coalesce(FunctionCall* call, absl::Span<const Value> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_unknown()) return Value::Unknown(call->result_type());
    if (arguments[i].is_null()) continue;
    if (call->result_type().is_dynamic()) {
      // In kSpec, what is unknown in it otherwise decides between two types.
      const bool is_settled = arguments[i].is_wholly_known() || call->heap()->dialect() == Dialect::kHashiCorp ||
                              internal::AllSameType(arguments);
      return is_settled ? arguments[i] : Value::Dynamic();
    }
    if (HasType(arguments[i], call->result_type())) return arguments[i];
    Value converted = arguments[i];
    if (uint64_t cost = 0; internal::TakeUniformList(call->result_type(), call->heap(), &converted, &cost)) {
      return call->Charge(cost) ? converted : Value();
    }
    if (!call->Charge(ConversionCost(arguments[i], call->result_type()))) return Value();
    ConversionError error = NewError(call);
    if (!Convert(arguments[i], call->result_type(), call->heap(), &converted, &error)) {
      return ConversionFailed(call, -1, error);
    }
    return converted;
  }
  return call->Error("all arguments are null");
}

}  // namespace

void RegisterCollectionFunctions(FunctionRegistryBuilder* builder) {
  const Type any = Type::Dynamic();
  Function contains = FailingByType(Checked(
      CheckContains, Charging(Define("contains", {Param("list", any), Param("value", any, internal::kAllowNull)},
                                     Type::Bool(), Contains))));
  contains.special = Function::Special::kContains;
  contains.nulls_give_values = true;
  builder->Add(std::move(contains));
  Function length = FailingByType(
      Charging(Define("length", {Param("collection", any, kAllowUnknown | kAllowDynamic)}, LengthType, Length)));
  length.special = Function::Special::kLength;
  length.result_type = Type::Number();
  builder->Add(std::move(length));
  builder->Add(
      KnownAs(Function::Special::kCoalesce,
              Charging(DefineVariadic("coalesce", {}, Param("vals", any, kAllowAll), CoalesceType, Coalesce))));
}

}  // namespace hcl::internal
