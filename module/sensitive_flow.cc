// SensitiveFlow. Tested by module/sensitive_flow_test.cc.

#include "hclvm/module/sensitive_flow.h"

#include "hclvm/compiler/facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

// A function that looks at marks by itself says what its result is: nonsensitive(x) may be shown.
bool LooksAtMarks(const Function& function) {
  return !function.parameters.empty() && function.parameters[0].allow_marked;
}

}  // namespace

const BoundPath* SensitiveFlow::FindIn(const BoundExpr& expr) const {
  const BoundExpr* at = &expr;
  while (at->kind == BoundKind::kSteps || at->kind == BoundKind::kIndex) {
    at = at->kind == BoundKind::kSteps ? As<BoundSteps>(*at).source : As<BoundIndex>(*at).source;
  }
  // A number or a bool tells little of what it is made of.
  if (at->kind != BoundKind::kPath && (at->type == Type::Bool() || at->type == Type::Number())) return nullptr;
  switch (at->kind) {
    case BoundKind::kPath:
      return holds_.contains(As<BoundPath>(*at).slot) ? &As<BoundPath>(*at) : nullptr;
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(*at);
      const BoundPath* const found = FindIn(*choice.if_true);
      return found != nullptr ? found : FindIn(*choice.if_false);
    }
    case BoundKind::kCall:
      if (LooksAtMarks(*As<BoundCall>(*at).function)) return nullptr;
      break;
    case BoundKind::kFor: {
      // What each element becomes may be made of the element.
      const auto& loop = As<BoundFor>(*at);
      const BoundPath* const found = FindIn(*loop.value);
      if (found != nullptr || loop.variables.value == nullptr) return found;
      return loop.value->type == Type::Bool() || loop.value->type == Type::Number() ? nullptr
                                                                                    : FindIn(*loop.collection);
    }
    default:
      break;
  }
  const BoundPath* found = nullptr;
  ForEachPart(*at, [&](const BoundExpr& part) {
    if (found == nullptr) found = FindIn(part);
  });
  return found;
}

}  // namespace hcl::internal
