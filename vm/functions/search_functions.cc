// Functions that answer questions about lists and pick from them. Tested by vm/functions/search_functions_test.cc.

#include "hclvm/vm/functions/search_functions.h"

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/value_index.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unification.h"

namespace hcl::internal {
namespace {

using ValueVector = absl::InlinedVector<Value, 16>;

// A null counts as false. A false element decides even beside unknown ones (docs/functions.md).
Value AllTrue(FunctionCall*, absl::Span<const Value> arguments) {
  bool undecided = false;
  for (const Value& element : arguments[0].elements()) {
    if (element.is_false() || element.is_null()) return Value::Bool(false);
    undecided |= element.is_unknown();
  }
  return undecided ? Value::Unknown(Type::Bool()) : Value::Bool(true);
}

// Here a true element decides; a null is not true.
Value AnyTrue(FunctionCall*, absl::Span<const Value> arguments) {
  bool undecided = false;
  for (const Value& element : arguments[0].elements()) {
    if (element.is_true()) return Value::Bool(true);
    undecided |= element.is_unknown();
  }
  return undecided ? Value::Unknown(Type::Bool()) : Value::Bool(false);
}

Type OneType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  switch (KindOf(list)) {
    case TypeKind::kList:
    case TypeKind::kSet:
      return ElementTypeOf(list);
    case TypeKind::kTuple: {
      if (!list.is_unknown()) return Type::Dynamic();
      const Type tuple = list.null_or_unknown_type();
      if (tuple.size() > 1) return call->ArgumentTypeError(0, "at most one element is allowed");
      return tuple.size() == 0 ? Type::Dynamic() : tuple.element(0);
    }
    default:
      return call->ArgumentTypeError(
          0, [&] { return absl::StrCat("a list, set or tuple is required, not ", WithArticle(list)); });
  }
}

// A set of which elements are unknown has at least one element and may have no more.
Value One(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& list = arguments[0];
  if (list.size() == 0) return Value::Null(call->result_type());
  if (list.size() == 1) return list.elements()[0];
  // Unknown elements of a set may turn out to be the same as others.
  if (list.is_set() && !list.is_wholly_known()) return Value::Unknown(call->result_type());
  return call->ArgumentError(0, [&] { return absl::StrCat("at most one element is allowed, not ", list.size()); });
}

// The type of the keys and of what they are searched for in; false when there is none.
bool CommonKeyType(FunctionCall* call, absl::Span<const Value> arguments, Type* type) {
  const Type types[] = {ElementTypeOf(arguments[1]), ElementTypeOf(arguments[2])};
  *type = types[0];
  if (types[0] == types[1]) return true;
  Unification unified;
  if (!Unification::Of(types, call->heap(), &unified, call->fuel())) return false;
  *type = unified.OfElements(arguments.subspan(1));
  return true;
}

Type MatchKeysType(FunctionCall* call, absl::Span<const Value> arguments) {
  Type key;
  if (!CommonKeyType(call, arguments, &key)) {
    return call->ArgumentTypeError(2, "the keys to search for must have the type of the keys");
  }
  return TypeOf(arguments[0], call->types());
}

// The elements of `list`, converted to `type`; false when the call has failed.
bool ConvertElements(FunctionCall* call, size_t argument, const Value& list, Type type, ValueVector* out) {
  out->reserve(list.size());
  if (!call->Charge(list.size() + ConversionCost(list, call->types()->List(type)))) return false;
  for (const Value& element : list.elements()) {
    Value converted = element;
    ConversionError error = NewError(call);
    if (!HasType(element, type) && !Convert(element, type, call->heap(), &converted, &error)) {
      ConversionFailed(call, static_cast<int>(argument), error);
      return false;
    }
    out->push_back(converted);
  }
  return true;
}

// This is Terraform's function: a value is kept when its key, at the same index, is among those searched for. A hash
// set of those makes it linear. Keys and searched keys are converted to one type first, because equal values have
// identical types (information-model.md, "Values and Value Types"). An unknown key makes the number of results unknown.
Value MatchKeys(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& values = arguments[0];
  if (values.size() != arguments[1].size()) {
    return call->ArgumentError(1, [&] {
      return absl::StrCat(arguments[1].size() == 1 ? "there is " : "there are ", arguments[1].size(),
                          arguments[1].size() == 1 ? " key for " : " keys for ", values.size(),
                          " values; both lists must have the same length");
    });
  }
  if (!arguments[1].is_wholly_known() || !arguments[2].is_wholly_known()) return Value::Unknown(call->result_type());
  Type type;
  CommonKeyType(call, arguments, &type);
  ValueVector keys;
  ValueVector wanted;
  if (!CanMake(call, values.size() + arguments[2].size(), 3 * sizeof(Value)) ||
      !ConvertElements(call, 1, arguments[1], type, &keys) || !ConvertElements(call, 2, arguments[2], type, &wanted)) {
    return Value();
  }
  if (!call->Charge(CostOfHashing(keys.size() + wanted.size(), arguments[1].weight() + arguments[2].weight()))) {
    return Value();
  }
  ValueIndex set(wanted.size(), call->arena());
  for (const Value& key : wanted) set.Add(key);
  internal::Sequence* result = internal::NewList(call, values.size(), values.element_type());
  uint32_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (set.Has(keys[i])) result->mutable_items()[count++] = values.elements()[i];
  }
  result->size = count;
  return internal::FinishList(result);
}

}  // namespace

void RegisterSearchFunctions(FunctionRegistryBuilder* builder) {
  const Type list = Common().list_of_dynamic;
  const Parameter bools = Param("list", Common().list_of_bool);
  using Special = Function::Special;
  builder->Add(KnownAs(Special::kAllTrue, TakingTuples(Define("alltrue", {bools}, Type::Bool(), AllTrue))));
  builder->Add(KnownAs(Special::kAnyTrue, TakingTuples(Define("anytrue", {bools}, Type::Bool(), AnyTrue))));
  builder->Add(KnownAs(Special::kOne, Charging(Define("one", {Param("list", Type::Dynamic())}, OneType, One))));
  builder->Add(Define("matchkeys", {Param("values", list), Param("keys", list), Param("searchset", list)},
                      MatchKeysType, MatchKeys));
}

}  // namespace hcl::internal
