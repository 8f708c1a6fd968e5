// The order of set elements, and what makes two of them the same.
//
// A set iterates bool elements false before true, numbers by value, strings bytewise. Elements of other types go by the
// bytes of a text that is made of them (tuples and objects `<a;b;>`, lists and sets `[a;b;]`, maps `{"k":a;}`, strings
// quoted, numbers at ten significant digits), which is the reference's order too, and where these texts are the same,
// by comparing element for element. Unknown elements come after the known ones, nulls last.
//
// Two elements are one when they are equal; an element that holds an unknown value equals no other.
// Tested by vm/value/set_order_test.cc.

#ifndef HCLVM_VM_VALUE_SET_ORDER_H_
#define HCLVM_VM_VALUE_SET_ORDER_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Sorts `elements`, drops repeated ones, and returns how many are left, at the front: of equal ones the first. Where
// `counts` is not null, it has room for a number for each of `elements`, and counts[i] becomes how many of them were
// equal to what stands at `i` now. Elements that come in order, or as some sets one behind the other, cost less.
// `arena` lends memory.
size_t SortSetElements(absl::Span<Value> elements, Arena* arena, uint32_t* counts = nullptr);

// Sorts strings bytewise, and keeps repeated ones. `arena` lends memory.
void SortStrings(absl::Span<Value> strings, Arena* arena);

// A set some of whose elements are not known: they may turn out to be the same as others, so that neither its length
// nor the place of any element is known. One element is one in any case.
inline bool HasOpenLength(const Value& value) { return value.is_set() && !value.is_wholly_known() && value.size() > 1; }

// Position of `element` (wholly known) in a set, or -1. Time: logarithmic for elements of primitive types.
int64_t FindSetElement(const Value& set, const Value& element);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SET_ORDER_H_
