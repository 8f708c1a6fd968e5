// JointLoops. Tested by compiler/joint_loops_test.cc.

#include "hclvm/compiler/joint_loops.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

constexpr uint32_t kMaxSize = 256;   // nodes of all that go together: their code must be shorter than a short jump
constexpr size_t kMaxFound = 1'000;  // more such loops are not looked at

// The loop that keeps one value, if it may go over its list together with others; otherwise null. A list that is made
// for the loop has no code of its own, and a table has another.
const BoundFor* JoinableLoop(const Reduction& reduction) {
  using Kind = Reduction::Kind;
  const bool keeps_one_value = reduction.kind == Kind::kAllTrue || reduction.kind == Kind::kAnyTrue ||
                               reduction.kind == Kind::kLength || FoldsNumbers(reduction.kind);
  const BoundFor* const loop = keeps_one_value ? reduction.loop : nullptr;
  if (loop == nullptr || loop->splat != nullptr || loop->collection->kind == BoundKind::kFor) return nullptr;
  return MayBeListed(*loop->collection) ? nullptr : loop;
}

// Whether the parts of `node` all run when it does: plain code goes past those of the others.
bool RunsAllParts(const BoundExpr& node) {
  switch (node.kind) {
    case BoundKind::kConditional:
    case BoundKind::kFor:
    case BoundKind::kTemplateFor:
      return false;
    case BoundKind::kChain:
      return !IsLogical(As<BoundChain>(node).op);
    case BoundKind::kCall: {
      const Function::Special special = As<BoundCall>(node).function->special;
      return special != Function::Special::kTry && special != Function::Special::kCan &&
             special != Function::Special::kCoalesce && special != Function::Special::kLookup;
    }
    default:
      return true;
  }
}

// For each node, by id, a number that nodes have in common of which all run when one does.
std::vector<uint32_t> FindBlocks(const BoundTree& tree) {
  std::vector<uint32_t> blocks(tree.nodes().size());
  uint32_t last = 0;
  for (uint32_t id = tree.root().id + 1; id-- > 0;) {
    const BoundExpr& node = *tree.nodes()[id];
    const bool runs_all = RunsAllParts(node);
    ForEachPart(node, [&](const BoundExpr& part) { blocks[part.id] = runs_all ? blocks[id] : ++last; });
  }
  return blocks;
}

}  // namespace

// Variables of one level stand for the same element in all loops of a group, which is what value numbers compare.
void JointLoops::Find(const BoundTree& tree, SharedValues* shared) {
  Clear();
  if (!tree.may_have_loops()) return;
  absl::InlinedVector<std::pair<const BoundExpr*, const BoundFor*>, 8> found;
  for (const BoundExpr* node : tree.nodes()) {
    if (node->kind != BoundKind::kCall || !node->plain_value || node->size() > kMaxSize) continue;
    const BoundFor* const loop = JoinableLoop(ReductionOf(*node));
    if (loop != nullptr && found.size() < kMaxFound) found.emplace_back(node, loop);
  }
  if (found.size() < 2) return;
  const std::vector<uint32_t> blocks = FindBlocks(tree);
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // block, collection, levels of the variables
  const auto level = [](const LocalVariable* local) { return local == nullptr ? 0 : local->level + 1; };
  absl::InlinedVector<std::pair<Key, const BoundExpr*>, 8> keyed;
  for (const auto& [node, loop] : found) {
    keyed.push_back({{blocks[node->id], tree.ValueNumberOf(*loop->collection), level(loop->variables.key),
                      level(loop->variables.value)},
                     node});
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t begin = 0, end; begin < keyed.size(); begin = end) {
    end = begin + 1;
    uint32_t size = keyed[begin].second->size();
    while (end < keyed.size() && keyed[end].first == keyed[begin].first && end - begin < kMaxMembers &&
           size + keyed[end].second->size() <= kMaxSize) {
      size += keyed[end++].second->size();
    }
    if (end - begin < 2) continue;
    std::vector<const BoundExpr*> group;
    for (size_t n = begin; n < end; ++n) {
      const BoundExpr* const node = keyed[n].second;
      const auto same = std::find_if(group.begin(), group.end(), [&](const BoundExpr* other) {
        return tree.ValueNumberOf(*other) == tree.ValueNumberOf(*node);
      });
      if (!shared->Share(tree, *node, same == group.end() ? nullptr : *same)) continue;
      group_of_[node->id] = static_cast<uint32_t>(groups_.size());
      if (same == group.end()) group.push_back(node);
    }
    groups_.push_back(std::move(group));
  }
}

}  // namespace hcl::internal
