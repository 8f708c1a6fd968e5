// What nodes of the bound tree look like: choices, attempts, literals, and calls that fast code makes of their parts.
//
// Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_BOUND_FORMS_H_
#define HCLVM_COMPILER_BOUND_FORMS_H_

#include <algorithm>
#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
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

// A comparison that asks whether a list has elements, such as `length(list) > 0`: the call, which is null for others,
// and the answer where there are some.
struct AskedElements {
  const BoundCall* length = nullptr;
  bool if_some = false;
};
ABSL_ATTRIBUTE_NOINLINE inline AskedElements AskedElementsOf(const BoundChain& chain) {
  if (chain.operands.size() != 2) return {};
  const bool is_left = chain.operands[0]->kind == BoundKind::kCall;
  const BoundExpr& list = *chain.operands[is_left ? 0 : 1];
  const BoundExpr& limit = *chain.operands[is_left ? 1 : 0];
  if (list.kind != BoundKind::kCall || !limit.is_constant() || !As<BoundConstant>(limit).value.is_int()) return {};
  const auto& length = As<BoundCall>(list);
  if (!length.is(Function::Special::kLength) || length.arguments.size() != 1) return {};
  const int64_t number = As<BoundConstant>(limit).value.AsInt();
  BinaryOp op = chain.op;
  if (!is_left && IsComparison(op)) {
    op = op == BinaryOp::kLess        ? BinaryOp::kGreater
         : op == BinaryOp::kLessEqual ? BinaryOp::kGreaterEqual
         : op == BinaryOp::kGreater   ? BinaryOp::kLess
                                      : BinaryOp::kLessEqual;
  }
  switch (op) {
    case BinaryOp::kGreater:
    case BinaryOp::kNotEqual:
      return number == 0 ? AskedElements{&length, true} : AskedElements();
    case BinaryOp::kGreaterEqual:
      return number == 1 ? AskedElements{&length, true} : AskedElements();
    case BinaryOp::kEqual:
    case BinaryOp::kLessEqual:
      return number == 0 ? AskedElements{&length, false} : AskedElements();
    case BinaryOp::kLess:
      return number == 1 ? AskedElements{&length, false} : AskedElements();
    default:
      return {};
  }
}

// Whether it is what split gives, or a part of that, or the other way round: one piece is taken without making it.
ABSL_ATTRIBUTE_NOINLINE inline bool IsOfPieces(const BoundExpr& expr) {
  const BoundExpr* at = &expr;
  while (at->kind == BoundKind::kCall) {
    const auto& call = As<BoundCall>(*at);
    if (call.is(Function::Special::kSplit)) return call.arguments.size() == 2;
    const bool is_part = call.is(Function::Special::kReverse) || call.is(Function::Special::kSlice);
    if (!is_part || call.arguments.empty()) return false;
    at = call.arguments[0];
  }
  return false;
}

// The call of merge of whose result steps lead to one attribute first, which need not be made; or null.
inline const BoundCall* MergeFor(const BoundSteps& steps) {
  if (steps.source->kind != BoundKind::kCall || !steps.steps[0].key.is_string()) return nullptr;
  const auto& call = As<BoundCall>(*steps.source);
  return call.is(Function::Special::kMerge) && !call.arguments.empty() ? &call : nullptr;
}

// The call of merge into whose result `lookup(merge(...), "name", default)` looks, which need not be made: one with an
// object in the text, which makes an object. Null for others.
ABSL_ATTRIBUTE_NOINLINE inline const BoundCall* MergeForLookup(const BoundCall& lookup) {
  if (lookup.arguments[0]->kind != BoundKind::kCall) return nullptr;
  const auto& merge = As<BoundCall>(*lookup.arguments[0]);
  if (!merge.is(Function::Special::kMerge)) return nullptr;
  const bool has_object = std::any_of(merge.arguments.begin(), merge.arguments.end(), [](const BoundExpr* argument) {
    return argument->kind == BoundKind::kObject ||
           (argument->is_constant() && As<BoundConstant>(*argument).value.is_object());
  });
  return has_object ? &merge : nullptr;
}

// Of `contains(keys(mapping), x)`, the mapping; null for others.
inline const BoundExpr* MappingOfKeys(const BoundCall& call) {
  if (!call.is(Function::Special::kContains) || call.arguments.size() != 2) return nullptr;
  if (call.arguments[0]->kind != BoundKind::kCall) return nullptr;
  const auto& keys = As<BoundCall>(*call.arguments[0]);
  return keys.is(Function::Special::kKeys) && keys.arguments.size() == 1 ? keys.arguments[0] : nullptr;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BOUND_FORMS_H_
