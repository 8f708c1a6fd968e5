// Walking the AST: the direct parts of an expression, for passes that treat all kinds alike.
//
// Tested by hcl/navigation_test.cc, hcl/static_analysis_test.cc.

#ifndef HCLVM_HCL_WALK_H_
#define HCLVM_HCL_WALK_H_

#include <vector>

#include "hclvm/hcl/ast.h"

namespace hcl {
namespace internal {

// Appends the expressions that `expr` directly consists of, in the order of the text. An object's naked key is not
// among them: it is a name. Trees are deep on their left spines, so walk with a stack of your own, not by recursion.
void AppendChildren(const Expr& expr, std::vector<const Expr*>* children);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_WALK_H_
