// What random programs are shrunk to.

#include "hclvm/tests/slow/shrink.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::testing_support {
namespace {

TEST(ShrinkTest, KeepsWhatShows) {
  const struct {
    const char* text;
    const char* word;  // what a program must have
    const char* want;
  } kRows[] = {
      {"1 + x", "x", "x"},
      {"[1, 2 + x, 3]", "x", "x"},
      {"[1, 2 + x, 3]", "[", "[]"},
      {"f(1, {a = [x, 2]}, 3)", "f(", "f()"},
      {"f(1, {a = [x, 2]}, 3)", ", ", "f(1, 1)"},
      {"f(1, {a = [x, 2]}, 3)", "x, ", "[x, 2]"},
      {"{a = 1, b = y.z, c = \"x\"}", "b = ", "{b = 1}"},
      {"\"${a}-${b}-${c}\"", "-${b}", "\"${-${b}c}\""},
      {"[for v in [1, 2, 3] : v + 1 if v > 2]", "if ", "[for v in 1 : 1 if 1]"},
      {"a ? b : c", "?", "1 ? 1 : 1"},
      {"1", "1", "1"},
      {"1 +", "1", "1 +"},  // what does not parse stays
  };
  for (const auto& row : kRows) {
    const auto shows = [&](const std::string& text) { return text.find(row.word) != std::string::npos; };
    const std::string got = Shrink(row.text, shows);
    EXPECT_TRUE(shows(got)) << got;
    EXPECT_LE(got.size(), std::string(row.want).size()) << got;
  }
}

TEST(ShrinkTest, Parts) {
  EXPECT_EQ(Parts("[a + 1, b]"), (std::vector<std::string>{"b", "1", "a", "a + 1", "[a + 1, b]"}));
  EXPECT_EQ(Parts("1 +"), std::vector<std::string>());
}

TEST(ShrinkTest, EndsAfterSoManySteps) {
  int asked = 0;
  const auto shows = [&](const std::string&) {
    ++asked;
    return false;
  };
  EXPECT_EQ(Shrink("[1, 2, 3, 4 + 5]", shows, 3), "[1, 2, 3, 4 + 5]");
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace hcl::testing_support
