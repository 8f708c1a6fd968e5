// Walking the AST: the children of every kind of node, in one place.

#include "hclvm/hcl/walk.h"

#include <initializer_list>

#include "absl/types/span.h"

namespace hcl {
namespace internal {
namespace {

void AppendItems(const ObjectExpr& object, std::vector<const Expr*>* children) {
  for (const ObjectItem& item : object.items) {
    if (item.key_name.empty()) children->push_back(item.key);
    children->push_back(item.value);
  }
}

}  // namespace

// The one list of what kinds of nodes consist of. Passes that treat all kinds alike go by it, so that a new kind is
// added here and nowhere else for them; the switch has no default, and the compiler finds a kind that is missing.
void AppendChildren(const Expr& expr, std::vector<const Expr*>* children) {
  const auto add = [children](std::initializer_list<const Expr*> parts) {
    for (const Expr* part : parts) {
      if (part != nullptr) children->push_back(part);
    }
  };
  const auto add_all = [children](absl::Span<const Expr* const> parts) {
    children->insert(children->end(), parts.begin(), parts.end());
  };
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kVariable:
    case ExprKind::kSplatItem:
    case ExprKind::kTemplateText:
    case ExprKind::kError:
      return;
    case ExprKind::kTraversal:
      return add({As<TraversalExpr>(expr).source});
    case ExprKind::kIndex:
      return add({As<IndexExpr>(expr).collection, As<IndexExpr>(expr).key});
    case ExprKind::kSplat:
      return add({As<SplatExpr>(expr).source, As<SplatExpr>(expr).each});
    case ExprKind::kCall:
      return add_all(As<CallExpr>(expr).arguments);
    case ExprKind::kTuple:
      return add_all(As<TupleExpr>(expr).elements);
    case ExprKind::kObject:
      return AppendItems(As<ObjectExpr>(expr), children);
    case ExprKind::kFor: {
      const auto& node = As<ForExpr>(expr);
      return add({node.collection, node.key, node.value, node.condition});
    }
    case ExprKind::kUnary:
      return add({As<UnaryExpr>(expr).operand});
    case ExprKind::kBinary:
      return add({As<BinaryExpr>(expr).lhs, As<BinaryExpr>(expr).rhs});
    case ExprKind::kConditional: {
      const auto& conditional = As<ConditionalExpr>(expr);
      return add({conditional.condition, conditional.if_true, conditional.if_false});
    }
    case ExprKind::kParen:
      return add({As<ParenExpr>(expr).inner});
    case ExprKind::kTemplate:
      return add_all(As<TemplateExpr>(expr).parts);
    case ExprKind::kTemplateWrap:
      return add({As<TemplateWrapExpr>(expr).inner});
    case ExprKind::kTemplateIf: {
      const auto& directive = As<TemplateIfExpr>(expr);
      return add({directive.condition, directive.if_true, directive.if_false});
    }
    case ExprKind::kTemplateFor:
      return add({As<TemplateForExpr>(expr).collection, As<TemplateForExpr>(expr).body});
  }
}

}  // namespace internal
}  // namespace hcl
