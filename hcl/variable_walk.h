// References in native expressions: one as a path, and all that an expression makes to its scope. Internal to hcl/.
//
// Specification: native-syntax.md, "Static Traversal", "Variables and Variable Expressions".
// Tested by hcl/static_analysis_test.cc.

#ifndef HCLVM_HCL_VARIABLE_WALK_H_
#define HCLVM_HCL_VARIABLE_WALK_H_

#include <optional>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"

namespace hcl {
namespace internal {

// `expr` as a path from a variable, with `true`, `false` and `null` taken for variables; none when it is something
// else.
std::optional<StaticTraversal> AbsoluteTraversal(const Expr& expr, const Source* source);

// Appends each reference in `expr` to a variable that no 'for' inside of it defines, in the order of the text. Keywords
// are none. A path ends before the first step that is calculated. Time: linear, times the nesting of 'for'.
void AppendVariables(const Expr& expr, const Source* source, std::vector<StaticTraversal>* variables);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_VARIABLE_WALK_H_
