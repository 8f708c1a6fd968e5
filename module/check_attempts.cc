// TypeChecker: what does not fail, since a condition has tried it. Tested by module/type_checker_test.cc.
//
// A condition may try any expression, and what it has tried may stand anywhere behind it. Expressions of one value
// number have the same value, or the same failure, so that these numbers are what is kept.

#include <algorithm>
#include <utility>

#include "absl/functional/function_ref.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What is known at one place: what is beyond is not looked at.
constexpr size_t kMaxSure = 64;

// Two such constants are equal where they are identical, and both null or neither.
bool IsPlain(const Value& value) {
  return !value.is_marked() && (value.is_null() || value.is_bool() || value.is_number() || value.is_string());
}

}  // namespace

// The depth of the recursion is bounded by what is kept.
void TypeChecker::AddSure(const BoundExpr& expr) {
  if (expr.is_constant() || sure_.size() >= kMaxSure || !expr.pure) return;
  sure_.push_back(tree_->ValueNumberOf(expr));
  switch (expr.kind) {
    case BoundKind::kPath:
    case BoundKind::kLocal: {
      AssumeOnWay(expr);
      ++quiet_;
      const StaticType* const type = Infer(expr);
      --quiet_;
      return AddFact(expr, type);
    }
    case BoundKind::kSteps:
    case BoundKind::kIndex:
    case BoundKind::kUnary:
    case BoundKind::kTuple:
    case BoundKind::kObject:
    case BoundKind::kTemplate:
      return ForEachPart(expr, [this](const BoundExpr& part) { AddSure(part); });
    case BoundKind::kCall:
      if (IsAttempt(expr) || As<BoundCall>(expr).is(Function::Special::kCoalesce)) return;
      return ForEachPart(expr, [this](const BoundExpr& part) { AddSure(part); });
    case BoundKind::kChain:
      if (IsLogical(As<BoundChain>(expr).op)) return;
      return ForEachPart(expr, [this](const BoundExpr& part) { AddSure(part); });
    case BoundKind::kFor:
      return AddSure(*As<BoundFor>(expr).collection);  // the rest is made for elements, if there are any
    case BoundKind::kConditional:
      return AddSure(*As<BoundConditional>(expr).condition);
    default:
      return;
  }
}

bool TypeChecker::IsSure(const BoundExpr& expr) const {
  return !expr.is_constant() && std::find(sure_.begin(), sure_.end(), tree_->ValueNumberOf(expr)) != sure_.end();
}

void TypeChecker::AddKey(const BoundExpr& mapping, const BoundExpr& key) {
  AddSure(mapping);
  AssumeNotNull(mapping);
  if (keys_.size() < kMaxSure && mapping.pure && key.pure) {
    keys_.emplace_back(tree_->ValueNumberOf(mapping), tree_->ValueNumberOf(key));
  }
  // A key that is there in the text is a step.
  Way way;
  if (!key.is_constant() || !As<BoundConstant>(key).value.is_string() || !WayOf(mapping, &way)) return;
  auto* const steps = steps_.NewArray<BoundStep>(way.steps.size() + 1);
  std::copy(way.steps.begin(), way.steps.end(), steps);
  steps[way.steps.size()] = {As<BoundConstant>(key).value, /*is_attribute=*/false, key.range, key.range};
  ++quiet_;
  const StaticType* const type = TakeStep(Infer(mapping), steps[way.steps.size()], "", Place());
  --quiet_;
  way.steps = {steps, way.steps.size() + 1};
  if (type->kind != StaticKind::kSilent) AddFact(way, type);
}

bool TypeChecker::HasKey(const BoundIndex& index) const {
  if (keys_.empty()) return false;
  const std::pair wanted = {tree_->ValueNumberOf(*index.source), tree_->ValueNumberOf(*index.key)};
  return std::find(keys_.begin(), keys_.end(), wanted) != keys_.end();
}

const BoundExpr& TypeChecker::BehindTry(const BoundExpr& expr, absl::FunctionRef<bool(const Value&)> is_out) {
  if (expr.kind != BoundKind::kCall) return expr;
  const auto& call = As<BoundCall>(expr);
  if (!call.is(Function::Special::kTry) || call.arguments.size() != 2 || !call.arguments[1]->is_constant()) return expr;
  const Value& fallback = As<BoundConstant>(*call.arguments[1]).value;
  if (!IsPlain(fallback) || !is_out(fallback)) return expr;
  AddSure(*call.arguments[0]);
  return *call.arguments[0];
}

}  // namespace hcl::internal
