// Positions by hash.

#include "hclvm/vm/intern_index.h"

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(InternIndexTest, FindsWhatWasAdded) {
  // 0: all collide; 1: runs of neighbours; otherwise spread, also beyond 32 bits.
  for (const uint64_t factor : {uint64_t{0}, uint64_t{1}, uint64_t{0x9e3779b97f4a7c15}}) {
    InternIndex index;
    for (uint32_t n = 0; n < 300; ++n) {
      const auto find = [&](uint32_t wanted) {
        return index.Find(wanted * factor, [&](uint32_t position) { return position == wanted; });
      };
      EXPECT_EQ(find(n), std::nullopt);
      index.Add(n * factor, n);
      for (uint32_t old = 0; old <= n; ++old) ASSERT_EQ(find(old), old);
    }
  }
}

// Equal hashes make a row.
TEST(InternIndexTest, CountsTheLongestSearch) {
  InternIndex row;
  EXPECT_EQ(row.LongestSearch(), 0u);
  for (uint32_t n = 0; n < 300; ++n) row.Add(5, n);
  EXPECT_EQ(row.LongestSearch(), 300u);
}

// Whatever lies between one hash and the next: small steps, high bits alone, and what products of a multiplier leave.
TEST(InternIndexTest, HashesAtEvenDistancesMakeNoRows) {
  for (const uint64_t distance :
       {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{64}, uint64_t{1} << 20, uint64_t{1} << 32,
        (uint64_t{1} << 40) + 1, (uint64_t{1} << 32) - 1, uint64_t{0x9e3779b97f4a7c15}, uint64_t{0xf1de83e19937733d}}) {
    InternIndex index;
    for (uint32_t n = 0; n < 100'000; ++n) index.Add(n * distance, n);
    EXPECT_LT(index.LongestSearch(), 200u) << distance;
  }
}

}  // namespace
}  // namespace hcl::internal
