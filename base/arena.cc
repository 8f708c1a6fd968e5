// Arena: blocks from the heap, handed out front to back.

#include "hclvm/base/arena.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "hclvm/base/huge_pages.h"

namespace hcl {
namespace {

// What the allocator guarantees for a block's start.
constexpr size_t kMaxAlignment = 16;

[[noreturn]] void ThrowOutOfMemory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace

// The other arena stays usable: without a current block, its next allocation goes to AllocateSlow(), for which it keeps
// the size of its next block.
Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  FreeBlocks();
  begin_ = std::exchange(other.begin_, nullptr);
  cursor_ = std::exchange(other.cursor_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  full_bytes_ = std::exchange(other.full_bytes_, 0);
  reserved_bytes_ = std::exchange(other.reserved_bytes_, 0);
  next_block_bytes_ = other.next_block_bytes_;
  blocks_ = std::exchange(other.blocks_, nullptr);
  if (grown_ != nullptr) *grown_ = true;
  return *this;
}

// The memory is not touched beyond the block's beginning before it is used, so that a generous first block costs
// address space only. No caller could go on without memory, so none is asked to: the entry points of the library catch
// what is thrown here (base/out_of_memory.h).
Arena::Block* Arena::NewBlock(size_t bytes) {
  void* memory = ::operator new(bytes, std::nothrow);
  if (memory == nullptr) ThrowOutOfMemory();
  if (bytes >= internal::kHugePagesFrom) internal::PreferHugePages(memory, bytes);
  blocks_ = new (memory) Block{blocks_, bytes};
  reserved_bytes_ += bytes;
  if (grown_ != nullptr) *grown_ = true;
  return blocks_;
}

void Arena::FreeBlocks() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    ::operator delete(blocks_);
    blocks_ = next;
  }
}

void Arena::Release() {
  FreeBlocks();
  begin_ = cursor_ = end_ = nullptr;
  full_bytes_ = reserved_bytes_ = 0;
}

void* Arena::AllocateBlock(size_t bytes) {
  full_bytes_ += bytes;
  return NewBlock(sizeof(Block) + bytes)->data();
}

// `alignment` needs no work here. A block's memory starts aligned to 16 bytes, and so does what follows its beginning
// of 16 bytes: the first object of a block is aligned as any caller may ask.
void* Arena::AllocateSlow(size_t bytes, size_t alignment) {
  static_assert(alignof(std::max_align_t) >= kMaxAlignment, "blocks start aligned to 16 bytes");
  (void)alignment;
  // A large object gets a block of its own, so that the rest of the current block stays in use. It goes with the next
  // Reset(); what is smaller makes the blocks grow until a round fits into one.
  if (bytes > kMaxKeptBytes / 4) return AllocateBlock(bytes);
  // The unused end of the block counts as well: bytes_used() is what ResetBlocks() sizes one block for all by, where
  // somewhat too much is better than a second block.
  full_bytes_ += static_cast<size_t>(end_ - begin_);
  const size_t block_bytes = std::max(next_block_bytes_, sizeof(Block) + bytes);
  begin_ = NewBlock(block_bytes)->data();
  end_ = begin_ + (block_bytes - sizeof(Block));
  cursor_ = begin_ + bytes;
  next_block_bytes_ = std::max(next_block_bytes_, std::min(block_bytes * 2, kMaxKeptBytes));
  return begin_;
}

// Keeps the largest block that is not too large, and one only: what the next round allocates then lies together, and
// what one exceptionally large round has taken goes back to the heap.
void Arena::ResetBlocks() {
  // The next round probably needs as much again: one block of that size, if the kept one is smaller.
  const size_t used = bytes_used();
  next_block_bytes_ = std::max(next_block_bytes_, std::min(used + kMaxAlignment + sizeof(Block), kMaxKeptBytes));
  Block** best = nullptr;
  for (Block** block = &blocks_; *block != nullptr; block = &(*block)->next) {
    if ((*block)->bytes <= kMaxKeptBytes && (best == nullptr || (*block)->bytes > (*best)->bytes)) best = block;
  }
  Block* kept = best == nullptr ? nullptr : *best;
  if (kept != nullptr) *best = kept->next;
  FreeBlocks();
  full_bytes_ = 0;
  begin_ = cursor_ = end_ = nullptr;
  reserved_bytes_ = 0;
  if (kept == nullptr) return;
  kept->next = nullptr;
  blocks_ = kept;
  begin_ = cursor_ = kept->data();
  end_ = begin_ + (kept->bytes - sizeof(Block));
  reserved_bytes_ = kept->bytes;
}

}  // namespace hcl
