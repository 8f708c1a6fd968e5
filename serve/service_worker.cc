// Paths of the service. Tested by serve/service_test.cc, serve/decide_api_test.cc and serve/forward_auth_test.cc.

#include "hclvm/serve/service_worker.h"

#include <functional>
#include <utility>

#include "hclvm/serve/authzen_api.h"
#include "hclvm/serve/decide_api.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/explain_api.h"
#include "hclvm/serve/forward_auth.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/request_path.h"

namespace hcl::serve {
namespace {

constexpr std::string_view kDecide = "/v1/decide/";
constexpr std::string_view kExplain = "/v1/explain/";
constexpr std::string_view kAuth = "/auth";
constexpr std::string_view kBundlePath = "/v1/bundle";
constexpr std::string_view kDataPath = "/v1/data";
constexpr size_t kMaxUploadBytes = 64 << 20;

bool IsUploadPath(std::string_view path) { return path == kBundlePath || path == kDataPath; }

bool IsAuthPath(std::string_view path) {
  return path.substr(0, kAuth.size()) == kAuth && (path.size() == kAuth.size() || path[kAuth.size()] == '/');
}

// Names of entries may have any characters, since labels may; "/" between modules stays as it is. *entry is `text`
// itself or *decoded.
bool DecodeEntry(std::string_view text, std::string* decoded, std::string_view* entry) {
  *entry = text;
  if (text.find('%') == std::string_view::npos) return true;
  decoded->clear();
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] != '%') {
      decoded->push_back(text[n]);
      continue;
    }
    if (n + 2 >= text.size() || digit(text[n + 1]) < 0 || digit(text[n + 2]) < 0) return false;
    decoded->push_back(static_cast<char>(digit(text[n + 1]) * 16 + digit(text[n + 2])));
    n += 2;
  }
  *entry = *decoded;
  return true;
}

void MethodNotAllowed(std::string_view allowed, HttpResponse* response) {
  AnswerError(405, "Method not allowed", "The header allow says which methods there are.", response);
  response->headers.emplace_back("allow", std::string(allowed));
}

// What is said of a request that is not handled.
struct Refused {
  int status;
  std::string_view summary;
  std::string_view detail;
};

Refused RefusedBy(Refusal refusal) {
  switch (refusal) {
    case Refusal::kOverload:
      return {503, "Overloaded", "There are more requests than can be answered. Try again later."};
    case Refusal::kBodyTooLarge:
      return {413, "Body too large", "The body has more bytes than are allowed."};
    case Refusal::kHeaderTooLarge:
      return {431, "Header too large", "The header has more bytes than are allowed."};
    case Refusal::kMalformed:
      break;
    case Refusal::kTimeout:
      return {408, "Too slow", "The request has not come in time."};
  }
  return {400, "Malformed request", "This is no HTTP/1.1."};
}

// A body that is compressed is not read. Answers so, and returns true, where the request says that it is.
bool RefuseEncoding(const HttpRequest& request, HttpResponse* response) {
  if (request.has_plain_body()) return false;
  AnswerError(415, "Unsupported content-encoding", "The body must be sent as it is, without a content-encoding.",
              response);
  response->headers.emplace_back("accept-encoding", "identity");
  return true;
}

}  // namespace

bool ServiceWorker::IsAuthorized(const HttpRequest& request) const {
  constexpr std::string_view kBearer = "bearer ";
  const std::string& token = service_.options().admin_token;
  const std::string_view* const given = request.Find("authorization");
  if (token.empty() || given == nullptr || given->size() < kBearer.size()) return false;
  return EqualsLower(given->substr(0, kBearer.size()), kBearer) && SecretsEqual(given->substr(kBearer.size()), token);
}

// Only who may bring a bundle or data may send much.
size_t ServiceWorker::BodyLimit(const HttpRequest& request) const {
  const bool is_upload =
      request.listener.is_admin && IsUploadPath(SplitTarget(request.target).first) && IsAuthorized(request);
  return is_upload ? kMaxUploadBytes : service_.options().max_body;
}

bool ServiceWorker::Handle(const HttpRequest& request, HttpResponse* response,
                           const std::function<HttpReply()>& later) {
  const std::string_view path = SplitTarget(request.target).first;
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  if (path.substr(0, kDecide.size()) == kDecide) {
    if (request.method != "POST") return MethodNotAllowed("POST", response), true;
    if (RefuseEncoding(request, response)) return true;
    std::string_view entry;
    if (!DecodeEntry(path.substr(kDecide.size()), &decoded_entry_, &entry)) {
      return AnswerError(404, "No such entry", "The path has an escape that is none.", response), true;
    }
    AnswerDecide(request, entry, &runner_, response);
    return true;
  }
  if (service_.options().bundle.explains && path.substr(0, kExplain.size()) == kExplain) {
    if (request.method != "POST") return MethodNotAllowed("POST", response), true;
    if (RefuseEncoding(request, response)) return true;
    std::string_view entry;
    if (!DecodeEntry(path.substr(kExplain.size()), &decoded_entry_, &entry)) {
      return AnswerError(404, "No such entry", "The path has an escape that is none.", response), true;
    }
    AnswerExplain(request, entry, SplitTarget(request.target).second == "full", &runner_, response);
    return true;
  }
  if (IsAuthzenPath(path)) {
    AnswerAuthzen(request, &runner_, response);
    return true;
  }
  if (IsAuthPath(path) && request.listener.dialect != AuthDialect::kNone) {
    AnswerForwardAuth(request, &runner_, response);
    return true;
  }
  if (path == "/livez" || path == "/readyz" || path == "/metrics") {
    if (!is_get) return MethodNotAllowed("GET, HEAD", response), true;
    if (path == "/livez") {
      response->body = "{\"live\":true}\n";
    } else if (path == "/readyz") {
      response->status = service_.is_ready() ? 200 : 503;
      response->body = service_.Status();
    } else {
      response->content_type = "text/plain; version=0.0.4; charset=utf-8";
      response->body = service_.metrics()->Render();
    }
    return true;
  }
  if (request.listener.is_admin && IsUploadPath(path)) {
    return HandleAdmin(request, path == kDataPath ? UploadKind::kData : UploadKind::kBundle, response, later);
  }
  AnswerError(
      404, "No such path",
      "There are /v1/decide/ENTRY, /access/v1/evaluation, /access/v1/evaluations, /livez, /readyz and /metrics; "
      "/auth/ on listeners with a dialect, and /v1/bundle and /v1/data on the admin listener.",
      response);
  return true;
}

bool ServiceWorker::HandleAdmin(const HttpRequest& request, UploadKind kind, HttpResponse* response,
                                const std::function<HttpReply()>& later) {
  if (!IsAuthorized(request)) {
    AnswerError(401, "Not authorized", "The header authorization must be \"Bearer\" and the admin token.", response);
    response->headers.emplace_back("www-authenticate", "Bearer");
    return true;
  }
  if (request.method == "GET") return response->body = service_.Status(), true;
  if (request.method != "PUT") return MethodNotAllowed("GET, PUT", response), true;
  if (kind == UploadKind::kData && RefuseEncoding(request, response)) return true;
  const HttpReply reply = later();
  if (service_.uploader() && service_.uploader()(kind, std::string(request.body), reply)) return false;
  HttpResponse busy;
  AnswerError(503, "Busy", "Something else is being activated.", &busy);
  reply(std::move(busy));
  return false;
}

// A proxy that is denied for want of room should hear of it in the terms that it knows.
void ServiceWorker::Refuse(const HttpRequest& request, Refusal refusal, HttpResponse* response) {
  Metrics* const metrics = service_.metrics();
  if (refusal == Refusal::kOverload) Count(&metrics->overloads);
  if (refusal == Refusal::kMalformed || refusal == Refusal::kHeaderTooLarge) Count(&metrics->malformed);
  if (refusal == Refusal::kBodyTooLarge) Count(&metrics->limits[static_cast<size_t>(Reason::kBody)]);
  if (refusal == Refusal::kTimeout) Count(&metrics->timeouts);
  const bool is_auth = request.listener.dialect != AuthDialect::kNone && IsAuthPath(SplitTarget(request.target).first);
  const FailMode fail_mode = service_.options().fail_mode;
  if (is_auth && refusal == Refusal::kOverload) return AnswerForwardAuthOverload(fail_mode, response);
  if (is_auth && refusal == Refusal::kBodyTooLarge) return AnswerForwardAuthLimit(fail_mode, Reason::kBody, response);
  const Refused refused = RefusedBy(refusal);
  if (IsAuthzenPath(SplitTarget(request.target).first)) {
    return RefuseAuthzen(request, refused.status, refused.detail, response);
  }
  AnswerError(refused.status, refused.summary, refused.detail, response);
}

}  // namespace hcl::serve
