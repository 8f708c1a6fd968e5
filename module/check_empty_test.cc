// Warnings of values that may be missing, or are not what they seem to be.

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

constexpr char kVariables[] =
    "variable \"flag\" { type = bool }\n"
    "variable \"n\" { type = number }\n"
    "variable \"text\" { type = string }\n"
    "variable \"names\" { type = list(string) }\n"
    "variable \"ports\" { type = list(number) }\n"
    "variable \"tags\" { type = map(string) }\n"
    "variable \"user\" { type = object({ name = string, roles = list(string) }) }\n";

std::string Findings(const std::string& expression) {
  std::string kept;
  const std::string all = FindingsOf(OneFile(absl::StrCat(kVariables, "x = ", expression, "\n")));
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (!absl::StrContains(line, " HCL8005 ") && line != "ok") kept += line + "\n";
  }
  return kept;
}

TEST(CheckEmptyTest, WarnsOfWhatMayBeEmpty) {
  for (const char* expression : {
           "names[0]",
           "user.roles[0]",
           "element(names, 0)",
           "element(names, n)",
           "keys(tags)[0]",
           "flatten([names])[0]",
           "flatten([names, [for p in ports : p if p > 1]])[0]",
           "[for name in names : upper(name)][0]",
           "[for name in [\"a\", \"b\"] : name if name == text][0]",
           "sort(names)[0]",
           "max(ports...)",
           "min(ports...)",
           "min([for p in ports : p + 1]...)",
           "max([for p in [1, 2] : p if p > n]...)",
           "sum(ports)",
           "sum([for p in ports : p if p > 1])",
           "one(names)",
           "length(ports) > 0 ? sum(ports) : ports[0]",
           "length(names) > 0 ? user.roles[0] : \"\"",
           "length(names) >= 0 ? names[0] : \"\"",
       }) {
    EXPECT_TRUE(absl::StrContains(Findings(expression), "warning HCL8010")) << expression << Findings(expression);
  }
}

// A validation holds wherever its variable is read, and says nothing of others.
TEST(CheckEmptyTest, ReliesOnValidations) {
  const auto findings = [](const std::string& condition, const std::string& rest) {
    const std::string text = absl::StrCat(
        "variable \"other\" { type = list(number) }\n"
        "variable \"a\" {\n  type = object({ ports = list(number), names = list(string) })\n"
        "  validation {\n    condition = ",
        condition, "\n    error_message = \"No.\"\n  }\n}\n", rest);
    return absl::StrContains(FindingsOf(OneFile(text)), " HCL8010 ");
  };
  for (const char* condition : {"length(a.ports) > 0", "0 < length(a.ports) && a.names != null",
                                "length(a.names) == 0 && length(a.ports) == 2", "contains(a.ports, 80)"}) {
    EXPECT_FALSE(findings(condition, "x = a.ports[0]\n")) << condition;
    EXPECT_FALSE(findings(condition, "x = local.p\nlocals {\n  p = max(a.ports...)\n}\n")) << condition;
    EXPECT_FALSE(findings(condition, "x = [for p in a.ports : p + 1][0]\n")) << condition;
    EXPECT_TRUE(findings(condition, "x = a.names[0]\n")) << condition;
    EXPECT_TRUE(findings(condition, "x = [for a in [{ ports = other }] : a.ports[0]]\n")) << condition;
  }
  for (const char* condition : {"length(a.ports) >= 0", "length(a.ports) > 0 || length(a.names) > 0",
                                "length(other) > 0 && a.names != null", "!(length(a.ports) > 0)"}) {
    EXPECT_TRUE(findings(condition, "x = a.ports[0]\n")) << condition;
    EXPECT_TRUE(findings(condition, "x = other[0]\n")) << condition;
  }
}

TEST(CheckEmptyTest, KnowsWhatIsNotEmpty) {
  for (const char* expression : {
           "length(names) > 0 ? names[0] : \"\"",
           "length(names) == 0 ? \"\" : names[0]",
           "0 < length(user.roles) ? user.roles[0] : \"\"",
           "length(user.roles) != 0 && user.roles[0] == \"a\"",
           "length(names) >= 1 ? element(names, 0) : \"\"",
           "length(ports) > 0 ? max(ports...) : 0",
           "length(ports) < 1 ? 0 : sum(ports)",
           "contains(names, text) ? names[0] : \"\"",
           "max(1, ports...)",
           "sum(concat(ports, [0]))",
           "sum([for p in [1, 2] : p * n])",
           "try(names[0], \"\")",
           "try(sum(ports), 0)",
           "can(names[0])",
           "split(\",\", text)[0]",
           "concat(names, [\"a\"])[0]",
           "element([for p in [1, n] : p], 0)",
           "element([for r in [{ when = n > 1, then = 1 }, { when = true, then = n }] : r.then if r.when], 0)",
           "flatten([names, [\"a\"]])[0]",
           "flatten([names, text])[0]",
           "(length(names) > 0 ? names : [\"a\"])[0]",
           "coalesce(one(names), \"\")",
           "one(names) == null",
           "names[1]",
       }) {
    EXPECT_EQ(Findings(expression), "") << expression;
  }
}

// A local is as empty as what it is made of.
TEST(CheckEmptyTest, LooksIntoLocals) {
  const auto findings = [](const std::string& locals, const std::string& rest) {
    return FindingsOf(OneFile(
        "variable \"names\" { type = list(string) }\nvariable \"n\" { type = number }\nu = [names, n]\nlocals {\n" +
        locals + "\n}\n" + rest + "\n"));
  };
  const std::string rules = "rules = [{ when = n > 1, then = 1 }, { \"when\" = ";
  const std::string first = "[for r in local.rules : r.then if r.when]";
  for (const std::string& text : {"x = " + first + "[0]", "x = element(" + first + ", 0)"}) {
    EXPECT_EQ(findings(rules + "true, then = n }]", text), "ok") << text;
    EXPECT_EQ(findings(rules + "(true), then = 2 }]", text), "ok") << text;
    EXPECT_TRUE(absl::StrContains(findings(rules + "n > 2, then = 2 }]", text), "warning HCL8011")) << text;
    EXPECT_TRUE(absl::StrContains(findings(rules + "true, when = n > 2, then = 2 }]", text), "warning HCL8011"))
        << text;
  }
  EXPECT_EQ(findings(rules + "true, then = 2 }]\n  hits = " + first, "x = local.hits[0]"), "ok");
  EXPECT_TRUE(absl::StrContains(findings(rules + "n > 2, then = 2 }]\n  hits = " + first, "x = local.hits[0]"),
                                "warning HCL8010"));
  EXPECT_EQ(findings("all = concat(names, [\"a\"])", "x = local.all[0]"), "ok");
  EXPECT_EQ(findings("all = length(names) > 0 ? names : [\"a\"]", "x = local.all[0]"), "ok");
  EXPECT_TRUE(absl::StrContains(findings("all = sort(names)", "x = local.all[0]"), "warning HCL8010"));
  EXPECT_TRUE(absl::StrContains(findings("all = names\n  more = local.all", "x = local.more[0]"), "warning HCL8010"));
}

TEST(CheckEmptyTest, WarnsOfTablesWithoutALastRule) {
  for (const char* expression : {
           "[for r in [{ when = n > 1, then = 1 }, { when = n > 2, then = 2 }] : r.then if r.when][0]",
           "[for r in [{ when = n > 1, then = 1 }, { when = false, then = 2 }] : r.then if r.when][0]",
           "[for r in [{ when = n > 1, of = true, then = 1 }, { when = true, of = flag, then = 2 }] : r.then if r.when "
           "&& r.of][0]",
           "element([for r in [{ when = flag, then = 1 }] : r.then if r.when], 0)",
       }) {
    EXPECT_TRUE(absl::StrContains(Findings(expression), "warning HCL8011")) << expression << Findings(expression);
    EXPECT_FALSE(absl::StrContains(Findings(expression), "HCL8010")) << expression << Findings(expression);
  }
  for (const char* expression : {
           "[for r in [{ when = n > 1, then = 1 }, { when = true, then = 2 }] : r.then if r.when][0]",
           "[for r in [{ when = n > 1, then = n }, { when = true, then = n }] : r.then if r.when][0]",
           "[for r in [{ when = flag, of = true, then = 1 }, { when = true, of = true, then = n }] : r.then if r.when "
           "&& r.of][0]",
           "try([for r in [{ when = flag, then = 1 }] : r.then if r.when][0], 0)",
       }) {
    EXPECT_EQ(Findings(expression), "") << expression;
  }
}

TEST(CheckEmptyTest, WarnsOfTextsAsNumbers) {
  EXPECT_EQ(
      Findings("text < \"5\""),
      "m.hcl:8:5 warning HCL8012 This is a text, and is compared as a number: where it is none, that is an error. "
      "Declare it as a number, or convert it with tonumber(...).\n");
  EXPECT_TRUE(absl::StrContains(Findings("n >= tags[text]"), "HCL8012"));
  EXPECT_TRUE(absl::StrContains(Findings("[for name in names : name if name > 1]"), "HCL8012"));
  EXPECT_EQ(Findings("n < 5"), "");
  EXPECT_EQ(Findings("tonumber(text) < 5"), "");
  EXPECT_EQ(Findings("text == \"5\""), "");
}

TEST(CheckEmptyTest, WarnsOfKeysThatAreGivenTwice) {
  const std::string told =
      " warning HCL8013 The key \"x\" is given on line 8 already. The last value counts, and the "
      "others are lost.\n";
  EXPECT_EQ(Findings("{ x = 1, y = 2, x = 3 }"), "m.hcl:8:21" + told);
  EXPECT_EQ(Findings("{ x = n, \"x\" = 3 }"), "m.hcl:8:14" + told);
  EXPECT_EQ(Findings("[for name in names : { x = name, x = name }]"), "m.hcl:8:38" + told);
  EXPECT_EQ(Findings("{ x = 1, y = 2, (text) = 3 }"), "");
  EXPECT_EQ(Findings("{ x = 1, y = 2, x = 3 } # hclvm:ignore HCL8013"), "");
}

}  // namespace
}  // namespace hcl
