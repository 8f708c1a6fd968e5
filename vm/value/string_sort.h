// Sorting strings bytewise, in a time that grows with their bytes alone.
//
// Internal to the library. Tested by vm/value/string_sort_test.cc.

#ifndef HCLVM_VM_VALUE_STRING_SORT_H_
#define HCLVM_VM_VALUE_STRING_SORT_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A string while it is sorted.
struct StringSortEntry {
  uint64_t word;  // eight of its bytes, which compares as they do; zeros stand behind its end
  uint32_t index;
};

// Puts strings in bytewise order: entries[i].index becomes the position of the i-th among `strings`; of equal ones, the
// earlier comes first. Returns whether there are equal ones. `entries` has room for two for each string.
bool SortStringPositions(absl::Span<const Value> strings, StringSortEntry* entries);
// The same for the keys of pairs.
bool SortKeyPositions(absl::Span<const KeyValue> pairs, StringSortEntry* entries);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_STRING_SORT_H_
