// Functions of paths whose parts are separated by slashes: basename, dirname. They look at the text alone, never at a
// file.
//
// Tested by vm/functions/path_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_PATH_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_PATH_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterPathFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_PATH_FUNCTIONS_H_
