// TypeChecker: what conditions say of what they test. Tested by module/type_checker_test.cc.

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"
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

bool TypeChecker::IsSameWay(const Way& known, const Way& way, size_t steps) {
  if (known.slot != way.slot || known.local != way.local || known.steps.size() != steps) return false;
  return std::equal(known.steps.begin(), known.steps.end(), way.steps.begin(), SameKey);
}

const StaticType* TypeChecker::FactOf(const Way& way, size_t steps) const {
  for (size_t n = facts_.size(); n-- > 0;) {
    if (IsSameWay(facts_[n].way, way, steps)) return facts_[n].type;
  }
  return nullptr;
}

void TypeChecker::AddFact(const BoundExpr& expr, const StaticType* type) {
  Way way;
  if (WayOf(expr, &way)) AddFact(way, type);
}

void TypeChecker::AddFact(const Way& way, const StaticType* type) {
  if (facts_.size() < kMaxFacts) facts_.push_back({way, type});
}

// Mostly nothing was added.
void TypeChecker::ForgetTo(const Known& known) {
  if (facts_.size() > known.facts) facts_.resize(known.facts);
  if (sure_.size() > known.sure) sure_.resize(known.sure);
  if (keys_.size() > known.keys) keys_.resize(known.keys);
  if (filled_.size() > known.filled) filled_.resize(known.filled);
}

// The value is there, and so are all that lead to it.
void TypeChecker::AssumeNotNull(const BoundExpr& tried) {
  const BoundExpr& expr = BehindTry(tried, [](const Value& fallback) { return fallback.is_null(); });
  Way way;
  if (!WayOf(expr, &way)) return;
  AssumeOnWay(expr);
  ++quiet_;
  const StaticType* const type = Infer(expr);
  --quiet_;
  if (type->is_told() && type->nullable) AddFact(expr, types_.WithNull(type, false));
}

// Values of different types are never equal.
void TypeChecker::AssumeLike(const BoundExpr& expr, const Value& constant) {
  AssumeNotNull(expr);
  Way way;
  if (!WayOf(expr, &way) || !(constant.is_bool() || constant.is_number() || constant.is_string())) return;
  ++quiet_;
  const StaticType* const type = Infer(expr);
  --quiet_;
  if (type->kind == StaticKind::kAny) AddFact(expr, types_.FromValue(constant));
}

// It equals an element of `list`, whose elements are in the text.
void TypeChecker::AssumeAmong(const BoundExpr& expr, const BoundExpr& list) {
  if (!list.is_constant() || !As<BoundConstant>(list).value.is_sequence()) return;
  const absl::Span<const Value> elements = As<BoundConstant>(list).value.elements();
  if (elements.empty() || elements[0].is_null()) return;
  if (std::all_of(elements.begin(), elements.end(),
                  [&](const Value& element) { return !element.is_null() && SameType(element, elements[0]); })) {
    AssumeLike(expr, elements[0]);
  }
}

void TypeChecker::AssumeComparison(const BoundChain& chain, bool truth) {
  AssumeLength(chain, truth);
  const bool is_equality = chain.op == BinaryOp::kEqual || chain.op == BinaryOp::kNotEqual;
  if (!is_equality) {
    // A comparison has answered: what it has compared is there.
    for (const BoundExpr* operand : chain.operands) AssumeNotNull(*operand);
    return;
  }
  const bool are_equal = truth == (chain.op == BinaryOp::kEqual);
  for (const size_t n : {0, 1}) {
    const BoundExpr& other = *chain.operands[1 - n];
    if (!other.is_constant()) continue;
    const BoundExpr& operand = *chain.operands[n];
    const Value& constant = As<BoundConstant>(other).value;
    if (are_equal && !constant.is_null()) {
      AssumeLike(BehindTry(operand, [&](const Value& fallback) { return !Identical(fallback, constant); }), constant);
    }
    if (!are_equal && constant.is_null()) AssumeNotNull(operand);
  }
}

void TypeChecker::Assume(const BoundExpr& condition, bool truth) {
  switch (condition.kind) {
    case BoundKind::kUnary:
      if (As<BoundUnary>(condition).op == UnaryOp::kNot) Assume(*As<BoundUnary>(condition).operand, !truth);
      return;
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(condition);
      if (IsArithmetic(chain.op)) return;
      if (!IsLogical(chain.op)) return AssumeComparison(chain, truth);
      if (truth != (chain.op == BinaryOp::kAnd)) return;
      for (const BoundExpr* operand : chain.operands) Assume(*operand, truth);
      return;
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(condition);
      const size_t count = call.arguments.size();
      if (call.is(Function::Special::kCan) && truth && count == 1) AddSure(*call.arguments[0]);
      if (call.is(Function::Special::kContains) && truth && count == 2) {
        const BoundExpr& list = *call.arguments[0];
        AssumeFilled(list);
        AssumeAmong(*call.arguments[1], list);
        const bool is_of_keys = list.kind == BoundKind::kCall && As<BoundCall>(list).is(Function::Special::kKeys);
        if (is_of_keys && As<BoundCall>(list).arguments.size() == 1) {
          AddKey(*As<BoundCall>(list).arguments[0], *call.arguments[1]);
        }
      }
      const BoundExpr& tried = BehindTry(condition, [truth](const Value& fallback) {
        return fallback.is_null() || (fallback.is_bool() && fallback.AsBool() != truth);
      });
      if (&tried != &condition) Assume(tried, truth);
      return;
    }
    default:
      // A bool that is true or false is not null.
      AssumeNotNull(condition);
      return;
  }
}

}  // namespace hcl::internal
