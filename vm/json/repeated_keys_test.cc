// Tests of the keys that came last at a place.

#include "hclvm/vm/json/repeated_keys.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Remembers keys, given in this order.
bool Remember(const std::vector<std::string>& names, RepeatedKeys* keys) {
  keys->Begin();
  for (const std::string& name : names) {
    if (!keys->Add('"' + name + '"', Value::StringView(name))) return false;
  }
  std::vector<uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return names[a] < names[b]; });
  keys->End(order.data());
  return true;
}

bool IsAt(const RepeatedKeys& keys, uint32_t n, const std::string& text) {
  return keys.IsAt(n, text.data(), text.data() + text.size());
}

TEST(RepeatedKeysTest, ComparesTokens) {
  RepeatedKeys keys;
  EXPECT_EQ(keys.size(), 0u);
  const std::string long_name = "a name of more than sixteen bytes";
  ASSERT_TRUE(Remember({"b", long_name, "a"}, &keys));
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys.token_size(0), 3u);
  EXPECT_EQ(keys.key(1).AsString(), long_name);
  EXPECT_TRUE(IsAt(keys, 0, R"("b":                )"));
  EXPECT_FALSE(IsAt(keys, 0, R"("bc":               )"));
  EXPECT_FALSE(IsAt(keys, 0, R"("c":                )"));
  EXPECT_TRUE(IsAt(keys, 1, '"' + long_name + "\":1"));
  EXPECT_FALSE(IsAt(keys, 1, '"' + long_name.substr(0, 20) + "\":             "));
  EXPECT_FALSE(IsAt(keys, 1, '"' + long_name));
  // Of the last bytes of a text it says nothing.
  EXPECT_FALSE(IsAt(keys, 0, R"("b":1})"));
  EXPECT_EQ(std::string_view(keys.token(2), 3), "\"a\"");
  EXPECT_GE(keys.text_end() - keys.token(2), 16);
}

TEST(RepeatedKeysTest, ShapesAreSharedOnceTheyAreNeededAgainAndAgain) {
  RepeatedKeys keys;
  Heap heap;
  ASSERT_TRUE(Remember({"b", "c", "a"}, &keys));
  ASSERT_NE(keys.order(), nullptr);
  EXPECT_EQ(std::vector<uint32_t>(keys.order(), keys.order() + 3), (std::vector<uint32_t>{2, 0, 1}));
  const Shape* shape = nullptr;
  for (int n = 0; n < 4; ++n) {
    shape = keys.ShapeIn(&heap);
    ASSERT_EQ(shape->size, 3u);
    EXPECT_EQ(shape->Find("b"), 1);
  }
  EXPECT_EQ(keys.ShapeIn(&heap), shape);
  // In other types it is another one.
  heap.types()->Clear();
  const Shape* const again = keys.ShapeIn(&heap);
  EXPECT_EQ(again->Find("c"), 2);
  EXPECT_EQ(keys.ShapeIn(&heap), again);
  ASSERT_TRUE(Remember({"a", "b"}, &keys));
  EXPECT_EQ(keys.order(), nullptr);
  EXPECT_EQ(keys.ShapeIn(&heap)->size, 2u);
}

TEST(RepeatedKeysTest, ShapesLiveInTheHeapWhereThereAreManyTypes) {
  RepeatedKeys keys;
  Heap heap;
  std::vector<std::string> names;
  for (uint32_t n = 0; n < RepeatedKeys::kMaxKeys; ++n) names.push_back(absl::StrCat(10000 + n, " is a name"));
  size_t most = 0;
  for (int round = 0; round < 20; ++round) {
    names[0] = absl::StrCat(round);
    ASSERT_TRUE(Remember(names, &keys));
    for (int n = 0; n < 5; ++n) EXPECT_EQ(keys.ShapeIn(&heap)->size, names.size());
    most = std::max(most, heap.types()->bytes_used());
  }
  EXPECT_LT(most, 3u << 20);
}

TEST(RepeatedKeysTest, Bounds) {
  RepeatedKeys keys;
  std::vector<std::string> names;
  for (uint32_t n = 0; n < RepeatedKeys::kMaxKeys; ++n) names.push_back(absl::StrCat(n));
  EXPECT_TRUE(Remember(names, &keys));
  names.push_back("one more");
  EXPECT_FALSE(Remember(names, &keys));
  EXPECT_EQ(keys.size(), 0u);
  EXPECT_TRUE(Remember({std::string(RepeatedKeys::kMaxTextBytes - 2, 'a')}, &keys));
  EXPECT_FALSE(Remember({std::string(RepeatedKeys::kMaxTextBytes - 2, 'a'), "b"}, &keys));
  EXPECT_FALSE(Remember({std::string(RepeatedKeys::kMaxTextBytes - 1, 'a')}, &keys));
}

TEST(RepeatedKeysTest, KeysThatNeverRepeatAreRarelyRemembered) {
  RepeatedKeys keys;
  Heap heap;
  int remembered = 0;
  for (int n = 0; n < 1600; ++n) remembered += keys.WantsOther() ? 1 : 0;
  EXPECT_LE(remembered, 110);
  ASSERT_TRUE(Remember({"a"}, &keys));
  keys.ShapeIn(&heap);
  EXPECT_TRUE(keys.WantsOther());
}

}  // namespace
}  // namespace hcl::internal
