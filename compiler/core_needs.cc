// NeedMaker. Tested by compiler/core_values_test.cc.

#include "hclvm/compiler/core_needs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Beyond the first level, what is asked of a text or an operator is asked of its parts.
void AppendNeeds(const CoreNode& node, Guard check, CoreNeeds* needs) {
  const bool is_any = check == Guard::kNoError || check == Guard::kUnmarked;
  const auto all = [&](Guard each) {
    for (const CoreNode* arg : node.args) AppendNeeds(*arg, each, needs);
  };
  switch (node.kind) {
    case CoreKind::kConst:
      if (is_any || check == Guard::kWhole || Passes(node.kinds, check)) return;
      break;
    case CoreKind::kVar:
      if (check == Guard::kNoError) return;
      break;
    case CoreKind::kObject:
    case CoreKind::kTuple:
      if (is_any || check == Guard::kWhole) return all(check);
      break;
    case CoreKind::kText:
      return all(Guard::kScalar);
    case CoreKind::kCall:
      // A conversion that cannot fail.
      if (node.kinds == kStringKind && Passes(kStringKind, check)) return all(Guard::kNoError);
      break;
    case CoreKind::kIf:
      // Of a choice between constants, only the condition may fail, or have marks.
      if (is_any && IsOfConstants(node)) return AppendNeeds(*node.args[0], Guard::kBool, needs);
      break;
    case CoreKind::kPrim:
      // What is compared may be anything where only failures count.
      if (node.op == CoreOp::kEqual && check == Guard::kNoError) return all(Guard::kNoError);
      if (node.op == CoreOp::kPrefix || node.op == CoreOp::kSuffix || node.op == CoreOp::kWithin) {
        return all(Guard::kString);
      }
      if (node.op == CoreOp::kLess) return all(Guard::kNumber);
      break;
    default:
      break;
  }
  needs->push_back({&node, Passes(node.kinds, check) ? Guard::kNoError : check});
}

bool NeedMaker::AskFor(const CoreNode& node, Guard check, CoreNeeds* needs) {
  if (node.size > state_.budget) {
    state_.budget = 0;
    return false;
  }
  state_.budget -= node.size;
  AppendNeeds(node, check, needs);
  return true;
}

const CoreNode* NeedMaker::Needing(const CoreNode* producer, const CoreNode& value, Guard check) {
  // What is tested or taken first need not be looked at before, where that asks no less.
  const bool tests = producer->kind == CoreKind::kGuard || producer->kind == CoreKind::kYield;
  const auto is_made = [&](const CoreNode& node) {
    return tests && AlwaysMakes(*producer->args[0], node, /*fails_with_logic=*/state_.tried == 0);
  };
  const bool is_structure = value.kind == CoreKind::kObject || value.kind == CoreKind::kTuple;
  const CoreNode* const whole = &value;
  CoreNeeds needs;
  for (const CoreNode* part : is_structure ? value.args : absl::MakeConstSpan(&whole, 1)) {
    if (check == Guard::kNoError && is_made(*part)) continue;
    if (!AskFor(*part, check, &needs)) return nullptr;
  }
  CoreNodes args = {producer};
  for (const CoreNeed& need : needs) {
    if (need.check != Guard::kNoError || !is_made(*need.node)) args.push_back(NeedNode(need));
  }
  return Make(args);
}

const CoreNode* NeedMaker::NeedNode(const CoreNeed& need) {
  if (need.check == Guard::kNoError) return need.node;
  return tree_.Prim(CoreOp::kCheck, {need.node}, nullptr, static_cast<uint32_t>(need.check));
}

// What nobody reads of the whole is not made for it.
const CoreNode* NeedMaker::PartOf(const CoreNode& whole, const Value& key) {
  if (whole.kind == CoreKind::kNeed) {
    const CoreNode* const part = PartOf(*whole.args[0], key);
    if (part == nullptr) return nullptr;
    CoreNodes needs(whole.args.begin(), whole.args.end());
    needs[0] = part;
    return Make(needs);
  }
  if (whole.is_const()) {
    const Value* const value = &whole.value;
    const int64_t at = value->is_object() && key.is_string() ? value->shape().Find(key) : -1;
    if (at >= 0) return tree_.Const(value->values()[at]);
    const bool is_element = value->is_tuple() && key.is_int() && static_cast<uint64_t>(key.AsInt()) < value->size();
    return is_element ? tree_.Const(value->elements()[static_cast<size_t>(key.AsInt())]) : nullptr;
  }
  if (whole.kind == CoreKind::kObject) {
    const int64_t at = key.is_string() ? As<BoundObject>(*whole.origin).shape->Find(key) : -1;
    return at < 0 ? nullptr : whole.args[static_cast<size_t>(at)];
  }
  if (whole.kind != CoreKind::kTuple || !key.is_int() || key.AsInt() < 0) return nullptr;
  return static_cast<uint64_t>(key.AsInt()) < whole.args.size() ? whole.args[static_cast<size_t>(key.AsInt())]
                                                                : nullptr;
}

const CoreNode* NeedMaker::PartOfMade(const CoreNode& whole, const CoreNode& value) {
  CoreNeeds needs;
  if (!AskFor(whole, Guard::kNoError, &needs)) return nullptr;
  CoreNodes args = {&value};
  for (const CoreNeed& need : needs) {
    if (need.node != &value || need.check != Guard::kNoError) args.push_back(NeedNode(need));
  }
  return Make(args);
}

}  // namespace hcl::internal
