// The options by which commands take recorded requests, and the file that they name.
//
// Tested by tests/diff_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_REQUEST_FILE_H_
#define HCLVM_CMD_HCLVM_REQUEST_FILE_H_

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/base/limits.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/request_reader.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {

struct RequestFileOptions {
  std::optional<std::string> scopes;
  std::optional<std::string> log;
  std::string log_module;
  bool includes_partial = false;

  // Of a log, the module of a bundle takes its own decisions, unless --log-module says something else.
  void TakeModule(const CommonOptions& common) {
    if (log && log_module.empty() && common.bundle_module) log_module = *common.bundle_module;
  }

  internal::RequestForm form() const { return log ? internal::RequestForm::kLog : internal::RequestForm::kScopes; }
};

// --scopes, --log, --log-module and --partial. What they write to must outlive the syntax.
void AddRequestFileOptions(RequestFileOptions* options, CommandSyntax* syntax);

// The entries of these paths, or all where there are none. An exit status; what is wrong has been printed unless it is
// kSuccess.
int FindEntries(std::string_view command, const Program& program, const std::vector<std::string>& paths,
                std::vector<const Entry*>* entries);

// Says how many evaluations have reached a limit, if any. The exit status for them.
int ComplainOfLimits(std::string_view command, uint64_t evaluations);

// Says how many lines are no requests, if any. The exit status for them.
int ComplainOfBroken(std::string_view command, const internal::BrokenLines& broken);

// The file of --scopes or --log, which is open as long as this lives.
class RequestFile {
 public:
  RequestFile() = default;
  RequestFile(const RequestFile&) = delete;
  RequestFile& operator=(const RequestFile&) = delete;
  ~RequestFile();

  // Both open a file once. The result is an exit status; what is wrong has been printed unless it is kSuccess. "-" is
  // standard input.
  int Open(std::string_view command, const std::string& path);
  int Open(std::string_view command, const RequestFileOptions& options);
  // What it holds. Requires that it is open.
  NdjsonInput input() const;
  // Says what has failed while it was read; returns the exit status.
  int Complain(std::string_view command, const absl::Status& status) const;

 private:
  std::string name_;
  std::FILE* file_ = nullptr;
};

// Gives the lines of `file` to `taker`, which has full() and Add(), until it is full. The result is an exit status;
// what is wrong has been printed unless it is kSuccess.
template <typename Taker>
int GiveLines(std::string_view command, const RequestFile& file, const Limits& limits, Taker* taker) {
  internal::RequestStream stream(file.input(), limits.max_source_bytes);
  internal::Batch batch;
  while (!taker->full() && stream.Next(&batch)) {
    internal::ForEachLine(
        batch, [&](std::string_view line, uint64_t number, bool is_cut) { taker->Add(line, number, is_cut); });
  }
  return stream.status().ok() ? kSuccess : file.Complain(command, stream.status());
}

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_REQUEST_FILE_H_
