// PartLowering: what is put together of parts that are nodes, such as objects, merges and pieces of a text, and what is
// read of such. Nobody makes a whole of which only parts are read.
//
// Tested by compiler/core_lists_test.cc.

#ifndef HCLVM_COMPILER_CORE_PART_LOWERING_H_
#define HCLVM_COMPILER_CORE_PART_LOWERING_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class CoreLowering;
class ListLowering;

// Serves one CoreLowering, which lowers the parts. Not thread-safe. All functions give null for what has no Core.
class PartLowering {
 public:
  // All must outlive this.
  PartLowering(CoreLowering* lowering, ListLowering* lists, NeedMaker* needs, CoreTree* tree, LoweringState* state)
      : lowering_(*lowering), lists_(*lists), needs_(*needs), tree_(*tree), state_(*state) {}

  const CoreNode* LowerObject(const BoundObject& expr);
  // The object that a loop makes.
  const CoreNode* LowerObjectFor(const BoundFor& loop);
  // A call of merge, element, reverse or values.
  const CoreNode* LowerPartsCall(const BoundCall& call);
  // `is_sought`: where there is no such key, nothing is found, and the slow path is not asked.
  const CoreNode* LowerIndex(const BoundIndex& expr, bool is_sought);
  // A call of lookup whose key only a run knows.
  const CoreNode* LowerLookup(const BoundCall& call);
  // What stands at `key`, a text that only a run knows, in an object in the text of a few parts; `otherwise` where none
  // does. Null for others.
  const CoreNode* ChoiceOf(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise);
  // `choice`, or the same by key where it takes what a constant has at a key, if it has that.
  const CoreNode* ByKey(const CoreNode* choice);
  // What stands at `key` in a merge of `mappings`; `otherwise`, if not null, where none has it.
  const CoreNode* LowerMerged(absl::Span<const BoundExpr* const> mappings, const Value& key,
                              const BoundExpr* otherwise);
  // Where the steps lead in what is made.
  const CoreNode* LowerStepsOfMade(const CoreNode* made, absl::Span<const BoundStep> steps);
  // A piece of what a call of split gives, if `list` is that or a part of it. `by_function`: where there is no such
  // piece, it is another one.
  const CoreNode* PieceOf(const CoreNode& list, int64_t place, bool by_function);
  const CoreNode* PieceAt(const CoreNode& list, const Value& place, bool by_function);

 private:
  struct Part {
    Value key;
    const CoreNode* value;
  };
  using Parts = absl::InlinedVector<Part, 8>;

  const CoreNode* ObjectOf(const Parts& parts, SourceRange range);
  const CoreNode* ChoiceOfObjects(const BoundObject& expr, const CoreNodes& items, int choices);
  const CoreNode* ListOfParts(const CoreNode& whole, bool reverses);
  const CoreNode* ElementOf(const CoreNodes& arguments);
  const CoreNode* MergeOf(const BoundCall& call, const CoreNodes& objects);
  Parts FewParts(const CoreNode& whole);
  const CoreNode* ChoiceByKey(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise, Guard check);

  CoreLowering& lowering_;
  ListLowering& lists_;
  NeedMaker& needs_;
  CoreTree& tree_;
  LoweringState& state_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_PART_LOWERING_H_
