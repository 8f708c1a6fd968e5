// The compiler's entry points. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/compiler.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "hclvm/base/out_of_memory.h"
#include "hclvm/compiler/body_generator.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

using internal::ProgramBuilder;
namespace {

using ParseFunction = std::unique_ptr<ParsedFile> (*)(const Source&, const ParseOptions&, Diagnostics*);

std::unique_ptr<ParsedFile> Parse(ParseFunction parse, const Source& source, const CompileOptions& options,
                                  Diagnostics* diagnostics) {
  std::unique_ptr<ParsedFile> file = parse(source, ParseOptionsFor(options), diagnostics);
  return diagnostics->has_errors() ? nullptr : std::move(file);
}

}  // namespace

std::shared_ptr<const Program> CompileBody(const Body& body, std::shared_ptr<const Source> source,
                                           const CompileOptions& options, Diagnostics* diagnostics) {
  return internal::WithMemoryOrNull(diagnostics, [&]() -> std::shared_ptr<const Program> {
    ProgramBuilder builder(std::move(source), options.functions, options.dialect, options.limits);
    internal::BodyGenerator(options, &builder, diagnostics).Generate(body);
    if (diagnostics->has_errors()) return nullptr;
    return std::move(builder).FinishVerified(diagnostics);
  });
}

std::shared_ptr<const Program> CompileExpr(const Expr& expr, std::shared_ptr<const Source> source,
                                           const CompileOptions& options, Diagnostics* diagnostics) {
  return internal::WithMemoryOrNull(
      diagnostics, [&] { return internal::GenerateProgram(expr, std::move(source), options, diagnostics); });
}

std::shared_ptr<const Program> CompileConfig(std::shared_ptr<const Source> source, const CompileOptions& options,
                                             Diagnostics* diagnostics) {
  const std::unique_ptr<ParsedFile> file = Parse(ParseConfig, *source, options, diagnostics);
  return file == nullptr ? nullptr : CompileBody(*file->body, std::move(source), options, diagnostics);
}

std::shared_ptr<const Program> CompileExpression(std::shared_ptr<const Source> source, const CompileOptions& options,
                                                 Diagnostics* diagnostics) {
  const std::unique_ptr<ParsedFile> file = Parse(ParseExpression, *source, options, diagnostics);
  return file == nullptr ? nullptr : CompileExpr(*file->expr, std::move(source), options, diagnostics);
}

std::shared_ptr<const Program> CompileTemplate(std::shared_ptr<const Source> source, const CompileOptions& options,
                                               Diagnostics* diagnostics) {
  const std::unique_ptr<ParsedFile> file = Parse(ParseTemplate, *source, options, diagnostics);
  return file == nullptr ? nullptr : CompileExpr(*file->expr, std::move(source), options, diagnostics);
}

}  // namespace hcl
