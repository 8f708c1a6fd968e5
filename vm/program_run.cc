// ProgramRun, and calls of functions that are programs. Tested by vm/program_function_test.cc.

#include "hclvm/vm/program_run.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/program_call.h"
#include "hclvm/vm/value/kept_states.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// What has failed as a phrase. `program` has its source where it names none.
std::string PlacedReason(const Diagnostic& diagnostic, const Program& program) {
  std::string reason;
  if (diagnostic.subject) {
    const Source& source = diagnostic.source != nullptr ? *diagnostic.source : program.source();
    const SourcePosition at = source.PositionAt(diagnostic.subject->begin);
    absl::StrAppend(&reason, "on ", source.name(), " line ", at.line, ", column ", at.column, ": ");
  }
  return reason + ReasonOf(diagnostic);
}

size_t BytesOf(const ProgramTables& tables) {
  return sizeof(ProgramRun) + tables.frame_size() * sizeof(Value) + tables.paths().size() * sizeof(CachedPath) +
         tables.path_step_count() * sizeof(uint32_t) + tables.names().size() * sizeof(CachedAttribute);
}

ABSL_ATTRIBUTE_NOINLINE ProgramRun* MakeRun(const std::shared_ptr<const void>& state, Heap* heap) {
  const size_t bytes = BytesOf(static_cast<const ProgramFunction*>(state.get())->tables());
  auto run = std::make_shared<ProgramRun>(state, heap);
  ProgramRun* const made = run.get();
  return heap->kept_states()->KeepOf(state.get(), std::move(run), bytes) ? made : nullptr;
}

// Known scalars whose size costs nothing.
constexpr uint32_t kLightTags = TagBits(Tag::kFalse, Tag::kNumber) | TagBits(Tag::kShortString, Tag::kShortString);

// Adds what reading the argument costs, where it is known, not null, and without marks, so that the protocol has
// nothing else to do for it.
ABSL_ATTRIBUTE_NOINLINE bool TakeLarge(const Value& v, uint64_t* cost) {
  if (TagOf(v) < Tag::kFalse || TagOf(v) > Tag::kCapsule || (TagOf(v) > Tag::kString && v.has_marks())) return false;
  *cost += Interpreter::CostOf(v);
  return true;
}
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool Take(const Value& v, uint64_t* cost) {
  return ABSL_PREDICT_TRUE((kLightTags >> static_cast<int>(TagOf(v)) & 1) != 0) || TakeLarge(v, cost);
}

}  // namespace

ABSL_ATTRIBUTE_ALWAYS_INLINE inline ProgramRun* ProgramRun::FindAtOnce(const Function& function, Heap* heap) {
  auto* run = static_cast<ProgramRun*>(heap->kept_states()->FindOf(function.state.get()));
  if (ABSL_PREDICT_FALSE(run == nullptr)) run = MakeRun(function.state, heap);
  return ABSL_PREDICT_TRUE(run != nullptr && !run->is_running_ && run->heap_ == heap) ? run : nullptr;
}

ProgramRun* ProgramRun::Find(const Function& function, Heap* heap) { return FindAtOnce(function, heap); }

ProgramRun::ProgramRun(std::shared_ptr<const void> state, Heap* heap)
    : state_(std::move(state)),
      function_(*static_cast<const ProgramFunction*>(state_.get())),
      heap_(heap),
      places_(function_.places.data()),
      place_count_(static_cast<uint32_t>(function_.places.size())),
      frame_(function_.tables().frame_size() + 1),
      paths_(function_.tables().paths().size()),
      hints_(function_.tables().path_step_count()),
      attributes_(function_.tables().names().size()),
      diagnostics_(heap->limits().max_diagnostics),
      interpreter_(function_.tables(), heap, frame_.data(), paths_.data(), hints_.data(), attributes_.data(),
                   &conversions_, &diagnostics_, &run_state_),
      code_(interpreter_.BeginOf(function_.tables().main_chunk())) {
  function_.tables().BeginFrame(frame_.data());
  interpreter_.DropInterrupt();
  run_state_.is_touched = false;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool ProgramRun::RunAtOnce(Fuel* fuel, const Silence* silence, Value* result) {
  is_running_ = true;
  interpreter_.failures()->set_silence(silence);
  if (ABSL_PREDICT_FALSE(!interpreter_.RunAtOnce(code_, fuel->left_at_once(), result))) {
    interpreter_.Evaluate(function_.tables().main_chunk(), fuel->left_at_once(), result);
  }
  fuel->RefillAtOnce(interpreter_.fuel_left_at_once());
  is_running_ = false;
  return !run_state_.is_touched;
}

void ProgramRun::SetRest(absl::Span<const Value> rest) {
  if (function_.variadic) frame_[*function_.variadic] = MakeTuple(rest, heap_->arena());
}

void ProgramRun::Run(FunctionCall* call, Value* result) {
  is_running_ = true;
  interpreter_.failures()->set_silence(call->silence());
  interpreter_.UpdateInterrupt();
  const uint64_t fuel = call->fuel_left();
  interpreter_.Evaluate(function_.tables().main_chunk(), fuel, result);
  call->Charge(fuel - interpreter_.fuel_left());
  interpreter_.DropInterrupt();
  is_running_ = false;
}

// A run that is more than its chunk leaves the state touched until this.
Value ProgramRun::Conclude(FunctionCall* call, Value result) {
  if (!run_state_.is_touched) return result;
  interpreter_.Conclude(&result);
  if (!call->failed()) ReportFirst(diagnostics_, *function_.program, call);
  interpreter_.EndRun();
  diagnostics_.Clear();
  run_state_.is_touched = false;
  return result;
}

// One diagnostic becomes the reason, but which comes first is known when all are there. Where nobody reads it, none is
// kept but of a limit.
void ReportFirst(const Diagnostics& diagnostics, const Program& program, FunctionCall* call) {
  if (diagnostics.empty()) return;
  const Diagnostic* const first = diagnostics.kept().empty() ? nullptr : &FirstToReport(diagnostics);
  const auto reason = [&] { return first == nullptr ? std::string() : PlacedReason(*first, program); };
  first != nullptr && first->is_limit ? call->LimitError(reason()) : call->Error(reason);
}

// Arguments that are known, not null and without marks go where the program reads them: each is looked at once. The
// meaning is that of InvokeConverted(), which takes every other call.
Value Interpreter::CallProgram(const CallSite& site, Value* arguments) {
  ProgramRun* const run = ProgramRun::FindAtOnce(*site.function, context_.heap);
  if (ABSL_PREDICT_FALSE(run == nullptr || fuel_.may_be_interrupted())) return CallAny(site, arguments);
  uint64_t cost = kCallCost;
  Value* const frame = run->frame();
  const uint32_t own = run->place_count();
  for (uint32_t n = 0; n < own; ++n) {
    if (ABSL_PREDICT_FALSE(!Take(arguments[n], &cost))) return CallAny(site, arguments);
    frame[run->places()[n]] = ByWords(arguments[n]);
  }
  if (ABSL_PREDICT_FALSE(run->function().has_more)) {
    for (uint32_t n = own; n < site.arguments; ++n) {
      if (!Take(arguments[n], &cost)) return CallAny(site, arguments);
    }
    run->SetRest({arguments + own, site.arguments - own});
  }
  if (ABSL_PREDICT_FALSE(!Charge(cost))) return OutOfFuel();
  Value result;
  if (ABSL_PREDICT_FALSE(!run->RunAtOnce(&fuel_, call_silence(), &result))) return ConcludeProgram(site, run, result);
  if (ABSL_PREDICT_TRUE(IsLight(result))) return result;
  return Charge(CostOf(result)) ? Bounded(result) : OutOfFuel();
}

ABSL_ATTRIBUTE_NOINLINE Value Interpreter::ConcludeProgram(const CallSite& site, ProgramRun* run, const Value& result) {
  FunctionCall call(*site.function, context_.heap, &fuel_, site.prepared, call_silence());
  const Value concluded = run->Conclude(&call, result);
  return FinishCall(site, call, concluded);
}

}  // namespace hcl::internal
