// JointLoops: reductions of one list that stand side by side, which fast code makes in one loop.
//
// What people ask of a list they ask together: the sum, the tax and the total of the lines of an order are three loops
// over one list, whose elements mostly begin with the same product. Where it is sure that all of them run, the first
// one goes over the list for all, and what their elements have in common is made once; the others find their value in
// a register that they share with it (compiler/shared_values.h), and have a loop of their own where it is not there.
//
// Tested by compiler/joint_loops_test.cc.

#ifndef HCLVM_COMPILER_JOINT_LOOPS_H_
#define HCLVM_COMPILER_JOINT_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/shared_values.h"

namespace hcl::internal {

// Of one tree at a time. Not thread-safe.
class JointLoops {
 public:
  // More do not go together.
  static constexpr size_t kMaxMembers = 8;

  // Looks for them, and has `shared`, in which those of the tree are, keep their values. The tree must outlive what is
  // asked about it. Time: linear where there are several such loops, otherwise next to nothing.
  void Find(const BoundTree& tree, SharedValues* shared);

  // There are none.
  void Clear() {
    if (!group_of_.empty()) group_of_.clear();
    groups_.clear();
  }

  bool empty() const { return groups_.empty(); }

  // The reductions that run when `expr` does, itself among them, one of each value; empty for one that is alone.
  absl::Span<const BoundExpr* const> With(const BoundExpr& expr) const {
    if (group_of_.empty()) return {};
    const auto found = group_of_.find(expr.id);
    return found == group_of_.end() ? absl::Span<const BoundExpr* const>() : groups_[found->second];
  }

 private:
  std::vector<std::vector<const BoundExpr*>> groups_;
  HashMap<uint32_t, uint32_t> group_of_;  // by id of the node
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_JOINT_LOOPS_H_
