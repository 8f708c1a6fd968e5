// RequestLog: recorded requests, line by line, from a file that may be compressed.
//
// A line is a scope, as `hclvm run --scopes` reads it, or a line of the decision log of hclvm-serve (docs/service.md),
// whose input is the scope. Internal to the workbench. Tested by workbench/request_log_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_LOG_H_
#define HCLVM_WORKBENCH_REQUEST_LOG_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The lines of a file, plain or gzip, of which only a part is in memory. Not thread-safe.
class RequestLog {
 public:
  // "-" is standard input. Lines longer than `max_line_bytes` are an error.
  RequestLog(const std::string& path, size_t max_line_bytes);
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  // The next line without its end; false at the end of the file, or where it cannot be read: status() tells. Blank
  // lines are skipped.
  bool Next(std::string* line);
  // Of that line, from 1.
  uint64_t line_number() const { return line_number_; }
  const absl::Status& status() const { return status_; }

 private:
  bool Fill();

  struct File;
  const std::string path_;
  const size_t max_line_bytes_;
  std::unique_ptr<File> file_;
  std::string buffer_;
  size_t at_ = 0;  // in it
  bool is_at_end_ = false;
  uint64_t line_number_ = 0;
  absl::Status status_;
};

// What a line asks.
struct LoggedRequest {
  Value scope;               // an object
  bool is_decision = false;  // a line of a decision log
  bool is_partial = false;   // parts of the scope are not in the log
  std::string decision_id;
  std::string path;  // of the entry, with the module in front: "billing/policy.access.decision"
};

// Reads `line` into `heap`. False where it is no JSON object, or no scope: *error says why.
bool ReadRequest(std::string_view line, JsonReader* reader, Heap* heap, LoggedRequest* request, std::string* error);

// The entry of `program` that `path` of a decision names, in whatever module of its bundle; null where there is none.
const Entry* EntryOfDecision(const Program& program, std::string_view path);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_LOG_H_
