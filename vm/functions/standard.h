// StandardFunctions: all function families in one registry.
//
// Tested by vm/functions/standard_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_STANDARD_H_
#define HCLVM_VM_FUNCTIONS_STANDARD_H_

#include <memory>

#include "vm/function.h"

namespace hcl {

// Every function of the library. All are pure: none reads a clock, a file or the environment. The same registry for
// every call; thread-safe.
std::shared_ptr<const FunctionRegistry> StandardFunctions();

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_STANDARD_H_
