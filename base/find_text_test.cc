// Short and long texts are searched in two ways: both find what std::string_view does.

#include "hclvm/base/find_text.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(FindTextTest, FindsTheFirst) {
  std::mt19937 engine(5);
  const auto below = [&engine](size_t n) { return static_cast<size_t>(engine() % n); };
  for (int round = 0; round < 20'000; ++round) {
    std::string text(below(140), 'a');
    for (char& c : text) c = below(4) == 0 ? 'b' : 'a';
    std::string needle(below(6), 'a');
    for (char& c : needle) c = below(3) == 0 ? 'b' : 'a';
    const size_t from = below(text.size() + 1);
    EXPECT_EQ(FindText(text, needle, from), std::string_view(text).find(needle, from)) << text << " " << needle;
  }
}

TEST(FindTextTest, BeyondTheEnd) {
  EXPECT_EQ(FindText("ab", "b", 3), std::string_view::npos);
  EXPECT_EQ(FindText("ab", "ab", 3), std::string_view::npos);
  EXPECT_EQ(FindText("ab", "", 2), 2u);
  EXPECT_EQ(FindText("", "ab"), std::string_view::npos);
  EXPECT_EQ(FindByte("", 'a', 0), std::string_view::npos);
}

}  // namespace
}  // namespace hcl::internal
