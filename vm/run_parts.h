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

namespace hcl {

// Diagnostics are empty after nearly all runs.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::Forget() {
  heap_.Reset();
  if (ABSL_PREDICT_FALSE(!evaluation_.diagnostics_.empty())) evaluation_.diagnostics_.Clear();
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunBound(uint32_t chunk) {
  const bool any = interpreter_->Evaluate(chunk, &evaluation_.value_);
  if (ABSL_PREDICT_FALSE(any) && interpreter_->failures()->counted()) WriteDiagnostics(chunk);
}

}  // namespace hcl

#endif  // HCLVM_VM_RUN_PARTS_H_
