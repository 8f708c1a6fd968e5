// Parts of short strings: what is found is what std::string_view finds.

#include "hclvm/vm/value/short_part.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return HasShortPart(Value::StringView(text), Value::StringView(part));
}

TEST(ShortPartTest, FindsParts) {
  struct Case {
    std::string_view text, part;
    bool has;
  };
  const Case cases[] = {
      {"", "", true},
      {"", "a", false},
      {"a", "", true},
      {"a", "ab", false},
      {"/admin/edit0", "/admin", true},
      {"/admin/edit0", "v1", false},
      {"/admin/edit0", "/edit", true},
      {"/admin/edit0", "t0", true},
      {"/admin/edit0", "0", true},
      {"/admin/edit0", "/edit01", false},
      {"aaaaaaaaaaaaab", "aab", true},
      {"aaaaaaaaaaaaab", "aabb", false},
      {"abcdefghijklmn", "abcdefghijklmn", true},
      {"abcdefghijklmn", "bcdefghijklmn", true},
      {"abcdefghijklm", "abcdefghijklmn", false},
      {std::string_view("a\0b", 3), std::string_view("\0b", 2), true},
      {"ab", std::string_view("b\0", 2), false},  // nothing behind the text is read
      {"ab", std::string_view("\0", 1), false},
      {"\u00e9t\u00e9", "t\u00e9", true},
  };
  for (const Case& one : cases) EXPECT_EQ(Has(one.text, one.part), one.has) << one.text << " " << one.part;
}

TEST(ShortPartTest, FindsWhatIsThere) {
  std::mt19937 random(1);
  const auto text_of = [&random](size_t size) {
    std::string text;
    while (text.size() < size) text.push_back("ab\0c"[random() % 4]);
    return text;
  };
  for (int round = 0; round < 100'000; ++round) {
    const std::string text = text_of(random() % (kMaxInlineString + 1));
    const std::string part = text_of(random() % (round % 2 == 0 ? 4 : kMaxInlineString + 1));
    ASSERT_EQ(Has(text, part), text.find(part) != std::string::npos) << text << " " << part;
  }
}

}  // namespace
}  // namespace hcl::internal
