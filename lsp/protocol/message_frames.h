// Framing of messages: a header with Content-Length, an empty line, and as many bytes of JSON.
//
// Tested by lsp/protocol/message_frames_test.cc.

#ifndef HCLVM_LSP_PROTOCOL_MESSAGE_FRAMES_H_
#define HCLVM_LSP_PROTOCOL_MESSAGE_FRAMES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace hcl::lsp {

// Bytes of one message. A longer one ends the session, as no client sends one that is meant.
inline constexpr size_t kMaxMessageBytes = 64 << 20;
// Bytes of one header.
inline constexpr size_t kMaxHeaderBytes = 4096;

// Takes bytes as they come and gives whole messages. Not thread-safe. Memory: that of the longest message and of what
// was taken at once.
class FrameReader {
 public:
  explicit FrameReader(size_t max_bytes = kMaxMessageBytes) : max_bytes_(max_bytes) {}

  // Takes further bytes.
  void Take(std::string_view bytes) { text_.append(bytes); }
  // The next message that is there as a whole. None where bytes are missing, and after an error, which status() has.
  std::optional<std::string> Next();
  // InvalidArgument after a header that is none, ResourceExhausted after one of a message that is too long. Where the
  // next message begins is unknown then, so that nothing follows.
  const absl::Status& status() const { return status_; }
  // Bytes of a message are missing.
  bool is_in_message() const { return status_.ok() && begin_ < text_.size(); }

 private:
  bool ReadHeader();

  const size_t max_bytes_;
  std::string text_;
  size_t begin_ = 0;              // of what was not given
  std::optional<size_t> length_;  // of the message whose header was read
  absl::Status status_;
};

// The message with its header.
std::string Framed(std::string_view message);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_PROTOCOL_MESSAGE_FRAMES_H_
