// Tests in editors. Tested by lsp/features/test_commands_test.cc.

#include "hclvm/lsp/features/test_commands.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/lsp/documents/workspace.h"
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

Json RunTest(Workspace* workspace, const Project& project, const std::string& test) {
  internal::TestedModule module{project.module_files(), nullptr};
  internal::TestRunOptions run;
  run.limits = workspace->LimitsFor(kMaxCheckTime);
  const internal::TestReport report = internal::RunModuleTests(
      &module, {project.file->source()}, workspace->SuiteOptionsFor(FolderOf(project.path), kMaxCheckTime), run,
      [&](std::string_view name) { return IsOf(name, test); });
  const bool passed = report.UnreadFiles() == 0 && report.Count(CaseReport::Outcome::kFailed) == 0;
  std::string text;
  for (const internal::FileReport& file : report.files) text += ToText(file.diagnostics, nullptr);
  return {{"passed", passed}, {"text", text + ToText(report, /*color=*/false)}};
}

Json ExplainTest(Workspace* workspace, const Project& project, const std::string& test) {
  internal::TestedModule module{project.module_files(), nullptr};
  internal::TestSuiteOptions options = workspace->SuiteOptionsFor(FolderOf(project.path), kMaxCheckTime);
  options.compile = internal::RecordingOptions(options.compile);
  Diagnostics found;
  const auto suite = internal::ReadTestSuite(project.file->source(), &module, options, &found);
  if (suite == nullptr) return {{"passed", false}, {"text", ToText(found, nullptr)}};
  internal::TestRunOptions run;
  run.limits = options.compile.limits;
  internal::TestRunner runner(suite, run);
  internal::ExplainOptions explain;
  explain.limits = options.compile.limits;
  std::string text;
  size_t cases = 0;
  for (size_t t = 0; t < suite->tests().size(); ++t) {
    for (size_t c = 0; c < suite->tests()[t].case_count(); ++c) {
      const std::string name = suite->CaseName(t, c);
      if (!IsOf(name, test) || cases++ >= kMaxExplainedCases) continue;
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
  return {{"passed", true}, {"text", text}};
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
  const Json* const arguments = Member(*context.params, {"arguments"});
  if (arguments == nullptr || !arguments->is_array() || arguments->size() < 2) return nullptr;
  if (!(*arguments)[0].is_string() || !(*arguments)[1].is_string()) return nullptr;
  const TextFilePtr file = context.workspace->files()->Read(PathOf((*arguments)[0].get_ref<const std::string&>()));
  if (file == nullptr) return nullptr;
  const Project project = context.workspace->ProjectOf(file);
  if (project.kind != ProjectKind::kTests) return nullptr;
  const std::string& test = (*arguments)[1].get_ref<const std::string&>();
  if (command == kRunTest) return RunTest(context.workspace, project, test);
  if (command == kExplainTest) return ExplainTest(context.workspace, project, test);
  return nullptr;
}

}  // namespace hcl::lsp
