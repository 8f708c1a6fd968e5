// Hints by names of other languages.

#include "hclvm/base/habits.h"

#include <string>

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
  EXPECT_EQ(HintAtFunction("has").substr(0, 54), " Whether an attribute is there is asked with can(a.b);");
  EXPECT_EQ(HintAtFunction("is_string"), " What type a value has is asked with type(value) == \"string\".");
  EXPECT_EQ(HintAtVariable("_"), " Elements are taken one after the other by [for x in list : x].");
  const std::string no_methods = " Only functions are called, and their names have no dots: f(value), not value.f().";
  EXPECT_EQ(HintAtMethod("startsWith"),
            no_methods + " Whether a text begins so is asked with startswith(text, prefix).");
  EXPECT_EQ(HintAtMethod("size"), no_methods + " The number of elements is length(...).");
  EXPECT_EQ(HintAtMethod("all"),
            no_methods + " Whether all elements fit is asked with alltrue([for x in list : x == 1]).");
  EXPECT_EQ(HintAtMethod("upper"), no_methods);
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
