// Which forms calls have, and arithmetic, that fast code has instructions for; compiler/fast_forms.h asks whether there
// is fast code for their parts.
//
// Tested by compiler/plain_generator_test.cc.

#ifndef HCLVM_COMPILER_CALL_FORMS_H_
#define HCLVM_COMPILER_CALL_FORMS_H_

#include <algorithm>
#include <cstdint>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Whether an operand of general code may be what such an argument is taken for: sets are not.
inline bool MayBeList(const BoundExpr& expr) {
  return expr.kind != BoundKind::kCall || As<BoundCall>(expr).function->result_type.kind() != TypeKind::kSet;
}

// The list literal of which `alltrue` or `anytrue` is asked, or null.
inline const BoundTuple* ListedTruths(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.size() != 1) return nullptr;
  const auto& call = As<BoundCall>(expr);
  const bool asks = call.is(Function::Special::kAllTrue) || call.is(Function::Special::kAnyTrue);
  return asks && call.arguments[0]->kind == BoundKind::kTuple ? &As<BoundTuple>(*call.arguments[0]) : nullptr;
}

// Whether the arithmetic of it divides, so that an approximation may be enough of its value.
inline bool Divides(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kUnary) {
    return As<BoundUnary>(expr).op == UnaryOp::kNegate && Divides(*As<BoundUnary>(expr).operand);
  }
  if (expr.kind != BoundKind::kChain) return false;
  const auto& chain = As<BoundChain>(expr);
  if (chain.op == BinaryOp::kDivide) return true;
  if (!IsArithmetic(chain.op) || chain.op == BinaryOp::kModulo) return false;
  return std::any_of(chain.operands.begin(), chain.operands.end(),
                     [](const BoundExpr* operand) { return Divides(*operand); });
}

// The call that makes the set whose length is asked, where elements need only be counted: of what two have in common,
// or of what one has that the other has not. Null for others.
inline const BoundCall* CountedSet(const BoundCall& call) {
  if (!call.is(Function::Special::kLength) || call.arguments.size() != 1) return nullptr;
  if (call.arguments[0]->kind != BoundKind::kCall) return nullptr;
  const auto& set = As<BoundCall>(*call.arguments[0]);
  const bool counts = set.is(Function::Special::kSetIntersection) || set.is(Function::Special::kSetSubtract);
  return counts && set.arguments.size() == 2 ? &set : nullptr;
}

// The call that splits a text of which one piece is asked, or null.
inline const BoundCall* SplitFor(const BoundSteps& steps) {
  if (steps.steps.size() != 1 || steps.source->kind != BoundKind::kCall) return nullptr;
  const auto& call = As<BoundCall>(*steps.source);
  const Value& key = steps.steps[0].key;
  const bool fits = key.is_int() && key.AsInt() >= 0 && key.AsInt() <= UINT16_MAX;
  return fits && call.is(Function::Special::kSplit) && call.arguments.size() == 2 ? &call : nullptr;
}

// Of `contains(keys(mapping), x)`, the mapping; null for others.
inline const BoundExpr* MappingOfKeys(const BoundCall& call) {
  if (!call.is(Function::Special::kContains) || call.arguments.size() != 2) return nullptr;
  if (call.arguments[0]->kind != BoundKind::kCall) return nullptr;
  const auto& keys = As<BoundCall>(*call.arguments[0]);
  return keys.is(Function::Special::kKeys) && keys.arguments.size() == 1 ? keys.arguments[0] : nullptr;
}

// Whether it fails where an argument does, and gives a bool or a number: fast code has an instruction for it.
inline bool HasStrictArguments(const BoundCall& call) {
  if (call.expand_last) return false;
  switch (call.function->special) {
    case Function::Special::kContains:
    case Function::Special::kStartsWith:
    case Function::Special::kEndsWith:
    case Function::Special::kStrContains:
    case Function::Special::kLength:
    case Function::Special::kCeil:
    case Function::Special::kFloor:
    case Function::Special::kCoalesce:
      return true;
    default:
      return false;
  }
}

inline bool IsRounding(const BoundCall& call) {
  return (call.is(Function::Special::kCeil) || call.is(Function::Special::kFloor)) && call.arguments.size() == 1;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CALL_FORMS_H_
