// RunTrace: what one recording run has evaluated, as a tree.
//
// Internal to the workbench. Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_RUN_TRACE_H_
#define HCLVM_WORKBENCH_RUN_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "hclvm/vm/record_table.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {

struct TraceNode {
  const RecordTable* table;
  uint32_t number;                      // of its point
  uint32_t index = 0;                   // among the nodes of the trace
  const TraceNode* parent = nullptr;    // the node in whose evaluation it was evaluated
  uint32_t pass = 0;                    // of the loop that `parent` is, from 0 on
  bool is_done = false;                 // false: a limit has ended the run in its midst
  Value value;                          // valid until the next run
  std::vector<const TraceNode*> parts;  // in the order of evaluation

  const RecordPoint& point() const { return table->at(number); }
};

// Not thread-safe.
class RunTrace final : public LiveRecorder {
 public:
  // Nodes beyond `max_nodes` are left out.
  explicit RunTrace(size_t max_nodes) : max_nodes_(max_nodes) {}

  // Forgets all, before a run.
  void Reset() {
    ClearFrames();
    Clear();
  }
  // What the evaluation of the expression at `root` was; null where there was none, or it is constant.
  const TraceNode* Find(const RecordTable& table, uint32_t root) const;
  bool is_cut() const { return is_cut_; }
  // All nodes, in the order in which they began.
  size_t node_count() const { return node_count_; }
  const TraceNode& node(size_t index) const { return nodes_[index]; }

 private:
  void Clear() override;
  void Begin(Frame* frame, Frame* parent) override;
  void End(const Frame& frame, Frame* parent, const Value& value) override;

  const size_t max_nodes_;
  bool is_cut_ = false;
  std::deque<TraceNode> nodes_;  // those beyond node_count_ keep their memory for the next run
  size_t node_count_ = 0;
  std::map<std::pair<const RecordTable*, uint32_t>, const TraceNode*> roots_;  // the last one of each
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_RUN_TRACE_H_
