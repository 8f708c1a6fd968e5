// CoreLowering: from the bound tree to Core. Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_LOWERING_H_
#define HCLVM_COMPILER_CORE_LOWERING_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"

namespace hcl::internal {

// One function for each kind of bound node. Serves one tree. Not thread-safe. Recursion follows the nesting of the
// expression, up to kMaxFastHeight.
class CoreLowering {
 public:
  // Both must outlive this.
  CoreLowering(CoreTree* tree, Binder* binder) : tree_(*tree), binder_(*binder) {}

  // The Core of `expr`, or null where there is none yet for a node in it.
  const CoreNode* Lower(const BoundExpr& expr);

 private:
  using Nodes = absl::InlinedVector<const CoreNode*, 8>;

  const CoreNode* LowerNode(const BoundExpr& expr);
  const CoreNode* LowerSteps(const CoreNode* source, absl::Span<const BoundStep> steps, uint32_t path);
  const CoreNode* LowerUnary(const BoundUnary& expr);
  const CoreNode* LowerChain(const BoundChain& expr);
  const CoreNode* LowerLogic(const BoundChain& expr);
  const CoreNode* LowerComparison(const BoundChain& expr);
  const CoreNode* LowerArithmetic(const BoundChain& expr, bool is_exact);
  // A number of which only the order, or a whole number near it, is asked.
  const CoreNode* LowerNear(const BoundExpr& expr);
  const CoreNode* LowerConditional(const BoundConditional& expr);
  const CoreNode* LowerText(const BoundTemplate& expr);
  const CoreNode* LowerCall(const BoundCall& call);
  const CoreNode* LowerOrdinaryCall(const BoundCall& call);
  const CoreNode* LowerTry(const BoundCall& call);
  // An operation on the arguments.
  const CoreNode* LowerPrim(CoreOp op, const BoundCall& call, uint32_t index = 0);
  // False where one of them has no Core.
  bool LowerAll(absl::Span<const BoundExpr* const> exprs, Nodes* nodes);
  const CoreNode* ConstText(const std::string& text);
  bool AppendTextParts(const BoundTemplate& expr, Nodes* parts);

  CoreTree& tree_;
  Binder& binder_;
};

// Whether fast code finds out what `node` is where it may fail, so that something else stands for it then.
bool CanFail(const CoreNode& node);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_LOWERING_H_
