// hclvm.diff and hclvm.profile. Tested by bindings/python/tests/test_tools.py.

#include "hclvm/bindings/python/compare_run.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/diff_reasons.h"
#include "hclvm/workbench/diff_report.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_diff.h"
#include "hclvm/workbench/request_profile.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::python {
namespace {

using internal::DiffedVersion;
using internal::RequestForm;

// Groups of an entry of which the report has explanations.
constexpr size_t kMaxExplained = 20;

std::vector<std::string> TextsOf(const py::list& given) {
  std::vector<std::string> texts;
  for (const py::handle& one : given) texts.push_back(py::cast<std::string>(one));
  return texts;
}

RequestForm FormOf(const RecordedArguments& recorded) {
  return recorded.log ? RequestForm::kLog : RequestForm::kScopes;
}

std::shared_ptr<const hcl::Program> Compiled(const std::vector<ModuleFile>& files, const CompileOptions& options,
                                             Call* call) {
  Diagnostics found(options.limits.max_diagnostics);
  std::shared_ptr<const hcl::Program> program;
  call->WithoutGil([&] { program = hcl::CompileModule(files, options, &found); });
  call->RaisePending();
  if (program == nullptr) Raise(ErrorOf(Phase::kCompile, found, /*source=*/nullptr, call->cancelled()));
  return program;
}

DiffedVersion VersionOf(const std::vector<ModuleFile>& files, const CompileOptions& options, Call* call) {
  DiffedVersion version;
  version.program = Compiled(files, options, call);
  version.recording = Compiled(files, internal::RecordingOptions(options), call);
  return version;
}

// Lines are numbered from 1. Once the call is stopped, the rest is left out.
template <typename Taker>
void Give(const std::vector<std::string>& lines, const Call& call, Taker* taker) {
  for (size_t n = 0; n < lines.size() && !call.cancelled(); ++n) {
    if (!lines[n].empty()) taker->Add(lines[n], n + 1, /*is_cut=*/false);
  }
}

}  // namespace

std::string DiffModules(const py::object& before, const py::object& after, const RecordedArguments& recorded,
                        bool show_sensitive, const CompileArguments& arguments) {
  const std::vector<ModuleFile> old_files = FilesOf(before);
  const std::vector<ModuleFile> new_files = FilesOf(after);
  const std::vector<std::string> lines = TextsOf(recorded.lines);
  const std::vector<std::string> chosen = TextsOf(recorded.entries);
  Call call(arguments.stop);
  const CompileOptions compile = OptionsOf(arguments, &call);
  const WorkingFor working(&call);
  const DiffedVersion old_version = VersionOf(old_files, compile, &call);
  const DiffedVersion new_version = VersionOf(new_files, compile, &call);
  for (const std::string& path : chosen) {
    if (old_version.program->FindEntry(path) == nullptr && new_version.program->FindEntry(path) == nullptr) {
      Raise(PyExc_KeyError, absl::StrCat("neither version has an entry ", path));
    }
  }
  internal::RequestDiffOptions options;
  options.limits = compile.limits;
  options.limits.interrupt = call.interrupt();
  options.form = FormOf(recorded);
  options.show_sensitive = show_sensitive;
  const internal::ComparedEntries entries =
      internal::CompareEntries(*old_version.program, *new_version.program, chosen);
  std::string report;
  bool limit = false;
  call.WithoutGil([&] {
    internal::RequestDiff diff(old_version, new_version, &entries, options);
    Give(lines, call, &diff);
    internal::DiffCounts& counts = diff.counts();
    limit = counts.limit;
    if (!limit) internal::ExplainGroups(old_version, new_version, entries, options, kMaxExplained, &counts);
    report = internal::DiffJson(entries, counts);
  });
  call.RaisePending();
  if (limit || call.cancelled()) RaiseLimit("an evaluation has reached a limit, or was stopped");
  return report;
}

std::string ProfileModule(const py::object& files, const RecordedArguments& recorded, std::chrono::milliseconds time,
                          const CompileArguments& arguments) {
  const std::vector<ModuleFile> sources = FilesOf(files);
  const std::vector<std::string> lines = TextsOf(recorded.lines);
  const std::vector<std::string> chosen = TextsOf(recorded.entries);
  Call call(arguments.stop);
  CompileOptions compile = OptionsOf(arguments, &call);
  compile.keep_origins = true;
  const WorkingFor working(&call);
  const std::shared_ptr<const hcl::Program> program = Compiled(sources, compile, &call);
  std::vector<const Entry*> entries;
  for (const std::string& path : chosen) {
    std::string message;
    entries.push_back(internal::FindEntryOrSuggest(*program, path, &message));
    if (entries.back() == nullptr) Raise(PyExc_KeyError, message);
  }
  if (chosen.empty()) {
    for (const Entry& entry : program->entries()) entries.push_back(&entry);
  }
  internal::ProfileOptions options;
  options.limits = compile.limits;
  options.limits.interrupt = call.interrupt();
  options.form = FormOf(recorded);
  options.time = time;
  std::string fault;
  std::string text;
  bool limit = false;
  call.WithoutGil([&] {
    internal::RequestProfile profile(program, entries, options);
    Give(lines, call, &profile);
    fault = profile.broken().fault;
    if (!fault.empty()) return;
    const internal::ProfileReport report = profile.Finish();
    limit = report.limited > 0;
    text = internal::ProfileJson(report);
  });
  call.RaisePending();
  if (!fault.empty()) Raise(PyExc_ValueError, absl::StrCat("a request is wrong: ", fault));
  if (limit || call.cancelled()) RaiseLimit("an evaluation has reached a limit, or was stopped");
  return text;
}

}  // namespace hcl::python
