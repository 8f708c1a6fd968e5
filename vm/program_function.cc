// Functions whose bodies are programs. Tested by vm/program_function_test.cc.

#include "hclvm/vm/program_function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/program_call.h"
#include "hclvm/vm/program_run.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {
namespace {

using internal::ProgramFunction;
using internal::ProgramRun;

// Where the function is in the midst of a call already, this one has registers of its own.
Value RunApart(const ProgramFunction& function, absl::Span<const Value> slots, FunctionCall* call) {
  Diagnostics diagnostics(call->heap()->limits().max_diagnostics);
  const Value result = internal::EvaluateInCall(*function.program, slots, /*scope=*/nullptr, call, &diagnostics);
  if (!call->failed()) internal::ReportFirst(diagnostics, *function.program, call);
  return result;
}

Value Body(FunctionCall* call, absl::Span<const Value> arguments) {
  const auto& function = *static_cast<const ProgramFunction*>(call->function().state.get());
  ProgramRun* const run = ProgramRun::Find(call->function(), call->heap());
  const size_t variables = function.program->variables().size();
  const size_t first = function.tables().layout().slots_begin();
  Value* slots;
  if (run != nullptr) {
    slots = run->frame() + first;
  } else {
    slots = call->arena()->NewArray<Value>(variables + 1);
    std::fill_n(slots, variables, internal::NoValue());
  }
  const size_t own = function.places.size();
  for (size_t n = 0; n < own; ++n) slots[function.places[n] - first] = arguments[n];
  if (function.variadic) {
    slots[*function.variadic - first] = MakeTuple(arguments.subspan(own), call->arena());
  }
  if (run == nullptr) return RunApart(function, {slots, variables}, call);
  Value result;
  run->Run(call, &result);
  return run->Conclude(call, result);
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

// Names become places once, here. As pure as its program: code around calls is as fast as around others, and a run that
// fails is repeated for the texts of its diagnostics, which nobody makes before.
Function FunctionOf(std::string name, std::vector<std::string> parameters, std::optional<std::string> variadic,
                    std::shared_ptr<const Program> program) {
  auto state = std::make_shared<ProgramFunction>();
  const internal::ProgramTables& tables = internal::TablesOf(*program);
  const auto place_of = [&](const std::string& parameter) {
    const std::optional<uint32_t> slot = program->FindSlot(parameter);
    return slot ? tables.layout().slots_begin() + *slot : static_cast<uint32_t>(tables.frame_size());
  };
  Function function;
  function.name = std::move(name);
  for (std::string& parameter : parameters) {
    state->places.push_back(place_of(parameter));
    function.parameters.push_back({std::move(parameter), Type::Dynamic()});
  }
  if (variadic) {
    state->has_more = true;
    if (program->FindSlot(*variadic)) state->variadic = place_of(*variadic);
    function.variadic = Parameter{*std::move(variadic), Type::Dynamic()};
  }
  function.result_type_rule = ResultType;
  function.body = Body;
  function.pure = program->is_pure();
  state->program = std::move(program);
  function.is_program = true;
  function.state = std::move(state);
  return function;
}

}  // namespace hcl
