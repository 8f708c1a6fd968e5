// Declarations for what requests bring. Tested by module/infer_test.cc.

#include "hclvm/module/infer.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/module/seen_type.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxVariables = 1'000;

// Cuts a file into lines. Holds one line and what was read behind it.
class LineReader {
 public:
  LineReader(std::FILE* input, uint64_t max_bytes) : input_(input), max_bytes_(max_bytes) {}

  // The next line without its end, valid until the next call; false at the end, or with *status set.
  bool Next(std::string_view* line, absl::Status* status) {
    size_t end = 0;
    size_t looked_at = 0;  // bytes of the line in which no end is
    while ((end = text_.find('\n', begin_ + looked_at)) == std::string::npos) {
      looked_at = text_.size() - begin_;
      if (looked_at > max_bytes_ || !ReadMore(status)) break;
    }
    if (!status->ok() || (end == std::string::npos && begin_ == text_.size())) return false;
    *line = std::string_view(text_).substr(begin_, end == std::string::npos ? end : end - begin_);
    begin_ = end == std::string::npos ? text_.size() : end + 1;
    if (line->size() > max_bytes_) {
      *status = absl::ResourceExhaustedError(absl::StrCat("more than ", max_bytes_, " bytes (limit max_source_bytes)"));
      return false;
    }
    if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
    return true;
  }

 private:
  // Only here is what was given taken away, so that short lines are not moved one after the other.
  bool ReadMore(absl::Status* status) {
    text_.erase(0, begin_);
    begin_ = 0;
    char buffer[1 << 16];
    const size_t got = std::fread(buffer, 1, sizeof(buffer), input_);
    text_.append(buffer, got);
    if (got == 0 && std::ferror(input_) != 0) *status = absl::UnavailableError(std::strerror(errno));
    return got > 0;
  }

  std::FILE* input_;
  uint64_t max_bytes_;
  std::string text_;
  size_t begin_ = 0;  // of what was not given yet
};

class Inference {
 public:
  explicit Inference(const Limits& limits) : limits_(limits), heap_(nullptr, Dialect::kSpec, limits) {}

  // The line is forgotten again, so that memory depends on what is different in them. After an error, no more lines are
  // added.
  absl::Status Add(std::string_view line) {
    heap_.Reset();
    Value scope;
    JsonError error;
    if (!reader_.Read(line, &heap_, &scope, &error)) {
      const std::string message = absl::StrCat(error.summary, ": ", error.detail);
      return error.is_limit ? absl::ResourceExhaustedError(message) : absl::InvalidArgumentError(message);
    }
    if (!scope.is_object()) return absl::InvalidArgumentError("a line is a JSON object of variables");
    ++lines_;
    for (uint32_t n = 0; n < scope.size(); ++n) {
      std::unique_ptr<SeenType>& variable = variables_[std::string(scope.shape().keys[n].AsString())];
      if (variable == nullptr) variable = std::make_unique<SeenType>();
      if (variables_.size() > kMaxVariables) {
        return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxVariables, " variables"));
      }
      seen_.Add(scope.values()[n], 0, variable.get());
    }
    return absl::OkStatus();
  }

  // Each type is made in a heap of its own, so that large ones do not add up. Names that cannot be declared are told,
  // as a reader would otherwise look for them.
  std::string Text() const {
    std::string text;
    for (const auto& [name, variable] : variables_) {
      if (!text.empty()) text += "\n";
      if (!IsIdentifier(name) || name == "var" || name == "local") {
        absl::StrAppend(&text, "# No variable can have the name ", Excerpt(NameText(name)), ".\n");
        continue;
      }
      Heap heap(nullptr, Dialect::kSpec, limits_);
      const InferredType inferred = seen_.TypeOf(*variable, &heap);
      TypeTextOptions options;
      options.indent = 2;
      const std::string type = TypeText(inferred.type, inferred.defaults.get(), options);
      absl::StrAppend(&text, "variable \"", name, "\" {\n");
      if (variable->has_null || variable->values < lines_) {
        absl::StrAppend(&text, "  type     = ", type, "\n  default  = null\n  nullable = true\n}\n");
      } else {
        absl::StrAppend(&text, "  type = ", type, "\n}\n");
      }
    }
    return text;
  }

 private:
  Limits limits_;
  Heap heap_;  // of the line that is looked at
  JsonReader reader_;
  SeenTypes seen_{SeenTypes::Bounds()};
  std::map<std::string, std::unique_ptr<SeenType>> variables_;
  uint64_t lines_ = 0;
};

}  // namespace

absl::StatusOr<std::string> InferVariables(std::FILE* input, const Limits& limits) {
  LineReader lines(input, limits.max_source_bytes);
  Inference inference(limits);
  uint64_t number = 1;
  absl::Status status;
  for (std::string_view line; lines.Next(&line, &status); ++number) {
    status = inference.Add(line);
    if (!status.ok()) break;
  }
  if (absl::IsUnavailable(status)) return status;
  if (!status.ok()) return absl::Status(status.code(), absl::StrCat("line ", number, ": ", status.message()));
  return inference.Text();
}

}  // namespace hcl::internal
