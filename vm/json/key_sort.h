// Sorting the keys of an object, in a time that grows with their bytes alone.
//
// Internal to the JSON reader. Tested by vm/json/key_sort_test.cc.

#ifndef HCLVM_VM_JSON_KEY_SORT_H_
#define HCLVM_VM_JSON_KEY_SORT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Keeps its memory between calls. Not thread-safe.
class KeySort {
 public:
  // Sets *order to the indices of `keys`, which are strings, in bytewise order of the keys; of equal keys, the earlier
  // one comes first.
  void Sort(absl::Span<const Value> keys, std::vector<uint32_t>* order);

 private:
  // A key while it is sorted.
  struct Entry {
    uint64_t word;  // eight of its bytes, which compares as they do; zeros stand behind its end
    uint32_t index;
  };

  void SortRun(size_t begin, size_t end, size_t depth);
  bool LoadWords(size_t begin, size_t end, size_t depth, uint64_t* varying);
  void SortByWord(size_t begin, size_t end, uint64_t varying);

  absl::Span<const Value> keys_;
  std::vector<Entry> entries_;
  std::vector<Entry> other_;  // of the size of entries_ where there are many
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_KEY_SORT_H_
