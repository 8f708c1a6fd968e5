// The groups of spellings, what is checked of them, and the report.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bench/spelling_check.h"
#include "hclvm/bench/spelling_groups.h"
#include "hclvm/bench/spelling_pairs.h"
#include "hclvm/bench/spelling_report.h"
#include "hclvm/bench/workload.h"

namespace hcl::bench {
namespace {

TEST(SpellingTest, FormsMeanWhatTheirGroupSays) {
  for (const SpellingGroup& group : SpellingGroups()) EXPECT_EQ(CheckSpelling(group), "");
}

TEST(SpellingTest, GroupsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const SpellingGroup& group : SpellingGroups()) {
    EXPECT_TRUE(names.insert(group.name).second) << group.name;
    std::set<std::string> labels;
    for (const SpellingForm& form : group.forms) EXPECT_TRUE(labels.insert(LabelOf(form)).second) << LabelOf(form);
  }
  EXPECT_GE(names.size(), 32u);
}

// A group whose forms can fail says over what they do.
TEST(SpellingTest, GroupsOfOneMeaningFail) {
  int without = 0;
  for (const SpellingGroup& group : SpellingGroups()) {
    without += group.kind == SpellingKind::kSame && group.failing.empty() ? 1 : 0;
  }
  EXPECT_LE(without, 2);
}

TEST(SpellingTest, TheCheckFindsWhatDiffers) {
  const SpellingForm config = {"v = a\n", "", 1, SourceKind::kConfig, {}};
  constexpr SpellingKind kSame = SpellingKind::kSame;
  const std::vector<std::string> scopes = {R"({"a": 1})"};
  struct Row {
    SpellingGroup group;
    const char* want;
  };
  const Row kRows[] = {
      {{"g", kSame, {{"a"}}, scopes}, "g: has nothing to compare"},
      {{"g", kSame, {{"a"}, {"a + 0"}}, {}}, "g: `a`: has no scope"},
      {{"g", kSame, {{"a"}, {"a + 0"}}, scopes}, ""},
      {{"g", kSame, {{"{v = a}"}, config}, scopes}, ""},
      {{"g", kSame, {{"a"}, {"a + 1"}}, scopes},
       R"(g: `a + 1`: over scope 0 {"type":"number","value":2}, and not {"type":"number","value":1})"},
      {{"g", kSame, {{"a"}, {"\"${a}|\""}}, scopes},
       R"(g: `"${a}\|"`: over scope 0 {"type":"string","value":"1|"}, and not {"type":"number","value":1})"},
      {{"g", SpellingKind::kFewerChecks, {{"a"}, {"-a"}}, scopes},
       R"(g: `-a`: over scope 0 {"type":"number","value":-1}, and not {"type":"number","value":1})"},
      {{"g", SpellingKind::kMoreWork, {{"a"}, {"a + 1"}}, scopes}, ""},
      {{"g", kSame, {{"[a]"}, {"[a, a]"}}, scopes, {}, false, "$[0]"}, ""},
      {{"g", kSame, {{"a + 1"}, {"a == 1 ? 2 : 0"}}, scopes, {R"({"a": "x"})"}},
       "g: `a == 1 ? 2 : 0`: does not fail over failing scope 0: {\"type\":\"number\",\"value\":0}"},
      {{"g", kSame, {{"a * 1"}, {"a * 1"}}, {R"({"a": "x"})"}},
       "g: `a * 1`: fails over scope 0: Invalid operand: Unsuitable value for left operand: a number is required, and "
       "this text is none.\n"},
      {{"g", kSame, {{"a * 1"}, {"1 * a"}}, scopes, {R"({"a": "x"})"}},
       "g: `1 * a`: over failing scope 0 Invalid operand: Unsuitable value for right operand: a number is "
       "required, and this text is none.\n, and not Invalid operand: Unsuitable value for left operand: a number is "
       "required, and this text is none.\n"},
      {{"g", kSame, {{"a + 1"}, {"1 + a"}}, scopes, {R"({"a": "x"})"}, /*other_words=*/true}, ""},
  };
  for (const Row& row : kRows) EXPECT_EQ(CheckSpelling(row.group), row.want);
}

TEST(SpellingTest, Report) {
  const std::vector<SpellingGroup> groups = {
      {"near", SpellingKind::kSame, {{"a"}, {"(a)"}}},
      {"far", SpellingKind::kSame, {{"b || c"}, {"", "long", 100}, {"", "no more than a variable"}}},
      {"work", SpellingKind::kMoreWork, {{"d"}, {"e"}, {"f"}}},
      {"order", SpellingKind::kFewerChecks, {{"g"}, {"h"}}},
      {"good order", SpellingKind::kFewerChecks, {{"g"}, {"h"}}},
  };
  const SpellingReport report = ReportSpelling(groups, {40, 50, 30, 12.34, 0, 100, 170.4, 90, 8, 7, 7, 7});
  EXPECT_EQ(report.table,
            "| group | kind | form | instructions | compared |\n|---|---|---|---:|---:|\n"
            "| near | same | `a` | 40 | 1.00 |\n"
            "|  |  | `(a)` | 50 | 1.25 |\n"
            "| far | same | `b \\|\\| c` | 30 | **30.00** |\n"
            "|  |  | long | 12.3 | **12.34** |\n"
            "|  |  | no more than a variable | 0 | 1.00 |\n"
            "| work | more work | `d` | 100 | +0 |\n"
            "|  |  | `e` | 170 | +70 |\n"
            "|  |  | `f` | 90 | -10 |\n"
            "| order | fewer checks first | `g` | 8 | **1.14** |\n"
            "|  |  | `h` | 7 | 1.00 |\n"
            "| good order | fewer checks first | `g` | 7 | 1.00 |\n"
            "|  |  | `h` | 7 | 1.00 |\n");
  EXPECT_EQ(report.summary,
            "- same meaning: 1 of 2 groups are beyond 1.25; the worst is 30.00, `b \\|\\| c` in \"far\"\n"
            "- fewer checks: in 1 of 2 groups the first costs more than another: \"order\"\n");
  EXPECT_FALSE(report.holds);
  EXPECT_TRUE(ReportSpelling({groups[0], groups[4]}, {4, 5, 1, 2}).holds);
  EXPECT_FALSE(ReportSpelling({groups[0]}, {4, 6}).holds);
  EXPECT_FALSE(ReportSpelling({groups[3]}, {3, 2}).holds);
}

TEST(SpellingTest, ReportOfPairs) {
  const std::vector<SpellingPair> pairs = {{"a", "(a)", "$1 <-> ($1)", {"{}"}},
                                           {"b", "{x = b}.x", "$1 <-> {x = $1}.x", {"{}"}},
                                           {"c", "d", "$1 <-> ($1), then $1 <-> {x = $1}.x", {"{}"}}};
  EXPECT_EQ(ReportPairs(pairs, {{10, 10}, {10, 20}, {30, 0}}),
            "- 3 pairs: median ratio 2.00, 95 % within 30.00, worst 30.00; 2 (67 %) beyond 1.25\n\n"
            "1 of 2 equivalences are mostly beyond the budget:\n"
            "2.00 (1 pairs): $1 <-> {x = $1}.x\n"
            "\nthe farthest pairs:\n"
            "30.00\n  30  c\n  0  d\n2.00\n  10  b\n  20  {x = b}.x\n1.00\n  10  a\n  10  (a)\n");
  EXPECT_EQ(ReportPairs({}, {}), "no pairs\n");
}

}  // namespace
}  // namespace hcl::bench
