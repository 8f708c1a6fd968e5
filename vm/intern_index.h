// InternIndex: finds an item of a list by its hash, so that equal ones are kept once.
//
// Tested by vm/intern_index_test.cc.

#ifndef HCLVM_VM_INTERN_INDEX_H_
#define HCLVM_VM_INTERN_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/attributes.h"

namespace hcl::internal {

// Holds positions in a list that somebody else has. Not thread-safe. Allocates nothing for up to eight.
class InternIndex {
 public:
  InternIndex() = default;
  InternIndex(const InternIndex&) = delete;
  InternIndex& operator=(const InternIndex&) = delete;

  // The position with that hash for which `equal(position)` is true.
  template <typename Equal>
  std::optional<uint32_t> Find(uint64_t hash, Equal equal) const {
    const uint32_t tag = Spread(hash);
    const Slot* const slots = slots_;
    const size_t mask = mask_;
    for (size_t at = tag & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots[at];
      if (slot.is_free()) return std::nullopt;
      if (slot.hash == tag && equal(slot.position())) return slot.position();
    }
  }

  // Adds a position, with the hash of its item, which no other item is equal to.
  void Add(uint64_t hash, uint32_t position) {
    if (2 * ++size_ > mask_ + 1) Grow();
    Place({Spread(hash), position + 1});
  }

  // How many places the longest search goes through, whatever it is for: that many in a row are taken. For tests; time
  // is that of looking at all of them.
  size_t LongestSearch() const {
    size_t longest = 0;
    size_t row = 0;
    for (size_t n = 0; n < 2 * (mask_ + 1) && row <= mask_; ++n) {  // twice, for a row across the end
      row = slots_[n & mask_].is_free() ? 0 : row + 1;
      longest = row > longest ? row : longest;
    }
    return longest;
  }

 private:
  static constexpr size_t kFirstSlots = 16;  // a power of two, like all later numbers

  // All zero where it is free, so that many are made at once.
  struct Slot {
    uint32_t hash;
    uint32_t position_and_one;

    bool is_free() const { return position_and_one == 0; }
    uint32_t position() const { return position_and_one - 1; }
  };

  // Products of keys that follow each other lie at even distances, and for one seed in some thousands so close that
  // their places become rows of a thousand. Shifts between products end that; all hashes of 64 bits remain distinct
  // until they are cut.
  static uint32_t Spread(uint64_t hash) {
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return static_cast<uint32_t>(hash ^ hash >> 29);
  }

  void Place(Slot slot) {
    size_t at = slot.hash & mask_;
    while (!slots_[at].is_free()) at = (at + 1) & mask_;
    slots_[at] = slot;
  }

  ABSL_ATTRIBUTE_NOINLINE void Grow() {
    const size_t count = mask_ + 1;
    std::unique_ptr<Slot[]> grown(new Slot[2 * count]());
    const Slot* const old = slots_;
    slots_ = grown.get();
    mask_ = 2 * count - 1;
    for (size_t n = 0; n < count; ++n) {
      if (!old[n].is_free()) Place(old[n]);
    }
    more_ = std::move(grown);
  }

  Slot first_[kFirstSlots] = {};
  Slot* slots_ = first_;  // those, or more_
  size_t mask_ = kFirstSlots - 1;
  size_t size_ = 0;
  std::unique_ptr<Slot[]> more_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_INTERN_INDEX_H_
