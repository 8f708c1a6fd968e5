// LoopFinder: which loops of a tree run together, and what is the same in all passes of one. Loops over one collection
// that surely run together become one loop, in which what their elements have in common is made once.
//
// Tested by compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_CORE_JOINT_LOOPS_H_
#define HCLVM_COMPILER_CORE_JOINT_LOOPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"

namespace hcl::internal {

// Whether it is made once for a loop in which it does not change.
inline bool IsMadeOnce(const CoreNode& node) {
  return node.kind == CoreKind::kStep || node.kind == CoreKind::kCall || node.kind == CoreKind::kText ||
         node.kind == CoreKind::kLoop || node.kind == CoreKind::kGeneral || node.is(CoreOp::kKeyed);
}

// Serves one tree, whose uses are counted. Not thread-safe.
class LoopFinder {
 public:
  using Group = std::vector<const CoreNode*>;

  // `tree` must outlive this.
  explicit LoopFinder(const CoreTree* tree) : tree_(*tree) {}

  // Finds the loops in `root` that run together.
  void Find(const CoreNode& root);
  const std::vector<Group>& groups() const { return groups_; }
  // Appends what IsMadeOnce() takes in the body of a loop and is the same in all passes, each the longest of its kind.
  void AppendInvariants(const CoreNode& items, std::vector<const CoreNode*>* reads);

 private:
  void Join(const CoreNode& block);
  void AppendSure(const CoreNode& node, std::vector<const CoreNode*>* loops);
  bool IsMadeOf(const CoreNode& node, const CoreNode& other);
  // False where the walk at hand has been at the node.
  bool Visit(const CoreNode& node) { return std::exchange(walked_[node.id], walk_) != walk_; }
  void BeginWalk() {
    walked_.resize(tree_.nodes().size());
    ++walk_;
  }

  const CoreTree& tree_;
  std::vector<Group> groups_;
  // By id: the last walk that came to the node.
  std::vector<uint32_t> walked_;
  uint32_t walk_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_JOINT_LOOPS_H_
