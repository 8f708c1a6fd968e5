// What neither fails nor exits where something else has been tested before.
//
// Tested by compiler/core_test.cc and compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_CORE_SURE_H_
#define HCLVM_COMPILER_CORE_SURE_H_

#include "absl/types/span.h"
#include "hclvm/compiler/core.h"

namespace hcl::internal {

// Whether each of the producers but the first asks only for constants, and for what the first has compared with
// constants in any case: behind that, they need not run. Producers with loops are none of these.
bool AreSureBehindFirst(absl::Span<const CoreNode* const> producers);

// Whether the conditions of all of them compare one value with constants: each fails, or exits, where another one does.
bool AreTestsOfOne(absl::Span<const CoreNode* const> producers);

// The condition that decides what a part of a list in the text gives: the element itself, or that of a constant behind
// it. Null for other parts.
const CoreNode* ConditionOf(const CoreNode& part);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_SURE_H_
