// Functions that compress: base64gzip.
//
// Tested by vm/functions/gzip_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_GZIP_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_GZIP_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl {

void RegisterGzipFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_GZIP_FUNCTIONS_H_
