// Answers as they go over the wire (RFC 9112).
//
// Tested by tests/serve/loopback_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_HTTP_WRITER_H_
#define HCLVM_CMD_HCLVM_SERVE_HTTP_WRITER_H_

#include <string>
#include <string_view>

#include "hclvm/serve/http_message.h"

namespace hcl::serve {

struct HttpWriteOptions {
  std::string_view date;    // as headers have it
  bool is_head = false;     // the body is left out, as after HEAD
  bool keep_alive = false;  // the connection goes on
  bool is_old = false;      // the request was of HTTP/1.0
};

// Appends the response to *out.
void WriteHttp(const HttpResponse& response, const HttpWriteOptions& options, std::string* out);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_HTTP_WRITER_H_
