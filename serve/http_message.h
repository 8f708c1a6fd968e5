// HTTP as the service sees it: a request that has been read, and a response that will be written. No sockets here.

#ifndef HCLVM_SERVE_HTTP_MESSAGE_H_
#define HCLVM_SERVE_HTTP_MESSAGE_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hcl::serve {

// Which headers carry the request that a proxy asks about. One for each listener, never guessed: a client can send any.
enum class AuthDialect {
  kNone,       // no forward authorization there
  kNginx,      // X-Original-URI, X-Original-Method
  kForwarded,  // X-Forwarded-Uri, X-Forwarded-Method: Traefik, Caddy
};

// What a request came in by.
struct ListenerInfo {
  AuthDialect dialect = AuthDialect::kNone;
  bool is_admin = false;
  bool is_tls = false;
};

struct HttpHeader {
  std::string_view name;  // as it was sent
  std::string_view value;
};

// Views live as long as the request is being handled.
struct HttpRequest {
  std::string_view method;
  std::string_view target;
  std::vector<HttpHeader> headers;
  std::string_view body;
  ListenerInfo listener;
  // Who the client's certificate names that the connection was made with; empty: there is none.
  std::string_view principal;
  std::chrono::steady_clock::time_point arrival;

  // The value of the header, whose name is given in lower case; null where there is none, or more than one.
  const std::string_view* Find(std::string_view name) const;
  // How often it is there.
  size_t Count(std::string_view name) const;
  // What the header content-type says, without parameters; empty where there is none, or more than one.
  std::string_view MediaType() const;
  // Whether the body is what was meant, without a content-encoding.
  bool has_plain_body() const;
};

struct HttpResponse {
  int status = 200;
  std::string_view content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;  // further ones, which are valid
  std::string body;

  void Clear() {
    status = 200;
    content_type = "application/json";
    headers.clear();
    body.clear();
  }
};

// How an answer is given that is not there yet. Called once, from any thread.
using HttpReply = std::function<void(HttpResponse)>;

// Why the server answers in place of the worker.
enum class Refusal { kOverload, kBodyTooLarge, kHeaderTooLarge, kMalformed, kTimeout };

// Handles the requests of one thread.
class HttpWorker {
 public:
  virtual ~HttpWorker() = default;
  // Fills in *response, which is clear, and returns true; or calls `later` for a reply, returns false, and answers by
  // that.
  virtual bool Handle(const HttpRequest& request, HttpResponse* response, const std::function<HttpReply()>& later) = 0;
  // Called after the answer to the last request was given to the system: for what must not delay it.
  virtual void AfterResponse() = 0;
  // How many bytes the body of the request may have, of which the head has been read.
  virtual size_t BodyLimit(const HttpRequest& request) const = 0;
  // The answer where a request is not to be handled. `request` has what was read of it.
  virtual void Refuse(const HttpRequest& request, Refusal refusal, HttpResponse* response) = 0;
};

// Lower case of ASCII.
std::string LowerCase(std::string_view text);
inline char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
// Whether the two are the same but for the case of ASCII letters; `lower` is in lower case. Most texts have another
// size or another first letter.
inline bool EqualsLower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t n = 0; n < text.size(); ++n) {
    if (LowerCase(text[n]) != lower[n]) return false;
  }
  return true;
}
// Whether `name` can be the name of a header, and `value` its value: no control characters but tabs.
bool IsHeaderName(std::string_view name);
bool IsHeaderValue(std::string_view value);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_HTTP_MESSAGE_H_
