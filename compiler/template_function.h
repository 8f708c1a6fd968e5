// The function templatestring: evaluates a template that is given as text.
//
// It is declared with the other functions of strings (vm/functions/string_functions.cc), where no compiler is. The
// binder puts the function that is made here in place of the declared one: it has the compiler, and the functions that
// the program around it calls.
//
// Tested by compiler/template_function_test.cc.

#ifndef HCLVM_COMPILER_TEMPLATE_FUNCTION_H_
#define HCLVM_COMPILER_TEMPLATE_FUNCTION_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// `declared` with a body, for a program that calls `functions`. These must outlive what is made.
Function TemplateFunction(const Function& declared, const FunctionRegistry& functions);

// The same for a template that such a function evaluates, which must not call it in turn: every call fails.
Function NestedTemplateFunction(const Function& declared, const FunctionRegistry& functions);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_TEMPLATE_FUNCTION_H_
