// RequestLog. Tested by workbench/request_log_test.cc.

#include "hclvm/workbench/request_log.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "zlib.h"

namespace hcl::internal {
namespace {

constexpr size_t kBlockBytes = 1 << 20;

std::optional<Value> PropertyOf(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  if (at < 0) return std::nullopt;
  return object.values()[at];
}

std::string TextOf(const std::optional<Value>& value) {
  return value && value->is_string() ? std::string(value->AsString()) : "";
}

}  // namespace

struct RequestLog::File {
  explicit File(gzFile g) : gz(g) {}
  ~File() { gzclose(gz); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  gzFile gz;
};

// zlib reads what is not compressed as it is.
RequestLog::RequestLog(const std::string& path, size_t max_line_bytes) : path_(path), max_line_bytes_(max_line_bytes) {
  const gzFile gz = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (gz == nullptr) {
    status_ = absl::NotFoundError(absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
    return;
  }
  file_ = std::make_unique<File>(gz);
  gzbuffer(gz, kBlockBytes);
}

RequestLog::~RequestLog() = default;

// Keeps what is left of the last block, and adds another one.
bool RequestLog::Fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > max_line_bytes_) {
    status_ = absl::ResourceExhaustedError(absl::StrCat(path_, ": line ", line_number_ + 1, " is longer than ",
                                                        max_line_bytes_, " bytes, which is the limit"));
    return false;
  }
  const size_t size = buffer_.size();
  buffer_.resize(size + kBlockBytes);
  const int got = gzread(file_->gz, buffer_.data() + size, kBlockBytes);
  buffer_.resize(size + static_cast<size_t>(std::max(got, 0)));
  int code = Z_OK;
  const char* const message = gzerror(file_->gz, &code);
  if (got < 0 || (got == 0 && code == Z_BUF_ERROR)) {
    const std::string reason = code == Z_ERRNO       ? std::strerror(errno)
                               : code == Z_BUF_ERROR ? "it ends too early"
                                                     : message;
    status_ = absl::DataLossError(absl::StrCat("cannot read ", path_, ": ", reason));
    return false;
  }
  is_at_end_ = got == 0;
  return true;
}

bool RequestLog::Next(std::string* line) {
  while (status_.ok() && file_ != nullptr) {
    size_t end = buffer_.find('\n', at_);
    if (end == std::string::npos && !is_at_end_) {
      if (!Fill()) return false;
      continue;
    }
    if (end == std::string::npos) end = buffer_.size();
    if (at_ == buffer_.size()) return false;
    line->assign(buffer_, at_, end - at_);
    at_ = std::min(end + 1, buffer_.size());
    ++line_number_;
    if (!line->empty() && line->back() == '\r') line->pop_back();
    if (line->find_first_not_of(" \t") != std::string::npos) return true;
  }
  return false;
}

bool ReadRequest(std::string_view line, JsonReader* reader, Heap* heap, LoggedRequest* request, std::string* error) {
  Value value;
  JsonError fault;
  if (!reader->Read(line, heap, &value, &fault)) {
    *error = absl::StrCat(fault.summary, ": ", fault.detail);
    return false;
  }
  if (!value.is_object()) {
    *error = "a line is an object of variables, or a line of a decision log";
    return false;
  }
  *request = LoggedRequest();
  const std::optional<Value> input = PropertyOf(value, "input");
  const std::string id = TextOf(PropertyOf(value, "decision_id"));
  const std::string path = TextOf(PropertyOf(value, "path"));
  if (!input || id.empty() || path.empty()) {
    request->scope = value;
    return true;
  }
  request->is_decision = true;
  request->decision_id = id;
  request->path = path;
  for (const std::string_view name : {"erased", "masked"}) {
    const std::optional<Value> parts = PropertyOf(value, name);
    request->is_partial = request->is_partial || (parts && parts->is_sequence() && !parts->elements().empty());
  }
  request->scope = *input;
  if (input->is_object()) return true;
  *error = absl::StrCat("the log has no input of the decision ", id);
  return false;
}

const Entry* EntryOfDecision(const Program& program, std::string_view path) {
  for (size_t begin = 0; begin != std::string_view::npos;) {
    const Entry* const entry = program.FindEntry(path.substr(begin));
    if (entry != nullptr) return entry;
    const size_t slash = path.find('/', begin);
    begin = slash == std::string_view::npos ? slash : slash + 1;
  }
  return nullptr;
}

}  // namespace hcl::internal
