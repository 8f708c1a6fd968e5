// hclvm.test. Tested by bindings/python/tests/test_tools.py.

#include "hclvm/bindings/python/test_run.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/module_tests.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::python {
namespace {

using internal::CaseReport;
using internal::FileReport;
using internal::TestFailure;

absl::StatusOr<std::string> ReadBelow(const std::string& folder, const std::string& path, uint64_t max_bytes) {
  const std::filesystem::path whole = std::filesystem::path(folder) / path;
  std::ifstream file(whole, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", whole.string()));
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof(buffer)) || file.gcount() > 0) {
    text.append(buffer, static_cast<size_t>(file.gcount()));
    if (text.size() > max_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat(whole.string(), " has more than ", max_bytes, " bytes (limit max_source_bytes)"));
    }
  }
  return text;
}

// What has stopped the run from outside, and not by a limit of a case.
Diagnostics InterruptionsOf(const internal::TestReport& report) {
  Diagnostics found;
  for (const FileReport& file : report.files) {
    for (const CaseReport& one : file.cases) {
      for (const TestFailure& failure : one.result.failures) {
        for (const Diagnostic& diagnostic : failure.diagnostics) {
          if (diagnostic.code == DiagnosticCode::kEvaluationInterrupted) found.Add(diagnostic);
        }
      }
    }
  }
  return found;
}

py::tuple TupleOf(const FileReport& file, const CaseReport& one) {
  py::list failures;
  for (const TestFailure& failure : one.result.failures) failures.append(internal::FailureText(failure));
  const uint32_t line = file.suite->source().LineAt(file.suite->tests()[one.test].range.begin);
  return py::make_tuple(file.path, line, one.name, one.outcome == CaseReport::Outcome::kPassed,
                        std::chrono::duration<double>(one.result.time).count(), failures);
}

}  // namespace

py::tuple RunTests(const py::object& files, const py::object& tests, const std::string& folder, const py::object& texts,
                   bool coverage, const CompileArguments& arguments) {
  internal::TestedModule module;
  module.files = FilesOf(files);
  std::vector<std::shared_ptr<const Source>> sources;
  for (const ModuleFile& file : FilesOf(tests)) sources.push_back(file.source);
  const bool in_memory = !texts.is_none();
  std::map<std::string, std::string> given;
  for (const auto& [name, text] : in_memory ? py::dict(texts) : py::dict()) {
    given.emplace(py::cast<std::string>(name), py::cast<std::string>(text));
  }
  Call call(arguments.stop);
  internal::TestSuiteOptions options;
  options.compile = OptionsOf(arguments, &call);
  options.read_file =
      [&, max_bytes = options.compile.limits.max_source_bytes](const std::string& path) -> absl::StatusOr<std::string> {
    if (!in_memory) return ReadBelow(folder, path, max_bytes);
    const auto found = given.find(path);
    if (found != given.end()) return found->second;
    return absl::NotFoundError(absl::StrCat("there is no file ", path));
  };
  internal::TestRunOptions run_options;
  run_options.limits = options.compile.limits;
  internal::TestReport report;
  internal::CoverageReport covered;
  Diagnostics interruptions;
  const WorkingFor working(&call);
  call.WithoutGil([&] {
    report =
        internal::RunModuleTests(&module, sources, options, run_options, /*chooses=*/{}, coverage ? &covered : nullptr);
    interruptions = InterruptionsOf(report);
  });
  call.RaisePending();
  if (report.UnreadFiles() > 0) {
    Diagnostics found(options.compile.limits.max_diagnostics);
    for (const FileReport& file : report.files) {
      for (const Diagnostic& diagnostic : file.diagnostics.kept()) found.Add(diagnostic);
    }
    Raise(ErrorOf(Phase::kCompile, found, /*source=*/nullptr, call.cancelled()));
  }
  if (!interruptions.empty()) {
    Raise(ErrorOf(Phase::kEvaluate, interruptions, /*source=*/nullptr, call.cancelled()));
  }
  py::list results;
  for (const FileReport& file : report.files) {
    for (const CaseReport& one : file.cases) results.append(TupleOf(file, one));
  }
  const py::object covered_text = coverage ? py::object(py::str(ToJson(covered))) : py::object(py::none());
  return py::make_tuple(results, covered_text);
}

}  // namespace hcl::python
