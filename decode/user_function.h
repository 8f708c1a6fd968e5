// Functions that a config defines: `function "f" { params = [a], variadic_param = rest, result = a + 1 }`.
//
// Tested by decode/user_function_test.cc.

#ifndef HCLVM_DECODE_USER_FUNCTION_H_
#define HCLVM_DECODE_USER_FUNCTION_H_

#include <memory>
#include <optional>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/vm/functions/function.h"

namespace hcl {

// Adds a function for each block of type `block_type` in `body` to `functions`, and returns the rest of the body. A
// result sees the parameters and the functions in `options`, not those that are defined beside it. `sources` are those
// of the body; the functions keep them. Blocks in error are reported to `diagnostics` and left out.
BodyViewPtr TakeUserFunctions(const BodyView& body, const std::string& block_type, const SourceList& sources,
                              const CompileOptions& options, FunctionRegistryBuilder* functions,
                              Diagnostics* diagnostics);

// The function of one such block, of which `sources` has the source. None where it is in error, which is reported.
std::optional<Function> ReadUserFunction(const BlockView& block, const SourceList& sources,
                                         const CompileOptions& options, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_DECODE_USER_FUNCTION_H_
