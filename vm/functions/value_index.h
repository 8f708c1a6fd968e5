// An index of values: whether an equal one was there before.
//
// Tested by vm/functions/list_functions_test.cc, vm/functions/search_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_VALUE_INDEX_H_
#define HCLVM_VM_FUNCTIONS_VALUE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Of wholly known values. Takes 16 to 32 bytes for each from the arena, which it must not outlive.
class ValueIndex {
 public:
  // For at most `capacity` values.
  ValueIndex(size_t capacity, Arena* arena) {
    // At most half full, so that probing meets a free slot soon.
    size_t slots = 4;
    while (slots < 2 * capacity) slots *= 2;
    slots_ = arena->NewArray<const Value*>(slots);
    std::fill(slots_, slots_ + slots, nullptr);
    mask_ = slots - 1;
  }

  // Adds `value`, which must outlive the index, unless it holds an equal one; false when it does.
  bool Add(const Value& value) {
    const Value** slot = Find(value);
    if (*slot != nullptr) return false;
    *slot = &value;
    return true;
  }
  // Whether it holds an equal one.
  bool Has(const Value& value) const { return *Find(value) != nullptr; }

 private:
  // Strings and numbers that are inline are equal to others of the same bits only.
  static bool BitsDecide(const Value& value) {
    return TagOf(value) == Tag::kShortString || TagOf(value) == Tag::kNumber;
  }

  // The slot of what equals `value`, or a free one.
  const Value** Find(const Value& value) const {
    const bool bits_decide = BitsDecide(value);
    uint64_t at = bits_decide ? MixHash(HeadBits(value), PayloadBits(value)) : HashValue(value);
    for (;; ++at) {
      const Value** slot = slots_ + (at & mask_);
      if (*slot == nullptr || (*slot)->SameBits(value)) return slot;
      if (!bits_decide && EqualsTri(**slot, value) == Tri::kTrue) return slot;
    }
  }

  const Value** slots_;
  uint64_t mask_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_VALUE_INDEX_H_
