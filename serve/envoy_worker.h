// EnvoyWorker: answers Envoy's questions, one after the other, in one thread.
//
// Tested by serve/envoy_worker_test.cc.

#ifndef HCLVM_SERVE_ENVOY_WORKER_H_
#define HCLVM_SERVE_ENVOY_WORKER_H_

#include "hclvm/serve/auth_decision.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// By whose names policies get what Envoy tells.
enum class EnvoyInput {
  kHttp,  // the variable `http`
  kOpa,   // `input`, and results answer by OPA's names as well
};

// Belongs to one thread. The service must outlive it.
class EnvoyWorker {
 public:
  EnvoyWorker(Service* service, EnvoyInput input) : input_(input), service_(*service), runner_(service) {}

  // Fills in *response, which is clear, and counts what came of it. After a call that nobody waits for any more, the
  // response stays clear, and no policy is run. `request` and what `context` refers to need to live until then only.
  AuthOutcome Check(const envoy::service::auth::v3::CheckRequest& request, const RequestContext& context,
                    envoy::service::auth::v3::CheckResponse* response);
  // What must not delay the answer: writes to the log and asks the shadow bundle.
  void AfterResponse() { runner_.Finish(); }

  // An answer without a decision. From any thread.
  static void Refuse(AuthOutcome outcome, Service* service, envoy::service::auth::v3::CheckResponse* response);

 private:
  void Answer(const envoy::service::auth::v3::CheckRequest& request, AuthAnswer* answer);

  const EnvoyInput input_;
  Service& service_;
  DecisionRunner runner_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_WORKER_H_
