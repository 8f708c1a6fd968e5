// RunTrace. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/run_trace.h"

namespace hcl::internal {

void RunTrace::Clear() {
  nodes_.clear();
  roots_.clear();
  is_cut_ = false;
}

// What begins outside of all else is another run, whose values take the place of those before: an evaluator looks at
// validations before it evaluates an entry.
void RunTrace::Begin(Frame* frame, Frame* parent) {
  if (parent == nullptr) Clear();
  const bool is_left_out = parent != nullptr && parent->node == kNone;
  if (is_left_out || nodes_.size() >= max_nodes_) {
    is_cut_ = true;
    return;
  }
  frame->node = static_cast<uint32_t>(nodes_.size());
  TraceNode& node = nodes_.emplace_back();
  node.table = frame->table;
  node.number = frame->point;
  node.index = frame->node;
  if (node.point().parent == RecordTable::kNoPoint) roots_[{node.table, node.number}] = &node;
  if (parent == nullptr) return;
  TraceNode& whole = nodes_[parent->node];
  node.parent = &whole;
  node.pass = parent->passes == 0 ? 0 : parent->passes - 1;
  whole.parts.push_back(&node);
}

void RunTrace::End(const Frame& frame, Frame* /*parent*/, const Value& value) {
  if (frame.node == kNone) return;
  nodes_[frame.node].value = value;
  nodes_[frame.node].is_done = true;
}

const TraceNode* RunTrace::Find(const RecordTable& table, uint32_t root) const {
  const auto found = roots_.find({&table, root});
  return found == roots_.end() ? nullptr : found->second;
}

}  // namespace hcl::internal
