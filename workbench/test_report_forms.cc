// TestReport: the forms for programs. Tested by workbench/test_report_test.cc.

#include <chrono>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"
#include "hclvm/workbench/value_diff.h"
#include "hclvm/workbench/xml_text.h"

namespace hcl::internal {
namespace {

using Outcome = CaseReport::Outcome;

std::string Seconds(std::chrono::nanoseconds time) {
  return absl::StrFormat("%.6f", std::chrono::duration<double>(time).count());
}

std::string JsonText(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

std::string_view KindText(TestFailure::Kind kind) {
  switch (kind) {
    case TestFailure::Kind::kDifferent:
      return "different";
    case TestFailure::Kind::kFailed:
      return "failed";
    case TestFailure::Kind::kNotFailed:
      return "not_failed";
    case TestFailure::Kind::kOtherError:
      return "other_error";
    case TestFailure::Kind::kAssertion:
      return "assertion";
    case TestFailure::Kind::kAnswer:
      return "answer";
    case TestFailure::Kind::kFile:
      return "file";
  }
  return "";
}

std::string_view OutcomeText(Outcome outcome) {
  return outcome == Outcome::kPassed    ? "passed"
         : outcome == Outcome::kFailed  ? "failed"
         : outcome == Outcome::kUpdated ? "updated"
                                        : "skipped";
}

std::string DifferenceJson(const ValueDifference& one) {
  const bool missing = one.kind == ValueDifference::Kind::kMissing;
  const bool unexpected = one.kind == ValueDifference::Kind::kUnexpected;
  std::string out = absl::StrCat("{\"path\":", JsonText(one.path));
  if (!unexpected) absl::StrAppend(&out, ",\"expected\":", JsonText(one.wanted));
  if (!missing) absl::StrAppend(&out, ",\"actual\":", JsonText(one.got));
  return out + "}";
}

std::string FailureJson(const TestFailure& failure, const TestSuite& suite) {
  std::string out = absl::StrCat("{\"kind\":\"", ToAbsl(KindText(failure.kind)),
                                 "\",\"line\":", suite.source().LineAt(failure.range.begin));
  if (!failure.entry.empty()) absl::StrAppend(&out, ",\"entry\":", JsonText(failure.entry));
  absl::StrAppend(&out, ",\"message\":", JsonText(failure.message));
  const char* before = ",\"differences\":[";
  for (const ValueDifference& one : failure.differences.kept) {
    absl::StrAppend(&out, before, DifferenceJson(one));
    before = ",";
  }
  if (!failure.differences.kept.empty()) out += "]";
  before = ",\"diagnostics\":[";
  for (const Diagnostic& one : failure.diagnostics) {
    absl::StrAppend(&out, before, hcl::ToJson(one, /*source=*/nullptr));
    before = ",";
  }
  if (!failure.diagnostics.empty()) out += "]";
  if (!failure.explanation.empty()) absl::StrAppend(&out, ",\"explanation\":", JsonText(failure.explanation));
  return out + "}";
}

std::string FailureTexts(const CaseReport& one, const TestSuite& suite) {
  std::string text;
  for (const TestFailure& failure : one.result.failures) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", suite.source().name(), " line ",
                    suite.source().LineAt(failure.range.begin), ": ", FailureText(failure));
  }
  return text;
}

std::string UnreadText(const FileReport& file) { return hcl::ToText(file.diagnostics, /*source=*/nullptr); }

// The text of a description in TAP, where "#" begins a directive.
std::string Tap(std::string_view text) { return absl::StrReplaceAll(Printable(text), {{"\\", "\\\\"}, {"#", "\\#"}}); }

void AppendTapFailure(std::string_view message, std::string_view at, size_t line, std::string* out) {
  absl::StrAppend(out, "  ---\n  message: ", JsonText(message), "\n  severity: fail\n  at:\n    file: ", JsonText(at),
                  "\n");
  if (line > 0) absl::StrAppend(out, "    line: ", line, "\n");
  *out += "  ...\n";
}

}  // namespace

std::string ToJson(const TestReport& report) {
  std::string out;
  for (const FileReport& file : report.files) {
    for (const CaseReport& one : file.cases) {
      const SuiteTest& test = file.suite->tests()[one.test];
      absl::StrAppend(&out, "{\"file\":", JsonText(file.path),
                      ",\"line\":", file.suite->source().LineAt(test.range.begin), ",\"name\":", JsonText(one.name),
                      ",\"outcome\":\"", ToAbsl(OutcomeText(one.outcome)), "\",\"seconds\":", Seconds(one.result.time));
      const char* before = ",\"failures\":[";
      for (const TestFailure& failure : one.result.failures) {
        absl::StrAppend(&out, before, FailureJson(failure, *file.suite));
        before = ",";
      }
      absl::StrAppend(&out, one.result.failures.empty() ? "" : "]", "}\n");
    }
  }
  return out;
}

std::string ToJunit(const TestReport& report) {
  const size_t failed = report.Count(Outcome::kFailed);
  size_t count = report.UnreadFiles();
  for (const FileReport& file : report.files) count += file.cases.size();
  std::string out = absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hclvm\" tests=\"",
                                 count, "\" failures=\"", failed, "\" errors=\"", report.UnreadFiles(), "\" time=\"",
                                 Seconds(report.time), "\">\n");
  for (const FileReport& file : report.files) {
    size_t failures = 0;
    size_t skipped = 0;
    std::chrono::nanoseconds time{0};
    std::string cases;
    for (const CaseReport& one : file.cases) {
      time += one.result.time;
      absl::StrAppend(&cases, "    <testcase classname=\"", XmlAttribute(file.path), "\" name=\"",
                      XmlAttribute(one.name), "\" time=\"", Seconds(one.result.time), "\"");
      if (one.outcome == Outcome::kFailed) {
        ++failures;
        absl::StrAppend(&cases, ">\n      <failure type=\"", ToAbsl(KindText(one.result.failures[0].kind)),
                        "\" message=\"", XmlAttribute(one.result.failures[0].message), "\">",
                        XmlContent(FailureTexts(one, *file.suite)), "</failure>\n    </testcase>\n");
      } else if (one.outcome == Outcome::kSkipped) {
        ++skipped;
        cases += ">\n      <skipped/>\n    </testcase>\n";
      } else {
        cases += "/>\n";
      }
    }
    const bool unread = file.suite == nullptr;
    if (unread) {
      absl::StrAppend(&cases, "    <testcase classname=\"", XmlAttribute(file.path), "\" name=\"",
                      XmlAttribute(file.path),
                      "\" time=\"0\">\n      <error type=\"file\" message=\"the file cannot be read\">",
                      XmlContent(UnreadText(file)), "</error>\n    </testcase>\n");
    }
    absl::StrAppend(&out, "  <testsuite name=\"", XmlAttribute(file.path), "\" tests=\"",
                    file.cases.size() + (unread ? 1 : 0), "\" failures=\"", failures, "\" errors=\"", unread ? 1 : 0,
                    "\" skipped=\"", skipped, "\" time=\"", Seconds(time), "\">\n", cases, "  </testsuite>\n");
  }
  return out + "</testsuites>\n";
}

std::string ToTap(const TestReport& report) {
  size_t count = report.UnreadFiles();
  for (const FileReport& file : report.files) count += file.cases.size();
  std::string out = absl::StrCat("TAP version 14\n1..", count, "\n");
  size_t number = 0;
  for (const FileReport& file : report.files) {
    for (const CaseReport& one : file.cases) {
      const bool failed = one.outcome == Outcome::kFailed;
      absl::StrAppend(&out, failed ? "not ok " : "ok ", ++number, " - ", Tap(file.path), ": ", Tap(one.name),
                      one.outcome == Outcome::kSkipped ? " # SKIP another one has failed" : "", "\n");
      if (!failed) continue;
      // A test point has one block of YAML.
      AppendTapFailure(FailureTexts(one, *file.suite), file.path,
                       file.suite->source().LineAt(one.result.failures[0].range.begin), &out);
    }
    if (file.suite != nullptr) continue;
    absl::StrAppend(&out, "not ok ", ++number, " - ", Tap(file.path), "\n");
    AppendTapFailure(UnreadText(file), file.path, /*line=*/0, &out);
  }
  return out;
}

}  // namespace hcl::internal
