// KeyedElements: the elements of a list by keys, for the passes of a loop that each look for those with one key.
//
// Internal to the machine. Tested by vm/keyed_elements_test.cc.

#ifndef HCLVM_VM_KEYED_ELEMENTS_H_
#define HCLVM_VM_KEYED_ELEMENTS_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Lives in an arena. The first passes compare the key with each; a table is made where there are more. Not thread-safe.
class KeyedElements {
 public:
  // keys[n] is the key of elements[n]; both are known and outlive this.
  KeyedElements(absl::Span<const Value> elements, absl::Span<const Value> keys) : elements_(elements), keys_(keys) {}

  // Sets *matches to a tuple of the elements whose key is `key`, in their order, in `arena`. *cost is in units of fuel.
  // False where `key` is no bool, number or string, or has marks. Time: the matches, but for the first calls.
  bool Find(const Value& key, Arena* arena, Value* matches, uint64_t* cost);
  // Bytes that the next call of Find() takes at most.
  size_t room() const { return (4 * elements_.size() + 8) * sizeof(Value); }

 private:
  uint64_t MakeTable(Arena* arena);
  size_t PlaceOf(const Value& key) const;

  absl::Span<const Value> elements_;
  absl::Span<const Value> keys_;
  uint32_t calls_ = 0;
  absl::Span<Value> found_;  // of one call
  // By the hash of a key: one more than the first element that has it, or 0; and by elements, the next one, likewise.
  absl::Span<uint32_t> table_;
  absl::Span<uint32_t> next_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_KEYED_ELEMENTS_H_
