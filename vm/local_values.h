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
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator.
class LocalValues {
 public:
  enum class State : uint8_t { kWaiting, kMade, kFailed };
  struct Local {
    State state = State::kWaiting;
    Failures::Kept failures;
  };

  // `slots` are those of the evaluator. Requires a program with locals.
  LocalValues(const ProgramTables& program, Value* slots);

  bool Has(uint32_t slot) const { return slot >= first_; }
  // Requires Has(slot).
  Local* At(uint32_t slot) { return &locals_[slot - first_]; }
  uint32_t ChunkOf(uint32_t slot) const { return module_.locals[slot - first_].chunk; }

  // Registers for the next level of locals that are made while others are.
  Value* Enter() {
    HCL_DCHECK(level_ < module_.max_level);
    return registers_.data() + registers_each_ * level_++;
  }
  void Leave() { --level_; }

  // The value is there, for this run.
  void Show(uint32_t slot, const Value& value);
  void Fail(uint32_t slot, Failures::Kept failures);
  // All wait again, but for those of the base.
  void Forget();
  // Takes what `base`, which must outlive its use and may be null, has of locals; all others wait.
  void BindBase(const BaseTables* base);
  // Takes the one of index `local`, as it was made of a base. Requires that none of this run was made before.
  void Bind(size_t local, const BaseTables::Local& made);

 private:
  const ModuleTables& module_;
  Value* slots_;
  uint32_t first_;  // slot
  uint32_t level_ = 0;
  size_t registers_each_;
  std::vector<Value> registers_;
  std::vector<Local> locals_;
  std::vector<uint32_t> done_;  // slots, in this run
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_LOCAL_VALUES_H_
