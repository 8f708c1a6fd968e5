// Tables of rules, as they are written: `[for r in [...] : v if c][0]`, and the ways into literal rules.
//
// Internal to modules. Tested by module/reach_checker_test.cc and module/table_checker_test.cc.

#ifndef HCLVM_MODULE_RULE_TABLE_H_
#define HCLVM_MODULE_RULE_TABLE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// Without parentheses.
const Expr& Unwrapped(const Expr& expr);

// The text of a string without interpolations.
std::optional<std::string_view> LiteralTextOf(const Expr& expr);

// The list of which `expr` takes the first element, by `[0]` or element(.., 0); or null. `functions` may be null.
const Expr* FirstElementOf(const Expr& expr, const FunctionRegistry* functions);

// A loop over literal rules with a condition.
struct RuleTable {
  const ForExpr* loop;
  absl::Span<const Expr* const> rules;
};

// If it is one.
std::optional<RuleTable> RuleTableOf(const Expr& expr);

// What `name` is given in `rule`, a literal object, or null. Of a name that is given twice, the last one counts.
const Expr* PartNamed(const Expr& rule, std::string_view name);

// Where `expr` is a way into the variable of `loop`, what it leads to in `rule`, a literal; otherwise null.
const Expr* PartInRule(const Expr& expr, const ForExpr& loop, const Expr& rule);

// The operands of `a && b && c`, in order.
std::vector<const Expr*> Conjuncts(const Expr& condition);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_RULE_TABLE_H_
