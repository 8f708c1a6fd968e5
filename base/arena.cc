// Arena: blocks from the heap, handed out front to back.

#include "base/arena.h"

#include <algorithm>
#include <cstdlib>

namespace hcl {
namespace {

// What the allocator guarantees for a block's start.
constexpr size_t kMaxAlignment = 16;

// Default-initialised, so that a block's pages are not touched before they are used.
char* NewBlock(size_t bytes) {
  char* memory = new (std::nothrow) char[bytes];
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  begin_ = std::exchange(other.begin_, nullptr);
  cursor_ = std::exchange(other.cursor_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  full_bytes_ = std::exchange(other.full_bytes_, 0);
  reserved_bytes_ = std::exchange(other.reserved_bytes_, 0);
  next_block_bytes_ = other.next_block_bytes_;
  blocks_ = std::move(other.blocks_);
  other.blocks_.clear();
  return *this;
}

void* Arena::AllocateSlow(size_t bytes, size_t alignment) {
  static_assert(alignof(std::max_align_t) >= kMaxAlignment, "blocks start aligned to 16 bytes");
  (void)alignment;
  // A large object gets a block of its own, so that the rest of the current block stays in use. It goes with the next
  // Reset(); what is smaller makes the blocks grow until a round fits into one.
  if (bytes > kMaxKeptBytes / 4) {
    char* memory = NewBlock(bytes);
    blocks_.push_back(Block{std::unique_ptr<char[]>(memory), bytes});
    reserved_bytes_ += bytes;
    full_bytes_ += bytes;
    return memory;
  }
  full_bytes_ += static_cast<size_t>(end_ - begin_);
  const size_t block_bytes = std::max(next_block_bytes_, bytes);
  begin_ = NewBlock(block_bytes);
  blocks_.push_back(Block{std::unique_ptr<char[]>(begin_), block_bytes});
  reserved_bytes_ += block_bytes;
  end_ = begin_ + block_bytes;
  cursor_ = begin_ + bytes;
  next_block_bytes_ = std::max(next_block_bytes_, std::min(block_bytes * 2, kMaxKeptBytes));
  return begin_;
}

void Arena::ResetBlocks() {
  // The next round probably needs as much again: one block of that size, if the kept one is smaller.
  const size_t used = bytes_used();
  next_block_bytes_ = std::max(next_block_bytes_, std::min(used + kMaxAlignment, kMaxKeptBytes));
  auto best = blocks_.end();
  for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
    if (block->bytes <= kMaxKeptBytes && (best == blocks_.end() || block->bytes > best->bytes)) best = block;
  }
  full_bytes_ = 0;
  if (best == blocks_.end()) {
    blocks_.clear();
    begin_ = cursor_ = end_ = nullptr;
    reserved_bytes_ = 0;
    return;
  }
  Block kept = std::move(*best);
  blocks_.clear();
  begin_ = cursor_ = kept.memory.get();
  end_ = begin_ + kept.bytes;
  reserved_bytes_ = kept.bytes;
  blocks_.push_back(std::move(kept));
}

}  // namespace hcl
