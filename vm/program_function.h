// Functions whose bodies are programs: `function` blocks of a config, for one, whose result is an expression.
//
// Tested by vm/program_function_test.cc.

#ifndef HCLVM_VM_PROGRAM_FUNCTION_H_
#define HCLVM_VM_PROGRAM_FUNCTION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program.h"

namespace hcl {

// A function that evaluates `program` with its arguments, of any types, as the variables `parameters`; further
// arguments are the elements of a tuple, the variable `variadic`, if there is one. Nulls are errors and unknown
// arguments make the result unknown. The steps that it takes are the caller's; the first of its diagnostics becomes the
// reason of its failure. It is not called while compiling.
Function FunctionOf(std::string name, std::vector<std::string> parameters, std::optional<std::string> variadic,
                    std::shared_ptr<const Program> program);

}  // namespace hcl

#endif  // HCLVM_VM_PROGRAM_FUNCTION_H_
