// Functions of lists and tuples. Tested by vm/functions/sequence_functions_test.cc.

#include "vm/functions/sequence_functions.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "vm/conversion.h"
#include "vm/functions/function_support.h"

namespace hcl {
namespace {

using internal::AnyUnknown;
using internal::CanMake;
using internal::DefineVariadic;
using internal::ElementTypeOf;
using internal::KindOf;
using internal::NameOfType;
using internal::Param;

using TypeVector = absl::InlinedVector<Type, 16>;

// Whether all arguments are lists and can become lists of one type, *type.
bool CommonListType(FunctionCall* call, absl::Span<const Value> arguments, Type* type) {
  for (const Value& argument : arguments) {
    if (KindOf(argument) != TypeKind::kList) return false;
  }
  if (internal::AllSameType(arguments)) {
    *type = TypeOf(arguments[0], call->types());
    return true;
  }
  TypeVector types;
  for (const Value& argument : arguments) types.push_back(TypeOf(argument, call->types()));
  return Unify(types, call->heap(), type);
}

// The types of what `sequence` contributes to a concatenated tuple; false when their number is not known.
bool AppendElementTypes(FunctionCall* call, const Value& sequence, TypeVector* types) {
  if (KindOf(sequence) == TypeKind::kList) {
    if (sequence.is_unknown()) return false;
    types->insert(types->end(), sequence.size(), sequence.element_type());
    return true;
  }
  const Type tuple = TypeOf(sequence, call->types());
  for (size_t i = 0; i < tuple.size(); ++i) types->push_back(tuple.element(i));
  return true;
}

// A list type, or the tuple's type; for a tuple that is known, dynamic, as its elements have their types in them.
Type ConcatType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) return call->TypeError("at least one argument is required");
  Type list;
  if (CommonListType(call, arguments, &list)) return list;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypeKind kind = KindOf(arguments[i]);
    if (kind != TypeKind::kList && kind != TypeKind::kTuple) {
      return call->ArgumentTypeError(
          i, absl::StrCat("a list or tuple is required, not ", NameOfType(arguments[i], call->types())));
    }
    // As in the reference, what stands behind a list of unknown length is not looked at.
    if (kind == TypeKind::kList && arguments[i].is_unknown()) return Type::Dynamic();
  }
  if (!AnyUnknown(arguments)) return Type::Dynamic();
  TypeVector types;
  for (const Value& argument : arguments) {
    if (!AppendElementTypes(call, argument, &types)) return Type::Dynamic();
  }
  return call->types()->Tuple(types);
}

Value Concat(FunctionCall* call, absl::Span<const Value> arguments) {
  const Type type = call->result_type();
  const bool is_list = type.kind() == TypeKind::kList;
  uint64_t count = 0;
  for (const Value& argument : arguments) count += argument.size();
  if (!CanMake(call, count)) return Value();
  internal::Sequence* result = NewSequence(static_cast<uint32_t>(count), is_list ? type.element() : Type(),
                                                     !is_list, call->arena());
  Value* next = result->mutable_items();
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value argument = arguments[i];
    ConversionError error;
    if (is_list && argument.element_type() != type.element() &&
        !Convert(arguments[i], type, call->heap(), &argument, &error)) {
      return call->ArgumentError(i, error.ToString());
    }
    for (const Value& element : argument.elements()) *next++ = element;
  }
  Finish(result);
  return Value::FromSequence(is_list ? Value::Tag::kList : Value::Tag::kTuple, result);
}

}  // namespace

void RegisterSequenceFunctions(FunctionRegistryBuilder* builder) {
  builder->Add(DefineVariadic("concat", {}, Param("seqs", Type::Dynamic()), ConcatType, Concat));
}

}  // namespace hcl
