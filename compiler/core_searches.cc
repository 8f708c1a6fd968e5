// Searches in loops. Tested as compiler/core_searches.h says.

#include "hclvm/compiler/core_searches.h"

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"

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

}  // namespace hcl::internal
