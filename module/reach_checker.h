// What of an expression no run comes by, as it is written: what stands behind a literal `true`.
//
// Works on the syntax tree, as the bound tree has no literals left that decide. Values that are constant by calculation
// are not looked at: what a local switches off is meant so.
//
// Internal to modules. Tested by module/reach_checker_test.cc.

#ifndef HCLVM_MODULE_REACH_CHECKER_H_
#define HCLVM_MODULE_REACH_CHECKER_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// Adds a warning for each part of `expr`, whose ranges are in `source`, that never counts: the branch that a literal
// condition does not choose, what is beside a literal that decides `&&`, `||`, anytrue or alltrue, arguments of
// coalesce and try behind a literal, rules behind one that always applies in `[for r in [...] : v if c][0]`; and for
// each key of an object that is given again. `functions` may be null: names of functions mean what these say. Time:
// linear. Does not recurse.
void CheckReach(const Expr& expr, const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_REACH_CHECKER_H_
