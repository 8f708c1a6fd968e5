// MapRanges: every range of every kind of node.

#include "hclvm/hcl/text_map.h"

#include "hclvm/hcl/walk.h"

namespace hcl {
namespace internal {
namespace {

class Mapper {
 public:
  explicit Mapper(const TextMap& map) : map_(map) {}

  // A stack of its own, as trees are deep on their left spines. Every node is reached once: trees share no nodes, and a
  // range that was mapped twice would be wrong.
  void Run(const Expr* root) {
    std::vector<const Expr*> left = {root};
    while (!left.empty()) {
      const Expr* expr = left.back();
      left.pop_back();
      MapNode(expr);
      AppendChildren(*expr, &left);
      if (expr->kind == ExprKind::kObject) AppendNakedKeys(As<ObjectExpr>(*expr), &left);
    }
  }

 private:
  // Nodes are made without const in an arena; only the tree's links to them have it.
  void MapRange(const SourceRange& range) const { const_cast<SourceRange&>(range) = map_.Map(range); }

  // A naked key is a name, not a child; here it counts as it has a range.
  static void AppendNakedKeys(const ObjectExpr& object, std::vector<const Expr*>* left) {
    for (const ObjectItem& item : object.items) {
      if (!item.key_name.empty()) left->push_back(item.key);
    }
  }

  // Ranges that are no node's own stand in these kinds alone. A kind that gets one has to be added here.
  void MapNode(const Expr* expr) const {
    MapRange(expr->range);
    switch (expr->kind) {
      case ExprKind::kTraversal:
        for (const TraversalStep& step : As<TraversalExpr>(*expr).steps) MapRange(step.range);
        break;
      case ExprKind::kIndex:
        MapRange(As<IndexExpr>(*expr).brackets);
        break;
      case ExprKind::kSplat:
        MapRange(As<SplatExpr>(*expr).marker);
        break;
      case ExprKind::kCall:
        MapRange(As<CallExpr>(*expr).name_range);
        MapRange(As<CallExpr>(*expr).open);
        MapRange(As<CallExpr>(*expr).close);
        break;
      case ExprKind::kObject:
        MapRange(As<ObjectExpr>(*expr).open);
        break;
      case ExprKind::kFor:
        MapRange(As<ForExpr>(*expr).open);
        MapRange(As<ForExpr>(*expr).close);
        break;
      default:
        break;
    }
  }

  const TextMap& map_;
};

}  // namespace

void MapRanges(const Expr* expr, const TextMap& map) { Mapper(map).Run(expr); }

}  // namespace internal
}  // namespace hcl
