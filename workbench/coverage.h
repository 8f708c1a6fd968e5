// Coverage: which outcomes each decision of a module has had.
//
//   CoverageIndex index;
//   index.Add(*program, is_covered);            // programs compiled with DecisionOptions()
//   CoverageCounter counter(index);             // one for each thread
//   AttachRecorder(evaluator.heap(), &counter);
//   evaluator.Run(entry);
//   counter.Commit();
//   CoverageReport report = index.Report({&counter});
//
// A decision is the condition of a conditional, an operand of `&&` or `||`, the filter of a loop, an attempt of `try`,
// or a rule of a table. Decisions are those of the text: parentheses, line ends and what a compiler makes of it do not
// change their number. Constant conditions and operands are none. Internal to the workbench. Tested by
// workbench/coverage_test.cc.

#ifndef HCLVM_WORKBENCH_COVERAGE_H_
#define HCLVM_WORKBENCH_COVERAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {

class CoverageCounter;

// Not thread-safe while programs are added. Then any number of counters may read it. Programs must outlive it.
class CoverageIndex {
 public:
  // Adds the decisions of the program, and of the functions that it calls, in sources for which `is_covered` is true.
  // A decision of a text that several programs were compiled from is one.
  void Add(const Program& program, const std::function<bool(const Source&)>& is_covered);
  size_t decision_count() const { return decisions_.size(); }
  // What the counters have committed, added up. They are of this index.
  CoverageReport Report(absl::Span<const CoverageCounter* const> counters) const;

 private:
  friend class CoverageCounter;

  static constexpr uint32_t kNone = UINT32_MAX;

  struct Decision {
    CoveredDecision::Kind kind;
    const Source* source;
    SourceRange range;
    bool is_last_attempt = false;
  };
  // What there is to count at a point.
  struct Place {
    uint32_t decision = kNone;
    // Where it is the filter of a table: the decisions of its rules, by pass.
    uint32_t first_rule = 0;  // in rules_
    uint32_t rule_count = 0;
    bool only_first = false;
  };
  using Places = std::vector<Place>;  // by point

  void AddTable(const Program& program, const std::function<bool(const Source&)>& is_covered);
  void AddParts(const RecordTable& table, uint32_t point, Places* places);
  void AddRules(const Program& program, const RecordTable& table, uint32_t loop, Places* places);
  uint32_t AddDecision(CoveredDecision::Kind kind, const RecordPoint& point);

  std::vector<Decision> decisions_;
  std::map<std::tuple<std::string, uint32_t, uint32_t, CoveredDecision::Kind>, uint32_t> known_;
  std::vector<uint32_t> rules_;
  std::map<const RecordTable*, Places> places_;
  std::map<std::string, const Source*> sources_;  // that are covered, by name
};

// Counts the outcomes of runs. Not thread-safe.
class CoverageCounter final : public LiveRecorder {
 public:
  // `index` must outlive it, and has all programs.
  explicit CoverageCounter(const CoverageIndex& index) : index_(index), counts_(2 * index.decision_count()) {}

  // The run is over, and counts. Without it, the next run goes on with what this one has counted.
  void Commit();
  // By decision, two each: the first outcome and the second.
  absl::Span<const uint64_t> counts() const { return counts_; }

 private:
  void Clear() override { pending_.clear(); }
  void Begin(Frame* /*frame*/, Frame* /*parent*/) override {}
  void End(const Frame& frame, Frame* parent, const Value& value) override;

  const CoverageIndex& index_;
  const RecordTable* last_table_ = nullptr;
  const CoverageIndex::Places* last_places_ = nullptr;
  std::vector<uint32_t> pending_;  // outcomes of the run
  std::vector<uint64_t> counts_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_COVERAGE_H_
