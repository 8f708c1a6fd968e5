// The facts of a node that follow from its parts.
//
// Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_FACTS_H_
#define HCLVM_COMPILER_FACTS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Sets never_null, pure, total, sure_bool, type (but for objects and tuples, whose types a table makes), height, and,
// if `for_code`, how many tests there are. The parts have theirs.
void SetFacts(BoundExpr* node, bool for_code = true);
// The same for constants; variables with steps, which most nodes are besides, have what a new node has.
void SetConstantFacts(BoundConstant* node);

// The type of all results of `function`, where it has one that does not depend on the arguments and is that of bools,
// numbers or strings; otherwise the dynamic one.
Type ResultType(const Function& function);

// Sets what a conditional says of the objects that it yields; `arena` is the tree's.
void SetShape(BoundConditional* choice, Arena* arena);

// Whether it is the word null, or as good: a null of no type.
inline bool IsNull(const BoundExpr& expr) {
  if (!expr.is_constant() || !expr.type.is_dynamic()) return false;
  const Value& value = As<BoundConstant>(expr).value;
  return value.is_null() && value.null_or_unknown_type().is_dynamic();
}
// The steps of a BoundPath or BoundLocal.
inline absl::Span<const BoundStep> StepsOf(const BoundExpr& read) {
  return read.kind == BoundKind::kPath ? As<BoundPath>(read).steps : As<BoundLocal>(read).steps;
}
// Whether it is a call of try or can with arguments, which may fail.
bool IsAttempt(const BoundExpr& expr);
// Whether the values are of its type even where they are not known: a call with unknown arguments yields what is not
// known at all. Looks `depth` levels deep, and says no beyond.
bool HasFirmType(const BoundExpr& expr, int depth = 8);
// Whether it is a bool, number or string, and not null, and cannot fail but for limits, whatever the variables are
// whose types are declared.
bool IsSure(const BoundExpr& expr);
// The operand that fast code takes `expr` for, if it is such a constant, or null.
inline const Value* ScalarOf(const BoundExpr& expr) {
  return expr.is_constant() && As<BoundConstant>(expr).is_scalar() ? &As<BoundConstant>(expr).value : nullptr;
}

// Calls fact(part) for each direct part of `node`, in the order of the text.
template <typename Fact>
void ForEachPart(const BoundExpr& node, const Fact& fact) {
  switch (node.kind) {
    case BoundKind::kConstant:
    case BoundKind::kPath:
    case BoundKind::kLocal:
    case BoundKind::kRaise:
      return;
    case BoundKind::kSteps:
      return fact(*As<BoundSteps>(node).source);
    case BoundKind::kIndex:
      fact(*As<BoundIndex>(node).source);
      return fact(*As<BoundIndex>(node).key);
    case BoundKind::kCall:
      for (const BoundExpr* argument : As<BoundCall>(node).arguments) fact(*argument);
      return;
    case BoundKind::kTuple:
      for (const BoundExpr* element : As<BoundTuple>(node).elements) fact(*element);
      return;
    case BoundKind::kObject:
      for (const BoundItem& item : As<BoundObject>(node).items) {
        fact(*item.key);
        fact(*item.value);
      }
      return;
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(node);
      for (const BoundExpr* part : {loop.collection, loop.condition, loop.key, loop.value}) {
        if (part != nullptr) fact(*part);
      }
      return;
    }
    case BoundKind::kUnary:
      return fact(*As<BoundUnary>(node).operand);
    case BoundKind::kChain:
      for (const BoundExpr* operand : As<BoundChain>(node).operands) fact(*operand);
      return;
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(node);
      for (const BoundExpr* part : {choice.condition, choice.if_true, choice.if_false}) fact(*part);
      return;
    }
    case BoundKind::kTemplate:
      for (const BoundExpr* part : As<BoundTemplate>(node).parts) fact(*part);
      return;
    case BoundKind::kTemplateFor:
      fact(*As<BoundTemplateFor>(node).collection);
      return fact(*As<BoundTemplateFor>(node).body);
  }
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FACTS_H_
