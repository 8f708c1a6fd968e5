// hclvm bench: what one evaluation costs, over recorded requests. Options and files here; the work is
// workbench/request_bench.h. Tested by tests/bench_command_test.sh.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm/allocation_count.h"
#include "hclvm/cmd/hclvm/bundle_config.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/cmd/hclvm/request_file.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/request_bench.h"

namespace hcl::cmd {

using internal::BenchReport;
using internal::RequestBench;
namespace {

constexpr std::string_view kName = "bench";

std::string SetFormat(std::string_view value, std::string* format) {
  *format = std::string(value);
  return value == "text" || value == "json" ? "" : "must be text or json";
}

// The report of another run. What is wrong has been printed unless the result is kSuccess.
int ReadReport(const std::string& path, const CommonOptions& common, BenchReport* report) {
  std::string text, error;
  const int status = ReadFile(path, common.compile.limits.max_source_bytes, &text, &error);
  if (status != kSuccess) return Complain(kName, error, status);
  if (internal::ReadBenchJson(text, report)) return kSuccess;
  return Complain(kName, absl::StrCat(path, " is no report of hclvm bench --format json"), kInputError);
}

}  // namespace

int BenchCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  RequestFileOptions requests;
  DataOption data;
  internal::BenchOptions options;
  std::vector<std::string> chosen;
  std::string format = "text";
  std::optional<std::string> against;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--entry", [&](std::string_view v) { return chosen.emplace_back(v), ""; }},
      {"--time", [&](std::string_view v) { return SetTimeout(v, &options.time); }},
      {"--against", [&](std::string_view v) { return against = std::string(v), ""; }},
      {"--format", [&](std::string_view v) { return SetFormat(v, &format); }},
  };
  data.AddTo(&syntax);
  AddRequestFileOptions(&requests, &syntax);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  TakeBundles(positional, &common);
  requests.TakeModule(common);
  if (ConfigCount(positional, common) != 1) {
    return Complain(kName, "give one CONFIG, and --scopes FILE or --log FILE (see hclvm bench --help)", kUsageError);
  }
  BenchReport before;
  if (against) status = ReadReport(*against, common, &before);
  if (status != kSuccess) return status;
  RequestFile file;
  status = file.Open(kName, requests);
  if (status != kSuccess) return status;
  const std::shared_ptr<const Program> program = LoadConfig(kName, OnlyConfig(positional, common), common, &status);
  if (program == nullptr) return status;
  std::vector<const Entry*> entries;
  status = FindEntries(kName, *program, chosen, &entries);
  if (status != kSuccess) return status;
  status = data.Read(kName, common, /*check_all=*/false);
  if (status == kSuccess) status = data.Make(program, common, &options.base);
  if (status != kSuccess) return status;
  options.limits = common.compile.limits;
  options.form = requests.form();
  options.log_module = requests.log_module;
  if (CountsAllocations()) options.allocations = AllocationCount;
  RequestBench bench(program, entries, options);
  status = GiveLines(kName, file, options.limits, &bench);
  if (status != kSuccess) return status;
  const int broken_status = ComplainOfBroken(kName, bench.broken());
  const BenchReport report = bench.Measure();
  if (report.entries.empty()) {
    return Complain(kName, "no entry has a request to answer", broken_status == kSuccess ? kInputError : broken_status);
  }
  size_t slower = 0;
  std::string out = internal::BenchText(report, against ? &before : nullptr, &slower);
  if (format == "json") out = internal::BenchJson(report);
  std::fwrite(out.data(), 1, out.size(), stdout);
  uint64_t limited = 0;
  for (const internal::EntryBench& entry : report.entries) limited += entry.limited;
  const int limit_status = ComplainOfLimits(kName, limited);
  if (limit_status != kSuccess || broken_status == kLimitReached) return kLimitReached;
  return slower > 0 ? kInputError : broken_status;
}

}  // namespace hcl::cmd
