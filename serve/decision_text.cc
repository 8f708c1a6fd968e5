// What decisions say. Tested by serve/decide_api_test.cc and serve/service_test.cc.

#include "hclvm/serve/decision_text.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/serve/decision_record.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

const Diagnostics& TimeWasUp() {
  static const Diagnostics& diagnostics = *[] {
    Diagnostic diagnostic(DiagnosticCode::kEvaluationInterrupted);
    diagnostic.detail = "The time of the request was up before this.";
    auto* const made = new Diagnostics;
    made->Add(std::move(diagnostic));
    return made;
  }();
  return diagnostics;
}

}  // namespace

Decision LateDecision() {
  Decision decision;
  decision.outcome = Outcome::kLimit;
  decision.reason = Reason::kDeadline;
  decision.diagnostics = &TimeWasUp();
  return decision;
}

Diagnostics WritingFailed(const JsonError& error, const Program* program, uint32_t chunk) {
  Diagnostics diagnostics;
  Diagnostic diagnostic(error.code);
  diagnostic.detail = error.detail;
  if (program != nullptr) internal::LocateResult(*program, chunk, error.path, &diagnostic);
  diagnostics.Add(std::move(diagnostic));
  return diagnostics;
}

bool AppendForLog(const Decision& decision, const Limits& limits, std::string* out) {
  JsonError error;
  if (decision.outcome != Outcome::kValue) {
    AppendErrorsForLog(*decision.diagnostics, decision.source, out);
    return false;
  }
  if (AppendJson(decision.value, limits, out, &error)) return true;
  AppendErrorsForLog(WritingFailed(error, nullptr, 0), nullptr, out);
  return false;
}

// A value that has no JSON form as it is may have one without its sensitive parts, and stands as an error all the same.
std::unique_ptr<HiddenResult> HideResult(const Decision& decision, const Limits& limits, Heap* heap) {
  if (decision.outcome != Outcome::kValue || !decision.marked_value.has_marks()) return nullptr;
  std::vector<std::string> places;
  const Value shown = HideSensitive(decision.marked_value, SensitiveForm::kNull, heap, &places);
  if (places.empty()) return nullptr;
  auto hidden = std::make_unique<HiddenResult>();
  JsonError error;
  if (!AppendJson(shown, limits, &hidden->json, &error)) hidden->json = "null";
  for (const std::string& place : places) {
    if (!hidden->erased.empty()) hidden->erased.push_back(',');
    AppendJsonString("result" + place, &hidden->erased);
  }
  return hidden;
}

void AppendDiagnostics(const Diagnostics& diagnostics, const Source* source, std::string* out) {
  out->push_back('[');
  for (size_t n = 0; n < diagnostics.kept().size(); ++n) {
    if (n > 0) out->push_back(',');
    out->append(ToJson(diagnostics.kept()[n], source));
  }
  out->push_back(']');
}

}  // namespace hcl::serve
