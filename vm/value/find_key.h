// Searches of a shape for a key, for places that look for one in each pass of a loop. Tested by vm/value/value_test.cc.

#ifndef HCLVM_VM_VALUE_FIND_KEY_H_
#define HCLVM_VM_VALUE_FIND_KEY_H_

#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// The position of `key`, a short string, or -1. Keys are equal exactly when their two words are; the first one has
// their size and the first bytes, in which most others differ.
// Few keys are compared one by one; an index is at most half full, so that probing always meets a free slot.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline int64_t FindShortKey(const Shape& shape, const Value& key) {
  const uint64_t head = HeadBits(key);
  const uint64_t payload = PayloadBits(key);
  const auto is_key = [&](const Value& other) { return HeadBits(other) == head && PayloadBits(other) == payload; };
  if (shape.index == nullptr) {
    const Value* const end = shape.keys + shape.size;
    for (const Value* at = shape.keys; at != end; ++at) {
      if (is_key(*at)) return at - shape.keys;
    }
    return -1;
  }
  for (uint64_t slot = MixHash(head, payload);; ++slot) {
    const uint32_t entry = shape.index[slot & shape.index_mask];
    if (entry == 0) return -1;
    if (is_key(shape.keys[entry - 1])) return entry - 1;
  }
}

// The same for any string.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline int64_t FindKey(const Shape& shape, const Value& key) {
  return ABSL_PREDICT_TRUE(TagOf(key) == Tag::kShortString) ? FindShortKey(shape, key) : shape.Find(key);
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_FIND_KEY_H_
