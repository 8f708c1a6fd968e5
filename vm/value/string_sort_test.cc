// Tests of sorting strings: the order is that of std::stable_sort, whatever they are.

#include "hclvm/vm/value/string_sort.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

void CheckOrder(const std::vector<std::string>& texts) {
  Arena arena;
  std::vector<Value> strings;
  std::vector<KeyValue> pairs;
  for (const std::string& text : texts) strings.push_back(Value::String(text, &arena));
  for (const Value& string : strings) pairs.push_back({string, Value::Int(1)});
  std::vector<uint32_t> want(texts.size());
  std::iota(want.begin(), want.end(), 0);
  std::stable_sort(want.begin(), want.end(), [&](uint32_t a, uint32_t b) { return texts[a] < texts[b]; });
  bool want_equal = false;
  for (size_t i = 1; i < want.size(); ++i) want_equal |= texts[want[i]] == texts[want[i - 1]];
  for (const bool of_pairs : {false, true}) {
    const Scratch<StringSortEntry> entries(2 * texts.size(), &arena);
    const bool has_equal =
        of_pairs ? SortKeyPositions(pairs, entries.data()) : SortStringPositions(strings, entries.data());
    std::vector<uint32_t> got(texts.size());
    for (size_t i = 0; i < got.size(); ++i) got[i] = entries[i].index;
    ASSERT_EQ(got, want) << "of " << texts.size() << " strings, the first of them " << testing::PrintToString(texts[0]);
    ASSERT_EQ(has_equal, want_equal);
  }
}

// Few letters, so that keys agree in their beginnings and come twice, with zero bytes and bytes beyond ASCII; lengths
// around what a word, a short string and the deepest level hold.
TEST(StringSortTest, OrdersAsTextsDo) {
  std::mt19937 engine(1);
  const std::string letters("\0\1ab\x7f\xc3\xa9", 7);
  for (size_t count : {1, 2, 3, 20, 23, 24, 25, 255, 256, 257, 3'000}) {
    for (size_t prefix : {0, 1, 7, 8, 9, 14, 15, 23, 24, 31, 32, 33, 40, 100}) {
      for (size_t longest : {1, 2, 8, 20}) {
        for (size_t kinds : {size_t{1}, size_t{2}, letters.size()}) {
          std::vector<std::string> texts(count);
          const bool all = engine() % 2 == 0;
          for (std::string& text : texts) {
            if (all || engine() % 8 != 0) text.assign(prefix, 'p');
            for (size_t n = engine() % (longest + 1); n > 0; --n) text += letters[engine() % kinds];
          }
          CheckOrder(texts);
        }
      }
    }
  }
}

// The beginning of all is guessed from some, here from all but one.
TEST(StringSortTest, GuessesABeginning) {
  for (const size_t count : {24, 100, 1'000}) {
    for (size_t other = 0; other < count; other += 1 + count / 50) {
      std::vector<std::string> texts;
      for (size_t n = 0; n < count; ++n) texts.push_back("a-long-beginning/" + std::to_string(n * 7'919 % 10'007));
      CheckOrder(texts);
      for (const char* text : {"", "a", "a-long", "b", "a-long-beginning", "a-long-beginning/"}) {
        texts[other] = text;
        CheckOrder(texts);
      }
    }
  }
}

TEST(StringSortTest, KeepsWhatIsSorted) {
  std::vector<std::string> texts;
  for (int n = 0; n < 5'000; ++n) texts.push_back("key" + std::to_string(100'000 + n));
  CheckOrder(texts);
  std::reverse(texts.begin(), texts.end());
  CheckOrder(texts);
}

TEST(StringSortTest, NoStrings) {
  EXPECT_FALSE(SortStringPositions({}, nullptr));
  EXPECT_FALSE(SortKeyPositions({}, nullptr));
}

// Little memory comes from the arena, and goes back to it; much comes from elsewhere.
TEST(ScratchTest, GivesBackWhatItTook) {
  Arena arena(1 << 20);
  arena.Allocate(8);
  for (const size_t count : {0, 1, 1'000, 100'000}) {
    const size_t used = arena.bytes_used();
    {
      const Scratch<uint64_t> outer(count, &arena);
      const Scratch<uint64_t> inner(count, &arena);
      for (size_t i = 0; i < count; ++i) outer[i] = inner[i] = i;
      EXPECT_EQ(arena.bytes_used(), count == 100'000 ? used : used + 2 * count * sizeof(uint64_t));
    }
    EXPECT_EQ(arena.bytes_used(), used);
  }
}

}  // namespace
}  // namespace hcl::internal
