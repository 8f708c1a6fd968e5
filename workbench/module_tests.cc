// RunModuleTests. Tested by workbench/module_tests_test.cc.

#include "hclvm/workbench/module_tests.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/module/module.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/failure_explainer.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {
namespace {

using Outcome = CaseReport::Outcome;

// Failed cases of a file that are explained.
constexpr size_t kMaxExplained = 20;

void RunFile(const TestRunOptions& options, const std::function<bool(std::string_view)>& chooses,
             CoverageCounter* counter, FileReport* file) {
  TestRunner runner(file->suite, options);
  runner.set_counter(counter);
  FailureExplainer explainer(file->suite, options);
  size_t explained = 0;
  const std::vector<SuiteTest>& tests = file->suite->tests();
  for (size_t t = 0; t < tests.size(); ++t) {
    for (size_t c = 0; c < tests[t].case_count(); ++c) {
      CaseReport one;
      one.name = file->suite->CaseName(t, c);
      if (chooses && !chooses(one.name)) continue;
      one.test = t;
      one.number = c;
      one.result = runner.Run(t, c);
      one.outcome = one.result.passed() ? Outcome::kPassed : Outcome::kFailed;
      if (!one.result.passed() && explained++ < kMaxExplained) explainer.Explain(t, c, &one.result);
      file->cases.push_back(std::move(one));
    }
  }
}

}  // namespace

TestReport RunModuleTests(TestedModule* module, absl::Span<const std::shared_ptr<const Source>> test_files,
                          const TestSuiteOptions& options, const TestRunOptions& run_options,
                          const std::function<bool(std::string_view name)>& chooses, CoverageReport* coverage) {
  const auto start = std::chrono::steady_clock::now();
  TestReport report;
  TestSuiteOptions suite_options = options;
  TestRunOptions runner_options = run_options;
  if (coverage != nullptr) {
    suite_options.compile = DecisionOptions(options.compile);
    runner_options.limits = RecordingLimits(run_options.limits);
    module->program = nullptr;  // it may have been compiled otherwise
  }
  CoverageIndex index;
  for (const std::shared_ptr<const Source>& source : test_files) {
    FileReport& file = report.files.emplace_back();
    file.path = source->name();
    file.diagnostics = Diagnostics(options.compile.limits.max_diagnostics);
    file.sources.push_back(source);
    for (const ModuleFile& of_module : module->files) file.sources.push_back(of_module.source);
    file.suite = ReadTestSuite(source, module, suite_options, &file.diagnostics);
    if (file.suite == nullptr || coverage == nullptr) continue;
    index.Add(*file.suite->program(), [module](const Source& covered) {
      return std::any_of(module->files.begin(), module->files.end(),
                         [&](const ModuleFile& one) { return one.source.get() == &covered; });
    });
  }
  CoverageCounter counter(index);
  for (FileReport& file : report.files) {
    if (file.suite == nullptr) continue;
    RunFile(runner_options, chooses, coverage != nullptr ? &counter : nullptr, &file);
  }
  if (coverage != nullptr) *coverage = index.Report({&counter});
  report.time = std::chrono::steady_clock::now() - start;
  return report;
}

void AddFailures(const TestReport& report, Diagnostics* diagnostics) {
  for (const FileReport& file : report.files) {
    for (const Diagnostic& diagnostic : file.diagnostics.kept()) diagnostics->Add(diagnostic);
    for (const CaseReport& one : file.cases) {
      for (const TestFailure& failure : one.result.failures) {
        Diagnostic diagnostic(DiagnosticCode::kTestFailed);
        diagnostic.detail = absl::StrCat("The test \"", one.name, "\" has failed: ", FailureText(failure));
        diagnostic.subject = failure.range;
        diagnostic.source = &file.suite->source();
        diagnostics->Add(std::move(diagnostic));
      }
    }
  }
}

}  // namespace hcl::internal
