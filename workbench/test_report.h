// TestReport: what a run of tests came to, and how it is written.
//
// Text for people, JSON (a line for each case), JUnit's XML as Jenkins reads it, and TAP 14. docs/testing.md describes
// them. Internal to the workbench. Tested by workbench/test_report_test.cc and tests/test_command_test.sh.

#ifndef HCLVM_WORKBENCH_TEST_REPORT_H_
#define HCLVM_WORKBENCH_TEST_REPORT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

struct CaseReport {
  enum class Outcome : uint8_t {
    kPassed,
    kFailed,
    kSkipped,  // it was not run, since another one has failed
    kUpdated,  // its recorded answers were written anew; `result` has what has changed
  };

  std::string name;
  size_t test = 0;    // of the suite
  size_t number = 0;  // of the case
  Outcome outcome = Outcome::kSkipped;
  CaseResult result;
};

// The cases of one file that were chosen.
struct FileReport {
  std::string path;
  std::shared_ptr<const TestSuite> suite;  // null: it could not be read
  Diagnostics diagnostics;                 // why not
  // What the diagnostics point into: the file, and those of its module.
  std::vector<std::shared_ptr<const Source>> sources;
  std::vector<CaseReport> cases;
};

struct TestReport {
  std::vector<FileReport> files;
  std::chrono::nanoseconds time{0};

  size_t Count(CaseReport::Outcome outcome) const;
  // Files that could not be read.
  size_t UnreadFiles() const;
  // Something has failed for a limit.
  bool HasLimit() const;
};

// For people: each case that has failed, and a line that counts all. What files could not be read for is not repeated.
std::string ToText(const TestReport& report, bool color);

// A line of JSON for each case.
std::string ToJson(const TestReport& report);

// <testsuites> with a <testsuite> for each file. A file that could not be read is a case with an error.
std::string ToJunit(const TestReport& report);

// Version 14. A file that could not be read is a test that fails.
std::string ToTap(const TestReport& report);

// What a failure is about, in a few lines without line ends at the end: the text of all forms but JSON.
std::string FailureText(const TestFailure& failure);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TEST_REPORT_H_
