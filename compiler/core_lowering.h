// CoreLowering: from the bound tree to Core. Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_LOWERING_H_
#define HCLVM_COMPILER_CORE_LOWERING_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_list_lowering.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_part_lowering.h"
#include "hclvm/compiler/named_functions.h"
#include "hclvm/compiler/text_pattern.h"

namespace hcl::internal {

// One function for each kind of bound node. Serves one tree. Not thread-safe. Recursion follows the nesting of the
// expression, up to kMaxFastHeight.
class CoreLowering {
 public:
  // All must outlive this.
  // `functions`: those of a module, or null.
  CoreLowering(CoreTree* tree, const BoundTree& bound, Binder* binder, NamedFunctions* functions)
      : tree_(*tree), functions_(functions), outermost_{&bound, nullptr, bound.root().height}, binder_(*binder) {
    state_.budget = kLeastBudget + 4 * bound.root().size();
  }
  CoreLowering(const CoreLowering&) = delete;
  CoreLowering& operator=(const CoreLowering&) = delete;

  // The Core of `expr`, in which the slow path makes what there is no other for; null where it is not pure, or too
  // large.
  const CoreNode* Lower(const BoundExpr& expr);
  // False where one of them has no Core.
  bool LowerAll(absl::Span<const BoundExpr* const> exprs, CoreNodes* nodes);
  // What the slow path makes. With kByFunction, for what has a form of its own, too.
  const CoreNode* General(const BoundExpr& expr, uint8_t flags = 0);
  // A call of a function that fast code has no instruction for, and the same with arguments that are nodes.
  const CoreNode* LowerOrdinaryCall(const BoundCall& call);
  const CoreNode* CallOf(const BoundCall& call, const CoreNodes& arguments);
  // Where the steps lead. `path`, of the program's table, and `kinds` are those of the last step, where they are known.
  const CoreNode* LowerSteps(const CoreNode* source, absl::Span<const BoundStep> steps, uint32_t path = kNoIndex,
                             KindSet kinds = kAnyKind, bool is_declared = false);
  // core_named.cc. What stands for a local or a function of a module: whether it may stand wherever it is read, and
  // what `lower` makes of it there; null where the slow path would have to make a part.
  bool MayRepeat(const NamedTree& named) const;
  const CoreNode* Inline(const NamedTree& named, absl::FunctionRef<const CoreNode*()> lower);

  Binder& binder() { return binder_; }
  // Nodes of locals of the module that stand in it.
  uint32_t inlined() const { return inlined_; }

 private:
  // What stands for a local of a module is lowered in a frame of its own: the slow path makes no part of it, whose
  // ranges are those of another text.
  struct Frame {
    const BoundTree* tree;
    Frame* outer = nullptr;
    uint32_t height = 0;  // of this and the outer ones
    bool needs_slow_path = false;
  };

  const CoreNode* LowerNode(const BoundExpr& expr);
  const CoreNode* LowerNamed(const BoundPath& path);
  const CoreNode* LowerNamedCall(const BoundCall& call);
  const CoreNode* NeedArgument(const CoreNode* argument);
  Frame* FrameOf(const BoundExpr& expr);
  const CoreNode* LowerUnary(const BoundUnary& expr);
  const CoreNode* LowerChain(const BoundChain& expr);
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
  const CoreNode* LowerStaticChoice(const BoundConditional& expr);
  const CoreNode* LowerOpenChoice(const BoundConditional& expr);
  const CoreNode* LowerObjectChoice(const BoundConditional& expr);
  const CoreNode* LowerNest(const BoundConditional& expr, const Leaf& leaf, ChoiceOthers* others);
  const CoreNode* LowerCoalesce(const BoundCall& call);
  const CoreNode* LowerNumbers(const BoundCall& call);
  const CoreNode* LowerContains(const BoundCall& call);
  const CoreNode* LowerLength(const BoundCall& call);
  const CoreNode* LowerTuple(const BoundTuple& expr);
  const CoreNode* BindingOf(const LocalVariable& local);
  const CoreNode* LowerCall(const BoundCall& call);
  const CoreNode* LowerTry(const BoundCall& call);
  const CoreNode* LowerCan(const BoundExpr& attempt);
  // An operation on the arguments.
  const CoreNode* LowerPrim(CoreOp op, const BoundCall& call, uint32_t index = 0);
  // core_texts.cc
  const CoreNode* LowerText(const BoundTemplate& expr);
  const CoreNode* LowerJoined(const BoundCall& call);
  const CoreNode* LowerJoinedList(const BoundCall& call);
  const CoreNode* TextOf(absl::Span<const CoreNode* const> parts, const BoundExpr& origin, uint8_t flags);
  TextPattern TextPatternOf(const BoundCall& call) const;
  const CoreNode* LowerPattern(const TextPattern& pattern, const CoreNode* text);
  const CoreNode* LowerMatch(const BoundCall& regexall);
  const CoreNode* ConstText(const std::string& text);
  bool AppendTextParts(const BoundTemplate& expr, CoreNodes* parts);

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
  LoweringState state_;
  NeedMaker needs_{&tree_, &state_};
  ListLowering lists_{this, &parts_, &needs_, &tree_, &state_};
  PartLowering parts_{this, &lists_, &needs_, &tree_, &state_};
  // What is tried is not lowered as what is not.
  HashMap<const BoundExpr*, const CoreNode*> lowered_[2];
  HashMap<const NamedTree*, const CoreNode*> named_[2];  // null where there is no such
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_LOWERING_H_
