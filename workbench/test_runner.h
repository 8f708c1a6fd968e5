// TestRunner: runs the cases of a suite, again and again, in memory of its own.
//
//   TestRunner runner(suite, options);
//   CaseResult result = runner.Run(/*test=*/0, /*case_number=*/0);
//
// Internal to the workbench. Tested by workbench/test_runner_test.cc.

#ifndef HCLVM_WORKBENCH_TEST_RUNNER_H_
#define HCLVM_WORKBENCH_TEST_RUNNER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/test_suite.h"
#include "hclvm/workbench/value_diff.h"

namespace hcl::internal {

struct TestRunOptions {
  // For each evaluation of an entry or an assertion.
  Limits limits;
  bool check_all = false;
  // What names in a request are that the module does not declare. None: an error in what a test gives, and
  // UnknownInput::kNear in recorded requests, which may hold more than the module reads.
  std::optional<UnknownInput> unknown_input;
  bool show_sensitive = false;
  // Recorded answers that differ are no failures: CaseResult::new_answers is what the file has to be.
  bool updates_answers = false;
};

// Why a case has not passed.
struct TestFailure {
  enum class Kind : uint8_t {
    kDifferent,   // the entry has another value: `differences`
    kFailed,      // the entry fails, and a value was wanted: `diagnostics`
    kNotFailed,   // the entry has a value, and an error was wanted
    kOtherError,  // it fails, and not as wanted: `diagnostics`
    kAssertion,   // a condition is false: `message`; or fails: `diagnostics`
    kAnswer,      // a recorded answer is another one: `message` has the line, and `differences`
    kFile,        // a file of recorded requests cannot be read: `message`
  };

  Kind kind;
  std::string entry;    // empty: it is about no single entry
  std::string message;  // a sentence
  ValueDifferences differences;
  std::vector<Diagnostic> diagnostics;
  SourceRange range;  // in the test file: where it says what is wanted
  // Why the entry has its value, or the assertion is false: some lines, without a line end behind them.
  // FailureExplainer writes it (workbench/failure_explainer.h).
  std::string explanation;
};

struct CaseResult {
  bool passed() const { return failures.empty(); }

  bool limit = false;  // a failure is about a limit
  std::chrono::nanoseconds time{0};
  size_t evaluations = 0;
  std::vector<TestFailure> failures;
  // Of recorded requests with answers that differ, where they are updated: the new text of the file.
  std::string new_answers;
};

// What a case asks, for whoever looks at one more closely: these entries, over this scope.
struct CaseInput {
  Value scope;
  std::vector<const Entry*> entries;
};

// Belongs to one thread. Its suite may be shared.
class TestRunner {
 public:
  TestRunner(std::shared_ptr<const TestSuite> suite, const TestRunOptions& options);
  ~TestRunner();

  // Runs one case; of a test with recorded requests, all lines are case 0.
  CaseResult Run(size_t test, size_t case_number);

  // Counts what cases do from now on; null: no more. It must outlive the runner, whose suite has to be compiled with
  // RecordingOptions().
  void set_counter(CoverageCounter* counter) { counter_ = counter; }

  // What Run() evaluates: none for recorded requests. Valid until the next call of the runner.
  CaseInput InputOf(size_t test, size_t case_number);

 private:
  void RunCase(const SuiteTest& test, const SuiteCase& one, CaseResult* result);
  void Check(const Expectation& expectation, const Evaluation& evaluation, CaseResult* result);
  void CheckFailure(const Expectation& expectation, const Evaluation& evaluation, CaseResult* result);
  void RunAssertions(absl::Span<const Assertion> assertions, CaseResult* result);
  bool BindEntries(absl::Span<const Assertion> assertions, std::vector<bool>* can_run, CaseResult* result);
  void RunAssertion(const Assertion& assertion, CaseResult* result);
  std::string MessageOf(const Assertion& assertion, TestFailure* failure, CaseResult* result);
  void RunRecorded(const SuiteTest& test, CaseResult* result);
  // The lines of a file of recorded requests; none where it cannot be read, which is a failure.
  std::optional<std::vector<std::string>> ReadLines(const std::string& path, SourceRange range, CaseResult* result);
  std::vector<std::string> Answers(const std::vector<std::string>& requests, const RecordedRequests& recorded,
                                   CaseResult* result);
  // Counts what recorded requests do.
  void CoverRecorded(const std::vector<std::string>& requests, const RecordedRequests& recorded);
  // The line to write for an answer.
  std::string Recorded(const std::string& answer);
  ValueDifferences CompareAnswer(std::string_view wanted, std::string_view got);
  const Evaluation& Evaluate(const Entry& entry, CaseResult* result);
  // A failure with the diagnostics of the evaluation, of which one is mostly enough.
  TestFailure FailedWith(TestFailure::Kind kind, const Evaluation& evaluation, CaseResult* result);

  const std::shared_ptr<const TestSuite> suite_;
  const TestRunOptions options_;
  Evaluator evaluator_;
  Heap heap_;  // of one case
  CoverageCounter* counter_ = nullptr;
  bool is_bound_ = true;  // something was bound since the last evaluation
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TEST_RUNNER_H_
