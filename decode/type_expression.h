// Types as they are written in expressions: `list(string)`, `object({a = number, b = optional(bool, true)})`.
//
// Tested by decode/type_expression_test.cc.

#ifndef HCLVM_DECODE_TYPE_EXPRESSION_H_
#define HCLVM_DECODE_TYPE_EXPRESSION_H_

#include <memory>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"

namespace hcl {

// A type that a value is to have, and what stands in for the attributes that it may leave out.
struct TypeConstraint {
  Type type;
  std::shared_ptr<const TypeDefaults> defaults;  // null when every attribute must be there
};

// Reads `expr`: `any`, `bool`, `number`, `string`, `list(T)`, `set(T)`, `map(T)`, `tuple([T, ...])`,
// `object({name = T, ...})`. An attribute's type may be `optional(T)` or `optional(T, value)`, with a constant. Types
// and values are made in `heap`, which must outlive types; defaults keep it alive. False on errors, which are reported
// to `diagnostics` with their source. The expression may be of either syntax. Recursion follows its nesting, which its
// parser has bounded.
bool ReadTypeExpression(const ExprView& expr, const std::shared_ptr<Heap>& heap, TypeConstraint* result,
                        Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_DECODE_TYPE_EXPRESSION_H_
