// POST /v1/explain/ENTRY: why an entry has its value for a scope (docs/service.md, "Explanations").
//
// Tested by serve/explain_api_test.cc.

#ifndef HCLVM_SERVE_EXPLAIN_API_H_
#define HCLVM_SERVE_EXPLAIN_API_H_

#include <string_view>

#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// Answers the request for the entry, whose name is decoded, of one scope. What is sensitive is hidden. `full`: with
// each sub-expression. The status is 200 also where the policy fails, 400 where the body is no scope, 404 where there
// is no such entry, 500 where a limit was crossed, 503 where there is no bundle, or the time was up before the scope
// was read. It is no decision: nothing is counted or logged. Requires BundleOptions::explains.
void AnswerExplain(const HttpRequest& request, std::string_view entry, bool full, DecisionRunner* runner,
                   HttpResponse* response);

// Answers with the explanation of the entry over the scope, an object: 200, or 500 where a limit was crossed. Requires
// a bundle that was compiled for it (BundleOptions::explains).
void AnswerExplanation(const BundleEntry& entry, const Value& scope, bool full, DecisionRunner* runner,
                       HttpResponse* response);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_EXPLAIN_API_H_
