// Functions of numbers: abs, max, min, int, ceil, floor, signum, pow, log, parseint, sum.
//
// Tested by vm/functions/numeric_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_NUMERIC_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_NUMERIC_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterNumericFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_NUMERIC_FUNCTIONS_H_
