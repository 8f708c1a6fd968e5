// Functions of YAML: yamldecode, yamlencode.
//
// Tested by vm/functions/yaml_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_YAML_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_YAML_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl {

void RegisterYamlFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_YAML_FUNCTIONS_H_
