#include "hclvm/base/plain_list.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace hcl {

using internal::PlainList;
namespace {

template <size_t kInline>
std::vector<uint16_t> Items(const PlainList<uint16_t, kInline>& list) {
  return {list.begin(), list.end()};
}

std::vector<uint16_t> UpTo(uint16_t count) {
  std::vector<uint16_t> items;
  for (uint16_t n = 0; n < count; ++n) items.push_back(n);
  return items;
}

TEST(PlainList, GrowsBeyondItsOwnRoom) {
  for (const uint16_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 1000}) {
    PlainList<uint16_t, 2> list;
    for (uint16_t n = 0; n < count; ++n) list.push_back(n);
    EXPECT_EQ(Items(list), UpTo(count)) << count;
    EXPECT_EQ(list.empty(), count == 0);
  }
}

TEST(PlainList, TakesAnItemOfItself) {
  PlainList<uint16_t, 2> list;
  list.push_back(7);
  for (int n = 0; n < 20; ++n) list.push_back(list[0]);
  EXPECT_EQ(Items(list), std::vector<uint16_t>(21, 7));
}

TEST(PlainList, AppendsAndShrinks) {
  PlainList<uint16_t, 4> list;
  list.Append({});
  list.Append(UpTo(3));
  list.Append(UpTo(40));
  EXPECT_EQ(list.size(), 43u);
  EXPECT_EQ(list.back(), 39u);
  list.Shrink(4);
  EXPECT_EQ(Items(list), (std::vector<uint16_t>{0, 1, 2, 0}));
  list.pop_back();
  EXPECT_EQ(Items(list), UpTo(3));
  list.clear();
  EXPECT_TRUE(list.empty());
}

// What is written into the room counts as far as it is said to.
TEST(PlainList, GrowsIntoRoom) {
  PlainList<uint16_t, 2> list;
  list.push_back(0);
  uint16_t* const room = list.Reserve(100);
  for (uint16_t n = 0; n < 100; ++n) room[n] = static_cast<uint16_t>(n + 1);
  list.Grow(50);
  EXPECT_EQ(Items(list), UpTo(51));
  EXPECT_EQ(list.end(), room + 50);
}

}  // namespace
}  // namespace hcl
