// EnvoyWorker: answers Envoy's questions, one after the other.
//
// Tested by serve/envoy_worker_test.cc.

#ifndef HCLVM_SERVE_ENVOY_WORKER_H_
#define HCLVM_SERVE_ENVOY_WORKER_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "hclvm/serve/auth_decision.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/envoy_value.h"
#include "hclvm/serve/http_value.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// By whose names policies get what Envoy tells.
enum class EnvoyInput {
  kHttp,  // the variable `http`
  kOpa,   // `input`, and results answer by OPA's names as well
};

// Used by one thread at a time. The service must outlive it.
class EnvoyWorker {
 public:
  EnvoyWorker(Service* service, EnvoyInput input) : input_(input), service_(*service), runner_(service) {}

  // Writes the bytes of a CheckResponse to *response, which is empty, and counts what came of it. After a call that
  // nobody waits for any more, the response stays empty, and no policy is run. `request` and what `context` refers to
  // need to live until then only.
  AuthOutcome Check(const envoy::service::auth::v3::CheckRequest& request, const RequestContext& context,
                    std::string* response);
  // The same for a thread that must not stay long. Nothing where the decision takes longer than until then: the
  // response is empty, nothing has been counted, and Check() may be asked.
  std::optional<AuthOutcome> CheckUntil(std::chrono::steady_clock::time_point until,
                                        const envoy::service::auth::v3::CheckRequest& request,
                                        const RequestContext& context, std::string* response);
  // What must not delay the answer: writes to the log and asks the shadow bundle.
  void AfterResponse() { runner_.Finish(); }
  // Drops what a call has left that ended for want of memory.
  void GiveUp() { runner_.Forget(); }
  // Whether AfterResponse() can take as long as a decision.
  bool asks_shadow() const { return runner_.asks_shadow(); }

  // An answer without a decision. From any thread.
  static void Refuse(AuthOutcome outcome, Service* service, std::string* response);
  // A denial of a request that cannot be read, for that reason. From any thread.
  static void Deny(const std::string& reason, Service* service, std::string* response);

 private:
  // The time was up before there was a decision, which then has no identifier.
  void EndForTime(AuthAnswer* answer);
  AuthOutcome End(const RequestContext& context, AuthAnswer* answer, std::string* response);
  void Answer(const envoy::service::auth::v3::CheckRequest& request, AuthAnswer* answer);
  // What of `envoy` anybody looks at.
  EnvoyParts PartsNeeded();
  // The same of `http`.
  const HttpNeeds& HttpNeeded();

  const EnvoyInput input_;
  Service& service_;
  DecisionRunner runner_;
  uint64_t generation_ = 0;  // that parts_ is of
  EnvoyParts parts_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_WORKER_H_
