// Functions that format values by a template: format, formatlist.
//
// Tested by vm/functions/format_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FORMAT_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_FORMAT_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterFormatFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_FORMAT_FUNCTIONS_H_
