// Navigation: from the body's items, which lie one after the other, down to the smallest.

#include "hclvm/hcl/navigation.h"

#include <algorithm>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/walk.h"

namespace hcl {
namespace {

bool Contains(SourceRange range, uint32_t offset) { return range.begin <= offset && offset < range.end; }

// The item of a list in source order at the byte, or null.
template <typename Item>
const Item* ItemAt(absl::Span<const Item> items, uint32_t offset) {
  const auto after = std::upper_bound(items.begin(), items.end(), offset,
                                      [](uint32_t at, const Item& item) { return at < item.range.begin; });
  if (after == items.begin()) return nullptr;
  const Item& item = *(after - 1);
  return Contains(item.range, offset) ? &item : nullptr;
}

}  // namespace

// A loop down the bodies; blocks of one body do not overlap, so there is at most one to go into.
std::vector<const Block*> BlocksAt(const Body& body, uint32_t offset) {
  std::vector<const Block*> blocks;
  for (const Body* inner = &body; inner != nullptr;) {
    const Block* block = ItemAt(inner->blocks, offset);
    if (block != nullptr) blocks.push_back(block);
    inner = block == nullptr ? nullptr : block->body;
  }
  return blocks;
}

const Block* InnermostBlockAt(const Body& body, uint32_t offset) {
  const std::vector<const Block*> blocks = BlocksAt(body, offset);
  return blocks.empty() ? nullptr : blocks.back();
}

const Attribute* AttributeAt(const Body& body, uint32_t offset) {
  const Block* block = InnermostBlockAt(body, offset);
  return ItemAt(block == nullptr ? body.attributes : block->body->attributes, offset);
}

const Expr* OutermostExprAt(const Body& body, uint32_t offset) {
  const Attribute* attribute = AttributeAt(body, offset);
  return attribute != nullptr && Contains(attribute->expr->range, offset) ? attribute->expr : nullptr;
}

const Expr* InnermostExprAt(const Body& body, uint32_t offset) {
  const Expr* expr = OutermostExprAt(body, offset);
  return expr == nullptr ? nullptr : InnermostExprAt(*expr, offset);
}

// Goes down by children, not by recursion, as trees are deep on their left spines. Children of one node do not overlap,
// so that the first one at the byte is the only one.
const Expr* InnermostExprAt(const Expr& expr, uint32_t offset) {
  if (!Contains(expr.range, offset)) return nullptr;
  const Expr* innermost = &expr;
  std::vector<const Expr*> children;
  while (true) {
    children.clear();
    internal::AppendChildren(*innermost, &children);
    const auto child = std::find_if(children.begin(), children.end(),
                                    [offset](const Expr* part) { return Contains(part->range, offset); });
    if (child == children.end()) return innermost;
    innermost = *child;
  }
}

}  // namespace hcl
