// A stable sort by short keys: for values of which a few bytes nearly always decide.
//
// Tested by vm/value/set_order_test.cc.

#ifndef HCLVM_VM_VALUE_KEY_SORT_H_
#define HCLVM_VM_VALUE_KEY_SORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hcl::internal {

// Merges the runs that it finds, and those that it makes of a few keys each where it finds none: keys that come in
// order, and those of sorted collections one behind the other, take one pass each. less(a, b) compares two keys.
template <typename Key, typename Less>
class KeySorter {
  static_assert(std::is_trivially_copyable_v<Key>);

 public:
  // `keys` and `scratch` have room for `count` keys; both must outlive the sorter.
  KeySorter(Key* keys, Key* scratch, size_t count, const Less& less)
      : keys_(keys), scratch_(scratch), count_(count), less_(less) {}

  // Two neighboring runs are merged when the first is not twice as long as the second. So the waiting ones shrink by
  // half each, which bounds both their number and how often a key is moved.
  void Sort() {
    size_t begins[kMaxRuns];
    size_t runs = 0;
    for (size_t begin = 0; begin < count_;) {
      begins[runs++] = begin;
      const size_t end = MakeRun(begin);
      while (runs > 1 && begins[runs - 1] - begins[runs - 2] <= 2 * (end - begins[runs - 1])) {
        Merge(begins[runs - 2], begins[runs - 1], end);
        --runs;
      }
      begin = end;
    }
    for (; runs > 1; --runs) Merge(begins[runs - 2], begins[runs - 1], count_);
  }

 private:
  // Shorter runs are made so long, by insertion.
  static constexpr size_t kShortRun = 12;
  // More than counts of 32 bits lead to.
  static constexpr size_t kMaxRuns = 64;

  // The end of the run from `begin` on. One that descends is turned round, and so must not hold equal keys.
  size_t MakeRun(size_t begin) {
    size_t end = begin + 1;
    while (end < count_ && !less_(keys_[end], keys_[end - 1])) ++end;
    if (end == begin + 1) {
      while (end < count_ && less_(keys_[end], keys_[end - 1])) ++end;
      std::reverse(keys_ + begin, keys_ + end);
    }
    for (const size_t wanted = std::min(begin + kShortRun, count_); end < wanted; ++end) {
      const Key moved = keys_[end];
      size_t at = end;
      for (; at > begin && less_(moved, keys_[at - 1]); --at) keys_[at] = keys_[at - 1];
      keys_[at] = moved;
    }
    return end;
  }

  void Merge(size_t begin, size_t middle, size_t end) {
    if (!less_(keys_[middle], keys_[middle - 1])) return;
    const Key* left = scratch_;
    const Key* const left_end = std::copy(keys_ + begin, keys_ + middle, scratch_);
    const Key* right = keys_ + middle;
    const Key* const right_end = keys_ + end;
    Key* out = keys_ + begin;
    while (left != left_end && right != right_end) {
      // Without a branch, which would be mispredicted half of the time.
      const bool from_right = less_(*right, *left);
      *out++ = from_right ? *right : *left;
      right += from_right ? 1 : 0;
      left += from_right ? 0 : 1;
    }
    // What is left of the second run stands in its place already.
    std::copy(left, left_end, out);
  }

  Key* const keys_;
  Key* const scratch_;
  const size_t count_;
  const Less less_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_KEY_SORT_H_
