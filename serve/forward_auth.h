// GET or POST /auth/...: may the request pass that a proxy asks about? (docs/service.md, "Forward authorization")
//
// Tested by serve/forward_auth_test.cc.

#ifndef HCLVM_SERVE_FORWARD_AUTH_H_
#define HCLVM_SERVE_FORWARD_AUTH_H_

#include <string_view>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// Answers 200 where the request may pass and otherwise 403, or what the policy says: 401 or 403 in nginx's dialect, 300
// to 599 in the other one. The header x-hclvm-outcome tells what has decided: "allow", "deny", "error", "limit".
// Requires a listener with a dialect.
void AnswerForwardAuth(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response);

// The answer where nothing was evaluated for want of room or time: by the fail mode.
void AnswerForwardAuthLimit(FailMode fail_mode, std::string_view reason, HttpResponse* response);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_FORWARD_AUTH_H_
