// One program, evaluated by the virtual machine and by the slow evaluator.

#include "hclvm/tests/slow/both_sides.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/register_flow.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

Problems ProblemsOf(const Diagnostics& diagnostics) {
  Problems problems;
  for (const Diagnostic& d : diagnostics.kept()) {
    problems.push_back({d.summary, d.subject.value_or(SourceRange{}), d.is_limit});
  }
  // What ends without a value says why.
  if (problems.empty()) problems.push_back({"no value and no diagnostic", {}});
  return problems;
}

// Of values that are the same without marks.
bool SameMarks(const Value& a, const Value& b) {
  if (a.marks() != b.marks()) return false;
  const Value& inner = a.unmarked();
  if (!inner.has_marks() && !b.unmarked().has_marks()) return true;
  const absl::Span<const Value> of_a = inner.is_sequence() ? inner.elements() : inner.values();
  const absl::Span<const Value> of_b = inner.is_sequence() ? b.unmarked().elements() : b.unmarked().values();
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), SameMarks);
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

bool Same(const Outcome& a, const Outcome& b) {
  if (a.ok() != b.ok()) return false;
  if (!a.ok()) return a.problems[0] == b.problems[0];
  if (a.value->is_wholly_known()) return Identical(*a.value, *b.value);
  // Printed, unknown values show what else is known of them, but not their marks.
  return Print(a) == Print(b) && SameMarks(*a.value, *b.value);
}

Outcome OutcomeOf(const Evaluation& evaluation) {
  if (!evaluation.ok()) return ProblemsOf(evaluation.diagnostics());
  return evaluation.value();
}

bool HasLimit(const Outcome& outcome) {
  return std::any_of(outcome.problems.begin(), outcome.problems.end(), [](const Problem& p) { return p.is_limit; });
}

Parsed::Parsed(std::string_view text, const ParseOptions& options)
    : source_(std::make_shared<const Source>("<test>", std::string(text))) {
  file_ = ParseExpression(*source_, options, &diagnostics_);
}

SlowSide::SlowSide(Dialect dialect)
    : functions_(StandardFunctions()), heap_(nullptr, dialect), evaluator_(*functions_, &heap_) {}

Outcome SlowSide::Evaluate(const Parsed& parsed, const Value& variables) {
  heap_.Reset();
  return evaluator_.Evaluate(*parsed.expr(), variables);
}

CompileOptions OptionsFor(Dialect dialect) {
  CompileOptions options;
  options.dialect = dialect;
  return options;
}

FastSide::FastSide(Dialect dialect, Code code) {
  options_.dialect = dialect;
  options_.optimize = code != Code::kUnoptimized;
  options_.fast_code = code == Code::kOptimized;
  options_.functions = StandardFunctions();
}

void FastSide::Compile(const Parsed& parsed) {
  Diagnostics diagnostics;
  Use(CompileExpr(*parsed.expr(), parsed.source(), options_, &diagnostics));
  problems_ = program_ == nullptr ? ProblemsOf(diagnostics) : Problems();
}

void FastSide::Share(const FastSide& other) {
  Use(other.program_);
  problems_ = other.problems_;
}

void FastSide::Use(std::shared_ptr<const Program> program) {
  program_ = std::move(program);
  evaluator_ = program_ != nullptr ? std::make_unique<Evaluator>(program_, options_.limits) : nullptr;
}

std::string FastSide::WhatIsReadBeforeWritten() const {
  return program_ != nullptr ? internal::WhatIsReadBeforeWritten(*program_) : "";
}

Outcome FastSide::Run(const Value& variables) {
  if (evaluator_ == nullptr) return problems_;
  evaluator_->BindAll(variables);
  return RunBound();
}

Outcome FastSide::RunLazily(const Value& variables, uint32_t* most_calls) {
  if (evaluator_ == nullptr) return problems_;
  evaluator_->BindAll(variables);
  std::vector<uint32_t> calls(program_->variables().size());
  for (uint32_t slot = 0; slot < calls.size(); ++slot) {
    const int64_t at = variables.shape().Find(program_->variables()[slot]);
    if (at < 0) continue;
    const Value value = variables.values()[static_cast<size_t>(at)];
    evaluator_->BindLazy(slot, [value, &count = calls[slot]](LazyCall*) { return ++count, value; });
  }
  Outcome outcome = RunBound();
  *most_calls = calls.empty() ? 0 : *std::max_element(calls.begin(), calls.end());
  return outcome;
}

void FastSide::RunMany(absl::Span<const Value> scopes, RunResults* results) {
  if (evaluator_ != nullptr) evaluator_->RunMany(scopes, results);
}

std::optional<Outcome> FastSide::OutcomeOfRow(const RunResults& results, size_t row) const {
  if (evaluator_ == nullptr) return std::nullopt;
  if (!results.ok(row)) return ProblemsOf(results.diagnostics(row));
  return results.value(row);
}

Outcome FastSide::RunBound() {
  const Evaluation& evaluation = evaluator_->Run();
  fuel_used_ = options_.limits.max_fuel - evaluation.fuel_left();
  return OutcomeOf(evaluation);
}

Outcome FastSide::Evaluate(const Parsed& parsed, const Value& variables) {
  Compile(parsed);
  return Run(variables);
}

}  // namespace hcl::testing_support
