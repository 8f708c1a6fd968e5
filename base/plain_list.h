// PlainList: a growable list of plain data, of which the first items take no memory of their own.
//
// Tested by base/plain_list_test.cc.

#ifndef HCLVM_BASE_PLAIN_LIST_H_
#define HCLVM_BASE_PLAIN_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {

// What absl::InlinedVector is for any type, for types that are moved bytewise: to add an item is a comparison and a
// store. Cleared, it keeps its memory. Not thread-safe. References are valid until the next item is added. Memory that
// the system refuses is told by std::bad_alloc, before anything has changed.
template <typename T, size_t kInline>
class PlainList {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "moved bytewise");
  static_assert(alignof(T) <= alignof(std::max_align_t), "aligned as the allocator does");
  static_assert(kInline > 0);
  using value_type = T;

  PlainList() = default;
  PlainList(const PlainList&) = delete;
  PlainList& operator=(const PlainList&) = delete;
  ~PlainList() {
    if (begin_ != Inline()) ::operator delete(begin_);
  }

  // `item` may be in the list itself.
  void push_back(const T& item) {
    if (size_ == capacity_) return PushSlow(item);
    new (begin_ + size_++) T(item);
  }
  void pop_back() {
    HCL_DCHECK(size_ > 0);
    --size_;
  }
  void clear() { size_ = 0; }
  // Takes items from the end, down to `size` of them.
  void Shrink(size_t size) {
    HCL_DCHECK(size <= size_);
    size_ = size;
  }
  // Items behind the last one. They must not be in the list.
  void Append(absl::Span<const T> items) {
    if (items.empty()) return;
    std::memcpy(static_cast<void*>(Reserve(items.size())), items.data(), items.size() * kBytes);
    size_ += items.size();
  }
  // Room for `count` items behind the last one, which whoever writes them adds by Grow().
  T* Reserve(size_t count) {
    if (capacity_ - size_ < count) MakeRoom(count);
    return begin_ + size_;
  }
  void Grow(size_t count) {
    HCL_DCHECK(count <= capacity_ - size_);
    size_ += count;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return begin_; }
  const T* data() const { return begin_; }
  T* begin() { return begin_; }
  const T* begin() const { return begin_; }
  T* end() { return begin_ + size_; }
  const T* end() const { return begin_ + size_; }
  T& operator[](size_t n) {
    HCL_DCHECK(n < size_);
    return begin_[n];
  }
  const T& operator[](size_t n) const {
    HCL_DCHECK(n < size_);
    return begin_[n];
  }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

 private:
  // Of an item, which may be a pointer.
  struct Cell {
    T item;
  };
  static constexpr size_t kBytes = sizeof(Cell);

  T* Inline() { return reinterpret_cast<T*>(inline_); }

  ABSL_ATTRIBUTE_NOINLINE void PushSlow(const T& item) {
    const T kept = item;
    MakeRoom(1);
    new (begin_ + size_++) T(kept);
  }

  ABSL_ATTRIBUTE_NOINLINE void MakeRoom(size_t count) {
    const size_t capacity = std::max(2 * capacity_, size_ + count);
    auto* const grown = static_cast<T*>(::operator new(kBytes* capacity));
    std::memcpy(static_cast<void*>(grown), begin_, size_ * kBytes);
    if (begin_ != Inline()) ::operator delete(begin_);
    begin_ = grown;
    capacity_ = capacity;
  }

  T* begin_ = Inline();
  size_t size_ = 0;
  size_t capacity_ = kInline;
  alignas(T) unsigned char inline_[kInline * kBytes];
};

}  // namespace hcl::internal

#endif  // HCLVM_BASE_PLAIN_LIST_H_
