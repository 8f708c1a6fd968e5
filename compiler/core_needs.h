// NeedMaker: what has to hold where a value is not made, but has to be there. Tested by compiler/core_values_test.cc.

#ifndef HCLVM_COMPILER_CORE_NEEDS_H_
#define HCLVM_COMPILER_CORE_NEEDS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

using CoreNodes = absl::InlinedVector<const CoreNode*, 8>;

// Whether values of these kinds, where they are known, unmarked and there, pass.
bool Passes(KindSet kinds, Guard check);

// What a value has to be where nobody makes it: it is there, and `check` says more.
struct CoreNeed {
  const CoreNode* node;
  Guard check;
};
using CoreNeeds = absl::InlinedVector<CoreNeed, 8>;
// Appends what must hold for `node` to pass `check`, by its parts as far as these tell.
void AppendNeeds(const CoreNode& node, Guard check, CoreNeeds* needs);

// Where the walk that lowers a tree is.
struct LoweringState {
  struct Binding {
    LocalVariable* local;
    const CoreNode* node;
  };
  absl::InlinedVector<Binding, 4> bindings;  // an inner one hides an outer one
  uint32_t budget = 0;                       // bound nodes that are still lowered: some are more than once
  uint32_t depth = 0;                        // loops around the node at hand
  uint32_t tried = 0;                        // calls of try and can around it
};

// Serves one tree. Not thread-safe.
class NeedMaker {
 public:
  // Both must outlive this.
  NeedMaker(CoreTree* tree, LoweringState* state) : tree_(*tree), state_(*state) {}

  // AppendNeeds(), paid for: what stands in a value is asked for in each of its places, which may double with each
  // level of nesting. False where there is no budget for it.
  bool AskFor(const CoreNode& node, Guard check, CoreNeeds* needs);
  const CoreNode* NeedNode(const CoreNeed& need);
  // The producer where `value` passes `check`, which it need not make itself. Null where there is no budget for it.
  const CoreNode* Needing(const CoreNode* producer, const CoreNode& value, Guard check);
  // Appends the nodes of `needs` to `args`.
  void Append(const CoreNeeds& needs, CoreNodes* args) {
    for (const CoreNeed& need : needs) args->push_back(NeedNode(need));
  }
  // args[0], which has to meet the others.
  const CoreNode* Make(absl::Span<const CoreNode* const> args) { return tree_.Make(CoreNode(CoreKind::kNeed), args); }
  // What stands in the text at that place of a constant, an object or a tuple; null for others. Who takes it sees to it
  // that the other parts are there.
  const CoreNode* PartOf(const CoreNode& whole, const Value& key);
  // `value`, which is made of a part of `whole`, where all of that is there.
  const CoreNode* PartOfMade(const CoreNode& whole, const CoreNode& value);

 private:
  CoreTree& tree_;
  LoweringState& state_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_NEEDS_H_
