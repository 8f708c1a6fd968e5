// Calls of functions that a module defines, by the types of their arguments.

#include "hclvm/module/function_checker.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

constexpr char kModule[] =
    "variable \"n\" { type = number }\n"
    "variable \"maybe\" {\n  type = number\n  default = null\n}\n"
    "variable \"user\" { type = object({ name = string, roles = list(string), age = optional(number) }) }\n"
    "function \"twice\" {\n  params = [n]\n  result = n * 2\n}\n"
    "function \"has\" {\n  params = [u, role]\n  result = contains(u.roles, role)\n}\n"
    "function \"age\" {\n  params = [u]\n  result = u.age + 1\n}\n"
    "function \"pick\" {\n  params = [a]\n  variadic_param = more\n  result = length(more) > 0 ? more[0] : a\n}\n"
    "function \"choose\" {\n  params = [c, u]\n  result = c ? u.name : u\n}\n"
    "function \"older\" {\n  params = [u, n]\n  result = twice(age(u)) > n\n}\n"
    "x = ";

// Without those about what nothing uses, without the place in front and the message behind a colon.
std::string Findings(const std::string& expression) {
  std::string kept;
  const std::string all = FindingsOf(OneFile(absl::StrCat(kModule, expression, "\n")));
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    const std::string line = all.substr(at, end == std::string::npos ? end : end - at);
    at = end == std::string::npos ? all.size() : end + 1;
    if (line.find(" HCL8005 ") == std::string::npos) kept += line + "\n";
  }
  return kept.empty() || kept == "ok\n" ? "ok" : kept;
}

TEST(FunctionCheckerTest, TellsNothingOfCallsThatFit) {
  for (const char* expression : {
           "twice(n) + 1",
           "twice(\"5\") + twice(1)",
           "has(user, \"admin\") && true",
           "[for r in user.roles : r if has(user, r)]",
           "upper(pick(user.name))",
           "upper(pick(user.name, \"b\", user.name))",
           "[for e in pick([1], [2, 3]) : e + 1]",
           "pick(user.name, user.roles...) == \"a\"",
           "can(age(user))",
           "older({age = 1}, 2) && older({age = \"5\"}, n)",
           "try(twice(user), 1) + 1",
       }) {
    EXPECT_EQ(Findings(expression), "ok") << expression;
  }
}

TEST(FunctionCheckerTest, TellsWhatFailsForTheArguments) {
  const struct {
    const char* expression;
    const char* finding;
  } cases[] = {
      {"twice(user)",
       "m.hcl:32:5 warning HCL3202 In twice, at m.hcl line 9, for these arguments: This operand must be a number, and "
       "is "
       "of type object.\n"},
      {"has(n, \"a\")",
       "m.hcl:32:5 warning HCL3201 In has, at m.hcl line 13, for these arguments: u is a number, which has no "
       "attributes "
       "or elements.\n"},
      {"age(user)",
       "m.hcl:32:5 warning HCL8003 In age, at m.hcl line 17, for these arguments: This operand may be null, and that "
       "is "
       "an error. Test it before: x != null ? ... : ..., or coalesce(x, ...).\n"},
      {"twice(maybe)",
       "m.hcl:32:11 warning HCL8003 This argument for n may be null, and that is an error. Test it before: x != null "
       "? ... : ..., or coalesce(x, ...).\n"},
      {"choose(false, n)",
       "m.hcl:32:5 warning HCL3201 In choose, at m.hcl line 26, for these arguments: u is a number, which has no "
       "attributes or elements.\n"},
      {"older(user, 1)",
       "m.hcl:32:5 warning HCL8003 In older, at m.hcl line 30, for these arguments: In age, at m.hcl line 17, for "
       "these arguments: This operand may be null, and that is an error. Test it before: x != null ? ... : ..., or "
       "coalesce(x, ...).\n"},
      {"older({age = 1}, user)",
       "m.hcl:32:5 warning HCL3202 In older, at m.hcl line 30, for these arguments: This operand must be a number, and "
       "is of type object.\n"},
      {"older({age = 1}, 2).a", "m.hcl:32:24 HCL3201 the value is a bool, which has no attributes or elements.\n"},
      {"twice(n).a", "m.hcl:32:13 HCL3201 the value is a number, which has no attributes or elements.\n"},
      {"upper(pick(user))",
       "m.hcl:32:11 HCL3203 The parameter \"str\" of upper takes a string, and this is an object.\n"},
  };
  for (const auto& test : cases) EXPECT_EQ(Findings(test.expression), test.finding) << test.expression;
}

// What is left of the work is shared by all calls: behind it, nothing is known.
TEST(FunctionCheckerTest, TheWorkIsBounded) {
  std::string sum = "n";
  for (int n = 0; n < 1000; ++n) sum += " + n";
  std::string calls = "y = [f(1)";
  for (int n = 0; n < 2000; ++n) calls += ", f(v)";
  const std::string text =
      absl::StrCat("variable \"v\" { type = number }\nfunction \"f\" {\n  params = [n]\n  result = ", sum, "\n}\n",
                   calls, "]\nx = f(v) + 1\n");
  EXPECT_NE(FindingsOf(OneFile(text)).find("HCL8004 Nothing is known"), std::string::npos);
}

}  // namespace
}  // namespace hcl
