// ListLowering: from loops, and what makes lists or takes their elements, to producers and consumers of elements. A
// loop becomes a producer, and what is made of its elements. A loop over a loop, or over a list that stands in the
// text, is one producer: no list is made between them.
//
// Tested by compiler/core_lists_test.cc.

#ifndef HCLVM_COMPILER_CORE_LIST_LOWERING_H_
#define HCLVM_COMPILER_CORE_LIST_LOWERING_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class CoreLowering;
class PartLowering;

// Serves one CoreLowering, which lowers the expressions in lists. Not thread-safe. All functions give null for what has
// no Core.
class ListLowering {
 public:
  // All must outlive this.
  ListLowering(CoreLowering* lowering, PartLowering* parts, NeedMaker* needs, CoreTree* tree, LoweringState* state)
      : lowering_(*lowering), parts_(*parts), needs_(*needs), tree_(*tree), state_(*state) {}

  // What the consumer makes of the elements.
  const CoreNode* LowerConsumer(const ListConsumer& consumer);
  // The list or object that a loop makes.
  const CoreNode* LowerFor(const BoundFor& loop);
  // The list that a call of concat or flatten makes.
  const CoreNode* LowerListCall(const BoundCall& call);
  // The text of a loop in a template.
  const CoreNode* LowerTemplateFor(const BoundTemplateFor& loop);
  // The elements of a list whose texts are joined.
  const CoreNode* LowerJoined(const BoundExpr& list);
  // The texts of the elements with `separator` between them, as `origin` joins them.
  const CoreNode* JoinOf(const CoreNode* producer, const CoreNode* separator, const BoundExpr& origin);
  // Whether a list is `[]`.
  const CoreNode* LowerIsEmpty(const BoundExpr& list);
  // The list of what `producer` gives, each element of which passes `check`.
  const CoreNode* ListOf(const CoreNode* producer, Guard check);
  // Appends what `producer` gives, if that is sure to be there and short, and what has to hold then; false otherwise.
  bool SureElements(const CoreNode& producer, Guard check, CoreNodes* elements, CoreNodes* needs);

  const CoreNode* Yield(const CoreNode* value) { return tree_.Make(CoreNode(CoreKind::kYield), {value}); }
  // What gives no element is left out.
  const CoreNode* Seq(absl::Span<const CoreNode* const> producers);

 private:
  // The elements of a loop go to a body, which makes a producer of each: null for what has no Core.
  struct Element {
    const CoreNode* value;
    const CoreNode* key;  // null where nothing reads it
  };
  using Body = absl::FunctionRef<const CoreNode*(const Element&)>;
  using Pass = absl::FunctionRef<const CoreNode*()>;
  // Who reads the elements of a list.
  struct Reading {
    const BoundFor* loop = nullptr;  // null for a function
    // A loop around that one, with a filter, which has as many elements.
    const BoundFor* outer = nullptr;
    uint64_t nodes = 0;              // that each element meets
    bool fails_empty = false;        // without elements, it fails
    bool any_order = false;          // it takes them in any order
    bool takes_element = false;      // it gives one of them
    bool is_part = false;            // a function makes one list of several, of which this is one
    bool takes_bools = false;        // it takes bools, or texts: a list of others fails, also one that is empty
    bool exits_on_marks = false;     // it exits for an element that is marked
    bool has_flat_elements = false;  // it exits for an element that is a list
  };

  // core_loops.cc
  const CoreNode* LowerLoop(const BoundFor& loop, const Reading& reading, Body body);
  const CoreNode* LowerPasses(const BoundFor& loop, Reading reading, Pass pass);
  static bool KeepsKeys(const BoundFor& loop);
  const CoreNode* Filtered(const CoreNode* condition, const CoreNode* producer);
  const CoreNode* LowerElements(const BoundExpr& list, const Reading& reading, Body body);
  const CoreNode* LowerListed(const BoundExpr& list, const Reading& reading, Body body);
  const CoreNode* LowerMadeParts(const CoreNode& list, CoreKind kind, const Reading& reading, Body body);
  const CoreNode* LowerItems(const BoundExpr& collection, uint8_t flags, const Reading& reading, Body body);
  const CoreNode* LowerFirst(const ListConsumer& first, bool takes_part);
  const CoreNode* FirstElement(const CoreNode& producer, Guard check);
  static std::optional<int64_t> PlaceAsked(const CoreNode& items);
  const CoreNode* ElementAt(const CoreNode& list, int64_t place, Guard check);
  const CoreNode* SureElement(const CoreNode& producer, Guard check);
  const CoreNode* CountOf(const CoreNode* producer);
  const CoreNode* OnesOf(const CoreNode& sum);
  const CoreNode* SumOf(const CoreNode& numbers);

  // core_streams.cc
  const CoreNode* LowerStream(const BoundExpr& list, const Reading& reading, Body body);
  const CoreNode* LowerNamedElements(const BoundPath& path, const Reading& reading, Body body);
  bool MayFuse(const BoundFor& inner, const Reading& reading, bool keeps_count) const;
  const CoreNode* LowerInnerLoop(const BoundFor& inner, const Reading& reading, Body body);
  const CoreNode* LowerFlattened(const BoundFor& lists, const Reading& reading, Body body);
  const CoreNode* LowerExpanded(const BoundFor& tuples, const Reading& reading, Body body);
  const CoreNode* LowerEither(const BoundConditional& choice, const Reading& reading, Body body);
  const CoreNode* LowerParts(absl::Span<const BoundExpr* const> parts, Reading reading, Body body);
  const CoreNode* LowerListFunction(const BoundCall& call, const Reading& reading, Body body);
  // The element, unless it is null, which has no text.
  const CoreNode* YieldText(const CoreNode* value) { return value->is_null() ? nullptr : Yield(value); }
  const CoreNode* Reversed(const CoreNode& elements);
  const CoreNode* Asking(const CoreNode* producer, const CoreNode& value, const Reading& reading);

  // core_lists.cc
  const CoreNode* LowerMade(const BoundExpr& list, bool flat);
  const CoreNode* TupleOf(absl::Span<const CoreNode* const> elements);
  bool LowerFewConstants(const Value& list, CoreNodes* elements);
  const CoreNode* LowerMadeElement(const BoundExpr& element, bool flat);
  const CoreNode* Spread(const BoundExpr& list, uint16_t how);

  CoreLowering& lowering_;
  PartLowering& parts_;
  NeedMaker& needs_;
  CoreTree& tree_;
  LoweringState& state_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_LIST_LOWERING_H_
