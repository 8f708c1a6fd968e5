// Functions of strings: startswith, endswith, strcontains, upper, lower, title, strlen, strrev, substr,
// indent, join, split.
//
// Tested by vm/functions/string_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_STRING_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_STRING_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterStringFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_STRING_FUNCTIONS_H_
