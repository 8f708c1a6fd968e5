// Calls that join texts as a template does: `join` of a list in the text, and `format` of nothing but `%s`, `%d` and
// `%t`. Fast code joins their parts at once, and makes neither the list nor the call.
//
// Tested by compiler/core_values_test.cc.

#ifndef HCLVM_COMPILER_CORE_TEXT_PARTS_H_
#define HCLVM_COMPILER_CORE_TEXT_PARTS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// What such a call joins, each a bool, number or string where the call does not fail; none for other calls.
absl::Span<const BoundExpr* const> JoinedParts(const BoundCall& call);

// The texts before each of these parts, and behind the last one. Requires a call that has some.
std::vector<std::string> TextsAround(const BoundCall& call);

// The verb that takes each of these parts: 's', 'd' for a whole number, or 't' for a bool. Requires a call that has
// some.
std::string VerbsOf(const BoundCall& call);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_TEXT_PARTS_H_
