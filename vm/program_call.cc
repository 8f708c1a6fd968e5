// Evaluating a program inside of a function's call. Tested by vm/program_function_test.cc.

#include "hclvm/vm/program_call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

Value NoValue() { return InternalValue(nullptr); }

// All that a run needs lives in the caller's arena and goes with its evaluation: a function is shared by threads, and
// so can keep no registers or caches of its own. That costs filling them for each call, and no inline cache survives
// it.
//
// Fuel is the caller's: the inner run gets what is left, and what it used is charged afterwards.
Value EvaluateInCall(const Program& program, absl::Span<const Value> slots, const Shape* scope, FunctionCall* call,
                     Diagnostics* diagnostics) {
  const ProgramTables& tables = TablesOf(program);
  Arena* const arena = call->arena();
  Value* const frame = arena->NewArray<Value>(tables.frame_size());
  tables.BeginFrame(frame);
  std::copy(slots.begin(), slots.end(), frame + tables.layout().slots_begin());
  const size_t hint_count = tables.path_step_count();
  uint32_t* const hints = arena->NewArray<uint32_t>(hint_count);
  std::fill_n(hints, hint_count, 0u);
  ConversionCache conversions;
  auto* const paths = arena->NewArray<CachedPath>(tables.paths().size());
  auto* const attributes = arena->NewArray<CachedAttribute>(tables.names().size());
  RunState state;
  Interpreter interpreter(tables, call->heap(), frame, paths, hints, attributes, &conversions, diagnostics, &state);
  interpreter.set_scope(scope);
  const uint64_t fuel = call->fuel_left();
  Value result;
  interpreter.Evaluate(tables.main_chunk(), fuel, &result);
  call->Charge(fuel - interpreter.fuel_left());
  return result;
}

// That there are more errors than are kept is no limit that was crossed by the program.
const Diagnostic& FirstToReport(const Diagnostics& diagnostics) {
  const auto& kept = diagnostics.kept();
  const auto limit = std::find_if(kept.begin(), kept.end(), [](const Diagnostic& d) {
    return d.is_limit && d.code != DiagnosticCode::kTooManyErrors;
  });
  return limit == kept.end() ? kept.front() : *limit;
}

std::string ReasonOf(const Diagnostic& diagnostic) {
  std::string reason = absl::StrCat(diagnostic.summary, ": ", diagnostic.detail);
  while (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

}  // namespace hcl::internal
