// What no run comes by.

#include "hclvm/module/reach_checker.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

struct Case {
  const char* expression;
  const char* findings;
};

// In a plain config, where nothing else is told of names.
std::string Findings(const std::string& expression) {
  std::string text = PlainFindingsOf(absl::StrCat("x = ", expression, "\n"));
  const std::string code = " warning HCL8006 ";
  for (size_t at = text.find(code); at != std::string::npos; at = text.find(code)) text.replace(at, code.size(), " ");
  return text;
}

TEST(ReachCheckerTest, TellsWhatStandsBehindTrue) {
  const char* kSideOfOr = "This side never counts, because the other one is always true, and so is the answer.\n";
  const char* kSideOfAnd = "This side never counts, because the other one is always false, and so is the answer.\n";
  const char* kNeverTrue = "This is never chosen, because the condition is always true.\n";
  const char* kNeverFalse = "This is never chosen, because the condition is always false.\n";
  const char* kBehind = "This is never looked at, because the argument before it always has a value.\n";
  const char* kRule = "This rule is never reached, because the one on line 1 always applies before it.\n";
  const char* kAny = "This never counts, because another element is always true, and so is the answer.\n";
  const std::vector<std::vector<std::string>> cases = {
      {"true ? a : b", "m.hcl:1:16 ", kNeverTrue},
      {"false ? a : b", "m.hcl:1:13 ", kNeverFalse},
      {"(!(true)) ? a : b", "m.hcl:1:17 ", kNeverFalse},
      {"a ? 1 : b ? 2 : true ? 3 : c ? 4 : 5", "m.hcl:1:32 ", kNeverTrue},
      {"a || true", "m.hcl:1:5 ", kSideOfOr},
      {"true || a", "m.hcl:1:13 ", kSideOfOr},
      {"a || true || b", "m.hcl:1:5 ", kSideOfOr},
      {"a && !true", "m.hcl:1:5 ", kSideOfAnd},
      {"\"${false ? a : \"b\"}!\"", "m.hcl:1:16 ", kNeverFalse},
      {"\"%{ if true }a%{ else }b%{ endif }\"", "m.hcl:1:28 ", kNeverTrue},
      {"coalesce(a, 1, b)", "m.hcl:1:20 ", kBehind},
      {"try(\"a\", b)", "m.hcl:1:14 ", kBehind},
      {"anytrue([a, true, b])", "m.hcl:1:14 ", kAny},
      {"[for r in [{ when = a, then = 1 }, { when = true, then = 2 }, { when = b, then = 3 }] : r.then if r.when][0]",
       "m.hcl:1:67 ", kRule},
      {"element([for r in [{ w = true, t = 1 }, { w = b, t = 3 }] : r.t if r.w], 0)", "m.hcl:1:45 ", kRule},
      {"[for i, r in [{ when = true }, { when = b }] : i if r.when][0]", "m.hcl:1:36 ", kRule},
      {"[for w in [true, b] : 1 if w][0]", "m.hcl:1:22 ", kRule},
      {"[for r in [[true, 1], [b, 2]] : r[1] if r[0]][0]", "m.hcl:1:27 ", kRule},
      {"[for r in [{ a = true, b = true }, { a = x, b = y }] : 1 if r.a && r.b][0]", "m.hcl:1:40 ", kRule},
      {"try([for r in [{ w = true }, { w = b }] : 1 if r[\"w\"]][0], 2)", "m.hcl:1:34 ", kRule},
  };
  for (const std::vector<std::string>& test : cases) EXPECT_EQ(Findings(test[0]), test[1] + test[2]) << test[0];
}

TEST(ReachCheckerTest, TellsNothingOfWhatCounts) {
  for (const char* expression : {
           "a ? b : c",
           "a && true",
           "a || false",
           "coalesce(a, 1)",
           "coalesce(null, 1)",
           "try(a, 1)",
           "can(true)",
           "anytrue([a, false])",
           "alltrue([true])",
           "anytrue([true])",
           "\"%{ if true }a%{ endif }\"",
           // The last rule, the rules of a table all of which are taken, and rules of which more is asked.
           "[for r in [{ w = a }, { w = true }] : 1 if r.w][0]",
           "[for r in [{ w = true }, { w = b }] : 1 if r.w]",
           "[for r in [{ w = true }, { w = b }] : 1 if r.w][1]",
           "[for r in [{ w = true }, { w = b }] : 1 if r.w && c][0]",
           "[for r in [{ w = true }, { w = b }] : 1 if !r.w][0]",
           "[for r in [{ w = true, (n) = b }, { w = b }] : 1 if r.w][0]",
           "[for k, r in [{ w = true }, { w = b }] : 1 if m.w][0]",
       }) {
    EXPECT_EQ(Findings(expression), "ok") << expression;
  }
}

// Left spines are long, and tables have many rules and conditions.
TEST(ReachCheckerTest, TakesLongTexts) {
  std::string chain = "a";
  for (int n = 0; n < 20'000; ++n) chain += " && a";
  EXPECT_EQ(Findings(chain), "ok");
  std::string rules = "{ w = true }";
  for (int n = 0; n < 2'000; ++n) rules += ", { w = b }";
  std::string conditions = "r.w";
  for (int n = 0; n < 2'000; ++n) conditions += " && r.w";
  EXPECT_EQ(Findings(absl::StrCat("[for r in [", rules, "] : 1 if ", conditions, "][0]")), "ok");
}

TEST(ReachCheckerTest, LooksAtAllExpressionsOfAModule) {
  EXPECT_EQ(FindingsOf(OneFile("function \"f\" {\n  params = [n]\n  result = true ? 1 : n\n}\n"
                               "locals {\n  a = f(2) > 1 || true\n}\n"
                               "variable \"v\" {\n  type = number\n  validation {\n    condition = v > 0 || true\n"
                               "    error_message = \"no\"\n  }\n}\n"
                               "b \"c\" {\n  d = local.a ? v : 1\n  e = false && local.a # hclvm:ignore HCL8006\n}\n")),
            "m.hcl:3:23 warning HCL8006 This is never chosen, because the condition is always true.\n"
            "m.hcl:11:17 warning HCL8006 This side never counts, because the other one is always true, and so is the "
            "answer.\n"
            "m.hcl:6:7 warning HCL8006 This side never counts, because the other one is always true, and so is the "
            "answer.\n");
}

}  // namespace
}  // namespace hcl
