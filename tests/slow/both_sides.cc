// One program, evaluated by the virtual machine and by the slow evaluator.

#include "hclvm/tests/slow/both_sides.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

Problems ProblemsOf(const Diagnostics& diagnostics) {
  Problems problems;
  for (const Diagnostic& d : diagnostics.kept()) {
    problems.push_back({d.summary, d.subject.value_or(SourceRange{}), d.is_limit});
  }
  return problems;
}

}  // namespace

std::string Print(const Outcome& outcome) {
  std::string text;
  if (outcome.ok()) {
    TypeTable types;
    AppendTypedJson(*outcome.value, &types, &text);
    return text;
  }
  for (const Problem& problem : outcome.problems) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", problem.is_limit ? "limit " : "error ", problem.range.begin, "-",
                    problem.range.end, " ", problem.summary);
  }
  return text;
}

Parsed::Parsed(std::string_view text) : source_(std::make_shared<const Source>("<test>", std::string(text))) {
  file_ = ParseExpression(*source_, {}, &diagnostics_);
}

SlowSide::SlowSide(Dialect dialect)
    : functions_(StandardFunctions()), heap_(nullptr, dialect), evaluator_(*functions_, &heap_) {}

Outcome SlowSide::Evaluate(const Parsed& parsed, const Value& variables) {
  heap_.Reset();
  return evaluator_.Evaluate(*parsed.expr(), variables);
}

FastSide::FastSide(Dialect dialect, bool optimize) {
  options_.dialect = dialect;
  options_.optimize = optimize;
  options_.functions = StandardFunctions();
}

Outcome FastSide::Evaluate(const Parsed& parsed, const Value& variables) {
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileExpr(*parsed.expr(), parsed.source(), options_, &diagnostics);
  if (program == nullptr) return ProblemsOf(diagnostics);
  evaluator_ = std::make_unique<Evaluator>(std::move(program));
  evaluator_->BindAll(variables);
  const Evaluation& evaluation = evaluator_->Run();
  if (!evaluation.ok()) return ProblemsOf(evaluation.diagnostics());
  return evaluation.value();
}

}  // namespace hcl::testing_support
