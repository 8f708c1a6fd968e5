// The function library: families of functions, and all of them in one registry.
//
// A host offers what it wants: everything, some families, or a registry of its own to which it adds more functions or
// replaces some. docs/functions.md lists the functions. All are pure: none reads a clock, a file or the environment, so
// that the compiler may call them; a host that has a "now" binds it as a variable.
//
// Tested by vm/functions/standard_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_STANDARD_H_
#define HCLVM_VM_FUNCTIONS_STANDARD_H_

#include <memory>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"

namespace hcl {

// Adds the functions of a family, for registries of several or with a host's own.
void RegisterFamily(FunctionFamily family, FunctionRegistryBuilder* builder);

// Every function of the library, and those of one family. The same registry for every call; thread-safe.
std::shared_ptr<const FunctionRegistry> StandardFunctions();
std::shared_ptr<const FunctionRegistry> NumericFunctions();
std::shared_ptr<const FunctionRegistry> StringFunctions();
std::shared_ptr<const FunctionRegistry> CollectionFunctions();
std::shared_ptr<const FunctionRegistry> EncodingFunctions();
std::shared_ptr<const FunctionRegistry> DateFunctions();
std::shared_ptr<const FunctionRegistry> HashFunctions();
std::shared_ptr<const FunctionRegistry> NetworkFunctions();
std::shared_ptr<const FunctionRegistry> TypeFunctions();

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_STANDARD_H_
