// TypeChecker: what conditions say of what they test. Tested by module/type_checker_test.cc.

#include <algorithm>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What is known at one place: conditions beyond are not looked at.
constexpr size_t kMaxFacts = 64;

bool SameKey(const BoundStep& a, const BoundStep& b) {
  if (a.key.is_string() && b.key.is_string()) return a.key.AsString() == b.key.AsString();
  return a.key.is_int() && b.key.is_int() && a.key.AsInt() == b.key.AsInt();
}

}  // namespace

bool TypeChecker::WayOf(const BoundExpr& expr, Way* way) const {
  if (expr.kind == BoundKind::kPath) {
    way->slot = As<BoundPath>(expr).slot;
    way->steps = As<BoundPath>(expr).steps;
    return true;
  }
  if (expr.kind != BoundKind::kLocal) return false;
  way->local = As<BoundLocal>(expr).local;
  way->steps = As<BoundLocal>(expr).steps;
  return true;
}

const StaticType* TypeChecker::FactOf(const Way& way, size_t steps) const {
  for (size_t n = facts_.size(); n-- > 0;) {
    const Way& known = facts_[n].way;
    if (known.slot != way.slot || known.local != way.local || known.steps.size() != steps) continue;
    if (std::equal(known.steps.begin(), known.steps.end(), way.steps.begin(), SameKey)) return facts_[n].type;
  }
  return nullptr;
}

void TypeChecker::AddFact(const BoundExpr& expr, const StaticType* type) {
  Fact fact;
  fact.type = type;
  if (facts_.size() < kMaxFacts && WayOf(expr, &fact.way)) facts_.push_back(fact);
}

// The value is there, and so are all that lead to it.
void TypeChecker::AssumeNotNull(const BoundExpr& expr) {
  Way way;
  if (!WayOf(expr, &way)) return;
  ++quiet_;
  const StaticType* const type = Infer(expr);
  --quiet_;
  if (type->is_told() && type->nullable) AddFact(expr, types_.WithNull(type, false));
}

void TypeChecker::Assume(const BoundExpr& condition, bool truth) {
  switch (condition.kind) {
    case BoundKind::kUnary:
      if (As<BoundUnary>(condition).op == UnaryOp::kNot) Assume(*As<BoundUnary>(condition).operand, !truth);
      return;
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(condition);
      if (IsLogical(chain.op)) {
        if (truth != (chain.op == BinaryOp::kAnd)) return;
        for (const BoundExpr* operand : chain.operands) Assume(*operand, truth);
        return;
      }
      if (IsArithmetic(chain.op)) return;
      const bool is_equal = chain.op == BinaryOp::kEqual;
      if (is_equal || chain.op == BinaryOp::kNotEqual) {
        for (const size_t n : {0, 1}) {
          const BoundExpr& other = *chain.operands[1 - n];
          if (!other.is_constant()) continue;
          // Equal to what is not null, or not equal to null.
          const bool is_null = As<BoundConstant>(other).value.is_null();
          if ((truth == is_equal) != is_null) AssumeNotNull(*chain.operands[n]);
        }
        return;
      }
      // A comparison has answered: what it has compared is there.
      for (const BoundExpr* operand : chain.operands) AssumeNotNull(*operand);
      return;
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(condition);
      Way way;
      if (call.is(Function::Special::kCan) && truth && call.arguments.size() == 1 && WayOf(*call.arguments[0], &way)) {
        // The way can be gone, so that all on it is there.
        const BoundExpr& tested = *call.arguments[0];
        ++quiet_;
        const StaticType* const type = Infer(tested);
        --quiet_;
        AddFact(tested, type);
      }
      return;
    }
    default:
      // A bool that is true or false is not null.
      AssumeNotNull(condition);
      return;
  }
}

}  // namespace hcl::internal
