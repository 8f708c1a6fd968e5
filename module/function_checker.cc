// Results of functions, bound once more in a program that nobody runs: what a call runs was made while the declarations
// were read, and tells no types. Tested by module/type_checker_test.cc.

#include "hclvm/module/function_checker.h"

#include <memory>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

const StaticType* CheckFunctionResult(const PlacedExpr& result, const CompileOptions& options, StaticTypes* types,
                                      Diagnostics* diagnostics) {
  // The source is kept by whoever has read the module.
  std::shared_ptr<const Source> source(std::shared_ptr<void>(), result.source);
  ProgramBuilder builder(std::move(source), options.functions, options.dialect, options.limits);
  Diagnostics told(options.limits.max_diagnostics);  // when the function was read
  CodeGenerator generator(options, &builder, &told);
  CodeGenerator::Scope scope;
  scope.functions = options.functions.get();
  generator.ExchangeScope(std::move(scope));
  generator.GenerateChunk(*result.expr);
  Diagnostics found(options.limits.max_diagnostics);
  for (const BoundExpr* node : generator.tree().nodes()) {
    if (node->kind == BoundKind::kRaise) found.Add(builder.diagnostic(As<BoundRaise>(*node).diagnostic));
  }
  // Nothing is known of the parameters, so that what may fail is not told.
  TypeChecker checker(types, options.dialect, &found);
  const StaticType* const type = checker.Check(generator.tree(), result.source);
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.severity == Severity::kWarning) continue;
    if (diagnostic.source == nullptr) diagnostic.source = result.source;
    diagnostics->Add(std::move(diagnostic));
  }
  return type;
}

}  // namespace hcl::internal
