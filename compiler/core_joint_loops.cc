// LoopFinder. Tested by compiler/core_emitter_test.cc.

#include "hclvm/compiler/core_joint_loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace hcl::internal {
namespace {

// More do not run together.
constexpr size_t kMaxJoint = 8;
// More collections are not looked at in one block.
constexpr uint32_t kMaxGroups = 64;

bool GoTogether(const CoreNode& a, const CoreNode& b) {
  const CoreNode& x = *a.args[0];
  const CoreNode& y = *b.args[0];
  return x.args[0] == y.args[0] && x.flags == y.flags && x.index == y.index &&
         std::equal(x.args.begin() + 2, x.args.end(), y.args.begin() + 2, y.args.end());
}

}  // namespace

// Appends what runs whenever `node` does, in the order in which it is made.
void LoopFinder::AppendSure(const CoreNode& node, std::vector<const CoreNode*>* loops) {
  if (!Visit(node)) return;
  for (const CoreNode* arg : SureArgs(node)) AppendSure(*arg, loops);
  if (node.kind == CoreKind::kLoop && node.args[0]->kind == CoreKind::kItems) loops->push_back(&node);
}

// Whether `node` is made of `other`.
bool LoopFinder::IsMadeOf(const CoreNode& node, const CoreNode& other) {
  if (&node == &other) return true;
  if (node.id < other.id || !Visit(node)) return false;
  return std::any_of(node.args.begin(), node.args.end(), [&](const CoreNode* arg) { return IsMadeOf(*arg, other); });
}

// Loops in the passes of others are looked for in each pass.
void LoopFinder::Find(const CoreNode& root) {
  size_t loops = 0;
  for (const CoreNode* node : tree_.nodes()) loops += node->uses > 0 && node->kind == CoreKind::kLoop ? 1 : 0;
  if (loops < 2) return;
  Join(root);
  for (const CoreNode* node : tree_.nodes()) {
    if (node->uses > 0 && node->kind == CoreKind::kItems) Join(*node->args[1]);
  }
}

// Each loop goes with the first before it over the same collection.
void LoopFinder::Join(const CoreNode& block) {
  std::vector<const CoreNode*> loops;
  BeginWalk();
  AppendSure(block, &loops);
  for (uint32_t rounds = 0; loops.size() > 1 && rounds < kMaxGroups; ++rounds) {
    std::vector<const CoreNode*> joint = {loops[0]};
    const auto suits = [&](const CoreNode* loop) {
      if (joint.size() == kMaxJoint || !GoTogether(*joint[0], *loop)) return false;
      // What is made in a pass cannot be made of what is there behind the last one.
      const auto is_made = [&](const CoreNode& node, const CoreNode& other) {
        BeginWalk();
        return IsMadeOf(node, other);
      };
      return std::none_of(joint.begin(), joint.end(),
                          [&](const CoreNode* other) { return is_made(*loop, *other) || is_made(*other, *loop); });
    };
    for (size_t n = 1; n < loops.size(); ++n) {
      if (suits(loops[n])) joint.push_back(loops[n]);
    }
    const auto is_taken = [&](const CoreNode* loop) {
      return std::find(joint.begin(), joint.end(), loop) != joint.end();
    };
    loops.erase(std::remove_if(loops.begin(), loops.end(), is_taken), loops.end());
    if (joint.size() > 1) groups_.push_back(joint);
  }
}

// Reads in the body of a loop that are the same in all passes, each the longest of its kind.
void LoopFinder::AppendInvariants(const CoreNode& items, std::vector<const CoreNode*>* reads) {
  std::vector<const CoreNode*> stack = {items.args[1]};
  BeginWalk();
  while (!stack.empty()) {
    const CoreNode& node = *stack.back();
    stack.pop_back();
    if (!Visit(node)) continue;
    if ((node.free & ~items.free) == 0 && IsMadeOnce(node)) {
      reads->push_back(&node);
      continue;
    }
    stack.insert(stack.end(), node.args.begin(), node.args.end());
  }
  std::sort(reads->begin(), reads->end(), [](const CoreNode* a, const CoreNode* b) { return a->id < b->id; });
}

}  // namespace hcl::internal
