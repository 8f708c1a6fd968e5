// Walking the AST: the children of every kind of node as a list.

#include "hclvm/hcl/walk.h"

namespace hcl {
namespace internal {

void AppendChildren(const Expr& expr, std::vector<const Expr*>* children) {
  ForEachChild(expr, [children](const Expr* child) { children->push_back(child); });
}

}  // namespace internal
}  // namespace hcl
