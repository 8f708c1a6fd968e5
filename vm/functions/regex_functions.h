// Functions of regular expressions: regex, regexall, regexreplace, replace.
//
// Tested by vm/functions/regex_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_REGEX_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_REGEX_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl {

void RegisterRegexFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_REGEX_FUNCTIONS_H_
