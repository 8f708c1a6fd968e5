// Explain. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/explain.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/workbench/reason_finder.h"
#include "hclvm/workbench/trace_item.h"

namespace hcl::internal {
namespace {

// Values of one sub-expression that are shown.
constexpr size_t kMaxValues = 5;

Limits WithMoreFuel(Limits limits) {
  const uint64_t most = UINT64_MAX / ExplainOptions::kFuelFactor;
  limits.max_fuel = std::min(limits.max_fuel, most) * ExplainOptions::kFuelFactor;
  return limits;
}

// Each expression once, in the order of the files and of the text.
std::vector<SubExpression> AllExpressions(const RunTrace& trace, const ReasonFinder& finder) {
  std::map<std::tuple<std::string, uint32_t, uint32_t>, SubExpression> found;
  for (const TraceNode& node : trace.nodes()) {
    if (!node.is_done) continue;
    const TraceItem item{node.table, node.number, &node};
    const RecordPoint& point = item.point();
    SubExpression& one = found[{point.source->name(), point.range.begin, UINT32_MAX - point.range.end}];
    if (one.count++ == 0) {
      one.text = finder.TextOf(item);
      one.place = finder.PlaceOf(item);
    }
    if (one.values.size() < kMaxValues) one.values.push_back(finder.ValueText(node.value));
  }
  std::vector<SubExpression> all;
  for (auto& [key, one] : found) all.push_back(std::move(one));
  return all;
}

}  // namespace

Explainer::Explainer(std::shared_ptr<const Program> program, const ExplainOptions& options)
    : program_(std::move(program)),
      options_(options),
      evaluator_(program_, WithMoreFuel(options.limits)),
      trace_(options.max_nodes),
      heap_(nullptr, program_->dialect(), options.limits) {
  HCL_DCHECK(TablesOf(*program_).records() != nullptr);
  evaluator_.set_check_all(options.check_all);
  evaluator_.set_unknown_input(options.unknown_input);
}

Explanation Explainer::Explain(const Value& scope, const Entry& entry) {
  heap_.Reset();
  trace_.Reset();
  evaluator_.UnbindAll();
  evaluator_.BindAll(scope);
  AttachRecorder(evaluator_.heap(), &trace_);
  const Evaluation& evaluation = evaluator_.Run(entry);
  AttachRecorder(evaluator_.heap(), nullptr);

  Explanation explanation;
  explanation.entry = std::string(entry.path);
  explanation.is_cut = trace_.is_cut();
  ReasonFinder finder(*program_, trace_, evaluation.diagnostics(), &heap_,
                      {options_.show_sensitive, options_.max_reasons});
  for (const Diagnostic& one : evaluation.diagnostics().kept()) {
    if (one.severity == Severity::kError) explanation.errors.push_back(absl::StrCat(one.summary, ": ", one.detail));
  }
  explanation.is_limit = evaluation.diagnostics().has_limit();
  const TraceItem root = TraceWays(*program_, trace_).RootOf(entry.chunk);
  if (evaluation.ok()) {
    explanation.value = finder.ValueText(evaluation.marked_value());
    if (evaluation.value().unmarked().is_unknown()) explanation.outcome = Explanation::Outcome::kUnknown;
  } else {
    explanation.value = "error";
    explanation.outcome = Explanation::Outcome::kError;
  }
  if (root.number != RecordTable::kNoPoint) {
    Reason why;
    finder.Explain(root, &why);
    explanation.reads = std::move(why.reads);
    explanation.reasons = std::move(why.reasons);
    explanation.left_out = why.left_out;
  }
  if (options_.full) explanation.expressions = AllExpressions(trace_, finder);
  return explanation;
}

Explanation Explain(std::shared_ptr<const Program> program, const Value& scope, const Entry& entry,
                    const ExplainOptions& options) {
  return Explainer(std::move(program), options).Explain(scope, entry);
}

}  // namespace hcl::internal
