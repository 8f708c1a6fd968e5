// What nodes of the bound tree look like: choices, attempts, literals.
//
// Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_BOUND_FORMS_H_
#define HCLVM_COMPILER_BOUND_FORMS_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Nodes that are deeper have no fast code: the generator recurses.
inline constexpr uint16_t kMaxFastHeight = 600;

inline bool IsChoice(const BoundExpr& expr) { return expr.kind == BoundKind::kConditional; }

// A conditional whose branches are there and of one type, as a template's are: what is not taken does not count.
inline bool IsTypedChoice(const BoundExpr& expr) {
  if (!IsChoice(expr)) return false;
  const auto is_sure = [](const BoundExpr& branch) { return branch.has_primitive_type() && branch.never_null; };
  const auto& choice = As<BoundConditional>(expr);
  return is_sure(*choice.if_true) && is_sure(*choice.if_false) && choice.if_true->type == choice.if_false->type;
}

// Whether each key is a name or a plain index: other numbers lead nowhere, which the slow path reports.
inline bool HasUsualKeys(absl::Span<const BoundStep> steps) {
  for (const BoundStep& step : steps) {
    if (step.key.is_string()) continue;
    if (!step.key.is_int() || step.key.AsInt() < 0 || step.key.AsInt() >= 1'000'000'000) return false;
  }
  return true;
}

inline bool IsStructure(const BoundExpr& expr) {
  return expr.kind == BoundKind::kTuple || expr.kind == BoundKind::kObject;
}

// Whether one instruction puts together what stands in the text as a list or object of few parts.
inline bool IsShortStructure(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kObject) return As<BoundObject>(expr).is_short();
  return expr.kind == BoundKind::kTuple && As<BoundTuple>(expr).elements.size() <= kMaxInlineTuple;
}

using Attempts = absl::InlinedVector<const BoundExpr*, 8>;

// What a call of try tries: its arguments, and those of such calls among them, since one of these fails where all of
// its own do.
inline void AppendAttempts(const BoundCall& call, Attempts* attempts) {
  for (const BoundExpr* argument : call.arguments) {
    const bool is_try = argument->kind == BoundKind::kCall && As<BoundCall>(*argument).is(Function::Special::kTry) &&
                        !As<BoundCall>(*argument).expand_last && !As<BoundCall>(*argument).arguments.empty();
    if (is_try) {
      AppendAttempts(As<BoundCall>(*argument), attempts);
    } else {
      attempts->push_back(argument);
    }
  }
}

// A list or object in the text, such as `[]`, that is a constant.
inline bool IsConstantStructure(const BoundExpr& expr) {
  if (!expr.is_constant()) return false;
  const Value& value = As<BoundConstant>(expr).value;
  return (value.is_tuple() || value.is_object()) && value.is_wholly_known() && !value.has_marks();
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BOUND_FORMS_H_
