// How much of a text a message quotes.

#include "hclvm/base/excerpt.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(Excerpt, KeepsShortTextsAndCutsLongOnesBetweenCharacters) {
  struct Case {
    std::string_view text;
    size_t max_bytes;
    std::string_view excerpt;
    std::string_view cut;
  };
  const Case cases[] = {
      {"", 0, "", ""},
      {"abc", 3, "abc", "abc"},
      {"abcd", 3, "abc... (4 bytes)", "abc..."},
      {"abc", 0, "... (3 bytes)", "..."},
      {"a\u00e9b", 2, "a... (4 bytes)", "a..."},
      {"a\u00e9b", 3, "a\u00e9... (4 bytes)", "a\u00e9..."},
      {"\U0001F600x", 3, "... (5 bytes)", "..."},
      {"\x80\x80\x80\x80\x80\x80\x80", 6, "\x80\x80\x80\x80\x80\x80... (7 bytes)", "\x80\x80\x80\x80\x80\x80..."},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Excerpt(c.text, c.max_bytes), c.excerpt);
    std::string text(c.text);
    CutText(c.max_bytes, &text);
    EXPECT_EQ(text, c.cut);
  }
}

}  // namespace
}  // namespace hcl::internal
