// Attributes that are written as if they could read each other.

#include "hclvm/module/sibling_checker.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

std::string Warning(const char* place, const char* name, int line) {
  return absl::StrCat(
      "m.hcl:", place, " warning HCL8007 This reads the variable \"", name,
      "\" of the scope, and not the attribute on line ", line,
      ": attributes do not read each other. In a module, a locals block names values for all of them.\n");
}

TEST(SiblingCheckerTest, TellsOfAttributesThatReadEachOther) {
  EXPECT_EQ(PlainFindingsOf("a = 1\nb = a + 1\n"), Warning("2:5", "a", 1));
  EXPECT_EQ(PlainFindingsOf("b = [for x in a.list : x + b + c]\na = { list = [] }\nc = 2\n"),
            Warning("1:15", "a", 2) + Warning("1:32", "c", 3));
  EXPECT_EQ(PlainFindingsOf("rule {\n  a = 1\n  b = \"${a}!\"\n}\n"), Warning("3:10", "a", 2));
}

TEST(SiblingCheckerTest, TellsNothingOfOtherNames) {
  for (const char* text : {
           "a = a + 1\n",                    // of the scope, as no attribute is meant
           "a = 1\nb = [for a in c : a]\n",  // of the loop
           "a = 1\nrule {\n  b = a\n}\n",    // of another body
           "rule {\n  a = 1\n}\nb = a\n",    //
           "rule {\n  a = 1\n}\nrule {\n  b = a\n}\n",
           "a = 1\nb = c.a\nd = { a = 2 }\n",
           "a = 1\nb = a # hclvm:ignore HCL8007\n",
       }) {
    EXPECT_EQ(PlainFindingsOf(text), "ok") << text;
  }
}

// An attribute of the variable's own name reads it: the scope has one. And what has no parts is not meant by a step.
TEST(SiblingCheckerTest, TellsNothingWhereTheVariableIsMeant) {
  for (const char* text : {
           "x = x\ny = x + 1\n",
           "y = x + 1\nx = upper(x)\n",
           "rule {\n  x = x\n}\nother {\n  x = 1\n  y = x\n}\n",
           "count = 3\nname = \"web-${count.index}\"\n",
           "user = \"ann\"\nallow = user.admin\n",
           "count = var.n > 0 ? var.n : 0\nname = count.index\n",
           "key = \"${a}-${b}\"\nn = [for k in key.parts : k]\n",
       }) {
    EXPECT_EQ(PlainFindingsOf(text), "ok") << text;
  }
  EXPECT_EQ(PlainFindingsOf("x = x\na = 1\ny = x + a\n"), Warning("3:9", "a", 2));
  EXPECT_EQ(PlainFindingsOf("user = { name = \"ann\" }\nn = user.name\n"), Warning("2:5", "user", 1));
  EXPECT_EQ(PlainFindingsOf("user = f ? other : more\nn = user.name\n"), Warning("2:5", "user", 1));
}

// There, names are declared, and what is not is an error.
TEST(SiblingCheckerTest, TellsNothingOfModules) {
  EXPECT_EQ(FindingsOf(OneFile("variable \"a\" { type = number }\na = 1\nb = a\n")), "ok");
}

}  // namespace
}  // namespace hcl
