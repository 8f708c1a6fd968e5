// Functions that cut a string's ends: trim, trimspace, trimprefix, trimsuffix, chomp.
//
// Tested by vm/functions/trim_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_TRIM_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_TRIM_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterTrimFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_TRIM_FUNCTIONS_H_
