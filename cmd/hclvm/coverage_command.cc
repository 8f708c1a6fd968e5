// hclvm coverage: which outcomes decisions have had in recorded requests. Tested by tests/coverage_command_test.sh.

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
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/coverage_options.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_log.h"

namespace hcl::cmd {

using internal::CoverageCounter;
using internal::CoverageIndex;
using internal::LoggedRequest;
using internal::RequestLog;
namespace {

constexpr std::string_view kName = "coverage";
// Lines that are in memory at a time, and those that a thread takes at once.
constexpr size_t kBatchBytes = 8 << 20;
constexpr size_t kLinesAtOnce = 64;

struct Options {
  CommonOptions common;
  CoverageOptions coverage;
  std::vector<std::string> scopes;
  std::vector<std::string> entries;
  uint32_t threads = 1;
  bool check_all = false;
  UnknownInput unknown_input = UnknownInput::kNear;
};

// What one thread evaluates requests with.
class Worker {
 public:
  Worker(const std::shared_ptr<const Program>& program, const CoverageIndex& index, const Options& options,
         const std::vector<const Entry*>& entries)
      : program_(*program),
        entries_(entries),
        counter_(index),
        evaluator_(program, internal::RecordingLimits(options.common.compile.limits)),
        heap_(nullptr, program->dialect(), options.common.compile.limits) {
    evaluator_.set_check_all(options.check_all);
    evaluator_.set_unknown_input(options.unknown_input);
  }

  void Evaluate(std::string_view line) {
    heap_.Reset();
    LoggedRequest request;
    std::string error;
    if (!internal::ReadRequest(line, &reader_, &heap_, &request, &error)) {
      ++skipped_;
      if (error_.empty()) error_ = error;
      return;
    }
    const Entry* const asked = request.is_decision ? internal::EntryOfDecision(program_, request.path) : nullptr;
    if (request.is_decision && asked == nullptr) {
      ++skipped_;
      if (error_.empty()) error_ = absl::StrCat("the config has no entry ", request.path);
      return;
    }
    ++evaluated_;
    evaluator_.BindAll(request.scope);
    internal::AttachRecorder(evaluator_.heap(), &counter_);
    if (asked != nullptr) return Run(*asked, /*is_first=*/true);
    for (const Entry* entry : entries_) Run(*entry, entry == entries_[0]);
  }

  const CoverageCounter& counter() const { return counter_; }
  uint64_t evaluated() const { return evaluated_; }
  uint64_t skipped() const { return skipped_; }
  // Why the first line was skipped.
  const std::string& error() const { return error_; }

 private:
  void Run(const Entry& entry, bool is_first) {
    is_first ? evaluator_.Run(entry) : evaluator_.RunAnother(entry.chunk);
    counter_.Commit();
  }

  const Program& program_;
  const std::vector<const Entry*>& entries_;
  CoverageCounter counter_;
  Evaluator evaluator_;
  Heap heap_;
  JsonReader reader_;
  uint64_t evaluated_ = 0;
  uint64_t skipped_ = 0;
  std::string error_;
};

int FindEntries(const Program& program, const Options& options, std::vector<const Entry*>* entries) {
  for (const std::string& path : options.entries) {
    std::string message;
    const Entry* const entry = internal::FindEntryOrSuggest(program, path, &message);
    if (entry == nullptr) return Complain(kName, message, kUsageError);
    entries->push_back(entry);
  }
  if (!entries->empty()) return kSuccess;
  for (const Entry& entry : program.entries()) entries->push_back(&entry);
  return kSuccess;
}

// Lines of the file, a batch after the other.
int ReadRequests(const std::string& path, const Options& options, std::vector<std::unique_ptr<Worker>>* workers) {
  RequestLog log(path, options.common.compile.limits.max_source_bytes);
  bool has_more = true;
  while (has_more) {
    std::vector<std::string> lines;
    size_t bytes = 0;
    std::string line;
    while (bytes < kBatchBytes && (has_more = log.Next(&line))) {
      bytes += line.size();
      lines.push_back(std::move(line));
    }
    ForEachIndex(lines.size(), static_cast<uint32_t>(workers->size()), kLinesAtOnce,
                 [&](size_t n, uint32_t worker) { (*workers)[worker]->Evaluate(lines[n]); });
  }
  if (log.status().ok()) return kSuccess;
  return Complain(kName, std::string(log.status().message()),
                  absl::IsResourceExhausted(log.status()) ? kLimitReached : kInputError);
}

int Cover(const std::shared_ptr<const Program>& program, const Options& options) {
  std::vector<const Entry*> entries;
  int status = FindEntries(*program, options, &entries);
  if (status != kSuccess) return status;
  CoverageIndex index;
  index.Add(*program, [](const Source& /*source*/) { return true; });
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint32_t n = 0; n < options.threads; ++n)
    workers.push_back(std::make_unique<Worker>(program, index, options, entries));
  for (const std::string& path : options.scopes) {
    status = ReadRequests(path, options, &workers);
    if (status != kSuccess) return status;
  }
  std::vector<const CoverageCounter*> counters;
  uint64_t evaluated = 0;
  uint64_t skipped = 0;
  std::string error;
  for (const auto& worker : workers) {
    counters.push_back(&worker->counter());
    evaluated += worker->evaluated();
    skipped += worker->skipped();
    if (error.empty()) error = worker->error();
  }
  if (skipped > 0) {
    status = evaluated == 0 ? kInputError : kSuccess;
    Complain(kName,
             absl::StrCat(skipped, " of ", skipped + evaluated, " lines were skipped, the first one as: ", error),
             status);
  }
  return FinishCoverage(kName, index.Report(counters), options.coverage, status);
}

}  // namespace

int CoverageCommand(const std::vector<std::string_view>& arguments) {
  Options options;
  std::optional<std::string> functions;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--scopes", [&](std::string_view v) { return options.scopes.emplace_back(v), ""; }},
      {"--entry", [&](std::string_view v) { return options.entries.emplace_back(v), ""; }},
      {"--threads", [&](std::string_view v) { return SetThreads(v, &options.threads); }},
      {"--format", [&](std::string_view v) { return SetCoverageFormat(v, &options.coverage); }},
      {"--output", [&](std::string_view v) { return options.coverage.output = std::string(v), ""; }},
      {"--fail-under", [&](std::string_view v) { return SetFailUnder(v, &options.coverage); }},
      {"--functions", [&](std::string_view v) { return functions = std::string(v), ""; }},
  };
  AddCheckAllOption(&options.check_all, &syntax);
  AddUnknownInputOption(&options.unknown_input, &syntax);
  AddModuleOption(&options.common, &syntax);
  AddCommonOptions(&options.common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (ConfigCount(positional, options.common) != 1 || options.scopes.empty()) {
    return Complain(kName, "give one CONFIG and --scopes FILE (see hclvm coverage --help)", kUsageError);
  }
  if (functions && !ReadHostFunctions(kName, *functions, &options.common, &status)) return status;
  options.common.compile = internal::RecordingOptions(options.common.compile);
  const std::shared_ptr<const Program> program =
      LoadConfig(kName, OnlyConfig(positional, options.common), options.common, &status);
  return program == nullptr ? status : Cover(program, options);
}

}  // namespace hcl::cmd
