// LiveRecorder: of what a recording run evaluates, that which counts for its result.
//
// A recording program evaluates both branches of a conditional and all operands of `&&` and `||`, since the type of the
// result and errors may depend on them. A reader thinks of the branch that was taken, and of operands up to the one
// that decided. This base class tells these from the others.
//
// Internal to the workbench. Tested by workbench/explain_test.cc and workbench/coverage_test.cc.

#ifndef HCLVM_WORKBENCH_LIVE_RECORDER_H_
#define HCLVM_WORKBENCH_LIVE_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// `options` for a program that records: the same meaning, in the code that reports it.
CompileOptions RecordingOptions(const CompileOptions& options);

// The same where only decisions and their parts are asked for, as by coverage. Such a program takes less time.
CompileOptions DecisionOptions(const CompileOptions& options);

// The limits of a run in that code, which takes more fuel for the same.
Limits RecordingLimits(Limits limits);

// What a condition or an operand of a logical operator comes to.
enum class Truth : uint8_t { kNeither, kFalse, kTrue };  // kNeither: unknown, an error, or no bool
Truth TruthOf(const Value& value);

// Not thread-safe. Serves one evaluator at a time.
class LiveRecorder : public RunRecorder {
 public:
  void Restart() final;
  void Enter(const RecordTable& table, uint32_t point) final;
  void Leave(const RecordTable& table, uint32_t point, const Value& value) final;

 protected:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A node whose evaluation has begun.
  struct Frame {
    const RecordTable* table;
    uint32_t point;
    bool is_live;
    bool is_decided = false;        // a logical operator: an operand has decided
    bool is_empty = false;          // a loop: over nothing
    Truth truth = Truth::kNeither;  // of a conditional's condition
    uint32_t position = 0;          // a logical operator: parts that are done
    uint32_t passes = 0;            // a loop: that have begun
    uint32_t node = kNone;          // for subclasses
    bool is_chosen = false;         // for subclasses
  };

  // The run begins anew: what was recorded of it goes.
  virtual void Clear() = 0;
  // A live node begins. `parent` is the one around it; null for the first one.
  virtual void Begin(Frame* frame, Frame* parent) = 0;
  // It ends with `value`, which lives as long as the run's.
  virtual void End(const Frame& frame, Frame* parent, const Value& value) = 0;

  // Forgets nodes that a limit has left open.
  void ClearFrames() { frames_.clear(); }

 private:
  bool IsLive(Frame* parent, const RecordTable& table, uint32_t point);
  static bool IsLiveOperand(const RecordPoint& chain, uint32_t point, Frame* parent);
  static void Note(const RecordTable& table, uint32_t point, const Value& value, Frame* parent);

  std::vector<Frame> frames_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_LIVE_RECORDER_H_
