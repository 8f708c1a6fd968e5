// Functions of sets: setunion, setintersection, setsubtract, setsymmetricdifference, setproduct.
//
// Tested by vm/functions/set_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_SET_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_SET_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterSetFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_SET_FUNCTIONS_H_
