// DeclaredVariables: what a host gives for the variables of a module becomes what they are declared to be.
//
// A host binds any values. Before a run, what the text of its chunk reads of them (ModuleTables::needs) is converted,
// is looked through for nulls that its type does not allow, and has to meet its validations: once for each scope.
// Nothing else is looked at. What is wrong is told before anything runs, whether this run would come by it or not.
//
// Internal to the machine. Tested by module/binding_test.cc.

#ifndef HCLVM_VM_DECLARED_VARIABLES_H_
#define HCLVM_VM_DECLARED_VARIABLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/lazy_variables.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/unknown_input.h"
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
    (direct_tags_[slot] >> static_cast<uint32_t>(TagOf(value)) & 1) != 0 ? void(slots_[slot] = value)
                                                                         : Take(slot, value);
  }
  // What is as it is declared, as far as the chunks that run read it, and in memory that lives as long as it is given.
  // `is_valid`: the validations of the variable hold.
  void GivePrepared(uint32_t slot, const Value& value, bool is_valid) {
    HCL_DCHECK(slot < variables_.size());
    (direct_tags_[slot] & kAnyPrepared) != 0 ? void(slots_[slot] = value) : TakePrepared(slot, value, is_valid);
  }
  // Whether GivePrepared() only puts values into slots, whichever variables they are for.
  bool are_all_direct() const { return indirect_ == 0; }
  // Whether all of all variables is prepared for each chunk.
  void set_check_all(bool check_all) { check_all_ = check_all, Change(); }
  void set_unknown_input(UnknownInput unknown) { unknown_ = unknown, Change(); }
  // What the scope gives, where it has names that are no variables; otherwise null. `gives_none`: it gives no variable.
  // Must live until another scope is set.
  void set_scope(const Shape* scope, bool gives_none) {
    if (scope == nullptr && scope_names_ == nullptr) return;
    scope_names_ = scope;
    gives_none_ = gives_none;
    if (unknown_ == UnknownInput::kError) return Change();
    if (may_warn()) state_->ready_chunk = RunState::kNoChunk;
  }
  // Whether AddWarnings() may add any. Then runs are not ready, whatever variables are.
  bool may_warn() const {
    const bool may_miss = scope_names_ != nullptr && (has_defaulted_ || gives_none_);
    return deprecated_given_ > 0 || (unknown_ == UnknownInput::kNear && (may_miss || !misspelled_.empty()));
  }
  // Names that are probably misspelled, as far as `chunk` reads what was meant; and deprecated variables that it reads
  // and that are given.
  void AddWarnings(uint32_t chunk, Diagnostics* warnings) const;
  // Whether `chunk` may read a variable that is declared as sensitive, whose value has the marks of that.
  bool ReadsSensitive(uint32_t chunk) const { return module_.has_sensitive && reads_sensitive_[chunk]; }
  // Whether something that `chunk` reads and that may be missing is, as it was prepared last.
  bool LacksAny(uint32_t chunk) const;
  // Reports all names of what was given that nothing declares, where these are errors. False where there are any.
  bool CheckNames(Diagnostics* diagnostics) const;
  void set_interrupt(const Interrupt& interrupt) { heap_.set_interrupt(interrupt); }

  // Whether all that `chunk` may read has been prepared since the last change.
  bool IsReady(uint32_t chunk) const { return ready_[chunk] == scope_; }
  // Prepares that. False where something is wrong, and then `diagnostics` say what. `lazy` may be null.
  // `keeps_memory`: values of before may be in use, and go only where memory grows.
  bool Convert(uint32_t chunk, bool keeps_memory, LazyVariables* lazy, Diagnostics* diagnostics) {
    return Convert(NeedsOf(chunk), keeps_memory, lazy, diagnostics);
  }
  // The same for what is needed.
  bool Convert(const std::vector<ModuleNeed>& needs, bool keeps_memory, LazyVariables* lazy, Diagnostics* diagnostics);
  // The validations of the variables of `chunk` that are to be looked at: calls `check(variable, validation)`, which
  // says whether it holds, for each.
  template <typename Check>
  bool Validate(uint32_t chunk, const Check& check) {
    bool holds = true;
    for (const auto& [slot, plan] : NeedsOf(chunk)) {
      Variable& variable = variables_[slot];
      const bool is_met =
          variable.validated == scope_ || variable.preparation == kElsewhereAndValid || variable.is_given_valid;
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
  // Whether the value of a slot is as it is declared, and where it lives. kHere and kAsGiven: as far as its plan goes.
  enum Preparation : uint8_t { kNot, kHere, kAsGiven, kElsewhere, kElsewhereAndValid };

  struct Variable {
    Preparation preparation = kNot;
    bool has_validations = false;
    bool is_watched = false;  // a validation reads it, of whichever variable
    bool lacks_any = false;   // something stands in for what may be missing; where `preparation` is kHere
    // Of one that is sensitive, whose value gets its marks when it is prepared: it was given as it is declared, and its
    // validations hold.
    bool is_given_prepared = false;
    bool is_given_valid = false;
    const BindingPlan* plan = nullptr;  // by which it was prepared
    uint64_t validated = 0;             // the scope in which the validations were met
    Value given;                        // up to kAsGiven; otherwise the slot has it
  };
  static constexpr uint32_t kAnyPrepared = 1u << 31;
  static_assert(static_cast<uint32_t>(Tag::kMarked) < 31);

  const std::vector<ModuleNeed>& NeedsOf(uint32_t chunk) const { return check_all_ ? all_ : module_.needs[chunk]; }
  void Take(uint32_t slot, const Value& value);
  void TakeAnother(uint32_t slot, const Value& value);
  void TakePrepared(uint32_t slot, const Value& value, bool is_valid);
  void Put(uint32_t slot, const Value& value, Preparation preparation);
  void SetDirect(uint32_t slot, uint32_t tags, BindingPlan::QuickLook look) {
    quick_looks_[slot] = look;
    indirect_ += ((direct_tags_[slot] & kAnyPrepared) != 0 ? 1u : 0u);
    indirect_ -= ((tags & kAnyPrepared) != 0 ? 1u : 0u);
    direct_tags_[slot] = tags;
  }
  // Something may have to be prepared.
  void Change() { ++scope_, state_->ready_chunk = RunState::kNoChunk; }
  bool MakeRoom(bool keeps_memory);
  bool IsPrepared(const ModuleNeed& need) const;
  bool Keep(const ModuleNeed& need);
  bool Prepare(const ModuleNeed& need, LazyVariables* lazy, Diagnostics* diagnostics);
  void Show(const ModuleNeed& need, const Value& value);
  bool Fail(const ModuleVariable& variable, bool is_limit, std::string detail, Diagnostics* diagnostics) const;

  std::string NearName(std::string_view wanted, size_t* comparisons) const;
  bool Declares(std::string_view name) const;
  // Whether the host gives nothing for `slot`, where a default may stand.
  bool IsMissing(uint32_t slot) const {
    const Variable& variable = variables_[slot];
    return IsAbsent(variable.preparation <= kAsGiven ? variable.given : slots_[slot]);
  }
  void NoteMisspelled(const ModuleNeed& need, const Value& given);
  void AddNearNames(uint32_t chunk, Diagnostics* warnings) const;

  const ProgramTables& program_;
  const ModuleTables& module_;
  Value* slots_;
  RunState* const state_;
  Heap heap_;  // of converted values
  Fuel fuel_;
  bool check_all_ = false;
  UnknownInput unknown_ = UnknownInput::kNear;
  bool gives_none_ = false;
  size_t deprecated_given_ = 0;  // how many variables that are deprecated have a value
  bool has_defaulted_ = false;   // a default stood in for a variable, at some time
  const Shape* scope_names_ = nullptr;
  // By slot, what is said of its value as far as a plan reads it.
  std::map<uint32_t, std::map<const BindingPlan*, std::vector<std::string>>> misspelled_;
  bool has_lazy_ = false;  // among those that were prepared last
  uint64_t scope_ = 1;     // grows with each change that may have to be prepared
  uint64_t releases_ = 0;
  size_t prepared_ = 0;     // how many live here
  size_t least_bytes_ = 0;  // of the heap when it was last filled from nothing
  // By slot, a bit for each tag of values that change nothing but the slot: those of scalars as they are declared,
  // where such a value is there and no validation has to be looked at again. kAnyPrepared: all that is known to be as
  // it is declared.
  std::vector<uint32_t> direct_tags_;
  std::vector<BindingPlan::QuickLook> quick_looks_;  // by slot: what takes the place of another such value at once
  size_t indirect_;                                  // how many are without kAnyPrepared
  std::vector<ModuleNeed> all_;
  std::vector<Variable> variables_;    // by slot
  std::vector<uint64_t> ready_;        // by chunk
  std::vector<bool> reads_sensitive_;  // by chunk; empty where no variable is sensitive
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_DECLARED_VARIABLES_H_
