// The smallest program: evaluates one expression, with no more than hclvm::core. docs/performance.md has its size.

#include <cstdio>
#include <memory>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/core.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"

int main() {
  auto source = std::make_shared<hcl::Source>("<expression>", R"("hello, ${upper("world")}")");
  hcl::CompileOptions options;
  options.functions = hcl::CoreFunctions();
  hcl::Diagnostics diagnostics;
  const std::shared_ptr<const hcl::Program> program = hcl::CompileExpression(source, options, &diagnostics);
  if (program == nullptr) {
    std::fputs(hcl::ToText(diagnostics, source.get()).c_str(), stderr);
    return 1;
  }
  hcl::Evaluator evaluator(program);
  const hcl::Evaluation& evaluation = evaluator.Run();
  std::string out;
  std::string reason;
  if (!evaluation.ok() || !hcl::AppendJson(evaluation.value(), &out, &reason)) return 1;
  std::puts(out.c_str());
  return 0;
}
