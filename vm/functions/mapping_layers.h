// Mappings that are put over each other. Tested by vm/functions/mapping_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_MAPPING_LAYERS_H_
#define HCLVM_VM_FUNCTIONS_MAPPING_LAYERS_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Keys and values of mappings put over each other, in the order of the keys. Each one that is put writes from as many
// places before those that are there as it has keys, and so never over what it has yet to read.
class Layers {
 public:
  Layers(size_t count, Arena* arena)
      : keys_(arena->NewArray<Value>(count) + count), values_(arena->NewArray<Value>(count) + count) {}

  void Put(const Value& mapping) {
    const Shape& shape = mapping.shape();
    const Value* const new_values = mapping.values().data();
    Value* key = keys_ -= shape.size;
    Value* value = values_ -= shape.size;
    uint32_t from = shape.size;  // of those that are there, which are behind the new ones' places
    const uint32_t end = from + size_;
    uint32_t next = 0;
    while (from < end && next < shape.size) {
      const int order = CompareStrings(keys_[from], shape.keys[next]);
      *key++ = order < 0 ? keys_[from] : shape.keys[next];
      *value++ = order < 0 ? values_[from] : new_values[next];
      from += order <= 0 ? 1 : 0;
      next += order >= 0 ? 1 : 0;
    }
    for (; from < end; ++from) {
      *key++ = keys_[from];
      *value++ = values_[from];
    }
    for (; next < shape.size; ++next) {
      *key++ = shape.keys[next];
      *value++ = new_values[next];
    }
    size_ = static_cast<uint32_t>(key - keys_);
  }

  absl::Span<const Value> keys() const { return {keys_, size_}; }
  absl::Span<const Value> values() const { return {values_, size_}; }

 private:
  Value* keys_;
  Value* values_;
  uint32_t size_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_MAPPING_LAYERS_H_
