// Forward authorization. Tested by serve/forward_auth_test.cc.
//
// Whatever is no word of the policy denies, but for limits, where the operator may have chosen otherwise.

#include "hclvm/serve/forward_auth.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "hclvm/serve/auth_decision.h"
#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {
namespace {

constexpr int kAllowed = 200;

void SetOutcome(std::string_view outcome, HttpResponse* response) {
  response->headers.emplace_back("x-hclvm-outcome", std::string(outcome));
}

bool IsNginxDenial(int64_t status) { return status == 401 || status == 403; }
bool IsForwardedDenial(int64_t status) { return status >= 300 && status <= 599; }

void Fail(std::string_view reason, HttpResponse* response) {
  response->status = kDeniedStatus;
  SetOutcome("error", response);
  response->body.assign(reason).push_back('\n');
}

void Write(AuthAnswer answer, FailMode fail_mode, HttpResponse* response) {
  if (answer.outcome == AuthOutcome::kLimit) return AnswerForwardAuthLimit(fail_mode, answer.limit, response);
  const bool allows = answer.outcome == AuthOutcome::kAllow;
  if (!allows && answer.outcome != AuthOutcome::kDeny) return Fail(answer.message, response);
  response->status = allows ? kAllowed : answer.status;
  for (AuthHeader& header : answer.headers) {
    // The type is the response's own.
    if (header.name != "content-type") response->headers.emplace_back(std::move(header.name), std::move(header.value));
  }
  response->body = std::move(answer.body);
  SetOutcome(allows ? "allow" : "deny", response);
}

void AnswerByFailMode(FailMode fail_mode, std::string_view outcome, HttpResponse* response) {
  response->status = fail_mode == FailMode::kAllow ? kAllowed : kDeniedStatus;
  response->content_type = "text/plain; charset=utf-8";
  SetOutcome(outcome, response);
}

}  // namespace

void AnswerForwardAuthOverload(FailMode fail_mode, HttpResponse* response) {
  AnswerByFailMode(fail_mode, "overload", response);
}

void AnswerForwardAuthLimit(FailMode fail_mode, Reason limit, HttpResponse* response) {
  AnswerByFailMode(fail_mode, "limit", response);
  response->headers.emplace_back("x-hclvm-limit", std::string(NameOf(limit)));
}

void AnswerForwardAuth(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response) {
  if (!runner->Begin(request)) {
    response->status = kDeniedStatus;
    SetOutcome("not_ready", response);
    return;
  }
  if (runner->is_late()) {
    // It has waited for too long. The evaluation looks at the clock too seldom to see that.
    Count(&runner->metrics()->limits[static_cast<size_t>(Reason::kDeadline)]);
    return AnswerForwardAuthLimit(runner->options().fail_mode, Reason::kDeadline, response);
  }
  response->content_type = "text/plain; charset=utf-8";
  const bool makes_whole = runner->is_recorded() && !runner->is_mapped();
  const auto http =
      MakeHttpValue(request, runner->options().encoded_slash, runner->http_needs(), makes_whole, runner->heap());
  AuthAnswer answer;
  if (http.ok()) {
    AuthQuestion question;
    question.http = *http;
    if (runner->is_mapped()) {
      question.make_whole = [&request, runner](Value* whole, Value*) {
        const auto made =
            MakeHttpValue(request, runner->options().encoded_slash, HttpNeeds::All(), false, runner->heap());
        if (made.ok()) *whole = made->needed;
      };
    }
    question.is_denial = request.listener.dialect == AuthDialect::kNginx ? IsNginxDenial : IsForwardedDenial;
    DecideAuth(question, runner, &answer);
  } else {
    Count(&runner->metrics()->refused_paths);
    answer.decision_id = std::string(runner->NewId());
    SetRevision(*runner, &answer);
    answer.message = std::string(http.status().message());
  }
  response->headers.emplace_back("x-hclvm-revision", answer.revision);
  if (!answer.data_revision.empty()) response->headers.emplace_back("x-hclvm-data-revision", answer.data_revision);
  response->headers.emplace_back("x-hclvm-decision-id", answer.decision_id);
  Write(std::move(answer), runner->options().fail_mode, response);
}

}  // namespace hcl::serve
