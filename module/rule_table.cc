// Tables of rules. Tested by module/reach_checker_test.cc and module/table_checker_test.cc.

#include "hclvm/module/rule_table.h"

#include <cstddef>
#include <string>

#include "hclvm/base/operators.h"

namespace hcl::internal {

const Expr& Unwrapped(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::kParen) at = As<ParenExpr>(*at).inner;
  return *at;
}

std::optional<std::string_view> LiteralTextOf(const Expr& expr) {
  const Expr& inner = Unwrapped(expr);
  if (inner.kind != ExprKind::kTemplate || As<TemplateExpr>(inner).parts.size() != 1) return std::nullopt;
  const Expr& part = *As<TemplateExpr>(inner).parts[0];
  if (part.kind != ExprKind::kTemplateText) return std::nullopt;
  return As<TemplateTextExpr>(part).text.view();
}

namespace {

// What `step` leads to in a literal object or list, or null.
const Expr* PartOf(const Expr& element, const TraversalStep& step) {
  const Expr& literal = Unwrapped(element);
  if (literal.kind == ExprKind::kTuple && step.kind == TraversalStep::Kind::kIndexNumber) {
    const auto& tuple = As<TupleExpr>(literal);
    for (size_t n = 0; n < tuple.elements.size() && n < 10; ++n) {
      if (step.text == std::to_string(n)) return tuple.elements[n];
    }
    return nullptr;
  }
  const bool is_name = step.kind == TraversalStep::Kind::kAttribute || step.kind == TraversalStep::Kind::kIndexString;
  return is_name ? PartNamed(literal, step.text.view()) : nullptr;
}

}  // namespace

const Expr* PartNamed(const Expr& rule, std::string_view name) {
  const Expr& literal = Unwrapped(rule);
  if (literal.kind != ExprKind::kObject) return nullptr;
  const Expr* found = nullptr;
  for (const ObjectItem& item : As<ObjectExpr>(literal).items) {
    const std::optional<std::string_view> key =
        !item.key_name.empty() ? std::optional<std::string_view>(item.key_name) : LiteralTextOf(*item.key);
    if (!key) return nullptr;  // it could be the name
    if (*key == name) found = item.value;
  }
  return found;
}

const Expr* FirstElementOf(const Expr& expr, const FunctionRegistry* functions) {
  if (expr.kind == ExprKind::kTraversal) {
    const auto& steps = As<TraversalExpr>(expr);
    const TraversalStep& first = steps.steps[0];
    return first.kind == TraversalStep::Kind::kIndexNumber && first.text == "0" ? steps.source : nullptr;
  }
  if (expr.kind != ExprKind::kCall || functions == nullptr) return nullptr;
  const auto& call = As<CallExpr>(expr);
  const Function* const function = functions->Find(call.name);
  if (function == nullptr || function->special != Function::Special::kElement || call.arguments.size() != 2) {
    return nullptr;
  }
  const Expr& index = Unwrapped(*call.arguments[1]);
  const bool is_zero = index.kind == ExprKind::kLiteral && As<LiteralExpr>(index).spelling == "0";
  return is_zero ? call.arguments[0] : nullptr;
}

std::optional<RuleTable> RuleTableOf(const Expr& expr) {
  if (Unwrapped(expr).kind != ExprKind::kFor) return std::nullopt;
  const auto& loop = As<ForExpr>(Unwrapped(expr));
  const Expr& rules = Unwrapped(*loop.collection);
  if (loop.key != nullptr || loop.condition == nullptr || rules.kind != ExprKind::kTuple) return std::nullopt;
  return RuleTable{&loop, As<TupleExpr>(rules).elements};
}

const Expr* PartInRule(const Expr& expr, const ForExpr& loop, const Expr& rule) {
  const Expr& inner = Unwrapped(expr);
  if (inner.kind == ExprKind::kVariable) return As<VariableExpr>(inner).name == loop.value_name ? &rule : nullptr;
  if (inner.kind != ExprKind::kTraversal) return nullptr;
  const auto& way = As<TraversalExpr>(inner);
  if (way.source->kind != ExprKind::kVariable || As<VariableExpr>(*way.source).name != loop.value_name) return nullptr;
  const Expr* at = &rule;
  for (const TraversalStep& step : way.steps) {
    at = PartOf(*at, step);
    if (at == nullptr) return nullptr;
  }
  return at;
}

// Left spines are long, hence no recursion.
std::vector<const Expr*> Conjuncts(const Expr& condition) {
  std::vector<const Expr*> waiting = {&condition};
  std::vector<const Expr*> conjuncts;
  while (!waiting.empty()) {
    const Expr& next = Unwrapped(*waiting.back());
    waiting.pop_back();
    if (next.kind == ExprKind::kBinary && As<BinaryExpr>(next).op == BinaryOp::kAnd) {
      waiting.push_back(As<BinaryExpr>(next).rhs);
      waiting.push_back(As<BinaryExpr>(next).lhs);
    } else {
      conjuncts.push_back(&next);
    }
  }
  return conjuncts;
}

}  // namespace hcl::internal
