// Functions about types and failure. Tested by vm/functions/conversion_functions_test.cc.

#include "hclvm/vm/functions/conversion_functions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/silence.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type_syntax.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/uniform_list.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Whether one type for all elements is asked for, and there is none: scalars stand beside what has parts, and all are
// known. As a glance tells, where nobody reads why.
bool AreOfNoOneType(const Value& value, Type target) {
  constexpr size_t kMostElements = 8;
  if (!target.is_collection() || !target.element().is_dynamic() || value.has_marks()) return false;
  if (!value.is_tuple() && !value.is_object()) return false;
  const absl::Span<const Value> items = value.is_tuple() ? value.elements() : value.values();
  if (items.size() > kMostElements) return false;
  size_t scalars = 0;
  for (const Value& item : items) {
    if (item.is_null() || item.is_unknown()) return false;
    scalars += item.is_bool() || item.is_number() || item.is_string() ? 1 : 0;
  }
  return scalars > 0 && scalars < items.size();
}

// The conversion to the function's own result type, of which unknown arguments become unknown values. An unknown
// collection keeps the type of its elements, and what is known of it; tolist(unknown tuple) is an unknown list of
// dynamic, as in the reference.
Value ConvertTo(FunctionCall* call, absl::Span<const Value> arguments) {
  const Type target = call->function().result_type;
  const Value& argument = arguments[0];
  Value converted = argument;
  uint64_t cost = 0;
  if (internal::TakeUniformList(target, call->heap(), &converted, &cost)) {
    return call->Charge(cost) ? converted : Value();
  }
  if (IsSilent(call->silence()) && AreOfNoOneType(argument, target)) return call->ArgumentError(0, "");
  if (!call->Charge(ConversionCost(argument, target))) return Value();
  ConversionError error = NewError(call);
  if (!Convert(argument, target, call->heap(), &converted, &error)) {
    return ConversionFailed(call, 0, error);
  }
  if (!argument.is_unknown() || HasType(argument, target)) return converted;
  return argument.null_or_unknown_type().is_collection() ? converted : Value::Unknown(target);
}

// Text stays what it is, and an integer takes its digits.
Value ToText(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& argument = arguments[0];
  if (!argument.is_int() && !argument.is_string()) return ConvertTo(call, arguments);
  if (!call->Charge(ConversionCost(argument, Type::String()))) return Value();
  if (argument.is_string()) return argument;
  constexpr size_t kMostDigits = 20;
  char digits[kMostDigits + 1];
  char* const end = digits + sizeof(digits);
  const int64_t number = argument.AsInt();
  char* begin = WriteBackwards(number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number), end);
  if (number < 0) *--begin = '-';
  return Value::String({begin, static_cast<size_t>(end - begin)}, call->arena());
}

Value ToBool(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& argument = arguments[0];
  if (argument.is_bool()) return argument;
  if (argument.SameBits(Value::StringView("true"))) return Value::Bool(true);
  if (argument.SameBits(Value::StringView("false"))) return Value::Bool(false);
  return ConvertTo(call, arguments);
}

// What is no text of few digits.
ABSL_ATTRIBUTE_NOINLINE Value AnyToNumber(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& argument = arguments[0];
  const bool may_be_long = call->heap()->limits().max_number_digits >= kMaxInlineDigits;
  if (!argument.is_string() || !may_be_long) return ConvertTo(call, arguments);
  const std::string_view text = argument.AsString();
  int64_t number = 0;
  size_t digits = 0;
  while (digits < text.size() && digits < kMaxInlineDigits && text[digits] >= '0' && text[digits] <= '9') {
    number = number * 10 + (text[digits++] - '0');
  }
  if (digits == text.size() && digits > 0) return Value::Int(number);
  return IsNoNumber(text) && IsSilent(call->silence()) ? call->ArgumentError(0, "") : ConvertTo(call, arguments);
}

// Short texts of digits are most of what becomes a number, and cost what the call does.
Value ToNumber(FunctionCall* call, absl::Span<const Value> arguments) {
  int64_t number;
  const bool is_short =
      ReadShortDigits(arguments[0], &number) && call->heap()->limits().max_number_digits >= kMaxInlineDigits;
  return is_short ? Value::Int(number) : AnyToNumber(call, arguments);
}

// Serves `try(list...)`, whose arguments have been evaluated without error.
Value Try(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) return call->Error("at least one argument is required");
  return arguments[0].is_wholly_known() ? arguments[0] : Value::Dynamic();
}

// Serves `can(list...)`, likewise.
Value Can(FunctionCall*, absl::Span<const Value> arguments) {
  return arguments[0].is_wholly_known() ? Value::Bool(true) : Value::Unknown(Type::Bool());
}

// A type as it is written in an expression, with the memory that it lives in.
struct WrittenType {
  Heap heap;
  Type type;
};

// Function::prepare of convert: the type, argument number 1. A wrong type is not reported here: the call may never run.
Prepared PrepareType(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[1] == nullptr || !constants[1]->is_string()) return {};
  auto written = std::make_shared<WrittenType>();
  TypeSyntaxError error;
  if (!call->Charge(constants[1]->AsString().size())) return {};
  if (!ParseTypeSyntax(constants[1]->AsString(), &written->heap, &written->type, &error)) return {};
  const size_t bytes = sizeof(*written) + written->heap.bytes_reserved();
  return {std::move(written), bytes};
}

// The compiler gives the second argument as text. A limit is told apart from a mistake, since hosts do so.
Value ConvertToWritten(FunctionCall* call, absl::Span<const Value> arguments) {
  Type type;
  if (call->prepared() != nullptr) {
    type = static_cast<const WrittenType*>(call->prepared())->type;
  } else if (!arguments[1].is_string()) {
    return call->ArgumentError(1, "a type is required, as in convert(value, list(string))");
  } else if (TypeSyntaxError error; !ParseTypeSyntax(arguments[1].AsString(), call->heap(), &type, &error)) {
    std::string_view phrase = error.message;
    if (!phrase.empty() && phrase.back() == '.') phrase.remove_suffix(1);
    const std::string reason = absl::StrCat("not a type: ", internal::ToAbsl(phrase));
    return error.is_limit ? call->LimitError(reason) : call->ArgumentError(1, reason);
  }
  if (!call->Charge(ConversionCost(arguments[0], type))) return Value();
  Value converted;
  ConversionError error = NewError(call);
  if (Convert(arguments[0], type, call->heap(), &converted, &error)) return converted;
  return ConversionFailed(call, 0, error);
}

Value TypeOfValue(FunctionCall* call, absl::Span<const Value> arguments) {
  // A large tuple has a large type.
  if (!internal::CanMake(call, arguments[0].weight()) || !call->Charge(arguments[0].weight())) return Value();
  const Type type = TypeOf(arguments[0], call->types());
  // What is dynamic because it is unknown may become anything.
  if (!arguments[0].is_wholly_known() && type.has_dynamic()) return Value::Unknown(Type::String());
  return Value::String(ToTypeSyntax(type), call->arena());
}

Value Sensitive(FunctionCall* call, absl::Span<const Value> arguments) {
  return Mark(arguments[0], kSensitiveMark, call->arena());
}

// Takes off the one mark and leaves the others; marks on parts of the value stay. What is ephemeral stays declared so,
// and hosts get the value without marks.
Value Nonsensitive(FunctionCall* call, absl::Span<const Value> arguments) {
  const MarkSet marks = arguments[0].marks() & ~kSensitiveMark;
  const bool is_ephemeral = (marks & kEphemeralMark) != 0;
  return Mark(arguments[0].unmarked(), is_ephemeral ? marks : marks & ~kDeclaredMark, call->arena());
}

Value IsSensitive(FunctionCall*, absl::Span<const Value> arguments) {
  if ((arguments[0].marks() & kSensitiveMark) != 0) return Value::Bool(true);
  // An unknown value may turn out to be marked.
  return arguments[0].unmarked().is_unknown() ? Value::Unknown(Type::Bool()) : Value::Bool(false);
}

Value EphemeralToNull(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& value = arguments[0];
  if (!value.has_marks() && value.is_wholly_known()) return value;
  if (!CanMake(call, value.weight())) return Value();
  return EphemeralAsNull(value, call->heap());
}

Function WithPrepare(Function function, PrepareArguments prepare) {
  function.prepare = prepare;
  return function;
}

Function WithSpecial(Function function, Function::Special special) {
  function.special = special;
  return function;
}

}  // namespace

// The values come to the bodies as they are, unknown, null or dynamic, because these functions are about types and
// failure, not about what a value is. Only functions about marks see them; for all others marks go
// from the arguments to the result by the protocol.
void RegisterConversionFunctions(FunctionRegistryBuilder* builder) {
  const Parameter any = Param("v", Type::Dynamic(), kAllowAll);
  builder->Add(FailingByType(Quick(Define("tostring", {any}, Type::String(), ToText))));
  builder->Add(Quick(Define("tonumber", {any}, Type::Number(), ToNumber)));
  builder->Add(Quick(Define("tobool", {any}, Type::Bool(), ToBool)));
  builder->Add(FailingByType(Define("tolist", {any}, internal::Common().list_of_dynamic, ConvertTo)));
  builder->Add(FailingByType(
      WithSpecial(Define("toset", {any}, internal::Common().set_of_dynamic, ConvertTo), Function::Special::kToSet)));
  builder->Add(FailingByType(Define("tomap", {any}, internal::Common().map_of_dynamic, ConvertTo)));
  builder->Add(Charging(
      WithSpecial(DefineVariadic("try", {}, Param("expressions", Type::Dynamic(), kAllowAll), Type::Dynamic(), Try),
                  Function::Special::kTry)));
  builder->Add(Charging(WithSpecial(Define("can", {Param("expression", Type::Dynamic(), kAllowAll)}, Type::Bool(), Can),
                                    Function::Special::kCan)));
  builder->Add(WithSpecial(WithPrepare(Define("convert",
                                              {Param("value", Type::Dynamic(), kAllowAll),
                                               Param("type", Type::Dynamic(), internal::kAllowNull)},
                                              Type::Dynamic(), ConvertToWritten),
                                       PrepareType),
                           Function::Special::kConvert));
  builder->Add(Define("type", {Param("value", Type::Dynamic(), kAllowAll)}, Type::String(), TypeOfValue));
  Parameter marked = Param("value", Type::Dynamic(), kAllowAll);
  marked.allow_marked = true;
  builder->Add(Define("ephemeralasnull", {marked}, Type::Dynamic(), EphemeralToNull));
  builder->Add(Charging(Define("issensitive", {marked}, Type::Bool(), IsSensitive)));
  builder->Add(Charging(Define("nonsensitive", {marked}, Type::Dynamic(), Nonsensitive)));
  builder->Add(Charging(Define("sensitive", {marked}, Type::Dynamic(), Sensitive)));
}

}  // namespace hcl::internal
