// Tests of KeySort: its order is that of std::stable_sort, whatever the keys are.

#include "hclvm/vm/json/key_sort.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

void CheckOrder(const std::vector<std::string>& texts, KeySort* sort) {
  Arena arena;
  std::vector<Value> keys;
  for (const std::string& text : texts) keys.push_back(Value::String(text, &arena));
  std::vector<uint32_t> want(texts.size());
  std::iota(want.begin(), want.end(), 0);
  std::stable_sort(want.begin(), want.end(), [&](uint32_t a, uint32_t b) { return texts[a] < texts[b]; });
  std::vector<uint32_t> got;
  sort->Sort(keys, &got);
  ASSERT_EQ(got, want) << "of " << texts.size() << " keys, the first of them " << testing::PrintToString(texts[0]);
}

// Few letters, so that keys agree in their beginnings and come twice, with zero bytes and bytes beyond ASCII; lengths
// around what a word, a short string and the deepest level hold.
TEST(KeySortTest, OrdersAsTextsDo) {
  std::mt19937 engine(1);
  const std::string letters("\0\1ab\x7f\xc3\xa9", 7);
  KeySort sort;
  for (size_t count : {1, 2, 3, 20, 255, 256, 257, 3'000}) {
    for (size_t prefix : {0, 1, 7, 8, 9, 14, 15, 23, 24, 31, 32, 33, 40, 100}) {
      for (size_t longest : {1, 2, 8, 20}) {
        for (size_t kinds : {size_t{1}, size_t{2}, letters.size()}) {
          std::vector<std::string> texts(count);
          for (std::string& text : texts) {
            if (engine() % 8 != 0) text.assign(prefix, 'p');
            for (size_t n = engine() % (longest + 1); n > 0; --n) text += letters[engine() % kinds];
          }
          CheckOrder(texts, &sort);
        }
      }
    }
  }
}

TEST(KeySortTest, KeepsWhatIsSorted) {
  KeySort sort;
  std::vector<std::string> texts;
  for (int n = 0; n < 5'000; ++n) texts.push_back("key" + std::to_string(100'000 + n));
  CheckOrder(texts, &sort);
  std::reverse(texts.begin(), texts.end());
  CheckOrder(texts, &sort);
}

TEST(KeySortTest, NoKeys) {
  KeySort sort;
  std::vector<uint32_t> order = {1, 2};
  sort.Sort({}, &order);
  EXPECT_TRUE(order.empty());
}

}  // namespace
}  // namespace hcl::internal
