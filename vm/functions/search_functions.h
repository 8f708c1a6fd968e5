// Functions that answer questions about lists and pick from them: alltrue, anytrue, one, matchkeys.
//
// Tested by vm/functions/search_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_SEARCH_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_SEARCH_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterSearchFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_SEARCH_FUNCTIONS_H_
