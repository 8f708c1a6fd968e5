// What the slow path finds out of a filter where a loop has no elements: it tries the filter on an element that is not
// known, and reports what fails. Fast code need not do that for filters that cannot fail so.
//
// Tested by compiler/core_lists_test.cc.

#ifndef HCLVM_COMPILER_CORE_FILTERS_H_
#define HCLVM_COMPILER_CORE_FILTERS_H_

#include "absl/container/inlined_vector.h"
#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// The variables and paths that must be there, without marks, where there is no element.
using OwedReads = absl::InlinedVector<const BoundExpr*, 4>;

// Whether the filter of `loop` fails for an unknown element only where one of `owed` does. The loop has one.
bool HasCleanFilter(const BoundFor& loop, OwedReads* owed);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_FILTERS_H_
