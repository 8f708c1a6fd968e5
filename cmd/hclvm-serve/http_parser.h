// HttpParser: requests of HTTP/1.0 and 1.1 from bytes as they come, by Boost.Beast, which no header here includes.
//
// Tested by cmd/hclvm-serve/http_parser_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVE_HTTP_PARSER_H_
#define HCLVM_CMD_HCLVM_SERVE_HTTP_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "hclvm/serve/http_message.h"

namespace hcl::serve {

// One request after the other of a connection. Belongs to one thread.
class HttpParser {
 public:
  enum class State {
    kMore,   // needs more bytes, beginning with those that it has not taken
    kHead,   // the head is complete: request() has all but the body. Says so once; then set_body_limit()
    kDone,   // the request is complete
    kWrong,  // refusal() says why; the rest of the connection cannot be read
  };

  // Heads may have at most `max_head` bytes.
  explicit HttpParser(size_t max_head);
  ~HttpParser();

  // Begins the next request.
  void Reset();

  // Reads from the front of `data`, and sets *taken to how many bytes it needs no more.
  State Read(std::string_view data, size_t* taken);

  // The body may have at most so many bytes.
  void set_body_limit(size_t limit);

  // What has been read; views live until Reset(). Method and target may be empty after kWrong. Listener and arrival are
  // the caller's to set.
  const HttpRequest& request() const;
  HttpRequest* mutable_request();
  Refusal refusal() const;

  // After kHead: how many bytes the body will have, if that was said.
  std::optional<uint64_t> content_length() const;
  // The client waits for a word before it sends the body.
  bool expects_continue() const;
  // The connection may go on behind this request.
  bool keep_alive() const;
  // HTTP/1.0, whose clients have to be told that a connection stays.
  bool is_old() const;
  // Something of a request has been read.
  bool has_begun() const;
  // Bytes held for the body.
  size_t body_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_HTTP_PARSER_H_
