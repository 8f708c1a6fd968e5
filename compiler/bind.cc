// Binder: the way to each kind of expression. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/bind.h"

#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {

const Expr& UnwrapNested(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::kParen || inner->kind == ExprKind::kTemplateWrap) {
    inner = inner->kind == ExprKind::kParen ? As<ParenExpr>(*inner).inner : As<TemplateWrapExpr>(*inner).inner;
  }
  return *inner;
}

Binder::Binder(const CompileOptions& options, ProgramBuilder* builder, Folding* folding, Diagnostics* diagnostics)
    : options_(options),
      builder_(builder),
      folding_(*folding),
      reports_(builder, diagnostics),
      literals_(options.limits, builder, &reports_),
      tree_(builder, &types_),
      locals_(&scope_.locals, tree_.arena()),
      functions_(builder),
      paths_(options, scope_, builder, folding, &reports_, &literals_, &tree_, &locals_, this) {
  scope_.functions = options.functions.get();
}

const BoundTree& Binder::Bind(const Expr& expr) {
  tree_.ForgetTrees();
  last_shape_ = nullptr;
  return BindAnother(expr);
}

const BoundTree& Binder::BindAnother(const Expr& expr) {
  tree_.Begin();
  return BindAll(expr);
}

const BoundTree& Binder::BindKept(const Expr& expr) {
  tree_.BeginKept();
  last_shape_ = nullptr;
  const BoundTree& tree = BindAll(expr);
  tree_.EndKept();
  last_shape_ = nullptr;
  return tree;
}

const BoundTree& Binder::BindAll(const Expr& expr) {
  locals_.Clear();
  BindExpr(expr);
  return tree_.tree();
}

BoundExpr* Binder::BindExpr(const Expr& expr) {
  BoundExpr* const node = BindInner(Unwrap(expr));
  node->outer = expr.range;
  return node;
}

BoundExpr* Binder::BindNothing(const Expr& expr) {
  return tree_.AddConstant(tree_.Here(), expr.range, Value::Dynamic());
}

BoundExpr* Binder::BindLiteral(const Expr& expr) {
  return tree_.AddConstant(tree_.Here(), expr.range,
                           expr.kind == ExprKind::kLiteral ? literals_.ValueOf(As<LiteralExpr>(expr))
                                                           : literals_.StringOf(As<TemplateTextExpr>(expr).text));
}

// An interrupted compilation goes quickly through what is left: the program is not used. Each kind is left to a
// function that is called last, so that none of them comes back here.
BoundExpr* Binder::BindInner(const Expr& expr) {
  if (Interrupted()) return BindNothing(expr);
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kTemplateText:
      return BindLiteral(expr);
    case ExprKind::kVariable:
    case ExprKind::kTraversal:
    case ExprKind::kIndex:
    case ExprKind::kSplatItem:
      return paths_.Bind(expr);
    case ExprKind::kSplat:
      return BindSplat(As<SplatExpr>(expr));
    case ExprKind::kCall:
      return BindCall(As<CallExpr>(expr));
    case ExprKind::kTuple:
      return BindTuple(As<TupleExpr>(expr));
    case ExprKind::kObject:
      return BindObject(As<ObjectExpr>(expr));
    case ExprKind::kFor:
      return BindFor(As<ForExpr>(expr));
    case ExprKind::kUnary:
      return BindUnary(As<UnaryExpr>(expr));
    case ExprKind::kBinary:
      return BindBinary(As<BinaryExpr>(expr));
    case ExprKind::kConditional: {
      const auto& node = As<ConditionalExpr>(expr);
      return BindChoice(expr.range, *node.condition, *node.if_true, node.if_false);
    }
    case ExprKind::kTemplate:
      return BindTemplate(As<TemplateExpr>(expr));
    case ExprKind::kTemplateIf: {
      const auto& node = As<TemplateIfExpr>(expr);
      return BindChoice(expr.range, *node.condition, *node.if_true, node.if_false);
    }
    case ExprKind::kTemplateFor:
      return BindTemplateFor(As<TemplateForExpr>(expr));
    case ExprKind::kParen:
    case ExprKind::kTemplateWrap:
      return BindExpr(expr);
    case ExprKind::kError:
      break;
  }
  return BindInvalid(expr);
}

BoundExpr* Binder::BindInvalid(const Expr& expr) {
  reports_.Report(expr.range, DiagnosticCode::kBrokenExpression, "The source has errors here and cannot be compiled.");
  return BindNothing(expr);
}

}  // namespace hcl::internal
