// GET or POST /auth/...: may the request pass that a proxy asks about? (docs/service.md, "Forward authorization")
//
// Tested by serve/forward_auth_test.cc.

#ifndef HCLVM_SERVE_FORWARD_AUTH_H_
#define HCLVM_SERVE_FORWARD_AUTH_H_

#include <string_view>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// Answers 200 where the request may pass and otherwise 403, or what the policy says: 401 or 403 in nginx's dialect, 300
// to 599 in the other one. The header x-hclvm-outcome tells what has decided: "allow", "deny", "error", "limit";
// x-hclvm-limit which limit. Requires a listener with a dialect.
void AnswerForwardAuth(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response);

// The answers where nothing was evaluated, or not to its end, for want of room or since a limit was crossed: by the
// fail mode.
void AnswerForwardAuthOverload(FailMode fail_mode, HttpResponse* response);
void AnswerForwardAuthLimit(FailMode fail_mode, Reason limit, HttpResponse* response);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_FORWARD_AUTH_H_
