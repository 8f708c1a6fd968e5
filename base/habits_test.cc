// Hints by names of other languages.

#include "hclvm/base/habits.h"

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(HabitsTest, KnowsNamesOfOtherLanguages) {
  EXPECT_EQ(HintAtVariable("True"), " Did you mean the keyword true?");
  EXPECT_EQ(HintAtVariable("None"), " Did you mean the keyword null?");
  EXPECT_EQ(HintAtVariable("input"), " Variables are read by their own names: user.name, and not input.user.name.");
  EXPECT_EQ(HintAtVariable("locals"), " A local is read as local.NAME.");
  EXPECT_EQ(HintAtVariable("user"), "");
  EXPECT_EQ(HintAtFunction("count"), " The number of elements is length(...).");
  EXPECT_EQ(HintAtFunction("isNull"), " Whether a value is null is asked with == null.");
  EXPECT_EQ(HintAtFunction("upper"), "");
  EXPECT_EQ(HintAtType("Int"), " Did you mean number?");
  EXPECT_EQ(HintAtType("user"), "");
  EXPECT_EQ(HintAtOrOperand().substr(0, 28), " \"||\" gives true or false; c");
  EXPECT_EQ(HintAtAttribute("length", "user.roles", false), " The number of elements is length(user.roles).");
  EXPECT_EQ(HintAtAttribute("length", "the value", true), " The number of characters is strlen(...).");
  EXPECT_EQ(HintAtAttribute("Count", "", false), " The number of elements is length(...).");
  EXPECT_EQ(HintAtAttribute("name", "users", false), "");
}

}  // namespace
}  // namespace hcl::internal
