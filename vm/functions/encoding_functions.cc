// Functions that encode values. Tested by vm/functions/encoding_functions_test.cc.

#include "vm/functions/encoding_functions.h"

#include <string>

#include "vm/functions/function_support.h"
#include "vm/functions/json_text.h"

namespace hcl {
namespace {

using internal::Define;
using internal::Param;

Value JsonEncode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_wholly_known()) return Value::Unknown(Type::String());
  std::string text;
  std::string reason;
  if (!internal::AppendReferenceJson(arguments[0], &text, &reason)) return call->Error(reason);
  if (!internal::CanMake(call, text.size(), 1)) return Value();
  return internal::NormalizedCopy(text, call->arena());
}

}  // namespace

void RegisterEncodingFunctions(FunctionRegistryBuilder* builder) {
  const Parameter value = Param("val", Type::Dynamic(), internal::kAllowNull | internal::kAllowDynamic);
  builder->Add(Define("jsonencode", {value}, Type::String(), JsonEncode));
}

}  // namespace hcl
