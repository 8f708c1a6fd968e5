// Explain. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/explain.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/reason_finder.h"
#include "hclvm/workbench/trace_item.h"

namespace hcl::internal {
namespace {

// Values of one sub-expression that are shown.
constexpr size_t kMaxValues = 5;

// Which nodes would tell, by being there, what is sensitive: a branch, an operand or an element behind it, and what a
// loop or the body of a function makes of it, where it has no marks. By their index.
std::vector<bool> HiddenNodes(const RunTrace& trace, const TraceWays& ways) {
  std::vector<bool> hidden(trace.node_count());
  for (size_t index = 0; index < trace.node_count(); ++index) {
    const TraceNode& whole = trace.node(index);
    const PointKind kind = whole.point().kind;
    const bool is_loop = kind == PointKind::kFor || kind == PointKind::kSplat || kind == PointKind::kTemplateFor;
    const bool decides =
        is_loop || kind == PointKind::kConditional || kind == PointKind::kAnd || kind == PointKind::kOr;
    bool is_behind = false;  // what is sensitive, of the same pass
    bool hides_all = false;  // it is what a loop goes over
    uint32_t pass = 0;
    for (const TraceNode* part : whole.parts) {
      if (is_loop && std::exchange(pass, part->pass) != part->pass) is_behind = false;
      const bool is_body = kind == PointKind::kCall && part->point().parent == RecordTable::kNoPoint;
      hidden[part->index] = hidden[whole.index] || ((decides || is_body) && (is_behind || hides_all));
      if (!part->is_done || !ways.IsHidden(part->value)) continue;
      (is_loop && part == whole.parts[0] ? hides_all : is_behind) = true;
    }
  }
  return hidden;
}

// Each expression once, in the order of the files and of the text.
std::vector<SubExpression> AllExpressions(const RunTrace& trace, const TraceWays& ways, const ReasonFinder& finder) {
  const std::vector<bool> hidden = HiddenNodes(trace, ways);
  std::map<std::tuple<std::string, uint32_t, uint32_t>, SubExpression> found;
  for (size_t index = 0; index < trace.node_count(); ++index) {
    const TraceNode& node = trace.node(index);
    if (hidden[node.index] || !node.is_done) continue;
    const TraceItem item{node.table, node.number, &node};
    const RecordPoint& point = item.point();
    SubExpression& one = found[{point.source->name(), point.range.begin, UINT32_MAX - point.range.end}];
    if (one.count++ == 0) {
      one.text = finder.TextOf(item);
      one.place = finder.PlaceOf(item);
      one.range = point.range;
      one.line = Excerpt(point.source->Line(one.place.line));
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
      evaluator_(program_, RecordingLimits(options.limits)),
      trace_(options.max_nodes),
      heap_(nullptr, program_->dialect(), options.limits) {
  HCL_DCHECK(TablesOf(*program_).records() != nullptr);
  evaluator_.set_check_all(options.check_all);
  evaluator_.set_unknown_input(options.unknown_input);
  evaluator_.BindBase(options.base);
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
                      {options_.show_sensitive, options_.deciding_only, options_.max_reasons});
  for (const Diagnostic& one : evaluation.diagnostics().kept()) {
    if (one.severity == Severity::kError) explanation.errors.push_back(absl::StrCat(one.summary, ": ", one.detail));
  }
  explanation.is_limit = evaluation.diagnostics().has_limit();
  const TraceWays ways(*program_, trace_, !options_.show_sensitive);
  const TraceItem root = ways.RootOf(entry.chunk);
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
  if (options_.full) explanation.expressions = AllExpressions(trace_, ways, finder);
  return explanation;
}

Explanation Explain(std::shared_ptr<const Program> program, const Value& scope, const Entry& entry,
                    const ExplainOptions& options) {
  return Explainer(std::move(program), options).Explain(scope, entry);
}

}  // namespace hcl::internal
