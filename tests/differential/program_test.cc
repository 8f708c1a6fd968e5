#include "hclvm/tests/differential/program.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/tests/case_runner.h"

namespace hcl::differential {
namespace {

CaseOutcome Outcome(const std::string& error, const std::string& json) {
  CaseOutcome outcome;
  outcome.error = error;
  outcome.json = json;
  return outcome;
}

std::string Number(const std::string& digits) { return R"({"type":"number","value":)" + digits + "}"; }

std::string DifferenceOf(const CaseOutcome& ours, const std::string& theirs) {
  return DifferenceName(Compare({ProgramKind::kExpr, "x"}, ours, theirs).difference);
}

TEST(ProgramTest, Differences) {
  const std::string thirds(155, '3');
  const struct {
    CaseOutcome ours;
    std::string theirs;
    std::string want;
  } kRows[] = {
      {Outcome("", Number("1")), Number("1"), "none"},
      {Outcome("", Number("1")), Number("2"), "values"},
      {Outcome("", Number("0." + thirds)), Number("0." + thirds + "52"), "none"},
      {Outcome("", Number("0.333333333333333333333")), Number("0." + thirds), "values"},
      {Outcome("", R"({"type":"string","value":"1"})"), Number("1"), "values"},
      {Outcome("", R"({"attributes":{"a":{"type":"bool","value":true}},"blocks":[]})"),
       R"({"attributes":{"a":{"type":"bool","value":true}},"blocks":[]})", "none"},
      {Outcome("", R"({"attributes":{},"blocks":[]})"),
       R"({"attributes":{"a":{"type":"bool","value":true}},"blocks":[]})", "values"},
      {Outcome("", R"({"traversal":[{"root":"a"},{"index":1e1}]})"), R"({"traversal":[{"root":"a"},{"index":10}]})",
       "none"},
      {Outcome("eval", ""), R"({"error":"eval"})", "none"},
      {Outcome("eval", ""), R"({"error":"parse"})", "phases"},
      {Outcome("eval", ""), Number("1"), "ours fails"},
      {Outcome("", Number("1")), R"({"error":"eval"})", "theirs fails"},
      {Outcome("eval", ""), R"({"error":"panic"})", "panic"},
      {Outcome("", Number("1")), R"({"error":"crash"})", "panic"},
  };
  for (const auto& row : kRows) EXPECT_EQ(DifferenceOf(row.ours, row.theirs), row.want) << row.theirs;
}

TEST(ProgramTest, Places) {
  CaseOutcome ours = Outcome("eval", "");
  ours.at = CasePlace{1, 2, 1, 5};
  const auto same = [&](const char* theirs) { return Compare({ProgramKind::kExpr, "x"}, ours, theirs).SamePlace(); };
  EXPECT_TRUE(same(R"({"error":"eval","at":[1,2,1,3]})"));
  EXPECT_FALSE(same(R"({"error":"eval","at":[1,3,1,5]})"));
  EXPECT_FALSE(same(R"({"error":"eval"})"));
  ours.at.reset();
  EXPECT_TRUE(same(R"({"error":"eval"})"));
}

TEST(ProgramTest, EveryKindRuns) {
  CaseRunner runner;
  ASSERT_TRUE(runner.ReadVariables(R"({"i": {"type": "number", "value": 7}})"));
  const struct {
    Program program;
    const char* want;
  } kRows[] = {
      {{ProgramKind::kExpr, "i + 1"}, R"({"type":"number","value":8})"},
      {{ProgramKind::kTemplate, "a${i}"}, R"({"type":"string","value":"a7"})"},
      {{ProgramKind::kBody, "a = i"}, R"({"attributes":{"a":{"type":"number","value":7}},"blocks":[]})"},
      {{ProgramKind::kJsonAttributes, R"({"a": "${i}"})"}, R"({"attributes":{"a":{"type":"number","value":7}}})"},
      {{ProgramKind::kJsonLiteral, R"({"a": "${i}"})"}, R"({"attributes":{"a":{"type":"string","value":"${i}"}}})"},
      {{ProgramKind::kTraversal, "a[\"e\\u0301\"]"}, "{\"traversal\":[{\"root\":\"a\"},{\"index\":\"\u00e9\"}]}"},
  };
  for (const auto& row : kRows) EXPECT_EQ(RunOurs(&runner, row.program).ToString(), row.want);
}

}  // namespace
}  // namespace hcl::differential
