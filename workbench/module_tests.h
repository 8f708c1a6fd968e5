// RunModuleTests: all tests of a module whose files are in memory, for programs that want an answer and no report.
//
// Internal to the workbench. Tested by workbench/module_tests_test.cc.

#ifndef HCLVM_WORKBENCH_MODULE_TESTS_H_
#define HCLVM_WORKBENCH_MODULE_TESTS_H_

#include <functional>
#include <memory>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

// Reads the test files and runs their cases, one after the other, in this thread: those whose names are chosen, or all
// where `chooses` is empty. The sources of diagnostics are kept by the report. *coverage, if that is not null, is what
// the cases have covered of the module.
TestReport RunModuleTests(TestedModule* module, absl::Span<const std::shared_ptr<const Source>> test_files,
                          const TestSuiteOptions& options, const TestRunOptions& run_options,
                          const std::function<bool(std::string_view name)>& chooses = {},
                          CoverageReport* coverage = nullptr);

// Adds the mistakes of files that could not be read, and an error (DiagnosticCode::kTestFailed) for each failure. Their
// sources live as long as the report.
void AddFailures(const TestReport& report, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_MODULE_TESTS_H_
