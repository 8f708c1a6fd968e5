// Functions about types, failure and marks: tostring, tonumber, tobool, tolist, toset, tomap, convert, type, try, can,
// issensitive, nonsensitive, sensitive.
//
// Tested by vm/functions/conversion_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterConversionFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_CONVERSION_FUNCTIONS_H_
