#include "hclvm/base/arena.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(ArenaTest, AlignsAndKeepsWhatItHandsOut) {
  Arena arena(64);
  uintptr_t last = 0;
  for (size_t alignment : {1u, 2u, 4u, 8u, 16u}) {
    for (int i = 0; i < 100; ++i) {
      auto* bytes = static_cast<char*>(arena.Allocate(3, alignment));
      const auto address = reinterpret_cast<uintptr_t>(bytes);
      EXPECT_EQ(address % alignment, 0u);
      EXPECT_NE(address, last);
      bytes[0] = bytes[2] = 'x';
      last = address;
    }
  }
  EXPECT_GE(arena.bytes_used(), 1500u);
  EXPECT_GE(arena.bytes_reserved(), arena.bytes_used());
}

TEST(ArenaTest, CopiesSpansAndStrings) {
  Arena arena;
  std::string text = "policy";
  const std::string_view copy = arena.CopyString(text);
  text[0] = 'x';
  EXPECT_EQ(copy, "policy");
  EXPECT_TRUE(arena.CopyString("").empty());
  const int numbers[] = {1, 2, 3};
  EXPECT_EQ(arena.CopySpan(absl::Span<const int>(numbers))[2], 3);
  EXPECT_TRUE(arena.CopySpan(absl::Span<const int>()).empty());
}

TEST(ArenaTest, LargeObjectsLeaveTheCurrentBlockInUse) {
  Arena arena(1024);
  arena.Allocate(8);
  arena.Allocate(1 << 20);
  const size_t reserved = arena.bytes_reserved();
  arena.Allocate(8);
  EXPECT_EQ(arena.bytes_reserved(), reserved);
  EXPECT_GE(arena.bytes_used(), (size_t{1} << 20) + 16);
}

TEST(ArenaTest, BlocksOfTheirOwnHaveNoRoomToSpare) {
  Arena arena(256);
  arena.Allocate(8);
  const size_t left = arena.bytes_left();
  EXPECT_EQ(left, 256u - 16 - 8);
  const size_t reserved = arena.bytes_reserved(), used = arena.bytes_used();
  void* block = arena.AllocateBlock(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
  EXPECT_EQ(arena.bytes_reserved(), reserved + 16 + 100);
  EXPECT_EQ(arena.bytes_used(), used + 100);
  EXPECT_EQ(arena.bytes_left(), left);
}

TEST(ArenaTest, ResetKeepsTheLargestBlockUpToOneMebibyte) {
  Arena arena(1024);
  arena.Allocate(3 << 20);
  EXPECT_GE(arena.bytes_reserved(), size_t{3} << 20);
  arena.Reset();
  EXPECT_EQ(arena.bytes_used(), 0u);
  EXPECT_EQ(arena.bytes_reserved(), 0u);
  for (int i = 0; i < 8; ++i) arena.Allocate(200 << 10);
  arena.Reset();
  EXPECT_EQ(arena.bytes_reserved(), size_t{1} << 20);
}

TEST(ArenaTest, EqualWorkStopsAllocating) {
  for (size_t object : {16u, 300u, 5000u}) {
    Arena arena(1024);
    size_t reserved = 0;
    for (int round = 0; round < 5; ++round) {
      arena.Reset();
      reserved = arena.bytes_reserved();
      for (int i = 0; i < 100; ++i) arena.Allocate(object);
    }
    EXPECT_EQ(arena.bytes_reserved(), reserved) << object;
  }
}

TEST(ArenaTest, SaysWhenItHasTakenMemory) {
  bool grown = false;
  Arena arena(64);
  arena.set_watch(&grown);
  const auto take = [&grown] { return std::exchange(grown, false); };
  EXPECT_TRUE(arena.CanResetAtOnce());
  arena.Allocate(16);
  EXPECT_TRUE(take());
  arena.Allocate(16);
  EXPECT_FALSE(take());
  EXPECT_TRUE(arena.CanResetAtOnce());
  arena.ResetAtOnce();
  EXPECT_EQ(arena.bytes_used(), 0u);
  arena.Allocate(100);
  EXPECT_TRUE(take());
  EXPECT_FALSE(arena.CanResetAtOnce());
  arena.Reset();
  EXPECT_FALSE(take());
  EXPECT_TRUE(arena.CanResetAtOnce());
  arena.AllocateBlock(16);
  EXPECT_TRUE(take());
  // Memory comes along with a move, and what watches does not.
  Arena other = std::move(arena);
  other.Allocate(1 << 20);
  EXPECT_FALSE(take());
  arena = std::move(other);
  EXPECT_TRUE(take());
}

TEST(ArenaTest, RewindsWithinABlock) {
  Arena arena(1024);
  arena.Rewind(arena.Mark());
  const std::string_view kept = arena.CopyString("kept");
  const char* const mark = arena.Mark();
  const size_t used = arena.bytes_used();
  arena.CopyString("taken back");
  arena.Rewind(mark);
  EXPECT_EQ(arena.bytes_used(), used);
  EXPECT_EQ(kept, "kept");
  for (int i = 0; i < 100; ++i) arena.Allocate(100);
  const size_t many = arena.bytes_used();
  arena.Rewind(mark);  // in an earlier block
  EXPECT_EQ(arena.bytes_used(), many);
}

TEST(ArenaTest, ExtendsWhatWasAllocatedLast) {
  Arena arena(80);  // 16 of them are its own
  EXPECT_FALSE(arena.Extend(&arena, 8));
  char* const first = arena.NewArray<char>(16);
  EXPECT_TRUE(arena.Extend(first + 16, 16));
  EXPECT_EQ(arena.bytes_used(), 32u);
  EXPECT_FALSE(arena.Extend(first + 16, 8));
  EXPECT_FALSE(arena.Extend(first + 32, 33));  // the block has 64 bytes
  EXPECT_TRUE(arena.Extend(first + 32, 32));
  EXPECT_EQ(arena.bytes_used(), 64u);
  char* const second = arena.NewArray<char>(1);
  EXPECT_TRUE(second < first || second >= first + 64);
}

TEST(ArenaTest, MovesKeepPointersValid) {
  Arena arena;
  const std::string_view text = arena.CopyString("kept");
  Arena moved = std::move(arena);
  EXPECT_EQ(text, "kept");
  // NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move): the moved-from state is documented
  EXPECT_EQ(arena.bytes_reserved(), 0u);
  arena.CopyString("usable");
  arena = std::move(moved);
  EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace hcl
