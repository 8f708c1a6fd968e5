// Compiling the JSON syntax. Tested by compiler/json_compiler_test.cc.

#ifndef HCLVM_COMPILER_JSON_COMPILER_H_
#define HCLVM_COMPILER_JSON_COMPILER_H_

#include <memory>
#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/vm/program.h"

namespace hcl {

// How the JSON syntax is read for programs compiled with `options`.
JsonOptions JsonOptionsFor(const CompileOptions& options);

// Parses and compiles a config in the JSON syntax, in dynamic attributes mode: each property of the root is an
// attribute and an entry of the program, whose value is an object of all of them. Otherwise as CompileConfig(). In
// literal-only mode it is an error to give functions (information-model.md, "Expression Evaluation").
std::shared_ptr<const Program> CompileJsonConfig(std::shared_ptr<const Source> source, EvaluationMode mode,
                                                 const CompileOptions& options, Diagnostics* diagnostics);
inline std::shared_ptr<const Program> CompileJsonConfig(std::shared_ptr<const Source> source,
                                                        const CompileOptions& options, Diagnostics* diagnostics) {
  return CompileJsonConfig(std::move(source), EvaluationMode::kFull, options, diagnostics);
}

// The same for a text that is one expression, whose value is the program's.
std::shared_ptr<const Program> CompileJsonExpression(std::shared_ptr<const Source> source, EvaluationMode mode,
                                                     const CompileOptions& options, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_COMPILER_JSON_COMPILER_H_
