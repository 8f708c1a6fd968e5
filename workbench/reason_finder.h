// ReasonFinder: from what a run has evaluated to why its value is what it is.
//
// Internal to the workbench. Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_REASON_FINDER_H_
#define HCLVM_WORKBENCH_REASON_FINDER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/run_trace.h"
#include "hclvm/workbench/trace_item.h"

namespace hcl::internal {

struct ReasonOptions {
  bool show_sensitive = false;
  bool deciding_only = false;  // ExplainOptions
  size_t max_reasons = 200;
};

// Serves one run.
class ReasonFinder {
 public:
  // All must outlive this. `diagnostics` are those of the run.
  ReasonFinder(const Program& program, const RunTrace& trace, const Diagnostics& diagnostics, Heap* heap,
               const ReasonOptions& options)
      : ways_(program, trace, !options.show_sensitive),
        program_(program),
        diagnostics_(diagnostics),
        heap_(heap),
        options_(options) {}

  // Why the value of `item` is what it is: reasons and reads of *out. Recursion is bounded.
  void Explain(const TraceItem& item, Reason* out);

  std::string TextOf(const TraceItem& item) const;
  std::string ValueText(const Value& value) const;
  ReasonPlace PlaceOf(const TraceItem& item) const;

 private:
  // What explains an item depends on its kind. Each adds to *out.
  void Why(const TraceItem& item, Reason* out);
  void WhyKind(const TraceItem& item, Reason* out);
  void WhyParts(const TraceItem& item, Reason* out);
  void WhyPath(const TraceItem& path, Reason* out);
  void WhyLoopVariable(const TraceItem& item, Reason* out);
  void WhySteps(const TraceItem& item, Reason* out);
  void WhyLogical(const TraceItem& chain, Reason* out);
  void WhyConditional(const TraceItem& item, Reason* out);
  void WhyCall(const TraceItem& call, Reason* out);
  void WhyTry(const TraceItem& call, Reason* out);
  void WhyCoalesce(const TraceItem& call, Reason* out);
  bool WhyAny(const TraceItem& call, Truth deciding, Reason* out);
  void WhyLoop(const TraceItem& loop, bool only_first, Reason* out);
  // Whether the values of all of these may be shown.
  bool MayShow(const std::vector<TraceItem>& items) const;
  void WhyTable(const TraceItem& loop, bool only_first, Reason* out);
  void AddRule(const TraceItem& loop, uint32_t pass, uint32_t passes, bool applies, Reason* out);
  void WhyError(const TraceItem& item, Reason* out);
  void WhyUnknown(const TraceItem& item, Reason* out);
  // The item as an operand: what it is written by, where a variable of a loop stands for that.
  void AddOperand(const TraceItem& item, Reason* out);

  Reason Make(Reason::Kind kind, const TraceItem& item) const;
  void AddRead(const TraceItem& item, Reason* out) const;
  void Add(Reason reason, Reason* out);
  // The part of which the value of `item` is an error, or unknown.
  std::optional<TraceItem> PartLike(const TraceItem& item, bool (*is_like)(const Value&)) const;
  // The parts of `item`, also in all passes of loops.
  std::vector<TraceItem> AllParts(const TraceItem& item) const;
  std::string MessageAt(const TraceItem& item) const;

  const TraceWays ways_;
  const Program& program_;
  const Diagnostics& diagnostics_;
  Heap* const heap_;
  const ReasonOptions options_;
  size_t added_ = 0;
  int depth_ = 0;
  std::set<std::pair<const RecordTable*, uint32_t>> explained_;  // locals
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REASON_FINDER_H_
