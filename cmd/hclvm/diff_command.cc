// hclvm diff: two versions of a config over recorded requests. Options, files and threads here; the work is
// workbench/request_diff.h. Tested by tests/diff_command_test.sh and examples/page_test.py.

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/cmd/hclvm/bundle_config.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/cmd/hclvm/request_file.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/diff_reasons.h"
#include "hclvm/workbench/diff_report.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_diff.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {

using internal::ComparedEntries;
using internal::DiffCounts;
using internal::DiffedVersion;
using internal::RequestDiff;
using internal::RequestDiffOptions;
namespace {

constexpr std::string_view kName = "diff";

std::string SetFormat(std::string_view value, std::string* format) {
  *format = std::string(value);
  return value == "text" || value == "markdown" || value == "json" ? "" : "must be text, markdown or json";
}

// Each thread answers the lines that it reads.
DiffCounts CountAll(const DiffedVersion& before, const DiffedVersion& after, const ComparedEntries& entries,
                    const RequestDiffOptions& options, uint32_t threads, internal::RequestStream* stream) {
  std::vector<std::unique_ptr<RequestDiff>> diffs(std::max(threads, uint32_t{1}));
  ForEachIndex(diffs.size(), threads, /*at_once=*/1, [&](size_t n, uint32_t) {
    diffs[n] = std::make_unique<RequestDiff>(before, after, &entries, options);
    internal::Batch batch;
    while (stream->Next(&batch)) {
      internal::ForEachLine(
          batch, [&](std::string_view line, uint64_t number, bool is_cut) { diffs[n]->Add(line, number, is_cut); });
    }
  });
  DiffCounts all;
  for (const std::unique_ptr<RequestDiff>& diff : diffs) internal::Merge(std::move(diff->counts()), &all);
  return all;
}

// The version at `path`, with what says why it answers so. An exit status; what is wrong has been printed unless it is
// kSuccess.
int LoadVersion(std::string_view path, const CommonOptions& common, const DataOption& data, DiffedVersion* version) {
  int status = kSuccess;
  ConfigFiles config;
  if (!ReadConfig(kName, path, common, &config, &status)) return status;
  version->program = CompileOrExplain(config, common, &status);
  if (version->program == nullptr) return status;
  status = data.Make(version->program, common, &version->base);
  if (status != kSuccess) return status;
  // The diagnostics of this one are those of the other one.
  Diagnostics ignored(common.compile.limits.max_diagnostics);
  version->recording = CompileFiles(config, internal::RecordingOptions(common.compile), &ignored);
  return version->recording == nullptr ? kSuccess : data.Make(version->recording, common, &version->recording_base);
}

}  // namespace

int DiffCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  RequestFileOptions requests;
  DataOption data;
  RequestDiffOptions options;
  std::vector<std::string> chosen;
  std::string format = "text";
  uint32_t threads = 1;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--entry", [&](std::string_view v) { return chosen.emplace_back(v), ""; }},
      {"--threads", [&](std::string_view v) { return SetThreads(v, &threads); }},
      {"--format", [&](std::string_view v) { return SetFormat(v, &format); }},
  };
  data.AddTo(&syntax);
  AddRequestFileOptions(&requests, &syntax);
  AddShowSensitiveOption(&options.show_sensitive, &syntax);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  TakeBundles(positional, &common);
  requests.TakeModule(common);
  if (positional.size() != 2) {
    return Complain(kName, "give two versions, OLD and NEW, and --scopes FILE or --log FILE (see hclvm diff --help)",
                    kUsageError);
  }
  const std::string_view source = requests.log      ? std::string_view(*requests.log)
                                  : requests.scopes ? std::string_view(*requests.scopes)
                                                    : std::string_view();
  if ((positional[0] == "-") + (positional[1] == "-") + (source == "-") > 1) {
    return Complain(kName, "only one of OLD, NEW and the requests can be standard input", kUsageError);
  }
  RequestFile file;
  status = file.Open(kName, requests);
  if (status != kSuccess) return status;
  status = data.Read(kName, common, /*check_all=*/false);
  DiffedVersion before, after;
  if (status == kSuccess) status = LoadVersion(positional[0], common, data, &before);
  if (status == kSuccess) status = LoadVersion(positional[1], common, data, &after);
  if (status != kSuccess) return status;
  const ComparedEntries entries = internal::CompareEntries(*before.program, *after.program, chosen);
  for (const std::string& path : chosen) {
    if (std::count(chosen.begin(), chosen.end(), path) > 1) {
      return Complain(kName, absl::StrCat("--entry ", path, " is given twice"), kUsageError);
    }
    if (before.program->FindEntry(path) == nullptr && after.program->FindEntry(path) == nullptr) {
      return Complain(kName, absl::StrCat("neither version has an entry ", path), kUsageError);
    }
  }
  options.limits = common.compile.limits;
  options.form = requests.form();
  options.log_module = requests.log_module;
  options.includes_partial = requests.includes_partial;
  internal::RequestStream stream(file.input(), options.limits.max_source_bytes);
  DiffCounts counts = CountAll(before, after, entries, options, threads, &stream);
  if (!stream.status().ok()) return file.Complain(kName, stream.status());
  internal::DiffReportOptions report;
  if (counts.differing > 0 && before.recording != nullptr && after.recording != nullptr) {
    internal::ExplainGroups(before, after, entries, options, report.max_groups, &counts);
  }
  report.color = UsesColor(STDOUT_FILENO);
  const std::string out = format == "json"       ? internal::DiffJson(entries, counts)
                          : format == "markdown" ? internal::DiffMarkdown(entries, counts, report)
                                                 : internal::DiffText(entries, counts, report);
  std::fwrite(out.data(), 1, out.size(), stdout);
  if (counts.limit) return kLimitReached;
  return internal::IsSame(entries, counts) && counts.broken == 0 && counts.answers() > 0 ? kSuccess : kInputError;
}

}  // namespace hcl::cmd
