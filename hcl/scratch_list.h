// ScratchList: a list under construction, on a stack that nested lists share.
//
// Tested through hcl/parser_test.cc.

#ifndef HCLVM_HCL_SCRATCH_LIST_H_
#define HCLVM_HCL_SCRATCH_LIST_H_

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace internal {

// What lists are built on: plain data in one place, the first few items in the stack itself, so that small texts need
// no memory for it. Not thread-safe. References are valid until the next item is added.
template <typename T>
class ScratchStack {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "moved bytewise");
  static_assert(alignof(T) <= alignof(std::max_align_t), "aligned as the allocator does");

  ScratchStack() = default;
  ScratchStack(const ScratchStack&) = delete;
  ScratchStack& operator=(const ScratchStack&) = delete;
  ~ScratchStack() {
    if (begin_ != Inline()) ::operator delete(begin_);
  }

  // `item` may be in the stack itself.
  void push_back(const T& item) {
    if (size_ == capacity_) return PushSlow(item);
    new (begin_ + size_++) T(item);
  }
  void pop_back() {
    HCL_DCHECK(size_ > 0);
    --size_;
  }
  // Takes items from the end, down to `size` of them.
  void Shrink(size_t size) {
    HCL_DCHECK(size <= size_);
    size_ = size;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return begin_; }
  const T* data() const { return begin_; }
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
  static constexpr size_t kInline = 8;
  // Of an item, which may be a pointer.
  struct Cell {
    T item;
  };
  static constexpr size_t kBytes = sizeof(Cell);

  T* Inline() { return reinterpret_cast<T*>(inline_); }

  // Memory that the system refuses is told by the usual exception, before anything has changed.
  ABSL_ATTRIBUTE_NOINLINE void PushSlow(const T& item) {
    const T kept = item;
    auto* const grown = static_cast<T*>(::operator new(2 * capacity_ * kBytes));
    std::memcpy(static_cast<void*>(grown), begin_, size_ * kBytes);
    if (begin_ != Inline()) ::operator delete(begin_);
    begin_ = grown;
    capacity_ *= 2;
    new (begin_ + size_++) T(kept);
  }

  size_t size_ = 0;
  size_t capacity_ = kInline;
  T* begin_ = Inline();
  alignas(T) unsigned char inline_[kInline * kBytes];
};

// Not thread-safe. Lists are destroyed in the reverse order of their construction. Building one allocates nothing in
// the steady state; its owner copies it to an arena when it is complete.
template <typename T>
class ScratchList {
 public:
  explicit ScratchList(ScratchStack<T>* stack) : stack_(stack), begin_(stack->size()) {}
  ~ScratchList() { Clear(); }
  ScratchList(const ScratchList&) = delete;
  ScratchList& operator=(const ScratchList&) = delete;

  // Requires that no list that was started later on the same stack still lives.
  void Add(const T& item) { stack_->push_back(item); }

  size_t size() const {
    HCL_DCHECK(stack_->size() >= begin_);
    return stack_->size() - begin_;
  }
  bool empty() const { return size() == 0; }

  // The reference is valid until the next Add() on the same stack.
  T& operator[](size_t i) {
    HCL_DCHECK(i < size());
    return (*stack_)[begin_ + i];
  }

  absl::Span<const T> view() const { return absl::Span<const T>(stack_->data() + begin_, size()); }

  void Clear() { stack_->Shrink(begin_); }

 private:
  ScratchStack<T>* stack_;
  size_t begin_;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_SCRATCH_LIST_H_
