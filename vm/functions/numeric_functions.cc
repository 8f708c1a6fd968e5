// Functions of numbers. Tested by vm/functions/numeric_functions_test.cc.

#include "vm/functions/numeric_functions.h"

#include "vm/functions/function_support.h"
#include "vm/number.h"

namespace hcl {
namespace {

using internal::Define;
using internal::DefineVariadic;
using internal::kAllowDynamic;
using internal::Param;

Value Abs(FunctionCall* call, absl::Span<const Value> arguments) {
  const Number number = arguments[0].AsNumber();
  return number.Sign() < 0 ? Value::FromNumber(Negate(number, call->arena())) : arguments[0];
}

// The argument that compares to all others as `sign` says: 1 for the greatest, -1 for the least.
Value Extreme(FunctionCall* call, absl::Span<const Value> arguments, int sign) {
  if (arguments.empty()) return call->Error("at least one number is required");
  Value best = arguments[0];
  for (const Value& candidate : arguments.subspan(1)) {
    const int order = candidate.is_int() && best.is_int()
                          ? (candidate.AsInt() > best.AsInt()) - (candidate.AsInt() < best.AsInt())
                          : Compare(candidate.AsNumber(), best.AsNumber());
    if (order * sign > 0) best = candidate;
  }
  return best;
}

Value Max(FunctionCall* call, absl::Span<const Value> arguments) { return Extreme(call, arguments, 1); }
Value Min(FunctionCall* call, absl::Span<const Value> arguments) { return Extreme(call, arguments, -1); }

}  // namespace

void RegisterNumericFunctions(FunctionRegistryBuilder* builder) {
  const Type number = Type::Number();
  builder->Add(Define("abs", {Param("num", number, kAllowDynamic)}, number, Abs));
  builder->Add(DefineVariadic("max", {}, Param("numbers", number, kAllowDynamic), number, Max));
  builder->Add(DefineVariadic("min", {}, Param("numbers", number, kAllowDynamic), number, Min));
}

}  // namespace hcl
