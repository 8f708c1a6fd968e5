// Functions whose bodies are programs. Tested by vm/program_function_test.cc.

#include "hclvm/vm/program_function.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::InternalValue;
namespace {

struct State {
  std::shared_ptr<const Program> program;
  std::vector<std::optional<uint32_t>> slots;  // of the parameters; none where the program does not read one
  std::optional<uint32_t> variadic;
};

// The first message as a phrase. `program` has its source where it names none.
std::string Reason(const Diagnostics& diagnostics, const Program& program) {
  const Diagnostic& first = diagnostics.kept().front();
  std::string reason;
  if (first.subject) {
    const Source& source = first.source != nullptr ? *first.source : program.source();
    const SourcePosition at = source.PositionAt(first.subject->begin);
    absl::StrAppend(&reason, "on ", source.name(), " line ", at.line, ", column ", at.column, ": ");
  }
  absl::StrAppend(&reason, first.summary, ": ", first.detail);
  while (!reason.empty() && reason.back() == '.') reason.pop_back();
  return reason;
}

// All that a run needs lives in the caller's arena and goes with its evaluation: the function is shared by threads, and
// so can keep no registers or caches of its own. That costs filling them for each call, and no inline cache survives
// it.
//
// Fuel is the caller's: the inner run gets what is left, and what it used is charged afterwards. One diagnostic is
// kept, because only the first becomes the reason.
Value Body(FunctionCall* call, absl::Span<const Value> arguments) {
  const State& state = *static_cast<const State*>(call->function().state.get());
  const internal::ProgramTables& program = internal::TablesOf(*state.program);
  Arena* const arena = call->arena();
  const size_t variables = program.variables().size();
  Value* const slots = arena->NewArray<Value>(variables);
  std::fill_n(slots, variables, InternalValue(nullptr));
  for (size_t n = 0; n < state.slots.size(); ++n) {
    if (state.slots[n]) slots[*state.slots[n]] = arguments[n];
  }
  if (state.variadic) slots[*state.variadic] = MakeTuple(arguments.subspan(state.slots.size()), arena);
  const size_t registers = 2 * static_cast<size_t>(program.max_registers());
  Value* const window = arena->NewArray<Value>(registers);
  std::fill_n(window, registers, Value());
  uint32_t* const hints = arena->NewArray<uint32_t>(program.path_step_count() + program.code().size());
  std::fill_n(hints, program.path_step_count() + program.code().size(), 0u);
  Diagnostics diagnostics(1);
  ConversionCache conversions;
  auto* const paths = arena->NewArray<internal::CachedPath>(program.paths().size());
  internal::Interpreter interpreter(program, call->heap(), slots, paths, hints, hints + program.path_step_count(),
                                    &conversions, &diagnostics);
  const uint64_t fuel = call->fuel_left();
  Value result;
  interpreter.Evaluate(program.main_chunk(), window, fuel, &result);
  if (!call->Charge(fuel - interpreter.fuel_left())) return Value();
  if (diagnostics.empty()) return result;
  return diagnostics.has_limit() ? call->LimitError(Reason(diagnostics, program))
                                 : call->Error(Reason(diagnostics, program));
}

// The result type is asked for before an unknown argument makes the result unknown, and only the program can tell it;
// so the program runs with the unknown arguments. With known arguments it would run twice, and the type is left
// dynamic.
Type ResultType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (std::none_of(arguments.begin(), arguments.end(), [](const Value& v) { return v.is_unknown(); })) return Type();
  const Value result = Body(call, arguments);
  return call->failed() ? Type() : TypeOf(result, call->types());
}

}  // namespace

// Names become slots once, here; a parameter that the program does not read has none. Declared as not pure, so that the
// compiler does not call it, and a program that calls it runs once, with the texts of its diagnostics.
Function FunctionOf(std::string name, std::vector<std::string> parameters, std::optional<std::string> variadic,
                    std::shared_ptr<const Program> program) {
  auto state = std::make_shared<State>();
  Function function;
  function.name = std::move(name);
  for (std::string& parameter : parameters) {
    state->slots.push_back(program->FindSlot(parameter));
    function.parameters.push_back({std::move(parameter), Type::Dynamic()});
  }
  if (variadic) {
    state->variadic = program->FindSlot(*variadic);
    function.variadic = Parameter{*std::move(variadic), Type::Dynamic()};
  }
  state->program = std::move(program);
  function.result_type_rule = ResultType;
  function.body = Body;
  function.pure = false;
  function.state = std::move(state);
  return function;
}

}  // namespace hcl
