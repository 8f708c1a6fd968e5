// Tests the text of a path's steps.

#include "hclvm/base/path_text.h"

#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(PathText, WritesNames) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"name", ".name"},
      {"a-b", ".a-b"},
      {"_x", "._x"},
      {"", "[\"\"]"},
      {"two words", "[\"two words\"]"},
      {"1st", "[\"1st\"]"},
      {"a\"b\\c", "[\"a\\\"b\\\\c\"]"},
      {"a\nb", "[\"a\\nb\"]"},
  };
  for (const auto& [name, want] : kCases) {
    std::string text;
    internal::AppendNameStep(name, &text);
    EXPECT_EQ(text, want);
  }
}

TEST(PathText, WritesKeysAndIndices) {
  std::string text = "rules";
  internal::AppendKeyStep("eu", &text);
  internal::AppendIndexStep(2, &text);
  internal::AppendNameStep("port", &text);
  EXPECT_EQ(text, "rules[\"eu\"][2].port");
}

}  // namespace
}  // namespace hcl
