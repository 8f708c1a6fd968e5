// Memory for the time of one function.
//
// Internal to the library. Tested by vm/value/string_sort_test.cc.

#ifndef HCLVM_VM_VALUE_SCRATCH_H_
#define HCLVM_VM_VALUE_SCRATCH_H_

#include <cstddef>
#include <memory>
#include <type_traits>

#include "hclvm/base/arena.h"

namespace hcl::internal {

// Uninitialized room for trivial items. Little comes from the arena, which gets it back, and with it everything that
// was taken from the arena in between: that must be gone by then. What is much comes from the system.
template <typename T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

 public:
  Scratch(size_t count, Arena* arena) : arena_(arena), mark_(arena->Mark()) {
    if (count <= kMaxBytesOfArena / sizeof(T)) {
      data_ = arena->NewArray<T>(count);
    } else {
      of_system_.reset(new T[count]);
      data_ = of_system_.get();
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (of_system_ == nullptr) arena_->Rewind(mark_);
  }

  T* data() const { return data_; }
  T& operator[](size_t i) const { return data_[i]; }

 private:
  // What a round of small evaluations needs soon fits into one block of the arena; so it allocates nothing.
  static constexpr size_t kMaxBytesOfArena = size_t{128} << 10;

  Arena* const arena_;
  const char* const mark_;
  T* data_;
  std::unique_ptr<T[]> of_system_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SCRATCH_H_
