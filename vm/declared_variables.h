// DeclaredVariables: what a host gives for the variables of a module becomes what they are declared to be.
//
// A host binds any values. Before a run, those that it may read, also by way of locals, are converted, are looked
// through for nulls that their types do not allow, and have to meet their validations: once for each scope. What is
// wrong is told before anything runs, whether this run would come by it or not.
//
// Internal to the machine. Tested by module/binding_test.cc.

#ifndef HCLVM_VM_DECLARED_VARIABLES_H_
#define HCLVM_VM_DECLARED_VARIABLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/lazy_variables.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/read_types.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator.
class DeclaredVariables {
 public:
  // `slots` and `state` are those of the evaluator, `heap` is where its runs make values. Requires the program of a
  // module.
  DeclaredVariables(const ProgramTables& program, Value* slots, const Heap& heap, RunState* state);

  // What the host gives, as it is. `value` may be nothing, or stand for a lazy variable.
  void Give(uint32_t slot, const Value& value) {
    HCL_DCHECK(slot < variables_.size());
    (settled_[slot] >> static_cast<uint32_t>(TagOf(value)) & 1) != 0 ? void(slots_[slot] = value) : Take(slot, value);
  }
  // What is as it is declared, and in memory that lives as long as it is given. `is_valid`: the validations of the
  // variable hold.
  void GivePrepared(uint32_t slot, const Value& value, bool is_valid) {
    HCL_DCHECK(slot < variables_.size());
    (settled_[slot] & kAnyPrepared) != 0 ? void(slots_[slot] = value)
                                         : Put(slot, value, is_valid ? kElsewhereAndValid : kElsewhere);
  }
  // Whether GivePrepared() only puts values into slots, whichever variables they are for.
  bool are_all_settled() const { return unsettled_ == 0; }
  // What variables are converted to, in place of their types; null: the types. Forgets what was prepared, if that is a
  // change. The types must outlive their use.
  void set_types(const ReadTypes* types) {
    if (types != types_) ChangeTypes(types);
  }
  void set_check_all(bool check_all) { check_all_ = check_all, Change(); }
  void set_interrupt(const Interrupt& interrupt) { heap_.set_interrupt(interrupt); }

  // Whether all that `chunk` may read has been prepared since the last change.
  bool IsReady(uint32_t chunk) const { return ready_[chunk] == scope_; }
  // Prepares that. False where something is wrong, and then `diagnostics` say what. `lazy` may be null.
  // `keeps_memory`: values of before may be in use, and go only where memory grows.
  bool Convert(uint32_t chunk, bool keeps_memory, LazyVariables* lazy, Diagnostics* diagnostics) {
    return Convert(NeedsOf(chunk), keeps_memory, lazy, diagnostics);
  }
  // The same for the variables of `slots`.
  bool Convert(const std::vector<uint32_t>& slots, bool keeps_memory, LazyVariables* lazy, Diagnostics* diagnostics);
  // The validations of the variables of `chunk` that are to be looked at: calls `check(variable, validation)`, which
  // says whether it holds, for each.
  template <typename Check>
  bool Validate(uint32_t chunk, const Check& check) {
    bool holds = true;
    for (const uint32_t slot : NeedsOf(chunk)) {
      Variable& variable = variables_[slot];
      const bool is_met = variable.validated == scope_ || variable.preparation == kElsewhereAndValid;
      if (!variable.has_validations || is_met) continue;
      bool all = true;
      for (const ModuleValidation& validation : module_.variables[slot].validations) {
        all = check(module_.variables[slot], validation) && all;
      }
      if (all) variable.validated = scope_;
      holds = holds && all;
    }
    if (holds && !has_lazy_) ready_[chunk] = scope_;
    return holds;
  }
  size_t bytes() const { return heap_.bytes_reserved(); }
  // The memory of a run was given up: all is prepared anew.
  void Release();
  // How often that was so: another number, and converted values of before are no longer there.
  uint64_t releases() const { return releases_; }

 private:
  // Whether the value of a slot is as it is declared, and where it lives.
  enum Preparation : uint8_t { kNot, kHere, kElsewhere, kElsewhereAndValid };

  struct Variable {
    Preparation preparation = kNot;
    bool has_validations = false;
    bool is_watched = false;  // a validation reads it, of whichever variable
    const BindingPlan* plan = nullptr;
    uint64_t validated = 0;  // the scope in which the validations were met
    Value given;             // where `preparation` is kNot or kHere; otherwise the slot has it
  };
  static constexpr uint32_t kAnyPrepared = 1u << 31;
  static_assert(static_cast<uint32_t>(Tag::kMarked) < 31);

  const std::vector<uint32_t>& NeedsOf(uint32_t chunk) const { return check_all_ ? all_ : module_.needs[chunk]; }
  void Take(uint32_t slot, const Value& value);
  void TakeAnother(uint32_t slot, const Value& value);
  void Put(uint32_t slot, const Value& value, Preparation preparation);
  void Settle(uint32_t slot, uint32_t tags, BindingPlan::QuickLook look) {
    quick_looks_[slot] = look;
    unsettled_ += ((settled_[slot] & kAnyPrepared) != 0 ? 1u : 0u);
    unsettled_ -= ((tags & kAnyPrepared) != 0 ? 1u : 0u);
    settled_[slot] = tags;
  }
  void ChangeTypes(const ReadTypes* types);
  // Something may have to be prepared.
  void Change() { ++scope_, state_->ready_chunk = RunState::kNoChunk; }
  bool MakeRoom(bool keeps_memory);
  bool IsPrepared(uint32_t slot) const;
  bool Keep(uint32_t slot);
  bool Prepare(uint32_t slot, LazyVariables* lazy, Diagnostics* diagnostics);
  bool Fail(const ModuleVariable& variable, bool is_limit, std::string detail, Diagnostics* diagnostics) const;

  const ModuleTables& module_;
  Value* slots_;
  RunState* const state_;
  Heap heap_;  // of converted values
  Fuel fuel_;
  const ReadTypes* types_ = nullptr;
  bool check_all_ = false;
  bool has_lazy_ = false;  // among those that were prepared last
  uint64_t scope_ = 1;     // grows with each change that may have to be prepared
  uint64_t releases_ = 0;
  size_t prepared_ = 0;     // how many live here
  size_t least_bytes_ = 0;  // of the heap when it was last filled from nothing
  // By slot, a bit for each tag of values that change nothing but the slot: those of scalars as they are declared,
  // where such a value is there and no validation has to be looked at again. kAnyPrepared: all that is known to be as
  // it is declared.
  std::vector<uint32_t> settled_;
  std::vector<BindingPlan::QuickLook> quick_looks_;  // by slot: what takes the place of another such value at once
  size_t unsettled_;                                 // how many are without kAnyPrepared
  std::vector<uint32_t> all_;
  std::vector<Variable> variables_;  // by slot
  std::vector<uint64_t> ready_;      // by chunk
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_DECLARED_VARIABLES_H_
