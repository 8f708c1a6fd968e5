// Functions that say what is to be assumed of a value that may be unknown: assumeequal, assumenotnull and others.
//
// Tested by vm/functions/assumption_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_ASSUMPTION_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_ASSUMPTION_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterAssumptionFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_ASSUMPTION_FUNCTIONS_H_
