// The parts of a run, in the functions that begin one: a small program's run is not much more than these.
//
// Tested by vm/evaluator_test.cc.

#ifndef HCLVM_VM_RUN_PARTS_H_
#define HCLVM_VM_RUN_PARTS_H_

#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/local_values.h"

namespace hcl {

// The heap is reset before a run and not after it, because the result of the last run lives there and stays valid until
// this one. Nearly all runs leave nothing else behind, and what little there is to do before the next one is done here.
// All else is out of the way, and nothing but the evaluator is needed behind a call, so that this saves one register.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunLast() {
  if (ABSL_PREDICT_FALSE(state_.any())) {
    if (!state_.IsReady(last_chunk_)) return RunWithCare();
    if (locals_ != nullptr) locals_->ForgetMade();
  }
  RunUntouched(interpreter_->BeginOf(last_chunk_));
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunUntouched(const internal::Instruction* code) {
  heap_.ResetAtOnce();
  if (ABSL_PREDICT_TRUE(!internal::Interpreter::MayRead(code))) return RunCode(code);
  if (!interpreter_->VariableAtOnce(code, &evaluation_.value_)) return RunReading();
  evaluation_.fuel_left_ = interpreter_->max_fuel() - internal::Interpreter::kReadFuel;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunCode(const internal::Instruction* code) {
  if (ABSL_PREDICT_FALSE(!interpreter_->RunAtOnce(code, &evaluation_.value_))) return RunWithCare();
  if (ABSL_PREDICT_FALSE(state_.is_touched)) Conclude();
  evaluation_.fuel_left_ = interpreter_->fuel_left_at_once();
}

// Diagnostics are empty after nearly all runs.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::Forget() {
  heap_.Reset();
  if (ABSL_PREDICT_FALSE(!evaluation_.diagnostics_.empty())) evaluation_.diagnostics_.Clear();
  if (ABSL_PREDICT_FALSE(!evaluation_.warnings_.empty())) evaluation_.warnings_.Clear();
  evaluation_.has_declared_marks_ = false;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunBound(uint32_t chunk) {
  const bool any = interpreter_->Evaluate(chunk, &evaluation_.value_);
  if (ABSL_PREDICT_FALSE(any) && interpreter_->failures()->counted()) WriteDiagnostics(chunk);
}

}  // namespace hcl

#endif  // HCLVM_VM_RUN_PARTS_H_
