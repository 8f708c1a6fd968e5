// What keeps rules from being looked up. Tested by module/table_checker_test.cc.

#include "hclvm/module/table_checker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/module/rule_table.h"

namespace hcl::internal {
namespace {

// As many tests of one string, one behind the other, become a look (compiler/test_runs.h).
constexpr size_t kMinRun = 8;
// A table in which fewer rules are tested one by one is fast enough.
constexpr size_t kMinSlow = 32;
// Rules that are named, beside the first.
constexpr size_t kMaxNamed = 5;
// Operands of `||` and `&&` around the first test of a rule, and elements of a list, that are looked at: the condition
// of a table is looked at again for each rule.
constexpr size_t kMaxParts = 64;
// An expression with such a table is longer.
constexpr uint32_t kMinBytes = 8 * kMinSlow;

// A rule of a table: what stands for it in messages, and what its first test is of, in the words of the source; empty
// where that is no test of a string.
struct Rule {
  const Expr* where;
  std::string_view subject;
};

class TableChecker {
 public:
  TableChecker(const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics)
      : source_(source), functions_(functions), diagnostics_(*diagnostics) {}

  void Check(const Expr& expr) {
    absl::InlinedVector<const Expr*, 32> waiting;
    waiting.push_back(&expr);
    while (!waiting.empty()) {
      const Expr& next = *waiting.back();
      waiting.pop_back();
      const auto add = [&waiting](const Expr* part) {
        if (!IsLeaf(*part)) waiting.push_back(part);
      };
      if (next.kind == ExprKind::kConditional) {
        CheckChain(As<ConditionalExpr>(next), add);
        continue;
      }
      if (const Expr* const list = FirstElementOf(next, functions_)) CheckTable(*list);
      ForEachChild(next, add);
    }
  }

 private:
  // All conditions of a chain, as one table. Calls `add` for its parts.
  template <typename Add>
  void CheckChain(const ConditionalExpr& chain, const Add& add) {
    std::vector<Rule> rules;
    const Expr* at = &chain;
    while (at->kind == ExprKind::kConditional) {
      const auto& choice = As<ConditionalExpr>(*at);
      rules.push_back({choice.condition, FirstSubject(*choice.condition, nullptr, nullptr)});
      add(choice.condition);
      add(choice.if_true);
      at = &Unwrapped(*choice.if_false);
    }
    add(at);
    Tell(rules);
  }

  void CheckTable(const Expr& expr) {
    const std::optional<RuleTable> table = RuleTableOf(expr);
    if (!table || table->rules.size() < kMinSlow) return;
    std::vector<Rule> rules;
    rules.reserve(table->rules.size());
    for (const Expr* rule : table->rules) {
      rules.push_back({rule, FirstSubject(*table->loop->condition, table->loop, rule)});
    }
    Tell(rules);
  }

  // In a rule of a table, the part of it that `expr` stands for.
  static const Expr& In(const Expr& expr, const ForExpr* loop, const Expr* rule) {
    const Expr* const part = loop == nullptr ? nullptr : PartInRule(expr, *loop, *rule);
    return Unwrapped(part == nullptr ? expr : *part);
  }

  // What the first test of a condition is of; all of the operands where it is a sum.
  std::string_view FirstSubject(const Expr& condition, const ForExpr* loop, const Expr* rule) {
    const Expr* at = &In(condition, loop, rule);
    for (size_t n = 0; at->kind == ExprKind::kBinary && As<BinaryExpr>(*at).op == BinaryOp::kAnd; ++n) {
      if (n > kMaxParts) return "";
      at = &In(*As<BinaryExpr>(*at).lhs, loop, rule);
    }
    absl::InlinedVector<const Expr*, 4> parts = {at};
    std::string_view subject;
    for (size_t n = 0; !parts.empty(); ++n) {
      const Expr& part = *parts.back();
      parts.pop_back();
      if (n > kMaxParts) return "";
      if (part.kind == ExprKind::kBinary && As<BinaryExpr>(part).op == BinaryOp::kOr) {
        parts.push_back(&In(*As<BinaryExpr>(part).rhs, loop, rule));
        parts.push_back(&In(*As<BinaryExpr>(part).lhs, loop, rule));
        continue;
      }
      const std::string_view tested = SubjectOf(part, loop, rule);
      if (tested.empty() || (!subject.empty() && subject != tested)) return "";
      subject = tested;
    }
    return subject;
  }

  std::string_view SubjectOf(const Expr& test, const ForExpr* loop, const Expr* rule) {
    if (test.kind == ExprKind::kBinary && As<BinaryExpr>(test).op == BinaryOp::kEqual) {
      const Expr& lhs = In(*As<BinaryExpr>(test).lhs, loop, rule);
      const Expr& rhs = In(*As<BinaryExpr>(test).rhs, loop, rule);
      if (LiteralTextOf(rhs)) return PathText(lhs);
      return LiteralTextOf(lhs) ? PathText(rhs) : "";
    }
    if (test.kind != ExprKind::kCall || As<CallExpr>(test).arguments.size() != 2 || As<CallExpr>(test).expand_last) {
      return "";
    }
    const auto& call = As<CallExpr>(test);
    const Function* const function = functions_->Find(call.name);
    if (function == nullptr) return "";
    const Expr& first = In(*call.arguments[0], loop, rule);
    const Expr& second = In(*call.arguments[1], loop, rule);
    switch (function->special) {
      case Function::Special::kStartsWith:
        return LiteralTextOf(second) ? PathText(first) : "";
      case Function::Special::kContains:
        return IsListOfTexts(first, loop, rule) ? PathText(second) : "";
      default:
        return "";
    }
  }

  static bool IsListOfTexts(const Expr& expr, const ForExpr* loop, const Expr* rule) {
    if (expr.kind != ExprKind::kTuple) return false;
    const absl::Span<const Expr* const> elements = As<TupleExpr>(expr).elements.subspan(0, kMaxParts);
    return std::all_of(elements.begin(), elements.end(),
                       [&](const Expr* element) { return LiteralTextOf(In(*element, loop, rule)).has_value(); });
  }

  // As it is written; empty for what is no variable, and no way into one.
  std::string_view PathText(const Expr& expr) {
    const Expr* root = &expr;
    if (root->kind == ExprKind::kTraversal) root = As<TraversalExpr>(*root).source;
    if (root->kind != ExprKind::kVariable) return "";
    return source_->text().substr(expr.range.begin, expr.range.end - expr.range.begin);
  }

  // Of the rules that are tested one by one, those that begin with the test most of them begin with could be looked up;
  // the others are what is in the way.
  void Tell(const std::vector<Rule>& rules) {
    if (rules.size() < kMinSlow) return;
    std::vector<const Rule*> slow;
    for (size_t begin = 0, end = 0; begin < rules.size(); begin = end) {
      end = begin + 1;
      while (end < rules.size() && rules[end].subject == rules[begin].subject) ++end;
      if (!rules[begin].subject.empty() && end - begin >= kMinRun) continue;
      for (size_t n = begin; n < end; ++n) slow.push_back(&rules[n]);
    }
    if (slow.size() < kMinSlow) return;
    HashMap<absl::string_view, size_t> counts;
    absl::string_view most;
    for (const Rule* rule : slow) {
      const size_t count = rule->subject.empty() ? 0 : ++counts[ToAbsl(rule->subject)];
      if (count > 0 && count > counts[most]) most = ToAbsl(rule->subject);
    }
    const size_t same = most.empty() ? 0 : counts[most];
    if (same < kMinRun) return;
    std::vector<const Rule*> others;
    for (const Rule* rule : slow) {
      if (ToAbsl(rule->subject) != most) others.push_back(rule);
    }
    if (others.empty()) return;
    Report(rules.size(), slow.size(), most, others);
  }

  void Report(size_t all, size_t slow, absl::string_view subject, const std::vector<const Rule*>& others) {
    Diagnostic diagnostic(DiagnosticCode::kTestedOneByOne);
    diagnostic.detail =
        absl::StrCat("Of the ", all, " rules here, ", slow, " are tested one by one. Rules that begin with a test of ",
                     Excerpt(std::string_view(subject.data(), subject.size())),
                     " (==, contains of literals, startswith) and stand together are looked up at "
                     "once. This one begins with another test");
    if (others.size() > 1) {
      absl::StrAppend(&diagnostic.detail, ", and so do ", others.size() - 1, " more: line");
      for (size_t n = 1; n < others.size() && n <= kMaxNamed; ++n) {
        absl::StrAppend(&diagnostic.detail, n == 1 ? " " : ", ", source_->LineAt(others[n]->where->range.begin));
      }
      if (others.size() > kMaxNamed + 1) absl::StrAppend(&diagnostic.detail, ", ...");
    }
    diagnostic.detail.push_back('.');
    diagnostic.subject = others[0]->where->range;
    diagnostic.source = source_;
    diagnostics_.Add(std::move(diagnostic));
  }

  const Source* source_;
  const FunctionRegistry* functions_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckTables(const Expr& expr, const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics) {
  if (expr.range.end - expr.range.begin < kMinBytes || functions == nullptr) return;
  TableChecker(source, functions, diagnostics).Check(expr);
}

}  // namespace hcl::internal
