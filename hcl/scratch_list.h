// ScratchList: a list under construction, on a stack that nested lists share.
//
// Tested through hcl/parser_test.cc.

#ifndef HCLVM_HCL_SCRATCH_LIST_H_
#define HCLVM_HCL_SCRATCH_LIST_H_

#include <cstddef>

#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace internal {

// What lists are built on: the first few items are in the stack itself, so that small texts need no memory for it.
template <typename T>
using ScratchStack = PlainList<T, 8>;

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
