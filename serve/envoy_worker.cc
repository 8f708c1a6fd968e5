// Envoy's questions, answered. Tested by serve/envoy_worker_test.cc.

#include "hclvm/serve/envoy_worker.h"

#include <atomic>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/envoy_response.h"
#include "hclvm/serve/envoy_value.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
namespace {

void CountCheck(AuthOutcome outcome, Metrics* metrics) { Count(&metrics->checks[static_cast<size_t>(outcome)]); }

bool IsCanceled(const RequestContext& context) {
  return context.cancel != nullptr && context.cancel->load(std::memory_order_relaxed);
}

}  // namespace

void EnvoyWorker::Refuse(AuthOutcome outcome, Service* service, CheckResponse* response) {
  if (outcome == AuthOutcome::kOverload) Count(&service->metrics()->overloads);
  CountCheck(outcome, service->metrics());
  AuthAnswer answer;
  answer.outcome = outcome;
  answer.message = outcome == AuthOutcome::kOverload ? "there are more requests than can be answered"
                                                     : "there is no bundle in force";
  FillCheckResponse(&answer, response);
}

AuthOutcome EnvoyWorker::Check(const CheckRequest& request, const RequestContext& context, CheckResponse* response) {
  if (IsCanceled(context)) return CountCheck(AuthOutcome::kCanceled, service_.metrics()), AuthOutcome::kCanceled;
  if (!runner_.Begin(context)) return Refuse(AuthOutcome::kNotReady, &service_, response), AuthOutcome::kNotReady;
  AuthAnswer answer;
  // Time that was spent in a queue counts. The evaluation looks at the clock too seldom to see it.
  if (runner_.interrupt().Reached()) {
    Count(&service_.metrics()->limits[static_cast<size_t>(Reason::kDeadline)]);
    answer.outcome = AuthOutcome::kLimit;
    answer.message = "the time was up before the policy was run";
    answer.revision = runner_.bundle().revision();
  } else {
    Answer(request, &answer);
  }
  FillCheckResponse(&answer, response);
  if (answer.outcome == AuthOutcome::kError) runner_.SetOutcome(Outcome::kError);
  const AuthOutcome outcome = IsCanceled(context) ? AuthOutcome::kCanceled : answer.outcome;
  CountCheck(outcome, service_.metrics());
  return outcome;
}

void EnvoyWorker::Answer(const CheckRequest& request, AuthAnswer* answer) {
  AuthQuestion question;
  question.is_opa = input_ == EnvoyInput::kOpa;
  question.is_denial = IsEnvoyDenial;
  question.takes_all = true;
  auto http = MakeEnvoyHttpValue(request, service_.options().encoded_slash, runner_.heap());
  absl::Status status = http.status();
  if (http.ok()) question.envoy = MakeEnvoyValue(request, runner_.reader(), runner_.heap());
  if (http.ok() && question.is_opa) {
    auto input = MakeOpaInput(request, *http, question.envoy, runner_.reader(), runner_.heap());
    status = input.status();
    if (input.ok()) question.input = *input;
  }
  if (!status.ok()) {
    Count(&service_.metrics()->refused_paths);
    answer->outcome = AuthOutcome::kRefused;
    answer->message = std::string(status.message());
    answer->decision_id = std::string(runner_.NewId());
    answer->revision = runner_.bundle().revision();
    return;
  }
  question.http = *http;
  DecideAuth(question, &runner_, answer);
}

}  // namespace hcl::serve
