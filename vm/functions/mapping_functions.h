// Functions of maps and objects: keys, values, lookup, merge, transpose, zipmap.
//
// Tested by vm/functions/mapping_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_MAPPING_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_MAPPING_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterMappingFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_MAPPING_FUNCTIONS_H_
