// Observed runs. Tested by workbench/run_counter_test.cc.

#include "hclvm/vm/run_observer.h"

#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/interpreter.h"

namespace hcl::internal {

// A run that is touched is never one that skips the beginning, where observers are asked for.
void ObserveRuns(Evaluator* evaluator, RunObserver* observer) {
  evaluator->interpreter_->set_observer(observer);
  evaluator->state_.is_touched = true;
}

void Interpreter::RunFrom(const Instruction* pc, Value* result) {
  observer_ == nullptr ? RunLoop<false>(pc, result) : RunLoop<true>(pc, result);
}

}  // namespace hcl::internal
