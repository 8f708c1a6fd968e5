#include "hclvm/vm/test_table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

// A test holds for its texts and for what begins with its prefixes; it goes on at 10 * its position.
struct Asked {
  std::vector<std::string_view> texts;
  std::vector<std::string_view> prefixes;
};

constexpr uint32_t kEnd = 7;

TestTable Make(const std::vector<Asked>& tests) {
  TestTable table;
  for (size_t n = 0; n < tests.size(); ++n) {
    EXPECT_TRUE(table.TakesPrefixes(tests[n].prefixes));
    table.BeginTest(static_cast<uint32_t>(100 + 10 * n));
    for (const std::string_view text : tests[n].texts) table.AddText(text);
    for (const std::string_view prefix : tests[n].prefixes) table.AddPrefix(prefix);
  }
  table.Finish(kEnd);
  return table;
}

TEST(TestTableTest, FindsTheNextTestThatHolds) {
  const TestTable table = Make({
      {{"a", "b"}, {}},
      {{}, {"/api/", "/v1"}},
      {{"a", "a"}, {}},
      {{""}, {}},
      {{}, {""}},
      {{"/api/x"}, {"/a"}},
  });
  EXPECT_TRUE(table.has_prefixes());
  EXPECT_EQ(table.size(), 6u);
  const struct {
    std::string_view text;
    uint32_t from;
    uint32_t target;
  } kRows[] = {
      {"a", 0, 100},      {"a", 1, 120},      {"a", 3, 140},      {"a", 5, kEnd},   {"b", 0, 100},
      {"b", 1, 140},      {"", 0, 130},       {"", 4, 140},       {"", 5, kEnd},    {"/api/", 0, 110},
      {"/api/x", 0, 110}, {"/api/x", 2, 140}, {"/api/x", 5, 150}, {"/api", 0, 140}, {"/api", 5, 150},
      {"/v1", 0, 110},    {"/v", 0, 140},     {"/v", 5, kEnd},    {"aa", 0, 140},   {"aa", 5, kEnd},
  };
  for (const auto& row : kRows) EXPECT_EQ(table.Target(row.text, row.from), row.target) << row.text << " " << row.from;
}

TEST(TestTableTest, KnowsNoStringWhereNoneIsAsked) {
  const TestTable table = Make({{{}, {}}, {{}, {}}});
  EXPECT_FALSE(table.has_prefixes());
  EXPECT_EQ(table.Target("", 0), kEnd);
  EXPECT_EQ(table.Target("a", 1), kEnd);
}

// Against a look at each, over few letters, so that texts and prefixes often meet.
TEST(TestTableTest, IsWhatTestsOneByOneAre) {
  uint64_t state = 1;
  const auto roll = [&state](uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33) % below;
  };
  std::vector<std::string> texts = {""};
  for (size_t n = 0; texts.size() < 200; ++n) texts.push_back(texts[n / 3] + "abc"[n % 3]);
  for (int round = 0; round < 100; ++round) {
    std::vector<Asked> tests(1 + roll(60));
    for (Asked& test : tests) {
      for (uint32_t n = roll(3); n > 0; --n) test.texts.push_back(texts[roll(200)]);
      for (uint32_t n = roll(2); n > 0; --n) test.prefixes.push_back(texts[roll(100)]);
    }
    const TestTable table = Make(tests);
    for (int n = 0; n < 200; ++n) {
      const std::string& text = texts[roll(200)];
      const uint32_t from = roll(static_cast<uint32_t>(tests.size()));
      uint32_t wanted = kEnd;
      for (size_t at = tests.size(); at-- > from;) {
        bool holds = false;
        for (const std::string_view one : tests[at].texts) holds = holds || one == text;
        for (const std::string_view one : tests[at].prefixes) holds = holds || text.compare(0, one.size(), one) == 0;
        if (holds) wanted = static_cast<uint32_t>(100 + 10 * at);
      }
      EXPECT_EQ(table.Target(text, from), wanted) << text << " " << from;
    }
  }
}

TEST(TestTableTest, HasRoomForPrefixesOfSomeLengths) {
  TestTable table;
  const std::string text(TestTable::kMaxPrefixSizes + 1, 'x');
  for (size_t size = 1; size <= TestTable::kMaxPrefixSizes; ++size) {
    const std::string_view prefix = std::string_view(text).substr(0, size);
    ASSERT_TRUE(table.TakesPrefixes({prefix}));
    table.BeginTest(static_cast<uint32_t>(size));
    table.AddPrefix(prefix);
  }
  EXPECT_FALSE(table.TakesPrefixes({text}));
  EXPECT_TRUE(table.TakesPrefixes({"y", "yy"}));
}

}  // namespace
}  // namespace hcl::internal
