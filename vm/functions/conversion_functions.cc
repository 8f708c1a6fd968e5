// Functions about types and failure. Tested by vm/functions/conversion_functions_test.cc.

#include "vm/functions/conversion_functions.h"

#include "vm/conversion.h"
#include "vm/functions/function_support.h"

namespace hcl {
namespace {

using internal::Define;
using internal::DefineVariadic;
using internal::kAllowAll;
using internal::Param;

// The conversion to the function's own result type, of which unknown arguments become unknown values; tolist(unknown)
// is an unknown list of dynamic, as in the reference.
Value ConvertTo(FunctionCall* call, absl::Span<const Value> arguments) {
  const Type target = call->function().result_type;
  const Value& argument = arguments[0];
  Value converted;
  ConversionError error;
  if (!Convert(argument, target, call->heap(), &converted, &error)) {
    return call->ArgumentError(0, error.ToString());
  }
  if (argument.is_unknown() && !HasType(argument, target)) return Value::Unknown(target);
  return converted;
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

Function WithSpecial(Function function, Function::Special special) {
  function.special = special;
  return function;
}

}  // namespace

void RegisterConversionFunctions(FunctionRegistryBuilder* builder) {
  const Parameter any = Param("v", Type::Dynamic(), kAllowAll);
  builder->Add(Define("tostring", {any}, Type::String(), ConvertTo));
  builder->Add(Define("tonumber", {any}, Type::Number(), ConvertTo));
  builder->Add(Define("tobool", {any}, Type::Bool(), ConvertTo));
  builder->Add(Define("tolist", {any}, internal::Common().list_of_dynamic, ConvertTo));
  builder->Add(Define("toset", {any}, internal::Common().set_of_dynamic, ConvertTo));
  builder->Add(Define("tomap", {any}, internal::Common().map_of_dynamic, ConvertTo));
  builder->Add(
      WithSpecial(DefineVariadic("try", {}, Param("expressions", Type::Dynamic(), kAllowAll), Type::Dynamic(), Try),
                  Function::Special::kTry));
  builder->Add(WithSpecial(Define("can", {Param("expression", Type::Dynamic(), kAllowAll)}, Type::Bool(), Can),
                           Function::Special::kCan));
}

}  // namespace hcl
