// Attributes that hold what is declared sensitive.

#include "hclvm/module/sensitive_flow.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

std::string Findings(const std::string& text) {
  return FindingsOf(
      OneFile(absl::StrCat("variable \"token\" {\n  type = string\n  sensitive = true\n}\n"
                           "variable \"keys\" {\n  type = list(string)\n  sensitive = true\n}\n"
                           "variable \"n\" { type = number }\n",
                           "y = [length(keys), token == \"\", n]\n", text, "\n")));
}

TEST(SensitiveFlowTest, WarnsOfAttributesThatHoldIt) {
  for (const char* text : {
           "x = token",
           "x = [token]",
           "x = { a = { b = token } }",
           "x = \"Bearer ${token}\"",
           "x = n > 1 ? token : \"\"",
           "x = upper(token)",
           "x = try(token, \"\")",
           "x = keys[1]",
           "x = [for k in keys : k]",
           "x = merge({ a = token }, {})",
           "locals {\n  t = \"a ${token}\"\n}\nx = local.t",
           "rule \"a\" {\n  x = token\n}",
       }) {
    EXPECT_TRUE(absl::StrContains(Findings(text), "warning HCL8014")) << text << Findings(text);
  }
}

TEST(SensitiveFlowTest, SaysNothingOfWhatIsTestedOrShown) {
  for (const char* text : {
           "x = token == \"a\"",
           "x = contains(keys, token)",
           "x = token == \"a\" ? 1 : 2",
           "x = [for k in keys : 1]",
           "x = strlen(token)",
           "x = nonsensitive(token)",
           "x = \"a ${nonsensitive(token)}\"",
           "locals {\n  t = token == \"a\"\n}\nx = local.t",
           "x = token # hclvm:ignore HCL8014",
       }) {
    EXPECT_EQ(Findings(text), "ok") << text;
  }
}

}  // namespace
}  // namespace hcl
