// LocalValues: the values that a module names (`local.NAME`), made when they are first read in a run.
//
// Their slots hold an internal value until then, as those of lazy variables do (vm/lazy_variables.h), and the value
// from then on, so that all further readings are as fast as those of a variable. One that fails is not made again: its
// failures are told at each place that reads it.
//
// Internal to the machine. Tested by module/module_test.cc.

#ifndef HCLVM_VM_LOCAL_VALUES_H_
#define HCLVM_VM_LOCAL_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/base_tables.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator.
class LocalValues {
 public:
  enum class State : uint8_t { kWaiting, kMade, kFailed };
  struct Local {
    State state = State::kWaiting;
    bool is_stale = false;  // what it reads has changed since it was made
    uint32_t registers = 0;
    const Instruction* code = nullptr;
    Failures::Kept failures;
    // What it was made to last, and its cost, without that of the locals that it reads. They count until
    // ForgetMade().
    Value value;
    uint64_t cost = 0;
    uint64_t made_in = 0;
  };

  // `slots` are those of the evaluator. Requires a program with locals.
  LocalValues(const ProgramTables& program, Value* slots);

  bool Has(uint32_t slot) const { return slot >= first_; }
  // Requires Has(slot).
  Local* At(uint32_t slot) { return &locals_[slot - first_]; }

  // Keeps the registers of what is left in its midst while that local is made, and puts them back: those of each level
  // of locals that are made while others are stand behind the others'. Most have one or two: a call would take longer
  // than the copy.
  void Enter(const Local& local) {
    HCL_DCHECK(top_ + local.registers <= registers_.data() + registers_.size());
    for (uint32_t n = 0; n < local.registers; ++n) top_[n] = window_[n];
    top_ += local.registers;
  }
  void Leave(const Local& local) {
    top_ -= local.registers;
    for (uint32_t n = 0; n < local.registers; ++n) window_[n] = top_[n];
  }

  // The value of the local in the slot is there, for this run.
  void Show(uint32_t slot, Local* local, const Value& value) {
    AddDone(slot);
    slots_[slot] = value;
    local->state = State::kMade;
    local->is_stale = false;
    local->value = value;
    local->made_in = memory_;
  }
  void Fail(uint32_t slot, Failures::Kept failures);
  // All wait again, but for those of the base. Values are still there for Recall().
  void Forget();

  // Values of earlier runs. The heap has been reset: none is there any more.
  void ForgetMade() { ++memory_; }
  // Whether runs take them, from now on; at first they do not.
  void set_recalls(bool recalls) { recalls_ = recalls; }
  // What the local `n` (its index) was made of is no longer as it was.
  void SetStale(uint32_t n) { locals_[n].is_stale = true; }
  // Shows the value of the local that an earlier run has made, if there is one, and runs take it: it need not be made
  // again.
  bool Recall(uint32_t slot) { return recalls_ && RecallMade(slot); }
  // Fuel that locals have taken which were made since the count began; and by how much that is more than what they had
  // taken before in the same memory (modulo 2^64).
  void BeginCount() { paid_ = grown_ = 0; }
  uint64_t paid() const { return paid_; }
  uint64_t grown() const { return grown_; }
  // The local, which has just been made, has taken `fuel` with all that it has read, since paid() was `before`. What a
  // local costs does not depend on who reads it first; what it costs with the locals that it reads does.
  void Pay(Local* local, uint64_t before, uint64_t fuel) {
    const uint64_t own = fuel - (paid_ - before);
    grown_ += own - (local->made_in == memory_ ? local->cost : 0);
    local->cost = own;
    paid_ = before + fuel;
  }
  // Takes what `base`, which must outlive its use and may be null, has of locals; all others wait.
  void BindBase(const BaseTables* base);
  // Takes the one of index `local`, as it was made of a base. Requires that none of this run was made before.
  void Bind(size_t local, const BaseTables::Local& made);

 private:
  // Each is done once in a run, so that there is room.
  void AddDone(uint32_t slot) {
    HCL_DCHECK(done_count_ < done_.size());
    done_[done_count_++] = slot;
  }
  bool RecallMade(uint32_t slot);

  const ModuleTables& module_;
  Value* slots_;
  Value* window_;   // where the registers of locals stand
  uint32_t first_;  // slot
  std::vector<Value> registers_;
  Value* top_;  // behind those that are kept
  std::vector<Local> locals_;
  std::vector<uint32_t> done_;  // slots, in this run: the first done_count_
  size_t done_count_ = 0;
  uint64_t memory_ = 1;  // grows each time that values of earlier runs are forgotten
  bool recalls_ = false;
  uint64_t paid_ = 0;
  uint64_t grown_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_LOCAL_VALUES_H_
