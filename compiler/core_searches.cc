// Searches in loops. Tested as compiler/core_searches.h says.

#include "hclvm/compiler/core_searches.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/guards.h"

namespace hcl::internal {
namespace {

// The argument of a producer in which its elements are made; none of those that have several, or yield.
const CoreNode* BodyOf(const CoreNode& producer) {
  switch (producer.kind) {
    case CoreKind::kItems:
    case CoreKind::kGuard:
      return producer.args[1];
    case CoreKind::kNeed:
    case CoreKind::kOpen:
      return producer.args[0];
    default:
      return nullptr;
  }
}

// Whether a loop around the producer changes what is sought, and none in it.
bool IsChanged(const CoreNode& producer, const CoreNode& sought) {
  return producer.loops != 0 && sought.free != 0 && (sought.free & producer.loops) == 0;
}

}  // namespace

CoreSearch FindSearch(const CoreNode& producer) {
  const CoreNode* at = &producer;
  uint32_t free = 0;  // of what the elements are made of
  for (const CoreNode* body = BodyOf(*at); body != nullptr; at = body, body = BodyOf(*at)) {
    for (const CoreNode* arg : at->args) free |= arg == body ? 0 : arg->free;
  }
  if (at->kind != CoreKind::kYield) return {};
  const bool is_negated = at->args[0]->is(CoreOp::kNot);
  const CoreNode& test = is_negated ? *at->args[0]->args[0] : *at->args[0];
  if (!test.is(CoreOp::kEqual)) return {};
  for (const size_t side : {0, 1}) {
    const CoreNode& element = *test.args[side];
    const CoreNode& sought = *test.args[1 - side];
    const bool is_repeated = ((free | element.free) & ~producer.loops) == 0 && IsChanged(producer, sought);
    if (is_repeated) return {&element, &sought, is_negated};
  }
  return {};
}

const CoreNode* WithElement(CoreTree* tree, const CoreNode& producer, const CoreNode& element) {
  const CoreNode* const body = BodyOf(producer);
  if (body == nullptr) return tree->Make(CoreNode(CoreKind::kYield), {&element});
  absl::InlinedVector<const CoreNode*, 8> args(producer.args.begin(), producer.args.end());
  for (const CoreNode*& arg : args) {
    if (arg == body) arg = WithElement(tree, *body, element);
  }
  CoreNode node(producer.kind, producer.op);
  node.index = producer.index;
  node.flags = producer.flags;
  node.origin = producer.origin;
  return tree->Make(node, args);
}

bool IsRepeated(const CoreNode& producer, const CoreNode& sought) {
  return producer.free == 0 && IsChanged(producer, sought);
}

// A key is part of an element: an element that is sought itself is searched for. What else the filter asks has to be a
// bool of each element, which is looked at once. What is sought is looked at in each pass, also without elements.
const CoreNode* FoundByKeys(CoreTree* tree, const CoreNode* items) {
  const bool is_usual = items->kind == CoreKind::kItems && (items->flags & ~kNeedsElements) == 0 &&
                        items->args[0]->free == 0 && items->args[1]->kind == CoreKind::kGuard;
  if (!is_usual) return items;
  const CoreNode& guard = *items->args[1];
  const uint32_t own = uint32_t{1} << items->index;
  const bool has_rest = guard.args[0]->kind == CoreKind::kAll;
  const CoreNode& test = has_rest ? *guard.args[0]->args[0] : *guard.args[0];
  if (!test.is(CoreOp::kEqual)) return items;
  const bool is_key_first = test.args[0]->free == own;
  const CoreNode* const key = test.args[is_key_first ? 0 : 1];
  const CoreNode* const sought = test.args[is_key_first ? 1 : 0];
  const auto is_sought = [sought](const CoreNode* owed) { return owed == sought; };
  if (key->kind != CoreKind::kStep || key->free != own || sought->free == 0 || (sought->free & own) != 0) return items;
  if (!std::all_of(items->args.begin() + 2, items->args.end(), is_sought)) return items;
  absl::InlinedVector<const CoreNode*, 8> keyed = {tree->Make(CoreNode(CoreKind::kYield), {key})};
  const CoreNode* const rest = has_rest ? guard.args[0]->args[1] : nullptr;
  for (const CoreNode* at = rest; at != nullptr; at = at->kind == CoreKind::kAll ? at->args[1] : nullptr) {
    const CoreNode& operand = at->kind == CoreKind::kAll ? *at->args[0] : *at;
    if (IsSureOfBool(operand)) continue;
    if (operand.free != own) return items;
    keyed.push_back(tree->Prim(CoreOp::kCheck, {&operand}, nullptr, static_cast<uint32_t>(Guard::kBoolOrAbsent)));
  }
  const auto over = [&](const CoreNode* list, uint8_t flags, const CoreNode* body) {
    CoreNode node(CoreKind::kItems);
    node.index = items->index;
    node.flags = flags;
    node.origin = items->origin;
    return tree->Make(node, {list, body});
  };
  const CoreNode* const elements = over(items->args[0], items->flags, tree->Make(CoreNode(CoreKind::kNeed), keyed));
  const CoreNode* const keys = tree->Make(CoreNode(CoreKind::kLoop, CoreOp::kListOf), {elements});
  const CoreNode* const by_key = tree->Prim(CoreOp::kKeyed, {items->args[0], keys});
  const CoreNode* const body = has_rest ? tree->Make(CoreNode(CoreKind::kGuard), {rest, guard.args[1]}) : guard.args[1];
  return over(tree->Prim(CoreOp::kMatches, {by_key, sought}), 0, body);
}

}  // namespace hcl::internal
