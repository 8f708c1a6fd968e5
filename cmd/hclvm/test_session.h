// TestSession: the tests of modules in folders, read, run and reported.
//
// Tested by tests/test_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_TEST_SESSION_H_
#define HCLVM_CMD_HCLVM_TEST_SESSION_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::cmd {

struct TestSessionOptions {
  CommonOptions common;
  internal::TestRunOptions run;
  // Which cases are chosen, by their full names; empty: all.
  std::function<bool(std::string_view name)> chooses;
  uint32_t shard = 0;   // of the cases that are chosen, each one whose number leaves this rest
  uint32_t shards = 1;  // when it is divided by this
  uint32_t threads = 1;
  bool stops_at_failure = false;
  bool shows_progress = false;
  bool counts_coverage = false;
};

// Not thread-safe.
class TestSession {
 public:
  explicit TestSession(const TestSessionOptions& options) : options_(options) {}

  // Reads the tests at `paths`: folders of modules, or test files. What is wrong is printed. Returns an exit status;
  // the tests that could be read are there in any case.
  int Read(const std::vector<std::string_view>& paths);
  // Runs the cases that are chosen. Answers that were asked to be updated are written. Returns an exit status.
  int Run();

  const internal::TestReport& report() const { return report_; }
  // What the cases that ran have covered of the modules. Requires counts_coverage.
  internal::CoverageReport Coverage() const;
  // All files that were read, and the folders that they were looked for in.
  std::set<std::string> watched() const;

 private:
  void ReadModule(const std::string& folder, const std::vector<std::string>& test_files);
  void Choose(internal::FileReport* file);
  bool Update(const internal::FileReport& file, internal::CaseReport* one);
  void RunFile(internal::FileReport* file);
  void ExplainFailures(internal::FileReport* file);
  void ShowProgress(size_t done);
  void Fail(int status) { status_ = status_ == kLimitReached ? status_ : status; }

  void IndexDecisions();

  const TestSessionOptions& options_;
  internal::CoverageIndex index_;
  std::vector<std::unique_ptr<internal::CoverageCounter>> counters_;  // by thread
  internal::TestReport report_;
  std::vector<std::string> folders_;  // of the files of the report
  int status_ = kSuccess;
  size_t chosen_ = 0;  // cases, before they are divided
  size_t cases_ = 0;   // that are in the report
  std::atomic<size_t> done_{0};
  std::atomic<bool> stopped_{false};
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();  // progress
  mutable std::mutex watched_mutex_;
  std::set<std::string> watched_;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_TEST_SESSION_H_
