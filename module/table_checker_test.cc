// What keeps rules from being looked up at once.

#include "hclvm/module/table_checker.h"

#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

constexpr int kRules = 40;

// The conditions of `count` rules.
using Condition = std::function<std::string(int n)>;

std::string Table(const Condition& condition, int count = kRules) {
  std::string rules;
  for (int n = 0; n < count; ++n) absl::StrAppend(&rules, "\n{ when = ", condition(n), ", then = ", n, " },");
  return absl::StrCat("[for r in [", rules, "\n] : r.then if r.when][0]");
}

std::string Chain(const Condition& condition, int count = kRules) {
  std::string chain;
  for (int n = 0; n < count; ++n) absl::StrAppend(&chain, condition(n), " ? ", n, " :\n");
  return absl::StrCat("(", chain, "-1)");
}

std::string Findings(const std::string& expression) { return PlainFindingsOf(absl::StrCat("x = ", expression, "\n")); }

// What is told at line `line`, of `all` rules of which `slow` are slow, of `subject`, with `more` behind it.
std::string Told(int line, int all, int slow, const std::string& subject, const std::string& more) {
  return absl::StrCat("m.hcl:", line, " warning HCL8008 Of the ", all, " rules here, ", slow,
                      " are tested one by one. Rules that begin with a test of ", subject,
                      " (==, contains of literals, startswith) and stand together are looked up at once. This one "
                      "begins with another test",
                      more, ".\n");
}

// Without columns.
std::string Lines(const std::string& expression) {
  const std::string findings = Findings(expression);
  if (findings == "ok") return "";
  std::string lines;
  for (absl::string_view line : absl::StrSplit(findings, '\n', absl::SkipEmpty())) {
    const size_t column = line.find(':', line.find(':') + 1);
    absl::StrAppend(&lines, line.substr(0, column), line.substr(line.find(' ')), "\n");
  }
  return lines;
}

std::string OfPath(int n) { return absl::StrCat("q.path == \"", n, "\""); }

TEST(TableCheckerTest, NamesWhatStandsBetween) {
  const Condition alternating = [](int n) { return n % 2 == 0 ? OfPath(n) : absl::StrCat("q.size > ", n); };
  EXPECT_EQ(Lines(Table(alternating)), Told(3, 40, 40, "q.path", ", and so do 19 more: line 5, 7, 9, 11, 13, ..."));
  EXPECT_EQ(Lines(Chain(alternating)), Told(2, 40, 40, "q.path", ", and so do 19 more: line 4, 6, 8, 10, 12, ..."));
  EXPECT_EQ(Lines(absl::StrReplaceAll(Table(alternating), {{"[for", "element([for"}, {"][0]", "], 0)"}})),
            Told(3, 40, 40, "q.path", ", and so do 19 more: line 5, 7, 9, 11, 13, ..."));
  // Every seventh one: runs of six are too short.
  EXPECT_EQ(Lines(Table([](int n) { return n % 7 == 6 ? "q.size > 1" : OfPath(n); })),
            Told(8, 40, 40, "q.path", ", and so do 4 more: line 15, 22, 29, 36"));
  // One for each of two strings: those of one of them are in the way of the other's.
  EXPECT_EQ(Lines(Table([](int n) { return absl::StrCat(n % 3 == 1 ? "q.host" : "q.path", " == \"", n, "\""); })),
            Told(3, 40, 40, "q.path", ", and so do 12 more: line 6, 9, 12, 15, 18, ..."));
  // Of the rules up to the 32nd, the first 31 are slow, and 8 behind the run of 10.
  EXPECT_EQ(Lines(Table([](int n) { return n < 30 && n % 2 == 1 ? "q.size > 1" : OfPath(n); }, 60)), "");
  EXPECT_EQ(Lines(Table([](int n) { return n < 34 && n % 2 == 1 ? "q.size > 1" : OfPath(n); }, 60)),
            Told(3, 60, 34, "q.path", ", and so do 16 more: line 5, 7, 9, 11, 13, ..."));
}

TEST(TableCheckerTest, KnowsTheFormsOfATest) {
  const char* const kForms[] = {
      "q.path == \"N\"",
      "\"N\" == q.path",
      "(q.path == \"N\")",
      "startswith(q.path, \"N\")",
      "contains([\"N\", \"b\"], q.path)",
      "q.path == \"N\" && q.size > N",
      "q.path == \"N\" || q.path == \"b\"",
      "(q.path == \"N\" || startswith(q.path, \"x\")) && q.size > 1 && q.ok",
  };
  for (const char* form : kForms) {
    const auto with_others = [&](int n) {
      return n % 2 == 0 ? absl::StrReplaceAll(form, {{"N", absl::StrCat(n)}}) : "q.size > 1";
    };
    EXPECT_EQ(Lines(Table(with_others)), Told(3, 40, 40, "q.path", ", and so do 19 more: line 5, 7, 9, 11, 13, ..."))
        << form;
    const auto alone = [&](int n) { return absl::StrReplaceAll(form, {{"N", absl::StrCat(n)}}); };
    EXPECT_EQ(Lines(Table(alone)), "") << form;
    EXPECT_EQ(Lines(Chain(alone)), "") << form;
  }
  // No tests of a string: nothing could be looked up.
  for (const char* form : {"q.path != \"N\"", "q.size == N", "q.path == q.host", "endswith(q.path, \"N\")",
                           "q.path == \"N\" || q.host == \"b\"", "upper(q.path) == \"N\""}) {
    const auto other = [&](int n) {
      return n % 2 == 0 ? absl::StrReplaceAll(form, {{"N", absl::StrCat(n)}}) : "q.size > 1";
    };
    EXPECT_EQ(Lines(Table(other)), "") << form;
  }
}

// The condition of a table says what is done with the parts of rules.
TEST(TableCheckerTest, ConditionsOverParts) {
  std::string rules;
  for (int n = 0; n < kRules; ++n) {
    absl::StrAppend(&rules, "\n{ path = \"", n, "\", also = ", n % 2 == 0 ? "a.b == \"1\"" : "a.c > 1", " },");
  }
  const auto told = [&](const std::string& condition) {
    return Lines(absl::StrCat("[for r in [", rules, "\n] : 1 if ", condition, "][0]"));
  };
  EXPECT_EQ(told("q.path == r.path && r.also"), "");
  EXPECT_EQ(told("contains([r.path], q.path)"), "");
  EXPECT_EQ(told("r.also && q.path == r.path"),
            Told(3, 40, 40, "a.b", ", and so do 19 more: line 5, 7, 9, 11, 13, ..."));
  // With the position, which changes nothing.
  EXPECT_EQ(Lines(absl::StrCat("[for i, r in [", rules, "\n] : 1 if r.also][0]")), told("r.also"));
  EXPECT_NE(told("r.also"), "");
  // No table.
  EXPECT_EQ(Lines(absl::StrCat("[for r in [", rules, "\n] : 1 if r.also]")), "");
}

}  // namespace
}  // namespace hcl
