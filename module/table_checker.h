// What keeps the rules of a large table from being looked up at once (docs/performance.md, "Many rules").
//
// Works on the syntax tree, and tells of what the code does as far as a writer of policies can change it: rules that
// begin with a test of one string, `==`, contains of literals or startswith, and stand together, become one look.
//
// Internal to modules. Tested by module/table_checker_test.cc.

#ifndef HCLVM_MODULE_TABLE_CHECKER_H_
#define HCLVM_MODULE_TABLE_CHECKER_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// Adds a warning for each table in `expr`, whose ranges are in `source`, in which rules that could be looked up at once
// are tested one by one because of rules between them: tables `[for r in [...] : v if c][0]` and chains of
// conditionals. It stands at the first of these rules and names more. `functions` may be null: then nothing is told.
// Time: linear. Does not recurse.
void CheckTables(const Expr& expr, const Source* source, const FunctionRegistry* functions, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TABLE_CHECKER_H_
