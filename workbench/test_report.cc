// TestReport: counts, and the form for people. Tested by workbench/test_report_test.cc.

#include "hclvm/workbench/test_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/workbench/value_diff.h"

namespace hcl::internal {
namespace {

using Outcome = CaseReport::Outcome;

std::string DifferenceText(const ValueDifference& one, std::string_view entry) {
  std::string place = absl::StrCat(ToAbsl(entry), one.path);
  if (!place.empty()) place += ": ";
  switch (one.kind) {
    case ValueDifference::Kind::kMissing:
      return absl::StrCat(place, one.wanted, " is missing");
    case ValueDifference::Kind::kUnexpected:
      return absl::StrCat(place, one.got, " is not expected");
    case ValueDifference::Kind::kDifferent:
      break;
  }
  return absl::StrCat(place, one.got, ", expected ", one.wanted);
}

// A text in lines, each with `indent` before it.
std::string Indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) absl::StrAppend(&out, ToAbsl(indent), ToAbsl(text.substr(0, end)));
    out += "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string Counted(size_t count, std::string_view what) {
  return absl::StrCat(count, " ", ToAbsl(what), count == 1 ? "" : "s");
}

}  // namespace

size_t TestReport::Count(Outcome outcome) const {
  size_t count = 0;
  for (const FileReport& file : files) {
    count += std::count_if(file.cases.begin(), file.cases.end(),
                           [&](const CaseReport& one) { return one.outcome == outcome; });
  }
  return count;
}

size_t TestReport::UnreadFiles() const {
  return std::count_if(files.begin(), files.end(), [](const FileReport& file) { return file.suite == nullptr; });
}

bool TestReport::HasLimit() const {
  return std::any_of(files.begin(), files.end(), [](const FileReport& file) {
    return file.diagnostics.has_limit() || std::any_of(file.cases.begin(), file.cases.end(), [](const CaseReport& one) {
             return one.outcome == Outcome::kFailed && one.result.limit;
           });
  });
}

std::string FailureText(const TestFailure& failure) {
  std::string text = failure.message;
  for (const ValueDifference& one : failure.differences.kept)
    absl::StrAppend(&text, "\n  ", DifferenceText(one, failure.entry));
  const size_t left_out = failure.differences.count - failure.differences.kept.size();
  if (left_out > 0) absl::StrAppend(&text, "\n  and ", Counted(left_out, "further difference"));
  for (const Diagnostic& one : failure.diagnostics) {
    absl::StrAppend(&text, "\n", Indented(hcl::ToText(one, /*source=*/nullptr), "  "));
    while (text.back() == '\n') text.pop_back();
  }
  if (!failure.explanation.empty()) absl::StrAppend(&text, "\n", Indented(failure.explanation, "  "));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return PrintableLines(text);
}

std::string ToText(const TestReport& report, bool color) {
  const char* const red = color ? "\033[1;31m" : "";
  const char* const green = color ? "\033[1;32m" : "";
  const char* const plain = color ? "\033[0m" : "";
  std::string out;
  size_t cases = 0;
  for (const FileReport& file : report.files) {
    cases += file.cases.size();
    for (const CaseReport& one : file.cases) {
      if (one.outcome != Outcome::kFailed && one.outcome != Outcome::kUpdated) continue;
      const bool failed = one.outcome == Outcome::kFailed;
      absl::StrAppend(&out, failed ? red : green, failed ? "FAILED" : "UPDATED", plain, " ", Printable(one.name), "\n");
      for (const TestFailure& failure : one.result.failures) {
        absl::StrAppend(&out, "  ", Printable(file.path), " line ", file.suite->source().LineAt(failure.range.begin),
                        ":\n", Indented(FailureText(failure), "    "));
      }
      out += "\n";
    }
  }
  const size_t failed = report.Count(Outcome::kFailed);
  const size_t skipped = report.Count(Outcome::kSkipped);
  const size_t updated = report.Count(Outcome::kUpdated);
  const size_t unread = report.UnreadFiles();
  const bool good = failed == 0 && unread == 0;
  absl::StrAppend(&out, good ? green : red, Counted(report.files.size(), "file"), ", ", Counted(cases, "case"), ": ",
                  report.Count(Outcome::kPassed), " passed, ", failed, " failed",
                  updated > 0 ? absl::StrCat(", ", updated, " updated") : "",
                  skipped > 0 ? absl::StrCat(", ", skipped, " skipped") : "",
                  unread > 0 ? absl::StrCat(", ", Counted(unread, "file"), " not read") : "", plain,
                  absl::StrFormat(" (%.2f s)\n", std::chrono::duration<double>(report.time).count()));
  return out;
}

}  // namespace hcl::internal
