// Functions that encode text in other charsets: textdecodebase64, textencodebase64.
//
// Tested by vm/functions/charset_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CHARSET_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_CHARSET_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterCharsetFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_CHARSET_FUNCTIONS_H_
