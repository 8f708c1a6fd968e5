// TypeChecker: the first, the greatest or the sum of what may have no elements. Tested by module/type_checker_test.cc.
//
// A warning needs a reason: a collection that is declared, or a loop with a condition, and nothing around it that has
// tested the length. Of what functions make of texts nothing is said.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/rule_table.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What is known at one place: what is beyond is not looked at.
constexpr size_t kMaxFilled = 64;

// Whether a literal `value` has `true` where the steps lead.
bool IsTrueAt(const Value& value, absl::Span<const BoundStep> steps) {
  const Value* at = &value;
  for (const BoundStep& step : steps) {
    if (!at->is_mapping() || !step.key.is_string()) return false;
    const int64_t found = at->shape().Find(step.key);
    if (found < 0) return false;
    at = &at->values()[static_cast<size_t>(found)];
  }
  return at->is_true();
}

bool IsTrueAt(const BoundExpr& expr, absl::Span<const BoundStep> steps) {
  if (expr.is_constant()) return IsTrueAt(As<BoundConstant>(expr).value, steps);
  if (expr.kind != BoundKind::kObject || steps.empty() || !steps[0].key.is_string()) return false;
  const BoundExpr* found = nullptr;
  for (const BoundItem& item : As<BoundObject>(expr).items) {
    if (!item.key->is_constant()) return false;
    const Value& key = As<BoundConstant>(*item.key).value;
    if (key.is_string() && key.AsString() == steps[0].key.AsString()) found = item.value;
  }
  return found != nullptr && IsTrueAt(*found, steps.subspan(1));
}

bool IsTrueAt(const Expr& rule, absl::Span<const BoundStep> steps) {
  const Expr* at = &rule;
  for (const BoundStep& step : steps) {
    at = step.key.is_string() ? PartNamed(*at, step.key.AsString()) : nullptr;
    if (at == nullptr) return false;
  }
  const Expr& literal = Unwrapped(*at);
  return literal.kind == ExprKind::kLiteral && As<LiteralExpr>(literal).literal == LiteralKind::kTrue;
}

// Whether the condition of `loop` holds for its last element, as far as the text says so. `is_true_at` says it of what
// steps lead to in that element.
template <typename IsTrue>
bool HoldsForLast(const BoundFor& loop, const IsTrue& is_true_at) {
  const BoundExpr& condition = *loop.condition;
  const absl::Span<const BoundExpr* const> conjuncts =
      condition.kind == BoundKind::kChain && As<BoundChain>(condition).op == BinaryOp::kAnd
          ? As<BoundChain>(condition).operands
          : absl::Span<const BoundExpr* const>();
  const auto holds = [&](const BoundExpr* part) {
    if (part->is_constant()) return As<BoundConstant>(*part).value.is_true();
    if (part->kind != BoundKind::kLocal || As<BoundLocal>(*part).local != loop.variables.value) return false;
    return is_true_at(As<BoundLocal>(*part).steps);
  };
  return conjuncts.empty() ? holds(&condition) : std::all_of(conjuncts.begin(), conjuncts.end(), holds);
}

const BoundCall* LengthOf(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || !As<BoundCall>(expr).is(Function::Special::kLength)) return nullptr;
  return As<BoundCall>(expr).arguments.size() == 1 ? &As<BoundCall>(expr) : nullptr;
}

// `op` with its sides, of which the length is one, the other way round.
BinaryOp Mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::kLess:
      return BinaryOp::kGreater;
    case BinaryOp::kLessEqual:
      return BinaryOp::kGreaterEqual;
    case BinaryOp::kGreater:
      return BinaryOp::kLess;
    case BinaryOp::kGreaterEqual:
      return BinaryOp::kLessEqual;
    default:
      return op;
  }
}

// Whether a length for which `length op bound` is `truth` is never 0.
bool ExcludesZero(BinaryOp op, int64_t bound, bool truth) {
  bool of_zero = false;
  switch (op) {
    case BinaryOp::kEqual:
      of_zero = bound == 0;
      break;
    case BinaryOp::kNotEqual:
      of_zero = bound != 0;
      break;
    case BinaryOp::kLess:
      of_zero = 0 < bound;
      break;
    case BinaryOp::kLessEqual:
      of_zero = 0 <= bound;
      break;
    case BinaryOp::kGreater:
      of_zero = 0 > bound;
      break;
    case BinaryOp::kGreaterEqual:
      of_zero = 0 >= bound;
      break;
    default:
      return false;
  }
  return of_zero != truth;
}

}  // namespace

void TypeChecker::AssumeFilled(const BoundExpr& collection) {
  if (filled_.size() < kMaxFilled && collection.pure && !collection.is_constant()) filled_.push_back(&collection);
}

void TypeChecker::AssumeLength(const BoundChain& chain, bool truth) {
  for (const size_t n : {0, 1}) {
    const BoundCall* const length = LengthOf(*chain.operands[n]);
    const BoundExpr& other = *chain.operands[1 - n];
    if (length == nullptr || !other.is_constant() || !As<BoundConstant>(other).value.is_int()) continue;
    const BinaryOp op = n == 0 ? chain.op : Mirrored(chain.op);
    if (ExcludesZero(op, As<BoundConstant>(other).value.AsInt(), truth)) AssumeFilled(*length->arguments[0]);
  }
}

// A run that reads the variable looks at its validations first. Keys are copied, since a tree does not outlive the
// next.
void TypeChecker::KeepFilled(uint32_t slot) {
  for (const BoundExpr* filled : filled_) {
    if (filled->kind != BoundKind::kPath || As<BoundPath>(*filled).slot != slot) continue;
    std::vector<std::string> names;
    for (const BoundStep& step : As<BoundPath>(*filled).steps) {
      if (step.key.is_string()) names.emplace_back(step.key.AsString());
    }
    if (names.size() == As<BoundPath>(*filled).steps.size()) always_filled_.push_back({slot, std::move(names)});
  }
}

bool TypeChecker::IsAlwaysFilled(const Way& way, size_t steps) const {
  const auto is_key = [](const std::string& name, const BoundStep& step) {
    return step.key.is_string() && step.key.AsString() == name;
  };
  if (way.local != nullptr) return false;
  if (steps == 0 && way.slot < names_.size() && !names_[way.slot].may_be_empty) return true;
  return std::any_of(always_filled_.begin(), always_filled_.end(), [&](const Filled& filled) {
    return filled.slot == way.slot && filled.names.size() == steps &&
           std::equal(filled.names.begin(), filled.names.end(), way.steps.begin(), is_key);
  });
}

bool TypeChecker::IsFilled(const BoundExpr& collection) const {
  Way way;
  if (WayOf(collection, &way) && IsAlwaysFilled(way, way.steps.size())) return true;
  return std::any_of(filled_.begin(), filled_.end(), [&](const BoundExpr* filled) {
    return tree_->ValueNumberOf(*filled) == tree_->ValueNumberOf(collection);
  });
}

// Of a way, of which the first steps lead to the collection.
bool TypeChecker::IsFilled(const Way& way, size_t steps) const {
  if (IsAlwaysFilled(way, steps)) return true;
  return std::any_of(filled_.begin(), filled_.end(), [&](const BoundExpr* filled) {
    Way other;
    return WayOf(*filled, &other) && IsSameWay(other, way, steps);
  });
}

// Rules are objects.
std::optional<bool> TypeChecker::TakesLastRule(const BoundFor& loop) const {
  if (loop.condition == nullptr || loop.key != nullptr || loop.splat != nullptr) return std::nullopt;
  const BoundExpr& collection = *loop.collection;
  if (collection.kind == BoundKind::kTuple) {
    const auto& rules = As<BoundTuple>(collection).elements;
    if (rules.empty()) return std::nullopt;
    const BoundExpr& last = *rules.back();
    const bool is_rule =
        last.kind == BoundKind::kObject || (last.is_constant() && As<BoundConstant>(last).value.is_mapping());
    if (!is_rule) return std::nullopt;
    return HoldsForLast(loop, [&](const auto& steps) { return IsTrueAt(last, steps); });
  }
  if (collection.is_constant()) {
    const Value& rules = As<BoundConstant>(collection).value;
    if (!rules.is_tuple() || rules.size() == 0 || !rules.elements().back().is_mapping()) return std::nullopt;
    return HoldsForLast(loop, [&](const auto& steps) { return IsTrueAt(rules.elements().back(), steps); });
  }
  if (collection.kind != BoundKind::kPath || !As<BoundPath>(collection).steps.empty()) return std::nullopt;
  const uint32_t slot = As<BoundPath>(collection).slot;
  const Expr* const text = slot < names_.size() ? names_[slot].text : nullptr;
  if (text == nullptr || Unwrapped(*text).kind != ExprKind::kTuple) return std::nullopt;
  const auto& rules = As<TupleExpr>(Unwrapped(*text)).elements;
  if (rules.empty() || Unwrapped(*rules.back()).kind != ExprKind::kObject) return std::nullopt;
  return HoldsForLast(loop, [&](const auto& steps) { return IsTrueAt(*rules.back(), steps); });
}

bool TypeChecker::MakesAny(const BoundExpr& expr) const {
  if (expr.kind != BoundKind::kFor) return false;
  const auto& loop = As<BoundFor>(expr);
  if (loop.condition != nullptr) return TakesLastRule(loop).value_or(false);
  const BoundExpr& collection = *loop.collection;
  if (collection.kind == BoundKind::kTuple) return !As<BoundTuple>(collection).elements.empty();
  return collection.is_constant() && As<BoundConstant>(collection).value.is_tuple() &&
         As<BoundConstant>(collection).value.size() > 0;
}

bool TypeChecker::MayBeEmpty(const BoundExpr& expr, int levels) {
  if (levels == 0 || IsFilled(expr)) return false;
  const StaticType& type = *QuietTypeOf(expr);
  if (type.kind == StaticKind::kTuple) return type.parts.empty();
  if (type.element == nullptr || type.element->kind == StaticKind::kSilent) return false;
  switch (expr.kind) {
    case BoundKind::kPath:
    case BoundKind::kLocal:
    case BoundKind::kSteps:
    case BoundKind::kIndex:
      return true;
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(expr);
      if (const std::optional<bool> takes_last = TakesLastRule(loop)) return !*takes_last;
      return loop.condition != nullptr || MayBeEmpty(*loop.collection, levels - 1);
    }
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(expr);
      const Known before = known();
      bool may_be_empty = false;
      for (const bool truth : {true, false}) {
        Assume(*choice.condition, truth);
        may_be_empty = may_be_empty || MayBeEmpty(truth ? *choice.if_true : *choice.if_false, levels - 1);
        ForgetTo(before);
      }
      return may_be_empty;
    }
    case BoundKind::kCall: {
      // A function that makes something of collections mostly makes nothing of nothing.
      const auto& call = As<BoundCall>(expr);
      if (IsAttempt(expr) || call.expand_last) return false;
      bool has_collection = false;
      auto parts = call.arguments;
      const bool is_of_literal =
          call.is(Function::Special::kFlatten) && parts.size() == 1 && parts[0]->kind == BoundKind::kTuple;
      if (is_of_literal) parts = As<BoundTuple>(*parts[0]).elements;
      for (const BoundExpr* argument : parts) {
        const StaticType& of_argument = *QuietTypeOf(*argument);
        if (of_argument.element == nullptr && of_argument.kind != StaticKind::kTuple) {
          if (is_of_literal) return false;
          continue;
        }
        if (!MayBeEmpty(*argument, levels - 1)) return false;
        has_collection = true;
      }
      return has_collection;
    }
    default:
      return false;
  }
}

void TypeChecker::TellEmpty(SourceRange range, std::string_view what) {
  Report(range, DiagnosticCode::kMayBeEmpty,
         absl::StrCat("This may have no elements, and then ", ToAbsl(what),
                      ". Test it before, length(x) > 0 ? ... : ..., or give a value for it with try(..., ...)."));
}

// The first element of `list` is taken, in `range`.
void TypeChecker::CheckFirst(const BoundExpr& list, SourceRange range) {
  if (!warns() || !MayBeEmpty(list)) return;
  if (list.kind == BoundKind::kFor && TakesLastRule(As<BoundFor>(list))) {
    Report(range, DiagnosticCode::kNoLastRule,
           "None of these rules may apply, and then there is no first one, which is an error. Let the condition of the "
           "last rule be the literal true, or give a value with try(..., ...).");
    return;
  }
  TellEmpty(range, "there is no first element, which is an error");
}

void TypeChecker::CheckFilled(const BoundCall& call) {
  if (!warns() || call.arguments.empty()) return;
  const Function& function = *call.function;
  const BoundExpr& first = *call.arguments[0];
  switch (function.special) {
    case Function::Special::kMax:
    case Function::Special::kMin:
      if (!call.expand_last || call.arguments.size() > 1 || !MayBeEmpty(first)) return;
      return TellEmpty(first.outer, absl::StrCat(function.name, " fails"));
    case Function::Special::kSum:
      if (call.expand_last || !MayBeEmpty(first)) return;
      return TellEmpty(first.outer, "sum fails");
    case Function::Special::kOne:
      if (call.expand_last || takes_null_ > 0 || !MayBeEmpty(first)) return;
      Report(first.outer, DiagnosticCode::kMayBeEmpty,
             "This may have no elements, and then one(...) is null. Compare the answer with null, or give another one "
             "with coalesce(one(...), ...).");
      return;
    case Function::Special::kElement:
      if (!call.expand_last) CheckFirst(first, call.range);
      return;
    default:
      return;
  }
}

}  // namespace hcl::internal
