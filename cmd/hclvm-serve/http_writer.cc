// Tested by tests/serve/loopback_test.py.

#include "hclvm/cmd/hclvm-serve/http_writer.h"

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

// Such an answer ends with its head, whatever that says.
constexpr int kNotModified = 304;

std::string_view PhraseOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case kNotModified:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Status";
  }
}

}  // namespace

// Clients of HTTP/1.0 take a connection for closed unless they are told.
void WriteHttp(const HttpResponse& response, const HttpWriteOptions& options, std::string* out) {
  absl::StrAppend(out, "HTTP/1.1 ", response.status, " ", ToAbsl(PhraseOf(response.status)),
                  "\r\ndate: ", ToAbsl(options.date), "\r\n");
  const bool has_body = response.status != kNotModified;
  if (has_body) {
    absl::StrAppend(out, "content-type: ", ToAbsl(response.content_type), "\r\ncontent-length: ", response.body.size(),
                    "\r\n");
  }
  if (!options.keep_alive) out->append("connection: close\r\n");
  if (options.keep_alive && options.is_old) out->append("connection: keep-alive\r\n");
  for (const auto& [name, value] : response.headers) absl::StrAppend(out, name, ": ", value, "\r\n");
  out->append("\r\n");
  if (has_body && !options.is_head) out->append(response.body);
}

}  // namespace hcl::serve
