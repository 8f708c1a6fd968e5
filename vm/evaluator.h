// Evaluator: runs a Program over variable scopes, again and again, in memory of its own, which it keeps. Once that is
// as large as runs need, nothing is allocated but by some functions (regular expressions, sets, formats, times) and by
// decimals that are divided.
//
//   hcl::Evaluator evaluator(program);
//   evaluator.Bind("user", user);
//   const hcl::Evaluation& e = evaluator.Run();
//   if (e.ok()) Use(e.value());
//
// Tested by vm/evaluator_test.cc.

#ifndef HCLVM_VM_EVALUATOR_H_
#define HCLVM_VM_EVALUATOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
class BaseLayer;
class Evaluator;
class Reads;
class RunResults;
class ScopeReader;
class ScopeRows;
namespace internal {
class BaseMaker;
class Instruction;
class Interpreter;
class DeclaredVariables;
class KeptRun;
class LazyVariables;
class LocalValues;
class RunObserver;
struct RowMemory;
struct CachedAttribute;
struct CachedPath;
struct ModuleValidation;
struct ModuleVariable;
void ObserveRuns(Evaluator* evaluator, RunObserver* observer);
}  // namespace internal

// What one run produced. Valid until the next run of its evaluator.
class Evaluation {
 public:
  // No error was reported, and value() is the result.
  bool ok() const { return diagnostics_.empty(); }
  // The result; unspecified (null) unless ok(). Clone() keeps it beyond the next run. What is made of a variable that a
  // module declares as sensitive is there as other values are, without the mark "sensitive".
  const Value& value() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return value_; }
  // The same result, in which that has the mark: for logs, and whatever else shows results to people. HideSensitive()
  // (hclvm/vm/value/sensitive.h) leaves it out.
  const Value& marked_value() const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    return has_declared_marks_ ? marked_value_ : value_;
  }
  const Diagnostics& diagnostics() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return diagnostics_; }
  // What is probably a mistake in the scope, whether the result holds or not: see UnknownInput::kNear.
  const Diagnostics& warnings() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return warnings_; }
  // Units of Limits::max_fuel that were left.
  uint64_t fuel_left() const { return fuel_left_; }

 private:
  friend class Evaluator;
  explicit Evaluation(uint32_t max_diagnostics) : diagnostics_(max_diagnostics), warnings_(max_diagnostics) {}

  Value value_;
  uint64_t fuel_left_ = 0;
  Diagnostics diagnostics_;
  Diagnostics warnings_;
  // Where `value_` lacks marks that declarations give, marked_value_ is what the run has made. Runs that may need it,
  // and those that follow them, are RunWithCare().
  bool has_declared_marks_ = false;
  Value marked_value_;
};

// Belongs to one thread at a time; any number of evaluators may share a program. Not copyable.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Program> program, const Limits& limits = {});
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  ~Evaluator();

  const Program& program() const { return *program_; }

  // Gives variable `slot` (an index of program().variables()) a value for the following runs. The value's memory must
  // live until it is bound anew or unbound. Requires a valid slot.
  void Bind(uint32_t slot, const Value& value) {
    HCL_DCHECK(slot < program_->variables().size() && !value.is_error());
    if (ABSL_PREDICT_FALSE(state_.is_layered)) return Give(slot, value);
    slots_[slot] = value;
  }
  // The same by name; false (and no effect) when the program does not read such a variable.
  bool Bind(std::string_view name, const Value& value);
  // Gives variable `slot` a value that `callback` makes when it is first read, for the following runs: at most once in
  // each run, and only in a run that reads the variable or a path into it. hclvm/vm/lazy_variable.h says more.
  void BindLazy(uint32_t slot, LazyCallback callback);
  // The same by name; false (and no effect) when the program does not read such a variable.
  bool BindLazy(std::string_view name, LazyCallback callback);
  // Binds each attribute of an object (or element of a map) to the variable of its name and unbinds all others. Names
  // that the program does not read serve to suggest one for a variable that there is not: the object itself must live
  // until the next BindAll(), UnbindAll() or RunMany().
  void BindAll(const Value& object);
  // The same of what was read of a text (hclvm/vm/scope_reader.h), for runs of the chunks of its Reads only, which are
  // of this program; the reader and the heap of its values must live until all is bound anew or unbound. What they do
  // not read of a module's variables is neither converted nor required.
  void BindAll(const ScopeReader& scope);
  void UnbindAll();

  // Puts `base`, of this evaluator's program, below what is bound for the following runs: a variable that is not bound
  // has the value that the base gives, if any. Unbinds all variables, but where `base` is there already. Null: none.
  // The base is kept until another one is bound. One that it gives, and does not let replace, must not be bound: runs
  // then fail with HCL3012 until it is unbound.
  void BindBase(std::shared_ptr<const BaseLayer> base);

  // For the program of a module: the following runs look at all variables, as values and by their validations, and not
  // only at those that they may read. No effect on other programs.
  void set_check_all(bool check_all);
  // What names are that the module does not declare, in scopes that BindAll() gives, and in objects however they are
  // bound. No effect on other programs, and on what a ScopeReader has read, which leaves such names out.
  void set_unknown_input(UnknownInput unknown);
  // For the program of a module, where a part was bound of what is given: whether something that `chunk` reads, and
  // that may be missing, was missing when it ran. Then a name that was left out may be a misspelled one, and a run over
  // all that is given tells (UnknownInput::kNear).
  bool LacksAny(uint32_t chunk) const;
  // Bytes that the values of a module's variables take that were converted.
  size_t PreparedBytes() const;

  // When the following runs have to stop, in place of Limits::interrupt. A run that is stopped reports a limit; the
  // evaluator can be used again.
  void set_interrupt(const Interrupt& interrupt);

  // Evaluates the whole config, expression or template. Memory that the system refuses is a limit, unless built without
  // exceptions; the evaluator can be used again. Results of earlier runs become invalid.
  const Evaluation& Run() ABSL_ATTRIBUTE_LIFETIME_BOUND { return RunChunk(program_->main_chunk()); }
  // Evaluates one entry of program().entries().
  const Evaluation& Run(const Entry& entry) ABSL_ATTRIBUTE_LIFETIME_BOUND { return RunChunk(entry.chunk); }
  const Evaluation& RunChunk(uint32_t chunk) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // As RunChunk(), where nothing was bound since the last run: what it has made of variables and locals is taken over,
  // so that locals which several entries read are made once. They cost fuel where they were made, and the limit of
  // memory is on all that was made since the last RunChunk(); a run that fails is done again as RunChunk() does it. The
  // last result becomes invalid.
  const Evaluation& RunAnother(uint32_t chunk) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Run(), where nothing has changed since the last Run() or Rerun() but the variables of the slots in `changed`: what
  // does not depend on them is kept. The attributes of a config that read one of them, also by way of locals, and those
  // that call functions which are not pure, are evaluated again; so are the locals of a module that depend on them. The
  // result is that of Run(): the value, the diagnostics, the limits of a run. Evaluation::fuel_left() may be less than
  // after a Run(), never more.
  //
  // It is a whole run, at the cost of one, where nothing is kept: the last run was of an entry, or failed, or a base
  // was bound or all was unbound since; variables are lazy; the program is no config, or has both locals and functions
  // that are not pure; or what is kept and what was replaced take too much memory together (about twice that of a whole
  // run, and 64 KiB). An attribute that fails is a whole run as well: a function that is not pure may then be called
  // once more.
  //
  // Requires that `changed` has each variable whose Value is another one than in the last run, also where it is an
  // equal one in other memory: what is kept may point into values that are bound, which so have to live on until they
  // are bound anew. Slots may repeat. What is kept lives in the evaluator until the next run that is no Rerun(); the
  // result is changed in place, so that the one of the run before becomes invalid as with Run().
  const Evaluation& Rerun(absl::Span<const uint32_t> changed) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Evaluates `entry`, or, where it is null, what Run() evaluates, over one scope after the other: each as BindAll()
  // and a run of it would, with the limits of a run. *results has a value or diagnostics for each, in order; what it
  // had before becomes invalid, and so do results of earlier runs. What a lazy variable or a base gives counts for all
  // of them. Unbinds all variables at the end.
  void RunMany(absl::Span<const Value> scopes, RunResults* results, const Entry* entry = nullptr);
  // The same over C++ structs (hclvm/vm/scope_layout.h), without a value made of each. Variables that have no field are
  // as they were bound. A field that cannot be read is an error of its row, which names the row and the field; the
  // others go on. Unbinds the variables of fields at the end. Requires a layout for program().
  void RunMany(const ScopeRows& rows, RunResults* results, const Entry* entry = nullptr);

  // Where the results of the last run live: for TypeOf() on them.
  Heap* heap() ABSL_ATTRIBUTE_LIFETIME_BOUND { return &heap_; }

 private:
  friend class internal::BaseMaker;
  friend void internal::ObserveRuns(Evaluator* evaluator, internal::RunObserver* observer);

  // A value for a variable of a module, or over a base; nothing, where it is unbound. `is_declared`: it is as the
  // module declares it, for what was read.
  void Give(uint32_t slot, const Value& value);
  void GiveAbove(uint32_t slot, const Value& value, bool is_declared);
  void GiveBelow(uint32_t slot);
  bool ReportRefused();
  // Makes what is given into what a module declares. False where that fails, which has been reported.
  bool PrepareVariables(uint32_t chunk);
  bool IsReady(uint32_t chunk) const;
  void AddWarnings(uint32_t chunk);
  bool Meets(const internal::ModuleVariable& variable, const internal::ModuleValidation& validation);
  // As RunAnother(); false where it has to be a run of its own.
  bool TryAnother(uint32_t chunk);
  // As Rerun(); false where it has to be a whole run.
  bool RunChanged(absl::Span<const uint32_t> changed);
  // Whether the values of the last run are there, for RunChanged() to use.
  bool TakeUpKept(absl::Span<const uint32_t> changed);
  // Memory for rows of that layout, whose variables are bound to what fields are read to.
  internal::RowMemory* PrepareRows(const ScopeRows& rows);
  // Runs last_chunk_, whose code this is, over one row, into evaluation_; and the rest of that where it is more than
  // the code.
  void RunRow(const ScopeRows& rows, size_t row, const internal::Instruction* code, internal::RowMemory* memory);
  void RunRowWithCare(const internal::RowMemory& memory);
  void ReportRow(size_t row, const absl::Status& status);
  // A run of last_chunk_; and the rest of it where that is no more than its code, where that is not only a path, and
  // where it may be.
  void RunLast();
  void RunUntouched(const internal::Instruction* code);
  void RunCode(const internal::Instruction* code);
  void RunReading();
  // The parts of a run: what the last one has left goes; the chunk runs over what its slots hold.
  void Forget();
  void RunBound(uint32_t chunk);
  // RunLast() where the run is more than its chunk; and what it is more behind the chunk.
  void RunWithCare();
  void Conclude();
  // Takes the marks that declarations give off the value of a run of `chunk`; and puts them back on that of the last
  // run, for what goes on from there.
  void TakeDeclaredMarks(uint32_t chunk);
  void PutDeclaredMarksBack() {
    if (evaluation_.has_declared_marks_) evaluation_.value_ = evaluation_.marked_value_;
    evaluation_.has_declared_marks_ = false;
  }
  // Whether the next run is more than its chunk, whatever variables are.
  bool IsTouched() const;
  // A run over variables that are declared, and prepared, or above a base.
  void RunLayered(uint32_t chunk);
  // After a run that ended for want of memory.
  void GiveUp();
  // After a run in which something failed.
  void WriteDiagnostics(uint32_t chunk);

  static constexpr uint32_t kNoChunk = internal::RunState::kNoChunk;  // no value of a run is there
  static constexpr uint32_t kKeptChunk = kNoChunk - 1;                // that of Rerun() is

  // What each run and each Bind() touch stands in front.
  Evaluation evaluation_;
  internal::RunState state_;
  bool keeps_heap_ = false;         // what is prepared for a run leaves the heap's values there
  uint32_t last_chunk_ = kNoChunk;  // whose value the heap has
  std::unique_ptr<internal::Interpreter> interpreter_;
  Value* slots_ = nullptr;  // the variables, in the frame
  std::shared_ptr<const Program> program_;
  Heap heap_;
  std::shared_ptr<const BaseLayer> base_;  // may be null
  std::vector<Value> frame_;               // constants, registers and variables (vm/frame_layout.h)
  std::vector<internal::CachedPath> paths_;
  std::vector<uint32_t> hints_;  // per path step: where the attribute was found last time
  std::vector<internal::CachedAttribute> attributes_;
  ConversionCache conversions_;
  std::set<uint32_t> refused_;                             // slots that are bound, and must not be
  std::unique_ptr<internal::LazyVariables> lazy_;          // once there is one
  std::unique_ptr<internal::LocalValues> locals_;          // of a module, where it has any
  std::unique_ptr<internal::DeclaredVariables> declared_;  // of a module
  std::unique_ptr<internal::RowMemory> rows_;              // once RunMany() was called for structs
  std::unique_ptr<internal::KeptRun> kept_;                // once Rerun() was called
};

}  // namespace hcl

#endif  // HCLVM_VM_EVALUATOR_H_
