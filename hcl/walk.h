// Walking the AST: the direct parts of an expression, for passes that treat all kinds alike.
//
// Tested by hcl/navigation_test.cc, hcl/static_analysis_test.cc.

#ifndef HCLVM_HCL_WALK_H_
#define HCLVM_HCL_WALK_H_

#include <initializer_list>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/hcl/ast.h"

namespace hcl {
namespace internal {

// Calls `visit(const Expr*)` for the expressions that `expr` directly consists of, in the order of the text. An
// object's naked key is not among them: it is a name. Trees are deep on their left spines, so walk with a stack of your
// own, not by recursion.
//
// The one list of what kinds of nodes consist of. Passes that treat all kinds alike go by it, so that a new kind is
// added here and nowhere else for them; the switch has no default, and the compiler finds a kind that is missing.
template <typename Visit>
void ForEachChild(const Expr& expr, Visit visit) {
  const auto add = [&visit](std::initializer_list<const Expr*> parts) {
    for (const Expr* part : parts) {
      if (part != nullptr) visit(part);
    }
  };
  const auto add_all = [&visit](absl::Span<const Expr* const> parts) {
    for (const Expr* part : parts) visit(part);
  };
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kVariable:
    case ExprKind::kSplatItem:
    case ExprKind::kTemplateText:
    case ExprKind::kError:
      return;
    case ExprKind::kTraversal:
      return visit(As<TraversalExpr>(expr).source);
    case ExprKind::kIndex:
      return add({As<IndexExpr>(expr).collection, As<IndexExpr>(expr).key});
    case ExprKind::kSplat:
      return add({As<SplatExpr>(expr).source, As<SplatExpr>(expr).each});
    case ExprKind::kCall:
      return add_all(As<CallExpr>(expr).arguments);
    case ExprKind::kTuple:
      return add_all(As<TupleExpr>(expr).elements);
    case ExprKind::kObject:
      for (const ObjectItem& item : As<ObjectExpr>(expr).items) {
        if (item.key_name.empty()) visit(item.key);
        visit(item.value);
      }
      return;
    case ExprKind::kFor: {
      const auto& node = As<ForExpr>(expr);
      return add({node.collection, node.key, node.value, node.condition});
    }
    case ExprKind::kUnary:
      return visit(As<UnaryExpr>(expr).operand);
    case ExprKind::kBinary:
      return add({As<BinaryExpr>(expr).lhs, As<BinaryExpr>(expr).rhs});
    case ExprKind::kConditional: {
      const auto& conditional = As<ConditionalExpr>(expr);
      return add({conditional.condition, conditional.if_true, conditional.if_false});
    }
    case ExprKind::kParen:
      return visit(As<ParenExpr>(expr).inner);
    case ExprKind::kTemplate:
      return add_all(As<TemplateExpr>(expr).parts);
    case ExprKind::kTemplateWrap:
      return visit(As<TemplateWrapExpr>(expr).inner);
    case ExprKind::kTemplateIf: {
      const auto& directive = As<TemplateIfExpr>(expr);
      return add({directive.condition, directive.if_true, directive.if_false});
    }
    case ExprKind::kTemplateFor:
      return add({As<TemplateForExpr>(expr).collection, As<TemplateForExpr>(expr).body});
  }
}

// Whether there are no such expressions.
inline bool IsLeaf(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral || expr.kind == ExprKind::kVariable || expr.kind == ExprKind::kSplatItem ||
         expr.kind == ExprKind::kTemplateText || expr.kind == ExprKind::kError;
}

// Appends these expressions.
void AppendChildren(const Expr& expr, std::vector<const Expr*>* children);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_WALK_H_
