// TestSession. Tested by tests/test_command_test.sh.

#include "hclvm/cmd/hclvm/test_session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/workbench/failure_explainer.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::cmd {

using internal::CaseReport;
using internal::FileReport;
using internal::IsTestFileName;
using internal::TestRunner;
namespace {

constexpr std::string_view kName = "test";
// Cases that a thread takes at a time: each takes some microseconds.
constexpr size_t kCasesAtOnce = 16;
// Failed cases of a file that are explained.
constexpr size_t kMaxExplained = 100;
constexpr std::chrono::milliseconds kProgressInterval{250};

// The test files in a folder, in the order of their names.
std::vector<std::string> TestFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unused;
    if (IsTestFileName(at->path().filename().string()) && !at->is_directory(unused)) {
      files.push_back(at->path().lexically_normal().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int TestSession::Read(const std::vector<std::string_view>& paths) {
  for (const std::string_view given : paths) {
    const std::string path(given);
    if (!IsDirectory(path)) {
      const std::filesystem::path file(path);
      const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
      if (IsTestFileName(file.filename().string())) {
        ReadModule(folder, {path});
      } else {
        Fail(Complain(kName, absl::StrCat(path, " is neither a folder nor a file *.test.hcl"), kUsageError));
      }
      continue;
    }
    absl::StatusOr<std::vector<std::string>> modules = FindModules(path);
    if (!modules.ok()) {
      Fail(Complain(kName, std::string(modules.status().message()), kInputError));
      continue;
    }
    if (modules->empty()) modules->push_back(path);
    for (const std::string& module : *modules) {
      const std::vector<std::string> files = TestFilesIn(module);
      if (!files.empty()) ReadModule(module, files);
      const std::lock_guard<std::mutex> lock(watched_mutex_);
      watched_.insert(module);
    }
  }
  if (report_.files.empty() && status_ == kSuccess) {
    Fail(Complain(kName, "there are no tests: no module has a file *.test.hcl", kInputError));
  } else if (chosen_ == 0 && status_ == kSuccess) {
    Fail(
        Complain(kName, options_.chooses ? "--run chooses no test" : "there are no tests in these files", kInputError));
  }
  return status_;
}

void TestSession::ReadModule(const std::string& folder, const std::vector<std::string>& test_files) {
  const Limits& limits = options_.common.compile.limits;
  internal::TestedModule module;
  absl::StatusOr<std::vector<ModuleFile>> files = ReadModuleDirectory(folder, limits);
  if (!files.ok()) {
    const int status = absl::IsResourceExhausted(files.status()) ? kLimitReached : kInputError;
    return Fail(Complain(kName, std::string(files.status().message()), status));
  }
  module.files = *std::move(files);
  internal::TestSuiteOptions options;
  options.compile =
      options_.counts_coverage ? internal::DecisionOptions(options_.common.compile) : options_.common.compile;
  options.refuses_unknown_variables = options_.run.unknown_input.value_or(UnknownInput::kError) == UnknownInput::kError;
  options.read_file = [this, folder,
                       max_bytes = limits.max_source_bytes](const std::string& path) -> absl::StatusOr<std::string> {
    const std::string whole = (std::filesystem::path(folder) / path).string();
    {
      const std::lock_guard<std::mutex> lock(watched_mutex_);
      watched_.insert(whole);
    }
    std::string text, error;
    const int status = ReadFile(whole, max_bytes, &text, &error);
    if (status == kSuccess) return text;
    return status == kLimitReached ? absl::ResourceExhaustedError(error) : absl::NotFoundError(error);
  };
  for (const std::string& path : test_files) {
    FileReport& file = report_.files.emplace_back();
    folders_.push_back(folder);
    file.path = path;
    file.diagnostics = Diagnostics(limits.max_diagnostics);
    std::string text, error;
    const int status = ReadFile(path, limits.max_source_bytes, &text, &error);
    if (status != kSuccess) {
      Fail(Complain(kName, error, status));
      report_.files.pop_back();
      folders_.pop_back();
      continue;
    }
    file.sources.push_back(std::make_shared<const Source>(path, std::move(text)));
    for (const ModuleFile& of_module : module.files) file.sources.push_back(of_module.source);
    file.suite = internal::ReadTestSuite(file.sources[0], &module, options, &file.diagnostics);
    if (file.suite == nullptr) {
      // Mistakes of the module are those of each of its test files.
      const size_t before = report_.files.size() - 1;
      const bool is_told = before > 0 && report_.files[before - 1].diagnostics.kept() == file.diagnostics.kept();
      if (!is_told) PrintDiagnostics(file.diagnostics, /*source=*/nullptr, options_.common);
      Fail(StatusOf(file.diagnostics));
    } else {
      Choose(&file);
    }
  }
}

void TestSession::Choose(FileReport* file) {
  const std::vector<internal::SuiteTest>& tests = file->suite->tests();
  for (size_t t = 0; t < tests.size(); ++t) {
    for (size_t c = 0; c < tests[t].case_count(); ++c) {
      CaseReport one;
      one.name = file->suite->CaseName(t, c);
      one.test = t;
      one.number = c;
      if (options_.chooses && !options_.chooses(one.name)) continue;
      if (chosen_++ % options_.shards == options_.shard) file->cases.push_back(std::move(one));
    }
  }
  cases_ += file->cases.size();
}

// Test files are no part of what they test.
void TestSession::IndexDecisions() {
  for (const FileReport& file : report_.files) {
    if (file.suite == nullptr) continue;
    index_.Add(*file.suite->program(), [&](const Source& source) {
      return std::any_of(file.sources.begin() + 1, file.sources.end(),
                         [&](const std::shared_ptr<const Source>& of_module) { return of_module.get() == &source; });
    });
  }
  for (uint32_t n = 0; n < std::max(options_.threads, uint32_t{1}); ++n) {
    counters_.push_back(std::make_unique<internal::CoverageCounter>(index_));
  }
}

internal::CoverageReport TestSession::Coverage() const {
  std::vector<const internal::CoverageCounter*> counters;
  for (const auto& counter : counters_) counters.push_back(counter.get());
  return index_.Report(counters);
}

int TestSession::Run() {
  const auto start = std::chrono::steady_clock::now();
  if (options_.counts_coverage) IndexDecisions();
  for (size_t n = 0; n < report_.files.size(); ++n) {
    FileReport& file = report_.files[n];
    if (file.suite == nullptr) continue;
    RunFile(&file);
    ExplainFailures(&file);
    for (CaseReport& one : file.cases) {
      if (one.outcome == CaseReport::Outcome::kUpdated && !Update(file, &one)) Fail(kInputError);
    }
  }
  if (options_.shows_progress) std::fputs("\r\033[K", stderr);
  report_.time = std::chrono::steady_clock::now() - start;
  if (report_.Count(CaseReport::Outcome::kFailed) > 0) Fail(kInputError);
  if (report_.HasLimit()) Fail(kLimitReached);
  return status_;
}

// Runners are made for those threads that come by a case.
void TestSession::RunFile(FileReport* file) {
  std::vector<std::unique_ptr<TestRunner>> runners(std::max(options_.threads, uint32_t{1}));
  ForEachIndex(file->cases.size(), options_.threads, kCasesAtOnce, [&](size_t n, uint32_t worker) {
    if (stopped_.load(std::memory_order_relaxed)) return;
    CaseReport& one = file->cases[n];
    if (runners[worker] == nullptr) {
      runners[worker] = std::make_unique<TestRunner>(file->suite, options_.run);
      if (options_.counts_coverage) runners[worker]->set_counter(counters_[worker].get());
    }
    one.result = runners[worker]->Run(one.test, one.number);
    one.outcome = one.result.passed()               ? CaseReport::Outcome::kPassed
                  : !one.result.new_answers.empty() ? CaseReport::Outcome::kUpdated
                                                    : CaseReport::Outcome::kFailed;
    if (one.outcome == CaseReport::Outcome::kFailed && options_.stops_at_failure) stopped_ = true;
    const size_t done = ++done_;
    if (options_.shows_progress && worker == 0) ShowProgress(done);
  });
}

void TestSession::ExplainFailures(FileReport* file) {
  internal::FailureExplainer explainer(file->suite, options_.run);
  size_t explained = 0;
  for (CaseReport& one : file->cases) {
    if (one.outcome != CaseReport::Outcome::kFailed) continue;
    if (explained++ == kMaxExplained) return;
    explainer.Explain(one.test, one.number, &one.result);
  }
}

void TestSession::ShowProgress(size_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < kProgressInterval) return;
  shown_ = now;
  std::fprintf(stderr, "\r\033[K%zu of %zu cases", done, cases_);
  std::fflush(stderr);
}

bool TestSession::Update(const FileReport& file, CaseReport* one) {
  const size_t number = static_cast<size_t>(&file - report_.files.data());
  const std::string& answers = file.suite->tests()[one->test].recorded->answers;
  const std::string path = (std::filesystem::path(folders_[number]) / answers).string();
  std::string fault;
  if (WriteFile(path, one->result.new_answers, &fault) == kSuccess) return true;
  Complain(kName, fault, kInputError);
  one->outcome = CaseReport::Outcome::kFailed;
  return false;
}

std::set<std::string> TestSession::watched() const {
  const std::lock_guard<std::mutex> lock(watched_mutex_);
  return watched_;
}

}  // namespace hcl::cmd
