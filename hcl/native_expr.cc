// The native syntax as ExprSyntax: the AST is what a view points to, so that making one costs nothing.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/variable_walk.h"

namespace hcl {
namespace {

const Expr& Node(const ExprView& expr) { return *static_cast<const Expr*>(expr.node()); }

std::string_view DescribeLiteral(LiteralKind literal) {
  switch (literal) {
    case LiteralKind::kNumber:
      return "a number";
    case LiteralKind::kNull:
      return "null";
    case LiteralKind::kTrue:
    case LiteralKind::kFalse:
      return "a bool";
  }
  return "a literal";
}

// Words for messages of the form "... is required here, but this is WORDS", each with its article. Kinds that a user
// does not tell apart share them.
std::string_view DescribeKind(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return DescribeLiteral(As<LiteralExpr>(expr).literal);
    case ExprKind::kVariable:
    case ExprKind::kTraversal:
      return "a reference";
    case ExprKind::kIndex:
      return "an index that is calculated";
    case ExprKind::kSplat:
    case ExprKind::kSplatItem:
      return "a splat expression";
    case ExprKind::kCall:
      return "a function call";
    case ExprKind::kTuple:
      return "a list in brackets";
    case ExprKind::kObject:
      return "an object in braces";
    case ExprKind::kFor:
      return "a 'for' expression";
    case ExprKind::kUnary:
    case ExprKind::kBinary:
      return "an operation";
    case ExprKind::kConditional:
      return "a conditional";
    case ExprKind::kParen:
      return "an expression in parentheses";
    case ExprKind::kTemplate:
    case ExprKind::kTemplateText:
      return "a string";
    case ExprKind::kTemplateWrap:
    case ExprKind::kTemplateIf:
    case ExprKind::kTemplateFor:
      return "a template";
    case ExprKind::kError:
      return "no valid expression";
  }
  return "an expression";
}

// Each analysis asks for one kind of node and looks through nothing, not even parentheses: what is given is returned
// with no further interpretation (native-syntax.md, "Static Analysis").
class NativeSyntax final : public ExprSyntax {
 public:
  SourceRange Range(const ExprView& expr) const override { return Node(expr).range; }
  std::string_view Describe(const ExprView& expr) const override { return DescribeKind(Node(expr)); }

  std::optional<std::vector<ExprView>> List(const ExprView& expr) const override {
    if (Node(expr).kind != ExprKind::kTuple) return std::nullopt;
    return Views(As<TupleExpr>(Node(expr)).elements, expr);
  }

  std::optional<std::vector<StaticPair>> Map(const ExprView& expr) const override {
    if (Node(expr).kind != ExprKind::kObject) return std::nullopt;
    std::vector<StaticPair> pairs;
    for (const ObjectItem& item : As<ObjectExpr>(Node(expr)).items) {
      pairs.push_back({ViewOf(*item.key, *expr.source()), ViewOf(*item.value, *expr.source())});
    }
    return pairs;
  }

  std::optional<StaticCall> Call(const ExprView& expr) const override {
    if (Node(expr).kind != ExprKind::kCall) return std::nullopt;
    const auto& node = As<CallExpr>(Node(expr));
    StaticCall call;
    call.name = node.name;
    call.name_range = node.name_range;
    call.arguments = Views(node.arguments, expr);
    call.expand_last = node.expand_last;
    call.arguments_range = Cover(node.open, node.close);
    return call;
  }

  std::optional<StaticTraversal> Traversal(const ExprView& expr) const override {
    return internal::AbsoluteTraversal(Node(expr), expr.source());
  }

  void AppendVariables(const ExprView& expr, std::vector<StaticTraversal>* variables) const override {
    internal::AppendVariables(Node(expr), expr.source(), variables);
  }

 private:
  static std::vector<ExprView> Views(absl::Span<const Expr* const> exprs, const ExprView& parent) {
    std::vector<ExprView> views;
    views.reserve(exprs.size());
    for (const Expr* expr : exprs) views.push_back(ViewOf(*expr, *parent.source()));
    return views;
  }
};

constexpr NativeSyntax kNativeSyntax;

}  // namespace

ExprView ViewOf(const Expr& expr, const Source& source) { return {&kNativeSyntax, &expr, &source}; }

const Expr* NativeExpr(const ExprView& expr) { return expr.syntax() == &kNativeSyntax ? &Node(expr) : nullptr; }

}  // namespace hcl
