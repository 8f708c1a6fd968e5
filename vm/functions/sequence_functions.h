// Functions of lists and tuples: concat, element, index, hasindex, slice, reverse, flatten, coalescelist.
//
// Tested by vm/functions/sequence_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_SEQUENCE_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_SEQUENCE_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterSequenceFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_SEQUENCE_FUNCTIONS_H_
