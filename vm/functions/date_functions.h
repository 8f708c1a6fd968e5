// Functions of points in time: formatdate, timeadd, timecmp.
//
// Tested by vm/functions/date_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_DATE_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_DATE_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterDateFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_DATE_FUNCTIONS_H_
