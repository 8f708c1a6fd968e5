// Writes reports of a file with a case that passes, one that fails and one that is skipped, and of a file that cannot
// be read.

#include "hclvm/workbench/test_report.h"

#include <chrono>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/workbench/suite_test_util.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {
namespace {

TestReport MakeReport() {
  TestReport report;
  report.time = std::chrono::milliseconds(20);
  FileReport& file = report.files.emplace_back();
  file.path = "m.test.hcl";
  std::string errors;
  file.suite = ReadSuite({"variable \"n\" { type = number }\nbig = n > 1\nparts = { n = n }\nhalf = [1][n]\n",
                          R"(test "<n> #1" {
  cases = {
    good = { with = { n = 2 }, expect = { big = true } }
    bad  = { with = { n = 3 }, expect = { big = false, half = 1, parts = { m = 1 } } }
    rest = { with = { n = 2 }, expect = { big = true } }
  }
})",
                          {},
                          ""},
                         &errors);
  EXPECT_NE(nullptr, file.suite) << errors;
  TestRunner runner(file.suite, {});
  for (size_t n = 0; n < 3; ++n) {
    CaseReport& one = file.cases.emplace_back();
    one.name = file.suite->CaseName(0, n);
    if (n == 2) continue;
    one.result = runner.Run(0, n);
    one.outcome = one.result.passed() ? CaseReport::Outcome::kPassed : CaseReport::Outcome::kFailed;
    one.result.time = std::chrono::milliseconds(n + 1);
  }
  FileReport& unread = report.files.emplace_back();
  unread.path = "bad.test.hcl";
  unread.diagnostics.AddError({0, 0}, DiagnosticCode::kInvalidTest, "It is wrong.");
  return report;
}

TEST(TestReportTest, TextHasTheCasesThatFail) {
  EXPECT_EQ(R"(FAILED <n> #1/bad
  m.test.hcl line 4:
    big is not what is expected
      big: true, expected false
  m.test.hcl line 4:
    half fails, and is expected to be 1
      Error[HCL4305]: Invalid index

        on m.hcl line 4, column 11:
        4 | half = [1][n]
          |           ^^^

        where n is 3

        The index is 3, but the sequence has only 1 element, counted from 0.
  m.test.hcl line 4:
    parts is not what is expected
      parts.m: 1 is missing
      parts.n: 3 is not expected

2 files, 3 cases: 1 passed, 1 failed, 1 skipped, 1 file not read (0.02 s)
)",
            ToText(MakeReport(), /*color=*/false));
  EXPECT_TRUE(absl::StrContains(ToText(MakeReport(), /*color=*/true), "\033[1;31mFAILED\033[0m"));
}

TEST(TestReportTest, JsonHasALineForEachCase) {
  const std::string json = ToJson(MakeReport());
  EXPECT_TRUE(absl::StartsWith(
      json, R"({"file":"m.test.hcl","line":1,"name":"<n> #1/good","outcome":"passed","seconds":0.001000})"
            "\n"))
      << json;
  EXPECT_TRUE(absl::StrContains(
      json, R"({"kind":"different","line":4,"entry":"parts","message":"parts is not what is expected",)"
            R"("differences":[{"path":".m","expected":"1"},{"path":".n","actual":"3"}]})"))
      << json;
  EXPECT_TRUE(absl::StrContains(json, R"("diagnostics":[{"severity":"error","code":"HCL4305")")) << json;
  EXPECT_TRUE(absl::StrContains(json, R"("name":"<n> #1/rest","outcome":"skipped")")) << json;
}

TEST(TestReportTest, JunitHasSuitesAndCases) {
  const std::string xml = ToJunit(MakeReport());
  for (const char* const part : {
           R"(<testsuites name="hclvm" tests="4" failures="1" errors="1" time="0.020000">)",
           R"(<testsuite name="m.test.hcl" tests="3" failures="1" errors="0" skipped="1" time="0.003000">)",
           R"(<testcase classname="m.test.hcl" name="&lt;n&gt; #1/good" time="0.001000"/>)",
           R"(<failure type="different" message="big is not what is expected">m.test.hcl line 4: big is)",
           R"(<skipped/>)",
           R"(<testsuite name="bad.test.hcl" tests="1" failures="0" errors="1" skipped="0" time="0.000000">)",
           R"(<error type="file" message="the file cannot be read">Error[HCL5401]: Invalid test)",
       }) {
    EXPECT_TRUE(absl::StrContains(xml, part)) << part << "\n" << xml;
  }
}

TEST(TestReportTest, TapHasAPlanAndAPointForEachCase) {
  const std::string tap = ToTap(MakeReport());
  EXPECT_TRUE(absl::StartsWith(tap, "TAP version 14\n1..4\nok 1 - m.test.hcl: <n> \\#1/good\nnot ok 2 - ")) << tap;
  EXPECT_TRUE(absl::StrContains(tap, "\n  ---\n  message: \"m.test.hcl line 4: big is not")) << tap;
  EXPECT_TRUE(absl::StrContains(tap, "\n  ...\nok 3 - m.test.hcl: <n> \\#1/rest # SKIP")) << tap;
  EXPECT_TRUE(absl::StrContains(tap, "\nnot ok 4 - bad.test.hcl\n")) << tap;
}

}  // namespace
}  // namespace hcl::internal
