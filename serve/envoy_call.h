// EnvoyCall: a question of Envoy between what carries it and what answers it.

#ifndef HCLVM_SERVE_ENVOY_CALL_H_
#define HCLVM_SERVE_ENVOY_CALL_H_

#include <string>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"

namespace hcl::serve {

// A question under way. The transport's; lives until Done().
class EnvoyCall {
 public:
  virtual ~EnvoyCall() = default;
  virtual const envoy::service::auth::v3::CheckRequest& request() const = 0;
  virtual const RequestContext& context() const = 0;
  // Where the bytes of a CheckResponse go, which is empty.
  virtual std::string* response() = 0;
  // The response is there, unless the outcome is kCanceled. Called once, from any thread.
  virtual void Done(AuthOutcome outcome) = 0;
};

// What answers. Thread-safe.
class EnvoyHandler {
 public:
  virtual ~EnvoyHandler() = default;
  // Answers `call`, now or later.
  virtual void Submit(EnvoyCall* call) = 0;
  // Denies `call`, whose request cannot be read, for that reason.
  virtual void Deny(EnvoyCall* call, const std::string& reason) = 0;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_CALL_H_
