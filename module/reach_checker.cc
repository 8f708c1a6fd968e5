// What no run comes by. Tested by module/reach_checker_test.cc.
//
// Only literals are taken for known: `true`, also in parentheses and behind `!`. One part is reported once, where it
// stands, and not again for what is around it.

#include "hclvm/module/reach_checker.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/module/rule_table.h"

namespace hcl::internal {
namespace {

// Of a rule: each is looked up in each rule.
constexpr size_t kMaxConditions = 16;

// What a literal bool says.
std::optional<bool> TruthOf(const Expr& expr) {
  bool negated = false;
  const Expr* at = &Unwrapped(expr);
  while (at->kind == ExprKind::kUnary && As<UnaryExpr>(*at).op == UnaryOp::kNot) {
    negated = !negated;
    at = &Unwrapped(*As<UnaryExpr>(*at).operand);
  }
  if (at->kind != ExprKind::kLiteral) return std::nullopt;
  const LiteralKind literal = As<LiteralExpr>(*at).literal;
  if (literal != LiteralKind::kTrue && literal != LiteralKind::kFalse) return std::nullopt;
  return (literal == LiteralKind::kTrue) != negated;
}

// A number, a bool, or a text without interpolations.
bool IsLiteralValue(const Expr& expr) {
  const Expr& inner = Unwrapped(expr);
  if (inner.kind == ExprKind::kLiteral) return As<LiteralExpr>(inner).literal != LiteralKind::kNull;
  if (inner.kind != ExprKind::kTemplate) return false;
  const auto& text = As<TemplateExpr>(inner);
  return text.parts.empty() || (text.parts.size() == 1 && text.parts[0]->kind == ExprKind::kTemplateText);
}

class ReachChecker {
 public:
  ReachChecker(const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics)
      : source_(source), functions_(functions), diagnostics_(*diagnostics) {}

  // Of a node without parts there is nothing to say.
  void Check(const Expr& expr) {
    PlainList<const Expr*, 32> waiting;  // allocates nothing for most expressions
    waiting.push_back(&expr);
    while (!waiting.empty()) {
      const Expr& next = *waiting.back();
      waiting.pop_back();
      CheckNode(next);
      const size_t first = waiting.size();
      ForEachChild(next, [&waiting](const Expr* child) {
        if (!IsLeaf(*child)) waiting.push_back(child);
      });
      if (waiting.size() > first + 1) std::reverse(waiting.begin() + first, waiting.end());
    }
  }

 private:
  void CheckNode(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kConditional: {
        const auto& choice = As<ConditionalExpr>(expr);
        return CheckChoice(*choice.condition, choice.if_true, choice.if_false);
      }
      case ExprKind::kTemplateIf: {
        const auto& choice = As<TemplateIfExpr>(expr);
        return CheckChoice(*choice.condition, choice.if_true, choice.if_false);
      }
      case ExprKind::kBinary:
        return CheckLogical(As<BinaryExpr>(expr));
      case ExprKind::kCall:
        return CheckCall(As<CallExpr>(expr));
      case ExprKind::kObject:
        return CheckKeys(As<ObjectExpr>(expr));
      case ExprKind::kTraversal: {
        if (const Expr* const list = FirstElementOf(expr, functions_)) CheckTable(*list);
        return;
      }
      default:
        return;
    }
  }

  void Report(const Expr& unreached, std::string detail) {
    Report(unreached, DiagnosticCode::kNeverReached, std::move(detail));
  }

  void Report(const Expr& expr, DiagnosticCode code, std::string detail) {
    Diagnostic diagnostic(code);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = expr.range;
    diagnostic.source = source_;
    diagnostics_.Add(std::move(diagnostic));
  }

  void CheckChoice(const Expr& condition, const Expr* if_true, const Expr* if_false) {
    const std::optional<bool> truth = TruthOf(condition);
    const Expr* const other = truth.value_or(true) ? if_false : if_true;
    if (!truth || other == nullptr) return;
    Report(*other, absl::StrCat("This is never chosen, because the condition is always ", *truth ? "true." : "false."));
  }

  void CheckLogical(const BinaryExpr& expr) {
    if (!IsLogical(expr.op)) return;
    const bool decides = expr.op == BinaryOp::kOr;
    for (const bool left : {true, false}) {
      if (TruthOf(left ? *expr.lhs : *expr.rhs) != decides) continue;
      return Report(left ? *expr.rhs : *expr.lhs,
                    absl::StrCat("This side never counts, because the other one is always ",
                                 decides ? "true, and so is the answer." : "false, and so is the answer."));
    }
  }

  void CheckCall(const CallExpr& call) {
    const Function* const function = functions_ == nullptr ? nullptr : functions_->Find(call.name);
    if (function == nullptr || call.arguments.empty()) return;
    switch (function->special) {
      case Function::Special::kAnyTrue:
        return CheckQuantified(*call.arguments[0], true);
      case Function::Special::kAllTrue:
        return CheckQuantified(*call.arguments[0], false);
      case Function::Special::kCoalesce:
      case Function::Special::kTry:
        for (size_t n = 0; n + 1 < call.arguments.size(); ++n) {
          if (!IsLiteralValue(*call.arguments[n])) continue;
          return Report(*call.arguments[n + 1],
                        absl::StrCat("This is never looked at, because the argument before it always has a value."));
        }
        return;
      case Function::Special::kElement:
        if (const Expr* const list = FirstElementOf(call, functions_)) CheckTable(*list);
        return;
      default:
        return;
    }
  }

  // Of the values for one key, the last one counts. Where a repeated key is an error, nothing is said here.
  void CheckKeys(const ObjectExpr& object) {
    if (object.unique_keys || object.items.size() < 2) return;
    HashMap<absl::string_view, const ObjectItem*> items;
    for (const ObjectItem& item : object.items) {
      const std::optional<std::string_view> key =
          !item.key_name.empty() ? std::optional<std::string_view>(item.key_name) : LiteralTextOf(*item.key);
      if (!key) continue;
      const auto [first, is_new] = items.try_emplace(ToAbsl(*key), &item);
      if (is_new) continue;
      Report(*item.key, DiagnosticCode::kKeyGivenTwice,
             absl::StrCat("The key \"", Excerpt(*key), "\" is given on line ",
                          source_->LineAt(first->second->key->range.begin),
                          " already. The last value counts, and the others are lost."));
    }
  }

  // One element of `list` that is literally `decides` is the answer.
  void CheckQuantified(const Expr& list, bool decides) {
    if (Unwrapped(list).kind != ExprKind::kTuple) return;
    const auto& tuple = As<TupleExpr>(Unwrapped(list));
    if (tuple.elements.size() < 2) return;
    for (size_t n = 0; n < tuple.elements.size(); ++n) {
      if (TruthOf(*tuple.elements[n]) != decides) continue;
      return Report(*tuple.elements[n == 0 ? 1 : 0],
                    absl::StrCat("This never counts, because another element is always ",
                                 decides ? "true, and so is the answer." : "false, and so is the answer."));
    }
  }

  // `[for r in [...] : v if c]`, of which the first element is taken.
  void CheckTable(const Expr& expr) {
    const std::optional<RuleTable> table = RuleTableOf(expr);
    if (!table) return;
    const std::vector<const Expr*> conditions = Conjuncts(*table->loop->condition);
    if (conditions.size() > kMaxConditions) return;
    const absl::Span<const Expr* const> rules = table->rules;
    for (size_t n = 0; n + 1 < rules.size(); ++n) {
      bool applies = true;
      for (const Expr* condition : conditions) {
        const Expr* const part = PartInRule(*condition, *table->loop, *rules[n]);
        applies = applies && part != nullptr && TruthOf(*part) == true;
      }
      if (!applies) continue;
      return Report(*rules[n + 1], absl::StrCat("This rule is never reached, because the one on line ",
                                                source_->LineAt(rules[n]->range.begin), " always applies before it."));
    }
  }

  const Source* source_;
  const FunctionRegistry* functions_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckReach(const Expr& expr, const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics) {
  if (IsLeaf(expr)) return;
  ReachChecker(source, functions, diagnostics).Check(expr);
}

}  // namespace hcl::internal
