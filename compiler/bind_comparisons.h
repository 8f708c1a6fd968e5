// Comparisons whose answer the text tells. Tested by compiler/bind_comparisons_test.cc.

#ifndef HCLVM_COMPILER_BIND_COMPARISONS_H_
#define HCLVM_COMPILER_BIND_COMPARISONS_H_

#include <string>

#include "absl/base/attributes.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/part_types.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// What a warning says of `a == b` or `a != b` where the types of the operands decide the answer; empty for others.
// `functions`, which may be null, are those that a hint may name.
ABSL_ATTRIBUTE_NOINLINE std::string ConstantComparison(BinaryOp op, const BoundExpr& a, const BoundExpr& b,
                                                       const FunctionRegistry* functions, PartTypes* types);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BIND_COMPARISONS_H_
