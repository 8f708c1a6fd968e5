// Explanations of decisions. Tested by serve/explain_api_test.cc.

#include "hclvm/serve/explain_api.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decide_api.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"

namespace hcl::serve {

using internal::Explanation;
using internal::ToAbsl;

void AnswerExplanation(const BundleEntry& entry, const Value& scope, bool full, DecisionRunner* runner,
                       HttpResponse* response) {
  const std::shared_ptr<const Program>& program = runner->bundle().modules()[entry.module].recording;
  internal::ExplainOptions options;
  options.limits = runner->options().limits;
  options.limits.interrupt = runner->interrupt();
  options.check_all = runner->options().scopes.check_all;
  options.unknown_input = runner->options().scopes.unknown_input;
  options.full = full;
  options.base = runner->RecordingLayer(entry.module);
  const Explanation explanation = internal::Explain(program, scope, *program->FindEntry(entry.entry->path), options);
  response->status = explanation.is_limit ? 500 : 200;
  response->body =
      absl::StrCat("{\"explanation\":", ToJson(explanation), ",\"revision\":\"", runner->bundle().revision(), "\"}\n");
}

void AnswerExplain(const HttpRequest& request, std::string_view entry, bool full, DecisionRunner* runner,
                   HttpResponse* response) {
  if (!runner->Begin(request)) {
    return AnswerError(503, "Not ready", "There is no bundle yet; /readyz says why.", response);
  }
  const BundleEntry* const found = runner->bundle().Find(entry);
  if (found == nullptr) {
    return AnswerError(404, "No such entry",
                       absl::StrCat("The bundle has no entry \"", ToAbsl(entry.substr(0, 256)), "\".",
                                    runner->bundle().AdviceFor(entry)),
                       response);
  }
  Value scope;
  JsonError error;
  if (!runner->reader()->Read(request.body, runner->heap(), &scope, &error)) {
    return AnswerError(error.is_limit ? 503 : 400, error.summary, error.detail, response);
  }
  if (!scope.is_object()) {
    return AnswerError(400, "Invalid scope", "The body must be a JSON object: variable name to value.", response);
  }
  AnswerExplanation(*found, scope, full, runner, response);
}

}  // namespace hcl::serve
