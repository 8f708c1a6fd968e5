// Functions of YAML. Tested by vm/functions/yaml_functions_test.cc.

#include "hclvm/vm/functions/yaml_functions.h"

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/yaml_reader.h"
#include "hclvm/vm/functions/yaml_writer.h"

namespace hcl {
namespace {

using internal::Define;
using internal::Param;

// Units of fuel for setting up libyaml's reader or writer.
constexpr uint64_t kSetUp = 100;

Value YamlDecode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!call->Charge(kSetUp)) return Value();
  Value value;
  return internal::YamlReader(call, arguments[0].AsString()).Read(&value) ? value : Value();
}

// A constant text decides alone.
void CheckYamlDecode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_unknown()) YamlDecode(call, arguments);
}

// The text depends on every part, so that one unknown part makes it unknown.
Value YamlEncode(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_wholly_known()) return Value::Unknown(Type::String());
  if (!call->Charge(kSetUp)) return Value();
  std::string text;
  if (!internal::AppendYaml(call, arguments[0], &text)) return Value();
  return internal::NormalizedCopy(text, call);
}

}  // namespace

void RegisterYamlFunctions(FunctionRegistryBuilder* builder) {
  const Parameter value = Param("value", Type::Dynamic(), internal::kAllowNull | internal::kAllowDynamic);
  builder->Add(internal::Checked(CheckYamlDecode,
                                 Define("yamldecode", {Param("src", Type::String())}, Type::Dynamic(), YamlDecode)));
  builder->Add(Define("yamlencode", {value}, Type::String(), YamlEncode));
}

}  // namespace hcl
