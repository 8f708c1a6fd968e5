// Functions that encode and decode: base64decode, base64encode, csvdecode, jsondecode, jsonencode, urlencode.
//
// Tested by vm/functions/encoding_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_ENCODING_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_ENCODING_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterEncodingFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_ENCODING_FUNCTIONS_H_
