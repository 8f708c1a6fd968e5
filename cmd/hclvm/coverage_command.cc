// hclvm coverage: which outcomes decisions have had in recorded requests. Tested by tests/coverage_command_test.sh.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/bundle_config.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/coverage_options.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/cmd/hclvm/request_file.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_reader.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {

using internal::CoverageCounter;
using internal::CoverageIndex;
using internal::RecordedRequest;
using internal::RequestForm;
using internal::RequestReader;
using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "coverage";

struct Options {
  CommonOptions common;
  CoverageOptions coverage;
  std::vector<std::string> scopes;
  std::vector<std::string> entries;
  std::shared_ptr<const BaseLayer> base;  // below the requests; null: nothing
  uint32_t threads = 1;
  bool check_all = false;
  UnknownInput unknown_input = UnknownInput::kNear;
};

// What is needed of the requests. A decision names any entry.
JsonProjection Needed(const std::shared_ptr<const Program>& program, const Options& options) {
  if (options.check_all || options.unknown_input == UnknownInput::kError) {
    JsonProjection all;
    all.NeedAll();
    return all;
  }
  std::vector<const Entry*> entries;
  for (const Entry& entry : program->entries()) entries.push_back(&entry);
  return internal::NeededBy(program, entries, options.base.get());
}

// Lines that were not evaluated.
struct SkippedLines {
  uint64_t count = 0;
  bool has_long = false;  // one is longer than the limit
  // Of the first one: the position of its file, its number, and why.
  size_t file = 0;
  uint64_t line = 0;
  std::string fault;

  void Add(const SkippedLines& other) {
    if (other.count == 0) return;
    if (count == 0 || std::tie(other.file, other.line) < std::tie(file, line)) {
      file = other.file;
      line = other.line;
      fault = other.fault;
    }
    count += other.count;
    has_long = has_long || other.has_long;
  }
};

// Evaluates requests. Belongs to one thread.
class Worker {
 public:
  Worker(const std::shared_ptr<const Program>& program, const CoverageIndex& index, const Options& options,
         const std::vector<const Entry*>& entries)
      : program_(*program),
        entries_(entries),
        module_(options.common.bundle_module.value_or("")),
        max_line_bytes_(options.common.compile.limits.max_source_bytes),
        counter_(index),
        evaluator_(program, internal::RecordingLimits(options.common.compile.limits)),
        reader_(RequestForm::kEither, Needed(program, options), program->dialect(), options.common.compile.limits) {
    evaluator_.set_check_all(options.check_all);
    evaluator_.set_unknown_input(options.unknown_input);
    evaluator_.BindBase(options.base);
  }

  // Evaluates a line, as ForEachLine() gives it, of the file at the position `file`. Lines come in order.
  void Add(std::string_view line, size_t file, uint64_t number, bool is_cut) {
    SkippedLines skipped{1, is_cut || line.size() > max_line_bytes_, file, number, ""};
    if (skipped.has_long) {
      skipped.fault = absl::StrCat("the line is longer than ", max_line_bytes_, " bytes, which is the limit");
      return skipped_.Add(skipped);
    }
    RecordedRequest request;
    const Entry* asked = nullptr;
    if (!reader_.Read(line, &request, &skipped.fault)) return skipped_.Add(skipped);
    if (IsOfAnotherModule(request)) return;
    if (!FindAsked(request, &asked, &skipped.fault)) return skipped_.Add(skipped);
    ++evaluated_;
    evaluator_.BindAll(request.scope);
    internal::AttachRecorder(evaluator_.heap(), &counter_);
    if (asked != nullptr) return Run(*asked, /*is_first=*/true);
    for (const Entry* entry : entries_) Run(*entry, entry == entries_[0]);
  }

  const CoverageCounter& counter() const { return counter_; }
  uint64_t evaluated() const { return evaluated_; }
  uint64_t limited() const { return limited_; }
  const SkippedLines& skipped() const { return skipped_; }

 private:
  // A log has the decisions of all modules of a bundle.
  bool IsOfAnotherModule(const RecordedRequest& request) const {
    const size_t size = module_.size();
    return size > 0 && !request.path.empty() &&
           (request.path.substr(0, size) != module_ || request.path.substr(size, 1) != "/");
  }

  // Sets *asked to the entry of a decision. False where there is nothing to evaluate.
  bool FindAsked(const RecordedRequest& request, const Entry** asked, std::string* fault) const {
    if (request.path.empty()) return true;
    if (!request.scope.is_object()) {
      *fault = absl::StrCat("the log has no input of the decision ", ToAbsl(request.id));
      return false;
    }
    *asked = internal::FindLoggedEntry(program_, request.path, module_);
    if (*asked == nullptr) *fault = absl::StrCat("the config has no entry ", ToAbsl(request.path));
    return *asked != nullptr;
  }

  void Run(const Entry& entry, bool is_first) {
    const Evaluation& evaluation = is_first ? evaluator_.Run(entry) : evaluator_.RunAnother(entry.chunk);
    if (!evaluation.ok() && evaluation.diagnostics().has_limit()) ++limited_;
    counter_.Commit();
  }

  const Program& program_;
  const std::vector<const Entry*>& entries_;
  const std::string module_;  // of a bundle; empty: the config is none, or of one module
  const uint64_t max_line_bytes_;
  CoverageCounter counter_;
  Evaluator evaluator_;
  RequestReader reader_;
  uint64_t evaluated_ = 0;
  uint64_t limited_ = 0;  // evaluations of entries that have reached a limit
  SkippedLines skipped_;
};

// Each worker evaluates the lines that it reads.
int EvaluateFile(size_t n, const Options& options, std::vector<std::unique_ptr<Worker>>* workers) {
  RequestFile file;
  const int status = file.Open(kName, options.scopes[n]);
  if (status != kSuccess) return status;
  internal::RequestStream stream(file.input(), options.common.compile.limits.max_source_bytes);
  ForEachIndex(workers->size(), static_cast<uint32_t>(workers->size()), /*at_once=*/1, [&](size_t worker, uint32_t) {
    internal::Batch batch;
    while (stream.Next(&batch)) {
      internal::ForEachLine(batch, [&](std::string_view line, uint64_t number, bool is_cut) {
        (*workers)[worker]->Add(line, n, number, is_cut);
      });
    }
  });
  return stream.status().ok() ? kSuccess : file.Complain(kName, stream.status());
}

int Cover(const std::shared_ptr<const Program>& program, const Options& options) {
  std::vector<const Entry*> entries;
  int status = FindEntries(kName, *program, options.entries, &entries);
  if (status != kSuccess) return status;
  CoverageIndex index;
  index.Add(*program, [](const Source& /*source*/) { return true; });
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint32_t n = 0; n < options.threads; ++n)
    workers.push_back(std::make_unique<Worker>(program, index, options, entries));
  for (size_t n = 0; n < options.scopes.size(); ++n) {
    status = EvaluateFile(n, options, &workers);
    if (status != kSuccess) return status;
  }
  std::vector<const CoverageCounter*> counters;
  uint64_t evaluated = 0, limited = 0;
  SkippedLines skipped;
  for (const auto& worker : workers) {
    counters.push_back(&worker->counter());
    evaluated += worker->evaluated();
    limited += worker->limited();
    skipped.Add(worker->skipped());
  }
  if (skipped.count > 0) {
    status = skipped.has_long ? kLimitReached : evaluated == 0 ? kInputError : kSuccess;
    Complain(kName,
             absl::StrCat(skipped.count, " of ", skipped.count + evaluated,
                          " lines were skipped, the first one as: ", skipped.fault),
             status);
  } else if (evaluated == 0) {
    status = Complain(kName, "there are no requests", kInputError);
  }
  const int limit_status = ComplainOfLimits(kName, limited);
  if (limit_status != kSuccess) status = limit_status;
  return FinishCoverage(kName, index.Report(counters), options.coverage, status);
}

}  // namespace

int CoverageCommand(const std::vector<std::string_view>& arguments) {
  Options options;
  std::optional<std::string> functions;
  DataOption data;
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
  data.AddTo(&syntax);
  AddCheckAllOption(&options.check_all, &syntax);
  AddUnknownInputOption(&options.unknown_input, &syntax);
  AddModuleOption(&options.common, &syntax);
  AddCommonOptions(&options.common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  TakeBundles(positional, &options.common);
  if (ConfigCount(positional, options.common) != 1 || options.scopes.empty()) {
    return Complain(kName, "give one CONFIG and --scopes FILE (see hclvm coverage --help)", kUsageError);
  }
  for (const std::string& path : options.scopes) {
    if (options.coverage.output && IsSameFile(*options.coverage.output, path)) {
      return Complain(kName, "--output and --scopes name one file", kUsageError);
    }
  }
  if (functions && !ReadHostFunctions(kName, *functions, &options.common, &status)) return status;
  options.common.compile = internal::DecisionOptions(options.common.compile);
  const std::shared_ptr<const Program> program =
      LoadConfig(kName, OnlyConfig(positional, options.common), options.common, &status);
  if (program == nullptr) return status;
  status = data.Read(kName, options.common, options.check_all);
  if (status == kSuccess) status = data.Make(program, options.common, &options.base);
  return status == kSuccess ? Cover(program, options) : status;
}

}  // namespace hcl::cmd
