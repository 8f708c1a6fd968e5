// Reductions. Tested by compiler/plain_generator_test.cc.

#include "hclvm/compiler/reductions.h"

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The loop that `expr` is, if it makes a list.
const BoundFor* ListLoop(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kFor || As<BoundFor>(expr).key != nullptr) return nullptr;
  return &As<BoundFor>(expr);
}

bool IsLiteralList(const BoundExpr& expr) {
  return expr.kind == BoundKind::kTuple || (expr.is_constant() && As<BoundConstant>(expr).literal != nullptr);
}

Reduction::Kind KindOfCall(const BoundCall& call) {
  using Kind = Reduction::Kind;
  using Special = Function::Special;
  const size_t arguments = call.function->special == Special::kContains ? 2 : 1;
  const bool is_extreme = call.function->special == Special::kMin || call.function->special == Special::kMax;
  if (call.arguments.size() != arguments || call.expand_last != is_extreme) return Kind::kNone;
  switch (call.function->special) {
    case Special::kAllTrue:
      return Kind::kAllTrue;
    case Special::kAnyTrue:
      return Kind::kAnyTrue;
    case Special::kLength:
      return Kind::kLength;
    case Special::kSum:
      return Kind::kSum;
    case Special::kMin:
      return Kind::kLeast;
    case Special::kMax:
      return Kind::kGreatest;
    case Special::kContains:
      return Kind::kContains;
    default:
      return Kind::kNone;
  }
}

}  // namespace

Reduction ReductionOf(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kSteps) {
    const auto& steps = As<BoundSteps>(expr);
    const Value& key = steps.steps[0].key;
    const BoundFor* const loop = ListLoop(*steps.source);
    if (loop == nullptr || !key.is_int() || key.AsInt() != 0 || IsLiteralList(*loop->collection)) return {};
    return {Reduction::Kind::kFirst, loop, nullptr};
  }
  if (expr.kind != BoundKind::kCall) return {};
  const auto& call = As<BoundCall>(expr);
  const Reduction::Kind kind = KindOfCall(call);
  const BoundFor* const loop = kind == Reduction::Kind::kNone ? nullptr : ListLoop(*call.arguments[0]);
  if (loop == nullptr) return {};
  return {kind, loop, kind == Reduction::Kind::kContains ? call.arguments[1] : nullptr};
}

}  // namespace hcl::internal
