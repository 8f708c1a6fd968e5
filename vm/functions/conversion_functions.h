// Functions about types and failure: tostring, tonumber, tobool, tolist, toset, tomap, try, can.
//
// Tested by vm/functions/conversion_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_

#include "vm/function.h"

namespace hcl {

void RegisterConversionFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_
