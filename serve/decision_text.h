// What decisions say: JSON of their values and errors, for answers and for the log.
//
// Tested by serve/decide_api_test.cc and serve/service_test.cc.

#ifndef HCLVM_SERVE_DECISION_TEXT_H_
#define HCLVM_SERVE_DECISION_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/decider.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::serve {

// That of which the request's time was too short. An evaluation looks at the clock too seldom to find that by itself: a
// batch would go on for as long as its fuel lasts.
Decision LateDecision();

// What is said of a result that has no JSON form. `chunk` of `program`, which may be null, gave it.
Diagnostics WritingFailed(const JsonError& error, const Program* program, uint32_t chunk);

// Appends the JSON of a decision's value, with its sensitive parts. False: a list of errors, since there is none.
bool AppendForLog(const Decision& decision, const Limits& limits, std::string* out);

// What the log has in place of that, where parts of the value are sensitive.
struct HiddenResult {
  std::string json;    // with nulls for these parts
  std::string erased;  // their places, as JSON strings with commas between: "result" and a JSON pointer
};

// Null where nothing is sensitive. What is made of the value for that is in `heap`.
std::unique_ptr<HiddenResult> HideResult(const Decision& decision, const Limits& limits, Heap* heap);

// Appends the list of all errors as an answer has them.
void AppendDiagnostics(const Diagnostics& diagnostics, const Source* source, std::string* out);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECISION_TEXT_H_
