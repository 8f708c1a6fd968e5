// POST /v1/decide/ENTRY: scopes in, values out (docs/service.md, "Decisions").
//
// Tested by serve/decide_api_test.cc.

#ifndef HCLVM_SERVE_DECIDE_API_H_
#define HCLVM_SERVE_DECIDE_API_H_

#include <string_view>

#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/json/json.h"

namespace hcl::serve {

// Answers the request for the entry, whose name is decoded: of one scope, of {"inputs": [...], "common": {...}}, or of
// lines of scopes. The status is 200, 400 where the scope is wrong, 404 where there is no such entry, 413 for too many
// inputs and too large ones, 500 where the policy fails or crosses a limit, 503 where there is no bundle, or the time
// was up before the scope was read; never 403.
void AnswerDecide(const HttpRequest& request, std::string_view entry, DecisionRunner* runner, HttpResponse* response);

// The status where the body could not be read: 400, or, where that has crossed a limit, which is counted, 413 or 503.
int StatusOfUnread(const JsonError& error, Metrics* metrics);

// Makes *response an answer {"diagnostics": [...]} of one error.
void AnswerError(int status, std::string_view summary, std::string_view detail, HttpResponse* response);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECIDE_API_H_
