// Functions of versions: semvercmp, semverconstraint.
//
// Tested by vm/functions/version_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_VERSION_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_VERSION_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterVersionFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_VERSION_FUNCTIONS_H_
