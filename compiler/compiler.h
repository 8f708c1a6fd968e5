// Compiler: from source text or AST to a verified Program.
//
// Entry points of the phase that turns what is written into what runs. Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_COMPILER_H_
#define HCLVM_COMPILER_COMPILER_H_

#include <memory>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program.h"

namespace hcl {

// Each parses and compiles `source`, reporting to `diagnostics`, and returns null when there were errors. There may be
// warnings beside a program. Programs keep `source` and the functions alive. Thread-safe.

// A config file. Its value is HCL JSON as an object: attributes as properties; blocks as type, then labels, then a
// tuple of the bodies of that type and labels. Each attribute is an entry of the program.
std::shared_ptr<const Program> CompileConfig(std::shared_ptr<const Source> source, const CompileOptions& options,
                                             Diagnostics* diagnostics);

// An expression. Its value is the program's value.
std::shared_ptr<const Program> CompileExpression(std::shared_ptr<const Source> source, const CompileOptions& options,
                                                 Diagnostics* diagnostics);

// A standalone template. Its value is a string unless it is a single interpolation.
std::shared_ptr<const Program> CompileTemplate(std::shared_ptr<const Source> source, const CompileOptions& options,
                                               Diagnostics* diagnostics);

// The same from trees that were parsed without errors from `source`.
std::shared_ptr<const Program> CompileBody(const Body& body, std::shared_ptr<const Source> source,
                                           const CompileOptions& options, Diagnostics* diagnostics);
std::shared_ptr<const Program> CompileExpr(const Expr& expr, std::shared_ptr<const Source> source,
                                           const CompileOptions& options, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_COMPILER_COMPILER_H_
