// Tested as compiler/core_sure.h says.

#include "hclvm/compiler/core_sure.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"

namespace hcl::internal {
namespace {

using Nodes = absl::InlinedVector<const CoreNode*, 8>;

// Only so deep, as one value may stand in many places.
constexpr int kMaxDepth = 8;

bool IsTest(const CoreNode& node) {
  return node.is(CoreOp::kIn) || (node.is(CoreOp::kEqual) && (node.args[1]->is_scalar() || node.args[1]->is_null())) ||
         node.is(CoreOp::kIsNull);
}

// Appends what is compared with constants whenever `node` is made. In what is tried, a logical operator may go on
// behind an operand that has failed.
void AppendTested(const CoreNode& node, Nodes* tested, int depth = kMaxDepth) {
  if (IsTest(node)) return tested->push_back(node.args[0]);
  const bool goes_on = node.kind == CoreKind::kGuard || node.kind == CoreKind::kYield || node.kind == CoreKind::kNeed ||
                       node.kind == CoreKind::kIf || node.is(CoreOp::kNot);
  if (goes_on && depth > 0) AppendTested(*node.args[0], tested, depth - 1);
}

// `tested`, by tests that exit for what is unknown or marked.
bool IsSure(const CoreNode& node, const Nodes& tested, int depth = kMaxDepth) {
  if (node.is_const()) return true;
  if (depth == 0) return false;
  if (IsTest(node)) return std::find(tested.begin(), tested.end(), node.args[0]) != tested.end();
  switch (node.kind) {
    case CoreKind::kGuard:
    case CoreKind::kYield:
    case CoreKind::kNeed:
    case CoreKind::kAll:
    case CoreKind::kAny:
    case CoreKind::kIf:
    case CoreKind::kObject:
    case CoreKind::kTuple:
      break;
    default:
      if (!node.is(CoreOp::kNot) || !IsCondition(*node.args[0])) return false;
  }
  return std::all_of(node.args.begin(), node.args.end(),
                     [&](const CoreNode* arg) { return IsSure(*arg, tested, depth - 1); });
}

}  // namespace

bool AreSureBehindFirst(absl::Span<const CoreNode* const> producers) {
  if (producers.empty()) return true;
  Nodes tested;
  AppendTested(*producers[0], &tested);
  return std::all_of(producers.begin() + 1, producers.end(),
                     [&](const CoreNode* producer) { return IsSure(*producer, tested); });
}

bool AreTestsOfOne(absl::Span<const CoreNode* const> producers) {
  const CoreNode* subject = nullptr;
  for (const CoreNode* producer : producers) {
    const CoreNode* test = ConditionOf(*producer);
    while (test != nullptr && test->is(CoreOp::kNot)) test = test->args[0];
    if (test == nullptr || !IsTest(*test) || (subject != nullptr && subject != test->args[0])) return false;
    subject = test->args[0];
  }
  return true;
}

const CoreNode* ConditionOf(const CoreNode& part) {
  const bool is_guard = part.kind == CoreKind::kGuard;
  const bool gives_constant = is_guard && part.args[1]->kind == CoreKind::kYield && part.args[1]->args[0]->is_scalar();
  if (!gives_constant && part.kind != CoreKind::kYield) return nullptr;
  return IsCondition(*part.args[0]) ? part.args[0] : nullptr;
}

}  // namespace hcl::internal
