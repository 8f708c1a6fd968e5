// Functions of patterns with wildcards: globmatch.
//
// Tested by vm/functions/glob_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_GLOB_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_GLOB_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterGlobFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_GLOB_FUNCTIONS_H_
