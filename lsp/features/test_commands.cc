// Tests in editors. Tested by lsp/features/test_commands_test.cc.

#include "hclvm/lsp/features/test_commands.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/protocol/file_uri.h"
#include "hclvm/module/module.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/module_tests.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::lsp {
namespace {

using internal::CaseReport;
using internal::ToAbsl;

// Cases of a test that are explained, and lines of each.
constexpr size_t kMaxExplainedCases = 10;
constexpr size_t kMaxExplainedLines = 50;

// "the test" for it and for its cases, "the test/the case".
bool IsOf(std::string_view name, const std::string& test) {
  return name == test || absl::StartsWith(ToAbsl(name), test + "/");
}

// What a job needs: nothing of it changes any more.
struct TestJob {
  std::vector<ModuleFile> module_files;
  std::shared_ptr<const Source> file;
  internal::TestSuiteOptions suite;
  std::string test;

  // Tests have the limits that `hclvm test` gives them, and a deadline.
  void Begin(const std::atomic<bool>* stop) {
    suite.compile.limits = Limits();
    suite.compile.limits.interrupt.cancel = stop;
    suite.compile.limits.interrupt.deadline = std::chrono::steady_clock::now() + kMaxTestTime;
  }
};

Json Result(bool passed, std::string text) { return {{"passed", passed}, {"text", std::move(text)}}; }

Json NoSuchTest(const std::string& test) { return Result(false, absl::StrCat("There is no test \"", test, "\".\n")); }

Json RunTest(const TestJob& job) {
  internal::TestedModule module{job.module_files, nullptr};
  internal::TestRunOptions run;
  run.limits = job.suite.compile.limits;
  const internal::TestReport report = internal::RunModuleTests(
      &module, {job.file}, job.suite, run, [&](std::string_view name) { return IsOf(name, job.test); });
  const bool passed = report.UnreadFiles() == 0 && report.Count(CaseReport::Outcome::kFailed) == 0;
  if (passed && report.Count(CaseReport::Outcome::kPassed) == 0) return NoSuchTest(job.test);
  std::string text;
  for (const internal::FileReport& file : report.files) text += ToText(file.diagnostics, nullptr);
  return Result(passed, text + ToText(report, /*color=*/false));
}

Json ExplainTest(TestJob job) {
  internal::TestedModule module{job.module_files, nullptr};
  job.suite.compile = internal::RecordingOptions(job.suite.compile);
  const Limits& limits = job.suite.compile.limits;
  Diagnostics found;
  const auto suite = internal::ReadTestSuite(job.file, &module, job.suite, &found);
  if (suite == nullptr) return Result(false, ToText(found, nullptr));
  internal::TestRunOptions run;
  run.limits = limits;
  internal::TestRunner runner(suite, run);
  internal::ExplainOptions explain;
  explain.limits = limits;
  std::string text;
  size_t cases = 0;
  for (size_t t = 0; t < suite->tests().size(); ++t) {
    for (size_t c = 0; c < suite->tests()[t].case_count(); ++c) {
      const std::string name = suite->CaseName(t, c);
      if (!IsOf(name, job.test) || cases++ >= kMaxExplainedCases) continue;
      absl::StrAppend(&text, text.empty() ? "" : "\n", name, "\n\n");
      const internal::CaseInput input = runner.InputOf(t, c);
      for (const Entry* entry : input.entries) {
        absl::StrAppend(
            &text,
            internal::ToText(internal::Explain(suite->program(), input.scope, *entry, explain), kMaxExplainedLines),
            "\n");
      }
    }
  }
  return cases == 0 ? NoSuchTest(job.test) : Result(true, text);
}

}  // namespace

Json CodeLenses(const FeatureContext& context) {
  Json lenses = Json::array();
  const Project project = context.workspace->ProjectOf(context.file);
  if (project.kind != ProjectKind::kTests) return lenses;
  for (const Block& block : context.file->body().blocks) {
    if (block.type != "test" || block.labels.size() != 1) continue;
    for (const auto& [title, command] : {std::pair("Run", kRunTest), std::pair("Explain", kExplainTest)}) {
      Json lens = {{"range", context.RangeOf(block.header())}};
      lens["command"] = {
          {"title", title}, {"command", command}, {"arguments", {context.uri, std::string(block.labels[0].text)}}};
      lenses.push_back(std::move(lens));
    }
  }
  return lenses;
}

Json ExecuteCommand(const FeatureContext& context) {
  const std::string command = TextAt(*context.params, "command");
  if (command != kRunTest && command != kExplainTest) {
    return context.Fail(absl::StrCat("There is no command \"", command, "\"."));
  }
  const Json* const arguments = Member(*context.params, {"arguments"});
  const bool fits = arguments != nullptr && arguments->is_array() && arguments->size() == 2 &&
                    (*arguments)[0].is_string() && (*arguments)[1].is_string();
  if (!fits) return context.Fail(absl::StrCat(command, " takes the URI of a file of tests, and the name of a test."));
  const std::string& uri = (*arguments)[0].get_ref<const std::string&>();
  const TextFilePtr file = context.workspace->files()->Read(PathOf(uri));
  if (file == nullptr) return context.Fail(absl::StrCat(uri, " cannot be read."));
  const Project project = context.workspace->ProjectOf(file);
  if (project.kind != ProjectKind::kTests) return context.Fail(absl::StrCat(uri, " is no file of tests."));
  TestJob job{project.module_files(), file->source(),
              context.workspace->SuiteOptionsFor(FolderOf(project.path), kMaxTestTime),
              (*arguments)[1].get_ref<const std::string&>()};
  *context.job = [job = std::move(job), is_run = command == kRunTest](const std::atomic<bool>* stop) mutable {
    job.Begin(stop);
    return is_run ? RunTest(job) : ExplainTest(job);
  };
  return nullptr;
}

}  // namespace hcl::lsp
