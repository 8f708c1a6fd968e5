// Arena: bump allocation for the many small things that share one lifetime (an AST, the values of an evaluation).
//
// Tested by base/arena_test.cc.

#ifndef HCLVM_BASE_ARENA_H_
#define HCLVM_BASE_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/internal/cxx17.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {

// Not thread-safe; confined to its owner. Pointers stay valid until Reset() or destruction. Destructors of what lives
// here are never run, so only trivially destructible things may. Movable; a move keeps the pointers valid.
class Arena {
 public:
  // `first_block_bytes`: size of the first block, taken from the heap on first use; 16 of each block are the arena's
  // own. Later blocks double, up to 1 MiB.
  explicit Arena(size_t first_block_bytes = 4096) : next_block_bytes_(first_block_bytes) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept;
  ~Arena() { FreeBlocks(); }

  // `bytes` of uninitialized memory aligned to `alignment` (a power of two, at most 16). Never null: when the system
  // refuses memory, throws std::bad_alloc, or ends the process if built without exceptions.
  void* Allocate(size_t bytes, size_t alignment = 8) {
    HCL_DCHECK(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= 16);
    uintptr_t start = (reinterpret_cast<uintptr_t>(cursor_) + alignment - 1) & ~(alignment - 1);
    if (start + bytes > reinterpret_cast<uintptr_t>(end_) || cursor_ == nullptr) return AllocateSlow(bytes, alignment);
    cursor_ = reinterpret_cast<char*>(start + bytes);
    return reinterpret_cast<void*>(start);
  }

  // The same in a block of its own that holds nothing else and has no room to spare. Aligned to 16. Requires bytes > 0.
  void* AllocateBlock(size_t bytes);

  // A `T` constructed from `args`.
  template <typename T, typename... Args>
  T* New(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return new (Allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // Uninitialized room for `count` trivial `T`.
  template <typename T>
  T* NewArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return static_cast<T*>(Allocate(count * sizeof(T), alignof(T)));  // NOLINT(bugprone-sizeof-expression)
  }

  // A copy of `items`, living here.
  template <typename T>
  absl::Span<const T> CopySpan(absl::Span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>, "copied bytewise");
    if (items.empty()) return {};
    T* copy = NewArray<T>(items.size());
    // Most lists are short: a copy of a size that is known takes no call.
    switch (items.size()) {
      case 1:
        CopyItems<1>(items.data(), copy);
        break;
      case 2:
        CopyItems<2>(items.data(), copy);
        break;
      case 3:
        CopyItems<3>(items.data(), copy);
        break;
      default:
        const size_t bytes = items.size() * sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
        std::memcpy(static_cast<void*>(copy), items.data(), bytes);
    }
    return absl::Span<const T>(copy, items.size());
  }

  // A copy of `text`, living here.
  std::string_view CopyString(std::string_view text) {
    if (text.empty()) return {};
    char* copy = NewArray<char>(text.size());
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  // Whether `bytes` behind `end`, the end of what was allocated last, now belong to it; otherwise nothing happens.
  bool Extend(const void* end, size_t bytes) {
    if (end != cursor_ || bytes > static_cast<size_t>(end_ - cursor_)) return false;
    cursor_ += bytes;
    return true;
  }

  // A mark of what is handed out so far, for Rewind().
  const char* Mark() const { return cursor_; }

  // Takes back what was handed out since `mark`, which nobody may use any more. Does nothing when that lies in more
  // than one block.
  void Rewind(const char* mark) {
    const auto at = reinterpret_cast<uintptr_t>(mark);
    if (at == 0 || at < reinterpret_cast<uintptr_t>(begin_) || at > reinterpret_cast<uintptr_t>(cursor_)) return;
    cursor_ = begin_ + (at - reinterpret_cast<uintptr_t>(begin_));
  }

  // Bytes handed out since construction or the last Reset(), with alignment gaps and unused block ends.
  size_t bytes_used() const { return full_bytes_ + static_cast<size_t>(cursor_ - begin_); }

  // Bytes that the current block has left.
  size_t bytes_left() const { return static_cast<size_t>(end_ - cursor_); }

  // Bytes held from the heap.
  size_t bytes_reserved() const { return reserved_bytes_; }

  // Forgets everything allocated, and gives all memory back.
  void Release();

  // Sets *grown, which must outlive the arena, whenever memory is taken from the system from now on. It stays with this
  // arena when its blocks are moved.
  void set_watch(bool* grown) { grown_ = grown; }

  // Forgets everything allocated. Keeps the largest block for reuse, so that a loop of equal work stops allocating;
  // blocks over 1 MiB are given back, so that one large evaluation does not pin memory.
  void Reset() { CanResetAtOnce() ? ResetAtOnce() : ResetBlocks(); }
  // Whether there is one block at most, which Reset() keeps: so it stays until memory is taken from the system. And
  // Reset() where that is so.
  bool CanResetAtOnce() const { return full_bytes_ == 0 && reserved_bytes_ <= kMaxKeptBytes; }
  void ResetAtOnce() {
    HCL_DCHECK(CanResetAtOnce());
    cursor_ = begin_;
  }

 private:
  // Blocks grow to this size and no further, and Reset() keeps none that is larger.
  static constexpr size_t kMaxKeptBytes = size_t{1} << 20;

  // The beginning of a block; what is handed out follows.
  struct Block {
    Block* next;
    size_t bytes;  // with this
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  static_assert(sizeof(Block) == 16, "what follows a block's beginning is aligned like it");

  template <size_t kCount, typename T>
  static void CopyItems(const T* items, T* to) {
    const size_t bytes = kCount * sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    std::memcpy(static_cast<void*>(to), items, bytes);
  }

  void* AllocateSlow(size_t bytes, size_t alignment);
  Block* NewBlock(size_t bytes);
  void FreeBlocks();
  void ResetBlocks();

  char* begin_ = nullptr;   // start of the current block
  char* cursor_ = nullptr;  // next free byte
  char* end_ = nullptr;     // past the current block
  size_t full_bytes_ = 0;   // bytes in blocks before the current one
  size_t reserved_bytes_ = 0;
  size_t next_block_bytes_ = 4096;
  Block* blocks_ = nullptr;  // a list, the latest first
  bool* grown_ = nullptr;    // may be null
};

}  // namespace hcl

#endif  // HCLVM_BASE_ARENA_H_
