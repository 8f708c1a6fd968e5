// Framing of messages. Tested by lsp/protocol/message_frames_test.cc.

#include "hclvm/lsp/protocol/message_frames.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"

namespace hcl::lsp {

using internal::ToAbsl;

// Other fields, such as Content-Type, have one value only that the protocol allows, and are passed over.
bool FrameReader::ReadHeader() {
  const size_t end = text_.find("\r\n\r\n", begin_);
  if (std::min(end, text_.size()) - begin_ > kMaxHeaderBytes) {
    status_ = absl::InvalidArgumentError(absl::StrCat("a header has more than ", kMaxHeaderBytes, " bytes"));
    return false;
  }
  if (end == std::string::npos) return false;
  const absl::string_view header = ToAbsl(std::string_view(text_).substr(begin_, end - begin_));
  for (const absl::string_view line : absl::StrSplit(header, "\r\n")) {
    const size_t colon = line.find(':');
    if (!absl::EqualsIgnoreCase(line.substr(0, colon), "Content-Length")) continue;
    size_t length = 0;
    if (colon == absl::string_view::npos ||
        !absl::SimpleAtoi(absl::StripAsciiWhitespace(line.substr(colon + 1)), &length)) {
      status_ = absl::InvalidArgumentError("Content-Length is no number");
      return false;
    }
    length_ = length;
  }
  if (!length_) {
    status_ = absl::InvalidArgumentError("a header has no Content-Length");
    return false;
  }
  if (*length_ > max_bytes_) {
    status_ = absl::ResourceExhaustedError(
        absl::StrCat("a message has ", *length_, " bytes, and at most ", max_bytes_, " are read"));
    return false;
  }
  begin_ = end + 4;
  return true;
}

std::optional<std::string> FrameReader::Next() {
  if (!status_.ok() || (!length_ && !ReadHeader())) return std::nullopt;
  if (text_.size() - begin_ < *length_) return std::nullopt;
  std::string message = text_.substr(begin_, *length_);
  begin_ += *length_;
  length_.reset();
  if (begin_ * 2 >= text_.size()) {
    text_.erase(0, begin_);
    begin_ = 0;
  }
  return message;
}

std::string Framed(std::string_view message) {
  return absl::StrCat("Content-Length: ", message.size(), "\r\n\r\n", ToAbsl(message));
}

}  // namespace hcl::lsp
