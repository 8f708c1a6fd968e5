// Answers as Envoy takes them (docs/envoy.md, "What Envoy is told").
//
// Pure functions: no gRPC here. Tested by serve/envoy_response_test.cc.

#ifndef HCLVM_SERVE_ENVOY_RESPONSE_H_
#define HCLVM_SERVE_ENVOY_RESPONSE_H_

#include <cstdint>
#include <string>

#include "hclvm/serve/auth_decision.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// The canonical code of gRPC for an outcome: 0 allows.
int CodeOf(AuthOutcome outcome, int status);

// Whether Envoy takes a denial with this status.
bool IsEnvoyDenial(int64_t status);

// Appends the bytes of a CheckResponse: an answer of the policy as ok_response or denied_response; a refused request as
// denied_response, since the client is to blame, who must not gain by it; everything else as error_response, about
// which Envoy's failure mode decides. The dynamic metadata have decision_id, revision and outcome besides what the
// policy says. Where that is too deep or too large for a message, or nothing that it can have, the answer becomes an
// error, in *answer as well.
void AppendCheckResponse(AuthAnswer* answer, std::string* out);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_RESPONSE_H_
