// CoreLowering: from the bound tree to Core. Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_LOWERING_H_
#define HCLVM_COMPILER_CORE_LOWERING_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/compiler/named_functions.h"
#include "hclvm/compiler/text_pattern.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

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
// One function for each kind of bound node. Serves one tree. Not thread-safe. Recursion follows the nesting of the
// expression, up to kMaxFastHeight.
class CoreLowering {
 public:
  // All must outlive this.
  // `functions`: those of a module, or null.
  CoreLowering(CoreTree* tree, const BoundTree& bound, Binder* binder, NamedFunctions* functions)
      : tree_(*tree),
        functions_(functions),
        outermost_{&bound, nullptr, bound.root().height},
        binder_(*binder),
        budget_(kLeastBudget + 4 * bound.root().size()) {}

  // The Core of `expr`, in which the slow path makes what there is no other for; null where it is not pure, or too
  // large.
  const CoreNode* Lower(const BoundExpr& expr);
  // Nodes of locals of the module that stand in it.
  uint32_t inlined() const { return inlined_; }

 private:
  using Nodes = absl::InlinedVector<const CoreNode*, 8>;

  const CoreNode* LowerNode(const BoundExpr& expr);
  // With kByFunction, for what has a form of its own, too.
  const CoreNode* General(const BoundExpr& expr, uint8_t flags = 0);
  // core_named.cc. What stands for a local of a module is lowered in a frame of its own: the slow path makes no part of
  // it, whose ranges are those of another text.
  struct Frame {
    const BoundTree* tree;
    Frame* outer = nullptr;
    uint32_t height = 0;  // of this and the outer ones
    bool needs_slow_path = false;
  };
  bool MayRepeat(const NamedTree& named) const;
  const CoreNode* LowerNamed(const BoundPath& path);
  const CoreNode* LowerNamedCall(const BoundCall& call);
  const CoreNode* NeedArgument(const CoreNode* argument);
  Frame* FrameOf(const BoundExpr& expr);
  // `path`, of the program's table, and `kinds` are those of the last step, where they are known.
  const CoreNode* LowerSteps(const CoreNode* source, absl::Span<const BoundStep> steps, uint32_t path = kNoIndex,
                             KindSet kinds = kAnyKind, bool is_declared = false);
  const CoreNode* LowerUnary(const BoundUnary& expr);
  const CoreNode* LowerChain(const BoundChain& expr);
  const CoreNode* LowerIsEmpty(const BoundExpr& list);
  const CoreNode* LowerLogic(const BoundChain& expr);
  const CoreNode* LowerComparison(const BoundChain& expr);
  const CoreNode* LowerArithmetic(const BoundChain& expr, bool is_exact);
  const CoreNode* AsOperand(const CoreNode* node, int depth = 4);
  // A number of which only the order, or a whole number near it, is asked.
  const CoreNode* LowerNear(const BoundExpr& expr);
  const CoreNode* LowerConditional(const BoundConditional& expr);
  // core_choices.cc
  using ChoiceOthers = absl::InlinedVector<const BoundExpr*, 8>;
  using Leaf = absl::FunctionRef<const CoreNode*(const BoundExpr&)>;
  const CoreNode* LowerBranch(const BoundExpr& branch);
  const CoreNode* LowerToldChoice(const BoundConditional& expr);
  const CoreNode* LowerOpenChoice(const BoundConditional& expr);
  const CoreNode* LowerObjectChoice(const BoundConditional& expr);
  const CoreNode* LowerNest(const BoundConditional& expr, const Leaf& leaf, ChoiceOthers* others);
  const CoreNode* LowerCoalesce(const BoundCall& call);
  const CoreNode* LowerNumbers(const BoundCall& call);
  const CoreNode* LowerContains(const BoundCall& call);
  const CoreNode* LowerLength(const BoundCall& call);
  const CoreNode* LowerJoined(const BoundCall& call);
  const CoreNode* LowerJoinedList(const BoundCall& call);
  const CoreNode* TextOf(absl::Span<const CoreNode* const> parts, const BoundExpr& origin, uint8_t flags);
  const CoreNode* LowerMerged(absl::Span<const BoundExpr* const> mappings, const Value& key,
                              const BoundExpr* otherwise);
  const CoreNode* PieceOf(const CoreNode& list, int64_t place, bool by_function);
  const CoreNode* PieceAt(const CoreNode& list, const Value& place, bool by_function);
  const CoreNode* LowerText(const BoundTemplate& expr);
  const CoreNode* LowerCall(const BoundCall& call);
  const CoreNode* LowerOrdinaryCall(const BoundCall& call);
  const CoreNode* CallOf(const BoundCall& call, const Nodes& arguments);
  const CoreNode* LowerTry(const BoundCall& call);
  const CoreNode* LowerCan(const BoundExpr& attempt);
  TextPattern TextPatternOf(const BoundCall& call) const;
  const CoreNode* LowerPattern(const TextPattern& pattern, const CoreNode* text);
  // An operation on the arguments.
  const CoreNode* LowerPrim(CoreOp op, const BoundCall& call, uint32_t index = 0);
  // core_loops.cc. The elements of a loop go to `body`, which makes a producer of each: null for what has no Core.
  struct Element {
    const CoreNode* value;
    const CoreNode* key;  // null where nothing reads it
  };
  using Body = absl::FunctionRef<const CoreNode*(const Element&)>;
  const CoreNode* LowerConsumer(const ListConsumer& consumer);
  const CoreNode* PartOfMade(const CoreNode& whole, const CoreNode& value);
  const CoreNode* PartOf(const CoreNode& whole, const Value& key);
  const CoreNode* LowerStepsOfMade(const CoreNode* made, absl::Span<const BoundStep> steps);
  const CoreNode* CountOf(const CoreNode* producer);
  const CoreNode* OnesOf(const CoreNode& sum);
  const CoreNode* ListOf(const CoreNode* producer, Guard check);
  const CoreNode* LowerFirst(const ListConsumer& first, bool takes_part);
  using Pass = absl::FunctionRef<const CoreNode*()>;
  // Who reads the elements of a list.
  struct Reading {
    const BoundFor* loop = nullptr;  // null for a function
    uint64_t nodes = 0;              // that each element meets
    bool fails_empty = false;        // without elements, it fails
    bool any_order = false;          // it takes them in any order
    bool takes_element = false;      // it gives one of them
    bool is_part = false;            // a function makes one list of several, of which this is one
    bool takes_bools = false;        // a list of others fails, also one that is empty
    bool leaves_marked = false;      // it leaves for an element that is marked
    bool has_flat_elements = false;  // it leaves for an element that is a list
  };
  const CoreNode* LowerLoop(const BoundFor& loop, const Reading& reading, Body body);
  const CoreNode* LowerPasses(const BoundFor& loop, Reading reading, Pass pass);
  const CoreNode* LowerElements(const BoundExpr& list, const Reading& reading, Body body);
  const CoreNode* LowerListed(const BoundExpr& list, const Reading& reading, Body body);
  const CoreNode* LowerMadeParts(const CoreNode& list, CoreKind kind, const Reading& reading, Body body);
  const CoreNode* LowerItems(const BoundExpr& collection, uint8_t flags, const Reading& reading, Body body);
  const CoreNode* Inline(const NamedTree& named, Pass lower);
  const CoreNode* LowerNamedElements(const BoundPath& path, const Reading& reading, Body body);
  // core_streams.cc
  const CoreNode* LowerStream(const BoundExpr& list, const Reading& reading, Body body);
  bool MayFuse(const BoundFor& inner, const Reading& reading) const;
  const CoreNode* LowerFlattened(const BoundFor& lists, const Reading& reading, Body body);
  const CoreNode* LowerInnerLoop(const BoundFor& inner, const Reading& reading, Body body);
  const CoreNode* LowerEither(const BoundConditional& choice, const Reading& reading, Body body);
  const CoreNode* LowerParts(absl::Span<const BoundExpr* const> parts, Reading reading, Body body);
  const CoreNode* Reversed(const CoreNode& elements);
  const CoreNode* Asking(const CoreNode* producer, const CoreNode& value, const Reading& reading);
  const CoreNode* LowerListFunction(const BoundCall& call, const Reading& reading, Body body);
  const CoreNode* Yield(const CoreNode* value) { return tree_.Make(CoreNode(CoreKind::kYield), {value}); }
  const CoreNode* Seq(absl::Span<const CoreNode* const> producers) {
    return tree_.Make(CoreNode(CoreKind::kSeq), producers);
  }
  bool AskFor(const CoreNode& node, Guard check, CoreNeeds* needs);
  const CoreNode* Needing(const CoreNode* producer, const CoreNode& value, Guard check);
  const CoreNode* FirstElement(const CoreNode& producer, Guard check);
  const CoreNode* SureElement(const CoreNode& producer, Guard check);
  const CoreNode* NeedNode(const CoreNeed& need);
  // core_lists.cc. Lists, by what gives their elements.
  const CoreNode* LowerFor(const BoundFor& loop);
  const CoreNode* LowerListCall(const BoundCall& call);
  const CoreNode* LowerMade(const BoundExpr& list, bool flat);
  bool LowerFewConstants(const Value& list, Nodes* elements);
  const CoreNode* LowerMadeElement(const BoundExpr& element, bool flat);
  const CoreNode* Spread(const BoundExpr& list, uint16_t how);
  const CoreNode* LowerObject(const BoundObject& expr);
  // core_objects.cc. What is put together of parts that are nodes.
  struct Part {
    Value key;
    const CoreNode* value;
  };
  using Parts = absl::InlinedVector<Part, 8>;
  const CoreNode* ObjectOf(const Parts& parts, SourceRange range);
  const CoreNode* ChoiceOfObjects(const BoundObject& expr, const Nodes& items, int choices);
  const CoreNode* LowerPartsCall(const BoundCall& call);
  const CoreNode* ListOfParts(const CoreNode& whole, bool reverses);
  const CoreNode* ElementOf(const Nodes& arguments);
  const CoreNode* MergeOf(const BoundCall& call, const Nodes& objects);
  Parts FewParts(const CoreNode& whole);
  const CoreNode* ChoiceByKey(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise, Guard check);
  const CoreNode* LowerIndex(const BoundIndex& expr, bool is_sought);
  const CoreNode* LowerLookup(const BoundCall& call);
  const CoreNode* LowerObjectFor(const BoundFor& loop);
  const CoreNode* LowerTuple(const BoundTuple& expr);
  const CoreNode* BindingOf(const LocalVariable& local);
  // False where one of them has no Core.
  bool LowerAll(absl::Span<const BoundExpr* const> exprs, Nodes* nodes);
  const CoreNode* ConstText(const std::string& text);
  bool AppendTextParts(const BoundTemplate& expr, Nodes* parts);

  static constexpr uint32_t kLeastBudget = 20'000;
  static constexpr uint32_t kLeastKept = 4;
  // Nodes of a local that may stand wherever it is read, and of all locals in an expression.
  static constexpr uint32_t kMaxRepeated = 48;
  static constexpr uint32_t kMaxRepeatedInLoop = 12;
  static constexpr uint32_t kMaxCalled = 200;  // of a function
  static constexpr uint32_t kMaxInlined = 2000;

  CoreTree& tree_;
  NamedFunctions* functions_;
  Frame outermost_;
  Frame* frame_ = &outermost_;
  uint32_t inlined_ = 0;
  Binder& binder_;
  struct Binding {
    LocalVariable* local;
    const CoreNode* node;
  };
  // What is tried is not lowered as what is not.
  HashMap<const BoundExpr*, const CoreNode*> lowered_[2];
  HashMap<const NamedTree*, const CoreNode*> named_[2];  // null where there is no such
  absl::InlinedVector<Binding, 4> bindings_;             // an inner one hides an outer one
  uint32_t budget_;                                      // bound nodes that are still lowered: some are more than once
  uint32_t depth_ = 0;                                   // loops around the node at hand
  uint32_t tried_ = 0;                                   // calls of try and can around it
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_LOWERING_H_
