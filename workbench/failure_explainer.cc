// FailureExplainer. Tested by workbench/failure_explainer_test.cc.

#include "hclvm/workbench/failure_explainer.h"

#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/source_line.h"

namespace hcl::internal {

FailureExplainer::FailureExplainer(std::shared_ptr<const TestSuite> suite, const TestRunOptions& options)
    : suite_(std::move(suite)), options_(options), heap_(nullptr, suite_->program()->dialect(), options.limits) {}

FailureExplainer::~FailureExplainer() = default;

bool FailureExplainer::Prepare() {
  if (std::exchange(is_prepared_, true)) return recording_ != nullptr;
  TestSuiteOptions options = suite_->options();
  if (options.compile.record) {
    recording_ = suite_;
  } else {
    options.compile = RecordingOptions(options.compile);
    TestedModule module;
    module.files = suite_->module_files();
    Diagnostics ignored;
    recording_ = ReadTestSuite(suite_->shared_source(), &module, options, &ignored);
  }
  if (recording_ == nullptr) return false;
  ExplainOptions explain;
  explain.limits = options_.limits;
  explain.check_all = options_.check_all;
  explain.unknown_input = options_.unknown_input.value_or(UnknownInput::kError);
  explain.show_sensitive = options_.show_sensitive;
  explainer_ = std::make_unique<Explainer>(recording_->program(), explain);
  evaluator_ = std::make_unique<Evaluator>(recording_->program(), RecordingLimits(options_.limits));
  return true;
}

namespace {

// Nothing where there is nothing but the value.
std::string TextOf(const Explanation& explanation) {
  const bool says_more = !explanation.reads.empty() || !explanation.reasons.empty();
  return says_more ? ToText(explanation, FailureExplainer::kMaxLines) : "";
}

}  // namespace

std::string FailureExplainer::ExplainEntry(const Value& scope, const std::string& path) {
  const Entry* const entry = recording_->program()->FindEntry(path);
  return entry == nullptr ? "" : TextOf(explainer_->Explain(scope, *entry));
}

// Entries are variables in an assertion.
std::string FailureExplainer::ExplainAssertion(const Value& scope, const Assertion& assertion) {
  Value whole = scope;
  for (const EntryRead& read : assertion.reads) {
    evaluator_->BindAll(scope);
    const Evaluation& evaluation = evaluator_->Run(*read.entry);
    if (!evaluation.ok()) return "";
    Value value = Clone(evaluation.marked_value(), heap_.arena(), heap_.types());
    const std::string name(recording_->program()->variables()[read.slot]);
    for (auto step = read.steps.rbegin(); step != read.steps.rend(); ++step) {
      value = MakeObject({KeyValue{Value::String(*step, heap_.arena()), value}}, heap_.arena());
    }
    const KeyValue pair = {Value::String(name, heap_.arena()), value};
    whole = LaidOver(whole, MakeObject({pair}, heap_.arena()), &heap_);
  }
  Explanation explanation = explainer_->Explain(whole, *assertion.condition);
  explanation.entry = Excerpt(OneLine(suite_->source().Slice(assertion.range)));
  return TextOf(explanation);
}

void FailureExplainer::Explain(size_t test, size_t case_number, CaseResult* result) {
  if (result->passed() || suite_->tests()[test].recorded || !Prepare()) return;
  heap_.Reset();
  const SuiteTest& one = recording_->tests()[test];
  const Value scope = recording_->ScopeOf(one, one.cases[case_number], &heap_);
  for (TestFailure& failure : result->failures) {
    if (!failure.entry.empty()) {
      failure.explanation = ExplainEntry(scope, failure.entry);
    } else if (failure.kind == TestFailure::Kind::kAssertion) {
      for (const Assertion& assertion : one.assertions) {
        if (assertion.range == failure.range) failure.explanation = ExplainAssertion(scope, assertion);
      }
    }
    while (!failure.explanation.empty() && failure.explanation.back() == '\n') failure.explanation.pop_back();
  }
}

}  // namespace hcl::internal
