// AuthZEN's Authorization API 1.0 (docs/authzen.md): POST /access/v1/evaluation and /access/v1/evaluations, and
// GET /.well-known/authzen-configuration.
//
// Tested by serve/authzen_api_test.cc.

#ifndef HCLVM_SERVE_AUTHZEN_API_H_
#define HCLVM_SERVE_AUTHZEN_API_H_

#include <string_view>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"

namespace hcl::serve {

// Whether the API says what the path is.
bool IsAuthzenPath(std::string_view path);

// Answers a request for such a path. Decisions have the status 200, whether they allow or deny. Otherwise the body is a
// line of text: 400 where the request is wrong or does not fit the policy, 404 where the bundle answers no such
// questions, 405, 413 for too many evaluations, 415, 500 where the policy fails or crosses a limit, 501 for searches,
// 503 where there is no bundle or the time was up. It is never 403. The header x-request-id of the request is in the
// answer.
void AnswerAuthzen(const HttpRequest& request, DecisionRunner* runner, HttpResponse* response);

// The answer where a request for such a path is not handled.
void RefuseAuthzen(const HttpRequest& request, int status, std::string_view message, HttpResponse* response);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTHZEN_API_H_
