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
#include "hclvm/vm/program_call.h"

namespace hcl {
namespace {

struct State {
  std::shared_ptr<const Program> program;
  std::vector<std::optional<uint32_t>> slots;  // of the parameters; none where the program does not read one
  std::optional<uint32_t> variadic;
};

// What has failed as a phrase. `program` has its source where it names none.
std::string Reason(const Diagnostic& diagnostic, const Program& program) {
  std::string reason;
  if (diagnostic.subject) {
    const Source& source = diagnostic.source != nullptr ? *diagnostic.source : program.source();
    const SourcePosition at = source.PositionAt(diagnostic.subject->begin);
    absl::StrAppend(&reason, "on ", source.name(), " line ", at.line, ", column ", at.column, ": ");
  }
  return reason + internal::ReasonOf(diagnostic);
}

// One diagnostic becomes the reason, but which comes first is known when all are there.
Value Body(FunctionCall* call, absl::Span<const Value> arguments) {
  const State& state = *static_cast<const State*>(call->function().state.get());
  const Program& program = *state.program;
  Arena* const arena = call->arena();
  const size_t variables = program.variables().size();
  Value* const slots = arena->NewArray<Value>(variables);
  std::fill_n(slots, variables, internal::NoValue());
  for (size_t n = 0; n < state.slots.size(); ++n) {
    if (state.slots[n]) slots[*state.slots[n]] = arguments[n];
  }
  if (state.variadic) slots[*state.variadic] = MakeTuple(arguments.subspan(state.slots.size()), arena);
  Diagnostics diagnostics(call->heap()->limits().max_diagnostics);
  const Value result = internal::EvaluateInCall(program, {slots, variables}, /*scope=*/nullptr, call, &diagnostics);
  if (call->failed()) return Value();
  if (diagnostics.empty()) return result;
  const Diagnostic& first = internal::FirstToReport(diagnostics);
  return first.is_limit ? call->LimitError(Reason(first, program)) : call->Error(Reason(first, program));
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
