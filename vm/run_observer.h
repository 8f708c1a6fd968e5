// RunObserver: sees each instruction that an evaluator runs, for profiles.
//
// Observed runs have a loop of their own (Interpreter::RunLoop), so that others pay nothing for it. Programs of
// functions that a run calls are not observed: what they take counts for the call. Internal to the machine. Tested by
// workbench/run_counter_test.cc.

#ifndef HCLVM_VM_RUN_OBSERVER_H_
#define HCLVM_VM_RUN_OBSERVER_H_

#include <cstdint>

#include "hclvm/vm/value/value.h"

namespace hcl {
class Evaluator;
}  // namespace hcl

namespace hcl::internal {

// Called by the thread of the run, in the midst of it: it must not use the evaluator.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // The instruction at code offset `pc` comes next. `fuel_left`: of the run, without the last `unpaid` instructions,
  // which are charged for later. `activation` tells the code of a local from the code that reads it, in the midst of
  // which it runs, each with unpaid instructions of its own. `frame` holds the values of operands.
  virtual void Next(uint32_t pc, uint64_t fuel_left, uint64_t unpaid, const void* activation, const Value* frame) = 0;
};

// Runs of `evaluator` are observed from now on; null: not any more. The observer must outlive these runs.
void ObserveRuns(Evaluator* evaluator, RunObserver* observer);

}  // namespace hcl::internal

#endif  // HCLVM_VM_RUN_OBSERVER_H_
