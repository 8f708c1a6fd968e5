// Scopes that an input chooses: known, unknown, dynamic, null and marked values under names that programs can use.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_SCOPES_H_
#define HCLVM_TESTS_FUZZ_SCOPES_H_

#include <string_view>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {

// The scope that `line` describes, in `heap`: an object.
//
// A line that begins with "{" is the scope itself in JSON; an attribute's value with no properties but "type" and
// "value" is typed. Of any other line, the characters say in turn what becomes of the variables of
// tests/conformance/variables.json, over and over again: the value as it is ("0" and whatever is not listed here),
// unknown (1), dynamic (2), null (3), marked (4), unknown and marked (5), its first element unknown (6) or marked (7),
// not there at all (8), unknown but not null (9), a value of another kind (w), a tuple of 20 (x) or 80 (y) objects of
// which no two have the same attributes, or a tuple of 30 values of all kinds (z). A line that is no scope is one of
// known values.
Value MakeScope(std::string_view line, Heap* heap);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_SCOPES_H_
