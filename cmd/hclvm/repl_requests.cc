// One line of a file of requests. Tested by cmd/hclvm/repl_session_test.cc.

#include "hclvm/cmd/hclvm/repl_requests.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/ndjson.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {

namespace {

// Closes the file at the end.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

int ReplSession::Requests::Choose(uint64_t number, std::string* error) {
  const OpenFile file(path_);
  if (file.descriptor() < 0) return *error = absl::StrCat("cannot read ", path_), kInputError;
  struct stat status = {};
  const bool is_device = ::fstat(file.descriptor(), &status) == 0 && S_ISCHR(status.st_mode);
  if (is_device) return *error = absl::StrCat(path_, " is a device, which has no end"), kInputError;
  internal::RequestStream stream(ReadFrom(file.descriptor(), path_), compile_.limits.max_source_bytes);
  internal::Batch batch;
  std::string line;
  bool is_found = false;
  bool is_long = false;
  while (!is_found && stream.Next(&batch)) {
    internal::ForEachLine(batch, [&](std::string_view text, uint64_t at, bool is_cut) {
      if (at != number) return;
      is_found = true;
      is_long = is_cut;
      line = std::string(text);
    });
  }
  if (!stream.status().ok()) return *error = std::string(stream.status().message()), kInputError;
  if (!is_found) return *error = absl::StrCat(path_, " has no request in line ", number), kInputError;
  if (is_long) return *error = absl::StrCat(path_, ":", number, ": the line is over max_source_bytes"), kLimitReached;
  auto heap = std::make_unique<Heap>(nullptr, compile_.dialect, compile_.limits);
  JsonReader reader;
  JsonError json_error;
  Value scope;
  if (!reader.Read(line, heap.get(), &scope, &json_error)) {
    *error = absl::StrCat(path_, ":", number, ": ", json_error.summary, ": ", json_error.detail);
    return json_error.is_limit ? kLimitReached : kInputError;
  }
  if (!scope.is_object()) {
    return *error = absl::StrCat(path_, ":", number, ": a request is a JSON object, variable name to value"),
           kInputError;
  }
  heap_ = std::move(heap);
  scope_ = scope;
  line_ = number;
  return kSuccess;
}

}  // namespace hcl::cmd
