// AuthZEN over HTTP. Tested by serve/authzen_api_test.cc.

#include "hclvm/serve/authzen_api.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/authzen_decision.h"
#include "hclvm/serve/authzen_question.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decide_api.h"
#include "hclvm/serve/explain_api.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr std::string_view kAccess = "/access/v1/";
constexpr std::string_view kEvaluation = "/access/v1/evaluation";
constexpr std::string_view kEvaluations = "/access/v1/evaluations";
constexpr std::string_view kSearch = "/access/v1/search/";
constexpr std::string_view kWellKnown = "/.well-known/authzen-configuration";
constexpr std::string_view kText = "text/plain; charset=utf-8";

bool BeginsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::string_view RequestId(const HttpRequest& request) {
  const std::string_view* const id = request.Find("x-request-id");
  return id == nullptr ? std::string_view() : *id;
}

// One request for evaluations.
class AuthzenAnswer {
 public:
  AuthzenAnswer(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response)
      : request_(request), runner_(*runner), response_(*response), out_(&response->body) {}

  void OfBody(bool may_be_batch) {
    Value body;
    JsonError error;
    if (!runner_.reader()->Read(request_.body, runner_.heap(), &body, &error)) {
      return Refuse(StatusOfUnread(error, runner_.metrics()),
                    absl::StrCat("the body is not to be read: ", error.summary, error.detail.empty() ? "" : ": ",
                                 error.detail, " (at byte ", error.offset, ")"));
    }
    if (!body.is_object()) return Refuse(400, absl::StrCat("the body: ", ExpectedAuthzen("object", body)));
    AuthzenRequest asked(body, runner_.heap()->arena());
    if (may_be_batch) {
      const std::string fault = asked.ReadBatch();
      if (!fault.empty()) return Refuse(400, fault);
    }
    asked.evaluations().empty() ? OfOne(&asked) : OfMany(&asked);
  }

 private:
  void Refuse(int status, std::string_view message) { RefuseAuthzen(request_, status, message, &response_); }

  void OfOne(AuthzenRequest* asked) {
    AuthzenParts parts;
    const std::string fault = asked->Question(nullptr, &parts);
    if (!fault.empty()) return Refuse(400, fault);
    AuthzenDecider decider(&runner_, /*is_batch=*/false);
    const std::string_view query = SplitTarget(request_.target).second;
    if (query == "explain" || query == "explain=full") return Explain(&decider, parts, query != "explain");
    std::string id(runner_.NewId());
    const int status = decider.Decide(parts, out_);
    AddRevision();
    response_.headers.emplace_back("x-hclvm-decision-id", std::move(id));
    if (status != 200) return Refuse(status, decider.message());
    out_->push_back('\n');
  }

  void Explain(AuthzenDecider* decider, const AuthzenParts& parts, bool full) {
    if (!runner_.options().bundle.explains) return Refuse(404, "explanations need the option --explain");
    Value scope;
    const BundleEntry* entry = nullptr;
    int status = 200;
    runner_.NewId();
    const bool is_ready = decider->Prepare(parts, &scope, &entry, &status);
    runner_.Forget();
    if (!is_ready) return Refuse(status, decider->message());
    AnswerExplanation(*entry, scope, full, &runner_, &response_);
  }

  void OfMany(AuthzenRequest* asked) {
    const absl::Span<const Value> evaluations = asked->evaluations();
    if (evaluations.size() > runner_.options().max_batch) {
      return Refuse(413, absl::StrCat("one request may have at most ", runner_.options().max_batch, " evaluations"));
    }
    AuthzenDecider decider(&runner_, /*is_batch=*/true);
    out_->append("{\"evaluations\":[");
    for (const Value& evaluation : evaluations) {
      if (&evaluation != evaluations.data()) out_->push_back(',');
      const bool allows = OfOneOfMany(evaluation, asked, &decider);
      if (asked->semantic() == AuthzenSemantic::kDenyOnFirstDeny && !allows) break;
      if (asked->semantic() == AuthzenSemantic::kPermitOnFirstPermit && allows) break;
    }
    out_->append("]}\n");
    AddRevision();
  }

  // What is wrong with one evaluation denies that one.
  bool OfOneOfMany(const Value& evaluation, AuthzenRequest* asked, AuthzenDecider* decider) {
    if (out_->size() > runner_.options().limits.max_output_bytes) {
      AppendError(500,
                  absl::StrCat("the response has more than ", runner_.options().limits.max_output_bytes, " bytes"));
      return false;
    }
    AuthzenParts parts;
    const std::string fault = asked->Question(&evaluation, &parts);
    if (!fault.empty()) return AppendError(400, fault), false;
    runner_.NewId();
    const int status = decider->Decide(parts, out_);
    if (status == 200) return decider->allows();
    AppendError(status, decider->message());
    return false;
  }

  void AppendError(int status, std::string_view message) {
    absl::StrAppend(out_, "{\"decision\":false,\"context\":{\"error\":{\"status\":", status, ",\"message\":");
    AppendJsonString(message, out_);
    out_->append("}}}");
  }

  void AddRevision() {
    response_.headers.emplace_back("x-hclvm-revision", runner_.bundle().revision());
    const std::string_view data = runner_.data_revision();
    if (!data.empty()) response_.headers.emplace_back("x-hclvm-data-revision", std::string(data));
  }

  const HttpRequest& request_;
  DecisionRunner& runner_;
  HttpResponse& response_;
  std::string* const out_;
};

// The path of the URL, with its slash; empty: none.
std::string_view PathOf(std::string_view url) {
  const size_t host = url.find("://");
  const size_t slash = host == std::string_view::npos ? host : url.find('/', host + 3);
  return slash == std::string_view::npos ? std::string_view() : url.substr(slash);
}

// As others reach the service, unless the operator says so: by the host that the request names.
std::string PublicUrl(const HttpRequest& request, const ServiceOptions& options) {
  if (!options.public_url.empty()) return options.public_url;
  const std::string_view* const host = request.Find("host");
  return absl::StrCat(request.listener.is_tls ? "https://" : "http://", host == nullptr ? "" : ToAbsl(*host));
}

void AnswerMetadata(const HttpRequest& request, std::string_view tenant, DecisionRunner* runner,
                    HttpResponse* response) {
  const std::string url = PublicUrl(request, runner->options());
  if (!tenant.empty() && tenant != PathOf(url)) {
    return RefuseAuthzen(request, 404, "the metadata of this service is at another path: see --public-url", response);
  }
  const auto append = [&](std::string_view name, std::string_view path) {
    response->body.append(response->body.empty() ? "{\"" : ",\"").append(name).append("\":");
    AppendJsonString(absl::StrCat(url, ToAbsl(path)), &response->body);
  };
  append("policy_decision_point", "");
  append("access_evaluation_endpoint", kEvaluation);
  append("access_evaluations_endpoint", kEvaluations);
  response->body.append("}\n");
}

// Answers, and returns true, where the method, the type or the encoding of the body is none that the path takes.
bool RefuseForm(const HttpRequest& request, bool is_metadata, HttpResponse* response) {
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  if (is_metadata ? !is_get : request.method != "POST") {
    const std::string_view allowed = is_metadata ? "GET, HEAD" : "POST";
    RefuseAuthzen(request, 405, absl::StrCat("the method must be ", ToAbsl(allowed)), response);
    response->headers.emplace_back("allow", std::string(allowed));
    return true;
  }
  if (is_metadata) return false;
  if (!EqualsLower(request.MediaType(), "application/json")) {
    RefuseAuthzen(request, 400, "the header content-type must be application/json", response);
    return true;
  }
  if (request.has_plain_body()) return false;
  RefuseAuthzen(request, 415, "the body must be sent as it is, without a content-encoding", response);
  return true;
}

}  // namespace

bool IsAuthzenPath(std::string_view path) {
  if (BeginsWith(path, kAccess)) return true;
  return BeginsWith(path, kWellKnown) && (path.size() == kWellKnown.size() || path[kWellKnown.size()] == '/');
}

void RefuseAuthzen(const HttpRequest& request, int status, std::string_view message, HttpResponse* response) {
  response->status = status;
  response->content_type = kText;
  response->body.assign(message).push_back('\n');
  const std::string_view id = RequestId(request);
  if (!id.empty()) response->headers.emplace_back("x-request-id", std::string(id));
}

void AnswerAuthzen(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response) {
  const std::string_view path = SplitTarget(request.target).first;
  const bool is_metadata = BeginsWith(path, kWellKnown);
  if (!is_metadata && path != kEvaluation && path != kEvaluations) {
    if (BeginsWith(path, kSearch)) {
      return RefuseAuthzen(request, 501, "searches are not supported: this service answers evaluations only", response);
    }
    return RefuseAuthzen(request, 404, "there are /access/v1/evaluation and /access/v1/evaluations", response);
  }
  if (RefuseForm(request, is_metadata, response)) return;
  if (!runner->Begin(request, RequestId(request))) {
    return RefuseAuthzen(request, 503, "there is no bundle yet: /readyz says why", response);
  }
  if (!AuthzenDecider::Answers(runner->bundle())) {
    return RefuseAuthzen(
        request, 404,
        "the bundle answers no questions of AuthZEN: it has neither a block authzen in service.hcl nor "
        "the entry authzen/decision",
        response);
  }
  if (is_metadata) {
    AnswerMetadata(request, path.substr(kWellKnown.size()), runner, response);
  } else {
    AuthzenAnswer(request, runner, response).OfBody(path == kEvaluations);
  }
  const std::string_view id = RequestId(request);
  if (response->status == 200 && !id.empty()) response->headers.emplace_back("x-request-id", std::string(id));
}

}  // namespace hcl::serve
