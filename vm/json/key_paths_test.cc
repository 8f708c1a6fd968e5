// Tests of the tree of keys: what is found in it, and that it stays small.

#include "hclvm/vm/json/key_paths.h"

#include <cstdint>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {
namespace {

KeyPath* Add(KeyPaths* paths, KeyPath* path, const std::string& token, const std::string& key) {
  return paths->Add(path, token, Value::StringView(key));
}

KeyPath* Find(const KeyPath* path, const std::string& text) {
  return path->Find(text.data(), text.data() + text.size());
}

TEST(KeyPathsTest, FindsKeysByTheirTokens) {
  const std::string long_key = "a key that is longer than two words";
  const std::pair<std::string, std::string> rows[] = {
      {"\"\"", ""},
      {"\"a\"", "a"},
      {"\"ab\"", "ab"},
      {"\"a\\u0062\"", "ab"},
      {"\"with quotes 16\"", "with quotes 16"},
      {"\"with quotes, 17\"", "with quotes, 17"},
      {"\"" + long_key + "\"", long_key},
      {"\"" + long_key + "!\"", long_key + "!"},
  };
  for (const auto& [token, key] : rows) {
    KeyPaths paths;
    KeyPath* begin = paths.Begin(1);
    for (const auto& [other, other_key] : rows) {
      if (other != token) Add(&paths, begin, other, other_key);
    }
    EXPECT_EQ(Find(begin, token), nullptr) << token;
    const KeyPath* path = Add(&paths, begin, token, key);
    ASSERT_NE(path, nullptr) << token;
    EXPECT_EQ(path->key().AsString(), key);
    EXPECT_EQ(path->previous(), begin);
    EXPECT_EQ(path->size(), 1u);
    // At the end of the text, and far from it; not in a part of it.
    EXPECT_EQ(Find(begin, token), path) << token;
    EXPECT_EQ(Find(begin, token + ": \"and more, so that words can be read\""), path) << token;
    EXPECT_EQ(Find(begin, token.substr(0, token.size() - 1)), nullptr) << token;
    EXPECT_EQ(Find(path, token), nullptr) << "a key after itself";
  }
}

TEST(KeyPathsTest, OrdersAreKeptUnlessSorted) {
  KeyPaths paths;
  KeyPath* b = Add(&paths, paths.Begin(1), "\"b\"", "b");
  KeyPath* ba = Add(&paths, b, "\"a\"", "a");
  const Shape shape;
  const uint32_t swapped[] = {1, 0};
  paths.SetShape(b, &shape, swapped + 1);
  paths.SetShape(ba, &shape, swapped);
  EXPECT_EQ(b->shape(), &shape);
  EXPECT_EQ(b->order(), nullptr);
  ASSERT_NE(ba->order(), nullptr);
  EXPECT_EQ(ba->order()[0], 1u);
  EXPECT_EQ(ba->order()[1], 0u);
}

TEST(KeyPathsTest, OtherTypesBeginAnew) {
  KeyPaths paths;
  KeyPath* objects = paths.ObjectsIn(paths.Begin(1));
  Add(&paths, objects, "\"a\"", "a");
  EXPECT_EQ(paths.ObjectsIn(paths.Begin(1)), objects);
  EXPECT_NE(Find(paths.ObjectsIn(paths.Begin(1)), "\"a\""), nullptr);
  EXPECT_EQ(Find(paths.ObjectsIn(paths.Begin(2)), "\"a\""), nullptr);
}

TEST(KeyPathsTest, LimitsHoldAtTheEdge) {
  KeyPaths paths;
  KeyPath* begin = paths.Begin(1);
  const std::string most(KeyPaths::kMaxTokenBytes - 2, 'x');
  EXPECT_NE(Add(&paths, begin, "\"" + most + "\"", most), nullptr);
  EXPECT_EQ(Add(&paths, begin, "\"" + most + "x\"", most + "x"), nullptr);
  for (uint32_t i = 1; i < KeyPaths::kMaxNext; ++i) {
    EXPECT_NE(Add(&paths, begin, "\"" + std::to_string(i) + "\"", std::to_string(i)), nullptr);
  }
  EXPECT_EQ(Add(&paths, begin, "\"one more\"", "one more"), nullptr);
  KeyPath* path = Find(begin, "\"1\"");
  for (uint32_t i = 1; i < KeyPaths::kMaxKeys; ++i) {
    path = Add(&paths, path, "\"" + std::to_string(i) + "\"", std::to_string(i));
    ASSERT_NE(path, nullptr);
  }
  EXPECT_EQ(path->size(), KeyPaths::kMaxKeys);
  EXPECT_EQ(Add(&paths, path, "\"one more\"", "one more"), nullptr);
}

TEST(KeyPathsTest, NewPathsReplaceTheOldAfterAWhile) {
  KeyPaths paths;
  Add(&paths, paths.ObjectsIn(paths.Begin(1)), "\"a\"", "a");
  KeyPath* last = Find(paths.ObjectsIn(paths.Begin(1)), "\"a\"");
  uint32_t count = 3;
  for (KeyPath* next = paths.ObjectsIn(last); next != nullptr; next = paths.ObjectsIn(last), ++count) last = next;
  EXPECT_EQ(count, KeyPaths::kMaxPaths);
  uint32_t refused = 1;
  while (refused < 1'000'000 && Find(paths.ObjectsIn(paths.Begin(1)), "\"a\"") != nullptr) {
    EXPECT_EQ(paths.ObjectsIn(last), nullptr);
    ++refused;
  }
  EXPECT_GT(refused, KeyPaths::kMaxPaths);
  EXPECT_LT(refused, 1'000'000u);
}

}  // namespace
}  // namespace internal
}  // namespace hcl
