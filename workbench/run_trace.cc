// RunTrace. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/run_trace.h"

namespace hcl::internal {
namespace {

// Nodes whose memory is kept from run to run.
constexpr size_t kMaxKept = 10'000;

}  // namespace

void RunTrace::Clear() {
  if (nodes_.size() > kMaxKept) nodes_.clear();
  node_count_ = 0;
  roots_.clear();
  is_cut_ = false;
}

// What begins outside of all else is another run, whose values take the place of those before: an evaluator looks at
// validations before it evaluates an entry.
void RunTrace::Begin(Frame* frame, Frame* parent) {
  if (parent == nullptr) Clear();
  const bool is_left_out = parent != nullptr && parent->node == kNone;
  if (is_left_out || node_count_ >= max_nodes_) {
    is_cut_ = true;
    return;
  }
  frame->node = static_cast<uint32_t>(node_count_);
  if (node_count_ == nodes_.size()) nodes_.emplace_back();
  TraceNode& node = nodes_[node_count_++];
  node.parent = nullptr;
  node.pass = 0;
  node.is_done = false;
  node.parts.clear();
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
