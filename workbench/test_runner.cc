// TestRunner. Tested by workbench/test_runner_test.cc.

#include "hclvm/workbench/test_runner.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

using Kind = TestFailure::Kind;

// Errors of one evaluation that a failure shows.
constexpr size_t kMaxShownErrors = 3;

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TestRunner::TestRunner(std::shared_ptr<const TestSuite> suite, const TestRunOptions& options)
    : suite_(std::move(suite)),
      options_(options),
      evaluator_(suite_->program(), options.limits),
      heap_(nullptr, suite_->program()->dialect(), options.limits) {
  evaluator_.set_check_all(options.check_all);
  evaluator_.set_unknown_input(options.unknown_input.value_or(UnknownInput::kError));
}

TestRunner::~TestRunner() = default;

CaseResult TestRunner::Run(size_t test, size_t case_number) {
  const auto start = std::chrono::steady_clock::now();
  CaseResult result;
  const SuiteTest& one = suite_->tests()[test];
  evaluator_.UnbindAll();
  heap_.Reset();
  if (counter_ != nullptr) AttachRecorder(evaluator_.heap(), counter_);
  if (one.recorded) {
    RunRecorded(one, &result);
  } else {
    RunCase(one, one.cases[case_number], &result);
  }
  result.time = std::chrono::steady_clock::now() - start;
  return result;
}

CaseInput TestRunner::InputOf(size_t test, size_t case_number) {
  CaseInput input;
  const SuiteTest& one = suite_->tests()[test];
  if (case_number >= one.cases.size()) return input;
  evaluator_.UnbindAll();
  heap_.Reset();
  input.scope = suite_->ScopeOf(one, one.cases[case_number], &heap_);
  for (const Expectation& expectation : one.cases[case_number].expectations) {
    input.entries.push_back(expectation.entry);
  }
  for (const Assertion& assertion : one.assertions) {
    for (const EntryRead& read : assertion.reads) input.entries.push_back(read.entry);
  }
  return input;
}

const Evaluation& TestRunner::Evaluate(const Entry& entry, CaseResult* result) {
  ++result->evaluations;
  const Evaluation& evaluation = is_bound_ ? evaluator_.Run(entry) : evaluator_.RunAnother(entry.chunk);
  is_bound_ = false;
  if (counter_ != nullptr) counter_->Commit();
  return evaluation;
}

void TestRunner::RunCase(const SuiteTest& test, const SuiteCase& one, CaseResult* result) {
  evaluator_.BindAll(suite_->ScopeOf(test, one, &heap_));
  is_bound_ = true;
  for (const Expectation& expectation : one.expectations) {
    Check(expectation, Evaluate(*expectation.entry, result), result);
  }
  RunAssertions(test.assertions, result);
}

TestFailure TestRunner::FailedWith(Kind kind, const Evaluation& evaluation, CaseResult* result) {
  TestFailure failure;
  failure.kind = kind;
  for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
    if (failure.diagnostics.size() < kMaxShownErrors) failure.diagnostics.push_back(suite_->Placed(diagnostic));
  }
  result->limit = result->limit || evaluation.diagnostics().has_limit();
  return failure;
}

void TestRunner::Check(const Expectation& expectation, const Evaluation& evaluation, CaseResult* result) {
  if (expectation.kind == Expectation::Kind::kFails) return CheckFailure(expectation, evaluation, result);
  TestFailure failure;
  if (evaluation.ok()) {
    DiffOptions options;
    options.in_part = expectation.kind == Expectation::Kind::kPart;
    options.show_sensitive = options_.show_sensitive;
    failure.kind = Kind::kDifferent;
    failure.differences = DiffValues(expectation.value, evaluation.marked_value(), options, &heap_);
    if (failure.differences.empty()) return;
    failure.message = absl::StrCat(ToAbsl(expectation.entry->path), " is not what is expected");
  } else {
    failure = FailedWith(Kind::kFailed, evaluation, result);
    failure.message = absl::StrCat(ToAbsl(expectation.entry->path), " fails, and is expected to be ",
                                   ShortText(expectation.value, &heap_));
  }
  failure.entry = std::string(expectation.entry->path);
  failure.range = expectation.range;
  result->failures.push_back(std::move(failure));
}

void TestRunner::CheckFailure(const Expectation& expectation, const Evaluation& evaluation, CaseResult* result) {
  const std::string wanted =
      absl::StrCat(CodeText(expectation.code),
                   expectation.message.empty() ? "" : absl::StrCat(" with \"", expectation.message, "\""));
  TestFailure failure;
  if (evaluation.ok()) {
    failure.kind = Kind::kNotFailed;
    failure.message = absl::StrCat(ToAbsl(expectation.entry->path), " is expected to fail by ", wanted, ", and is ",
                                   ShortText(evaluation.marked_value(), &heap_, options_.show_sensitive));
  } else {
    const std::vector<Diagnostic>& found = evaluation.diagnostics().kept();
    const bool is_wanted = std::any_of(found.begin(), found.end(), [&](const Diagnostic& one) {
      return one.code == expectation.code &&
             (Contains(one.detail, expectation.message) || Contains(one.summary, expectation.message));
    });
    if (is_wanted) return;
    failure = FailedWith(Kind::kOtherError, evaluation, result);
    failure.message = absl::StrCat(ToAbsl(expectation.entry->path), " fails, and is expected to fail by ", wanted);
  }
  failure.entry = std::string(expectation.entry->path);
  failure.range = expectation.range;
  result->failures.push_back(std::move(failure));
}

// Entries that assertions read are evaluated before the first one, and their values are given to the variables of their
// names. False where none is read.
bool TestRunner::BindEntries(absl::Span<const Assertion> assertions, std::vector<bool>* can_run, CaseResult* result) {
  std::map<const Entry*, Value> values;  // an error value: it fails
  std::map<uint32_t, Value> variables;
  for (size_t n = 0; n < assertions.size(); ++n) {
    for (const EntryRead& read : assertions[n].reads) {
      const auto [known, is_new] = values.try_emplace(read.entry, Value());
      if (is_new) {
        const Evaluation& evaluation = Evaluate(*read.entry, result);
        if (!evaluation.ok()) {
          TestFailure failure = FailedWith(Kind::kFailed, evaluation, result);
          failure.entry = std::string(read.entry->path);
          failure.message = absl::StrCat(ToAbsl(read.entry->path), " fails, and an assertion reads it");
          failure.range = assertions[n].range;
          result->failures.push_back(std::move(failure));
          values.erase(known);
          (*can_run)[n] = false;
          continue;
        }
        known->second = Clone(evaluation.marked_value(), heap_.arena(), heap_.types());
      }
      Value value = known->second;
      for (auto step = read.steps.rbegin(); step != read.steps.rend(); ++step) {
        const KeyValue pair = {Value::String(*step, heap_.arena()), value};
        value = MakeObject({pair}, heap_.arena());
      }
      const auto [variable, is_first] = variables.try_emplace(read.slot, value);
      if (!is_first) variable->second = LaidOver(variable->second, value, &heap_);
    }
  }
  for (const auto& [slot, value] : variables) evaluator_.Bind(slot, value);
  is_bound_ = is_bound_ || !variables.empty();
  return !variables.empty();
}

void TestRunner::RunAssertions(absl::Span<const Assertion> assertions, CaseResult* result) {
  if (assertions.empty()) return;
  std::vector<bool> can_run(assertions.size(), true);
  BindEntries(assertions, &can_run, result);
  for (size_t n = 0; n < assertions.size(); ++n) {
    if (can_run[n]) RunAssertion(assertions[n], result);
  }
}

// The text that an assertion has for its failure, or what is known without one.
std::string TestRunner::MessageOf(const Assertion& assertion, TestFailure* failure, CaseResult* result) {
  const Evaluation& evaluation = Evaluate(*assertion.message, result);
  if (!evaluation.ok()) {
    failure->diagnostics = FailedWith(Kind::kAssertion, evaluation, result).diagnostics;
    return failure->message;
  }
  const Value& marked = evaluation.marked_value();
  const Value& text = marked.unmarked();
  const bool is_shown = options_.show_sensitive || !marked.has_marks();
  return is_shown && text.is_string() ? std::string(text.AsString())
                                      : ShortText(marked, &heap_, options_.show_sensitive);
}

void TestRunner::RunAssertion(const Assertion& assertion, CaseResult* result) {
  const Evaluation& evaluation = Evaluate(*assertion.condition, result);
  const Value& condition = evaluation.value().unmarked();
  if (evaluation.ok() && condition.is_true()) return;
  TestFailure failure;
  const std::string text = Excerpt(suite_->source().Slice(assertion.range));
  if (!evaluation.ok()) {
    failure = FailedWith(Kind::kAssertion, evaluation, result);
    failure.message = absl::StrCat("the assertion fails: ", text);
  } else {
    failure.kind = Kind::kAssertion;
    failure.message =
        condition.is_false()
            ? absl::StrCat("the assertion is false: ", text)
            : absl::StrCat("the assertion is no bool, but ",
                           ShortText(evaluation.marked_value(), &heap_, options_.show_sensitive), ": ", text);
    if (assertion.message != nullptr) failure.message = MessageOf(assertion, &failure, result);
  }
  failure.range = assertion.range;
  result->failures.push_back(std::move(failure));
}

}  // namespace hcl::internal
