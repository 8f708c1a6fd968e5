// Functions of collections of any kind: contains, length, coalesce.
//
// Tested by vm/functions/collection_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_COLLECTION_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_COLLECTION_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterCollectionFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_COLLECTION_FUNCTIONS_H_
