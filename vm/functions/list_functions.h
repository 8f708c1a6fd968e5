// Functions of lists of one element type: distinct, chunklist, compact, sort, range.
//
// Tested by vm/functions/list_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_LIST_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_LIST_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterListFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_LIST_FUNCTIONS_H_
