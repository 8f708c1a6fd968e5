// Functions that a config defines: `function "f" { params = [a], variadic_param = rest, result = a + 1 }`.
//
// Tested by dec/user_function_test.cc.

#ifndef HCLVM_DEC_USER_FUNCTION_H_
#define HCLVM_DEC_USER_FUNCTION_H_

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "compiler/compiler.h"
#include "dec/decoder.h"
#include "hcl/body_content.h"
#include "vm/function.h"

namespace hcl {

// Adds a function for each block of type `block_type` in `body` to `functions`, and returns the rest of the body. A
// result sees the parameters and the functions in `options`, not those that are defined beside it. `sources` are those
// of the body; the functions keep them. Blocks in error are reported to `diagnostics` and left out.
BodyViewPtr TakeUserFunctions(const BodyView& body, const std::string& block_type, const SourceList& sources,
                              const CompileOptions& options, FunctionRegistryBuilder* functions,
                              Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_DEC_USER_FUNCTION_H_
