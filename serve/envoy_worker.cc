// Envoy's questions, answered. Tested by serve/envoy_worker_test.cc.

#include "hclvm/serve/envoy_worker.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/envoy_response.h"
#include "hclvm/serve/envoy_value.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using envoy::service::auth::v3::CheckRequest;
namespace {

void CountCheck(AuthOutcome outcome, Metrics* metrics) { Count(&metrics->checks[static_cast<size_t>(outcome)]); }

bool IsCanceled(const RequestContext& context) {
  return context.cancel != nullptr && context.cancel->load(std::memory_order_relaxed);
}

}  // namespace

void EnvoyWorker::Refuse(AuthOutcome outcome, Service* service, std::string* response) {
  if (outcome == AuthOutcome::kOverload) Count(&service->metrics()->overloads);
  CountCheck(outcome, service->metrics());
  AuthAnswer answer;
  answer.outcome = outcome;
  answer.message = outcome == AuthOutcome::kOverload ? "there are more requests than can be answered"
                                                     : "there is no bundle in force";
  AppendCheckResponse(&answer, response);
}

void EnvoyWorker::Deny(const std::string& reason, Service* service, std::string* response) {
  Count(&service->metrics()->refused_paths);
  CountCheck(AuthOutcome::kRefused, service->metrics());
  AuthAnswer answer;
  answer.outcome = AuthOutcome::kRefused;
  answer.message = reason;
  AppendCheckResponse(&answer, response);
}

AuthOutcome EnvoyWorker::Check(const CheckRequest& request, const RequestContext& context, std::string* response) {
  return *CheckUntil(std::chrono::steady_clock::time_point::max(), request, context, response);
}

std::optional<AuthOutcome> EnvoyWorker::CheckUntil(std::chrono::steady_clock::time_point until,
                                                   const CheckRequest& request, const RequestContext& context,
                                                   std::string* response) {
  if (IsCanceled(context)) return CountCheck(AuthOutcome::kCanceled, service_.metrics()), AuthOutcome::kCanceled;
  RequestContext bounded = context;
  bounded.deadline = std::min(context.deadline, until);
  if (!runner_.Begin(bounded)) return Refuse(AuthOutcome::kNotReady, &service_, response), AuthOutcome::kNotReady;
  // Whoever ends by then ends by the time that is given here.
  const bool is_bounded = runner_.interrupt().deadline == until;
  AuthAnswer answer;
  // Time that was spent in a queue counts. The evaluation looks at the clock too seldom to see it.
  if (runner_.interrupt().Reached()) {
    EndForTime(&answer);
  } else {
    Answer(request, &answer);
  }
  // Whatever was interrupted on the way, the time is up now.
  if (is_bounded && runner_.interrupt().Reached()) {
    runner_.Forget();
    return std::nullopt;
  }
  return End(context, &answer, response);
}

void EnvoyWorker::EndForTime(AuthAnswer* answer) {
  answer->outcome = AuthOutcome::kLimit;
  answer->limit = Reason::kDeadline;
  answer->message = "the time was up before the policy was run";
  SetRevision(runner_, answer);
}

AuthOutcome EnvoyWorker::End(const RequestContext& context, AuthAnswer* answer, std::string* response) {
  const bool was_run = !answer->decision_id.empty();
  if (answer->outcome == AuthOutcome::kLimit && !was_run) {
    Count(&service_.metrics()->limits[static_cast<size_t>(Reason::kDeadline)]);
  }
  if (answer->outcome == AuthOutcome::kRefused) Count(&service_.metrics()->refused_paths);
  AppendCheckResponse(answer, response);
  if (answer->outcome == AuthOutcome::kError) runner_.SetOutcome(Outcome::kError);
  const AuthOutcome outcome = IsCanceled(context) ? AuthOutcome::kCanceled : answer->outcome;
  CountCheck(outcome, service_.metrics());
  return outcome;
}

// To make all of it costs more than most policies do. OPA's names stand for parts of it.
EnvoyParts EnvoyWorker::PartsNeeded() {
  if (input_ == EnvoyInput::kOpa) return kAllEnvoyParts;
  if (generation_ == runner_.generation()) return parts_;
  const Bundle& bundle = runner_.bundle();
  const Authz* const authz = bundle.authz();
  if (runner_.is_mapped()) {
    parts_ = EnvoyPartsReadBy(authz->reads->needed());
  } else {
    parts_ = authz == nullptr ? EnvoyParts() : EnvoyPartsReadBy(*authz->program);
    const BundleEntry* const entry = bundle.authz_entry();
    parts_ |= entry == nullptr ? kAllEnvoyParts : EnvoyPartsReadBy(*bundle.modules()[entry->module].program);
  }
  generation_ = runner_.generation();
  return parts_;
}

const HttpNeeds& EnvoyWorker::HttpNeeded() {
  static const HttpNeeds& all = *new HttpNeeds(HttpNeeds::All());
  return input_ == EnvoyInput::kOpa ? all : runner_.http_needs();
}

void EnvoyWorker::Answer(const CheckRequest& request, AuthAnswer* answer) {
  AuthQuestion question;
  question.is_opa = input_ == EnvoyInput::kOpa;
  question.is_denial = IsEnvoyDenial;
  question.takes_all = true;
  const bool is_mapped = runner_.is_mapped() && !question.is_opa;
  const bool makes_whole = runner_.is_recorded() && !is_mapped;
  auto http = MakeEnvoyHttpValue(request, service_.options().encoded_slash, HttpNeeded(), makes_whole, runner_.heap());
  absl::Status status = http.status();
  if (http.ok() && is_mapped) {
    question.envoy.needed = MakeDeclaredEnvoyValue(request, PartsNeeded(), runner_.reader(), runner_.heap());
    question.make_whole = [this, &request](Value* whole_http, Value* whole_envoy) {
      const auto made =
          MakeEnvoyHttpValue(request, service_.options().encoded_slash, HttpNeeds::All(), false, runner_.heap());
      if (made.ok()) *whole_http = made->needed;
      *whole_envoy = MakeEnvoyValue(request, kAllEnvoyParts, false, runner_.reader(), runner_.heap()).needed;
    };
  } else if (http.ok()) {
    question.envoy = MakeEnvoyValue(request, PartsNeeded(), makes_whole, runner_.reader(), runner_.heap());
  }
  if (http.ok() && question.is_opa) {
    auto input = MakeOpaInput(request, http->needed, question.envoy.needed, runner_.reader(), runner_.heap());
    status = input.status();
    if (input.ok()) question.input = *input;
  }
  // What could not be read for want of time is neither a wrong request nor a body that is no JSON.
  if (runner_.interrupt().Reached()) return EndForTime(answer);
  if (!status.ok()) {
    answer->outcome = AuthOutcome::kRefused;
    answer->message = std::string(status.message());
    answer->decision_id = std::string(runner_.NewId());
    SetRevision(runner_, answer);
    return;
  }
  question.http = *http;
  DecideAuth(question, &runner_, answer);
}

}  // namespace hcl::serve
