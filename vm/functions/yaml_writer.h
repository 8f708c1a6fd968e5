// Values as YAML.
//
// Tested by vm/functions/yaml_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_YAML_WRITER_H_
#define HCLVM_VM_FUNCTIONS_YAML_WRITER_H_

#include <string>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Appends `value`, which is wholly known, as one document in block style: text in double quotes, or as a literal block
// when it has several lines; keys in order. False when the call has failed: for capsules, and beyond its limits.
bool AppendYaml(FunctionCall* call, const Value& value, std::string* out);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_YAML_WRITER_H_
