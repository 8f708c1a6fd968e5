// The JSON syntax by way of native trees. Tested by compiler/json_compiler_test.cc.

#include "hclvm/compiler/json_compiler.h"

#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

// False when literal-only mode is asked for with functions.
bool CheckMode(EvaluationMode mode, const CompileOptions& options, Diagnostics* diagnostics) {
  if (mode != EvaluationMode::kLiteral || options.functions == nullptr) return true;
  Diagnostic diagnostic(DiagnosticCode::kFunctionsInLiteralMode);
  diagnostic.detail =
      "Where strings are taken literally there are no variables and functions, but functions were given.";
  diagnostics->Add(std::move(diagnostic));
  return false;
}

}  // namespace

JsonOptions JsonOptionsFor(const CompileOptions& options) {
  JsonOptions json;
  json.limits = options.limits;
  json.rules = options.dialect == Dialect::kSpec ? JsonRules::kSpec : JsonRules::kReference;
  return json;
}

std::shared_ptr<const Program> CompileJsonConfig(std::shared_ptr<const Source> source, EvaluationMode mode,
                                                 const CompileOptions& options, Diagnostics* diagnostics) {
  if (!CheckMode(mode, options, diagnostics)) return nullptr;
  const std::unique_ptr<JsonFile> file = ParseJson(*source, JsonOptionsFor(options), diagnostics);
  if (diagnostics->has_errors()) return nullptr;
  Arena arena;
  const Body* body = JsonAttributes(*file, mode, &arena, diagnostics);
  return diagnostics->has_errors() ? nullptr : CompileBody(*body, std::move(source), options, diagnostics);
}

std::shared_ptr<const Program> CompileJsonExpression(std::shared_ptr<const Source> source, EvaluationMode mode,
                                                     const CompileOptions& options, Diagnostics* diagnostics) {
  if (!CheckMode(mode, options, diagnostics)) return nullptr;
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(*source, JsonOptionsFor(options), diagnostics);
  if (diagnostics->has_errors()) return nullptr;
  Arena arena;
  const Expr* expr = ToNativeExpr(file->root, *file, mode, &arena, diagnostics);
  return diagnostics->has_errors() ? nullptr : CompileExpr(*expr, std::move(source), options, diagnostics);
}

}  // namespace hcl
