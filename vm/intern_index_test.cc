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

// Where hashes follow each other, so do the places: a search goes on to the end of the row.
TEST(InternIndexTest, CountsTheLongestSearch) {
  InternIndex row;
  EXPECT_EQ(row.LongestSearch(), 0u);
  for (uint32_t n = 0; n < 300; ++n) row.Add(n, n);
  EXPECT_EQ(row.LongestSearch(), 300u);
  InternIndex across;
  for (uint32_t n = 0; n < 5; ++n) across.Add(14 + n, n);  // of 16 places
  EXPECT_EQ(across.LongestSearch(), 5u);
  InternIndex spread;
  for (uint32_t n = 0; n < 300; ++n) spread.Add(n * uint64_t{3}, n);
  EXPECT_LT(spread.LongestSearch(), 10u);
}

}  // namespace
}  // namespace hcl::internal
