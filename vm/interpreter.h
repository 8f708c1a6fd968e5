// Interpreter: the loop that runs a chunk. Used by Evaluator only.

#ifndef HCLVM_VM_INTERPRETER_H_
#define HCLVM_VM_INTERPRETER_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/silence.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

class LazyVariables;
class LocalValues;
class ProgramRun;
class RunObserver;

// A path of the program, with all that it takes to follow it.
struct CachedPath {
  // More than one step, with where each was found last time.
  struct Steps {
    const PathStep* first;
    uint32_t* hints;
  };

  CachedPath() : key() {}
  CachedPath(const Value* variable, const Value& only_key) : root(variable), key(only_key), step_count(1) {}
  CachedPath(const Value* variable, const Steps& all, uint32_t count) : root(variable), steps(all), step_count(count) {}

  const Value* root = nullptr;  // the variable
  union {
    Value key;    // of the only step
    Steps steps;  // of more
  };
  uint32_t step_count = 0;
  uint32_t hint = 0;  // where the only step was found last time
};

// An attribute that instructions take, with where it was last time.
struct CachedAttribute {
  Value name;
  uint64_t shape = 0;  // of the object, with the number of the run (Interpreter::ShapeInRun)
  uint32_t at = 0;     // among its values
};

// An evaluator's runs, one after the other.
class Interpreter {
 public:
  // `frame`: as ProgramTables::BeginFrame() makes it, with the value of each variable in its slot. `paths`: room for
  // one for each of the program's. `hints`: a position for each path step, kept between evaluations; any numbers will
  // do at first. `attributes`: room for one for each of the program's names. `state` is touched where a run is more
  // than its chunk.
  Interpreter(const ProgramTables& program, Heap* heap, Value* frame, CachedPath* paths, uint32_t* hints,
              CachedAttribute* attributes, ConversionCache* conversions, Diagnostics* diagnostics, RunState* state)
      : code_(program.code().data()),
        chunks_(program.chunks().data()),
        frame_(frame),
        max_fuel_(heap->limits().max_fuel),
        paths_(paths),
        attributes_(attributes),
        program_(program),
        lookups_(program.lookups().data()),
        slots_(frame + program.layout().slots_begin()),
        hints_(hints),
        max_weight_(heap->limits().max_result_bytes / sizeof(Value)),
        state_(state),
        failures_(diagnostics, &state->is_touched, &context_.pc),
        light_call_(heap, &fuel_, &silence_),
        tried_call_(heap, &fuel_, &kNeverRead) {
    context_.heap = heap;
    context_.silence = &silence_;
    context_.fuel = &fuel_;
    UpdateInterrupt();
    context_.failures = &failures_;
    context_.program = &program;
    context_.conversions = conversions;
    context_.slots = slots_;
    context_.frame = frame_;
    for (const Value& name : program.names()) *attributes++ = CachedAttribute{name};
    for (const Path& path : program.paths()) {
      const Value* const root = slots_ + path.slot;
      const PathStep* const first = program.steps(path).data();
      *paths++ = path.step_count == 1 ? CachedPath(root, first->key)
                                      : CachedPath(root, {first, hints + path.first_step}, path.step_count);
    }
  }

  // The scope that the slots come from, for suggestions; may be null.
  void set_scope(const Shape* scope) { scope_ = scope; }

  // Puts what follows path `index` of the program in place of what does so now, which it returns. It has to find the
  // value that the path leads to in all runs until the other one is put back.
  CachedPath ExchangePath(uint32_t index, const CachedPath& path) { return std::exchange(paths_[index], path); }

  // What the slots hold of lazy variables; null, as at first, when there are none.
  void set_lazy(LazyVariables* lazy) { lazy_ = lazy, reads_late_ = true; }
  // The same for the locals of a module.
  void set_locals(LocalValues* locals) { locals_ = locals, reads_late_ = true; }
  // The end of a run that may have had a second pass, or that was left in the middle: lazy variables are read anew, and
  // nothing has failed.
  void EndRun();

  // Runs that begin with Evaluate() are observed; null, as at first: none is.
  void set_observer(RunObserver* observer) { observer_ = observer; }

  // Which failures get texts, Failures::Mode::kWriteAll at first.
  Failures* failures() { return &failures_; }
  // Evaluates `chunk` into *result: an error value when there were diagnostics. False where nothing has failed, not
  // even what was dropped.
  bool Evaluate(uint32_t chunk, Value* result) { return Evaluate(chunk, max_fuel_, result); }
  // The same with at most `fuel` units. A run that crosses a limit has failed, so that one test tells what there is to
  // put back from the run before.
  bool Evaluate(uint32_t chunk, uint64_t fuel, Value* result) {
    fuel_.Refill(fuel);
    if (failures_.any()) StartAnew();
    return Start(chunk, result) && Conclude(result);
  }

  // What most runs need of Evaluate() is less. Whether that is not enough: there is something to put back, or somebody
  // may interrupt.
  bool MustBeginAnew() const { return failures_.any() || fuel_.may_be_interrupted() || observer_ != nullptr; }
  // Such a run of the code at BeginOf(chunk), of which Conclude() is the end where the state is touched; and that end,
  // with the result of Evaluate(). False, and nothing done, where it has to be Evaluate(), for once.
  bool RunAtOnce(const Instruction* code, Value* result) { return RunAtOnce(code, max_fuel_, result); }
  bool RunAtOnce(const Instruction* code, uint64_t fuel, Value* result) {
    HCL_DCHECK(!stopped_ && !MustBeginAnew());
    run_ += kOneRun;
    if (ABSL_PREDICT_FALSE(run_ == 0)) return false;
    fuel_.RefillAtOnce(fuel);
    RunLoop<false>(code, result);
    return true;
  }
  const Instruction* BeginOf(uint32_t chunk) const {
    HCL_DCHECK(chunk < program_.chunks().size());
    return code_ + chunks_[chunk].begin;
  }
  // Whether the code there does nothing but to read a path; and the same run of such code: where the value of the path
  // is found, *result is that value, nothing else has changed, and the run has taken kReadFuel. False, and nothing
  // done, where it is not. VariableAtOnce() finds variables only.
  static constexpr uint64_t kReadFuel = 2;
  static bool MayRead(const Instruction* code) {
    return code[0].opcode() == Opcode::kLoadPath && code[1].opcode() == Opcode::kReturn && code[1].b() == code[0].a();
  }
  bool VariableAtOnce(const Instruction* code, Value* result) const {
    const CachedPath& path = paths_[code->x()];
    return path.step_count == 0 && Read(code, path.root, result);
  }
  bool ReadAtOnce(const Instruction* code, Value* result) const {
    return Read(code, FollowPath(paths_[code->x()]), result);
  }
  uint64_t max_fuel() const { return max_fuel_; }
  bool Conclude(Value* result) {
    Settle(result);
    return failures_.any();
  }

  // To be called again when the interrupt of the heap's limits changes.
  void UpdateInterrupt() { fuel_.Fill(0, &context_.heap->limits().interrupt); }

  // Nobody is asked whether to interrupt from now on.
  void DropInterrupt() { fuel_.Fill(0, nullptr); }

  uint64_t fuel_left() const { return fuel_.left(); }
  // All of a run's fuel is left: what has been used since the last run began was not the run's own.
  void RefillFuel() { fuel_.Refill(max_fuel_); }
  uint64_t fuel_left_at_once() const { return fuel_.left_at_once(); }

  // An internal function: the list of `try(a, list...)`, an error where it is none, or the dynamic value where nobody
  // knows its length.
  static Value ExpandForTry(Interpreter* interpreter, const Value& value, const void* state);
  // For operations, and for internal functions (InternalCall) while one runs.

  OpContext* context() { return &context_; }
  // Takes `cost` units; false (and the rest is gone) when there are not enough.
  bool Charge(uint64_t cost) { return fuel_.Charge(cost); }
  // What an operation pays for reading `value`: a unit for each 64 bytes or 4 elements.
  static uint64_t CostOf(const Value& value) { return value.weight() / 4; }
  // `value`, unless it is larger than a result may be: a small expression can put together a value that holds the same
  // parts very many times.
  Value Bounded(const Value& value) { return value.weight() <= max_weight_ ? value : TooLarge(); }
  // The error value of an evaluation that has run out of fuel, or that the host wants to stop; it ends.
  Value OutOfFuel();

 private:
  Value TooLarge();
  // The loop, and the same that tells observer_ of each instruction.
  template <bool kIsObserved>
  void RunLoop(const Instruction* pc, Value* result);
  // The one or the other.
  void RunFrom(const Instruction* pc, Value* result);
  // What VariableAtOnce() and ReadAtOnce() do with what they have found, which may be null.
  bool Read(const Instruction* code, const Value* value, Value* result) const {
    HCL_DCHECK(MayRead(code));
    if (max_fuel_ < kReadFuel || value == nullptr || TagOf(*value) == Tag::kInternal) return false;
    *result = *value;
    return true;
  }
  // Whether there is something to conclude.
  bool Start(uint32_t chunk, Value* result) {
    HCL_DCHECK(chunk < program_.chunks().size() && !stopped_);
    run_ += kOneRun;
    if (run_ <= kOneRun) ForgetShapes();
    RunFrom(BeginOf(chunk), result);
    return has_leftovers_ | failures_.any();
  }
  // There is something to put away behind the run.
  void NoteLeftovers() { has_leftovers_ = state_->is_touched = true; }
  void StartAnew() {
    stopped_ = is_tried_ = false;
    failures_.StartRun();
  }
  // The end of a pass that has left something to do: an evaluation that crossed a limit has no other result.
  void Settle(Value* result);

  // Operands are placed (vm/frame_layout.h): half of an operand is an index into the frame.
  static Value& ValueAt(Value* frame, uint64_t operand) {
    HCL_DCHECK(operand % 2 == 0);
    return *reinterpret_cast<Value*>(reinterpret_cast<char*>(frame) + operand * (sizeof(Value) / 2));
  }
  const Value& Operand(uint64_t operand) const { return ValueAt(frame_, operand); }

  Value OutOfMemory();

  Value OperateSlow(BinaryOp op, const Value& x, const Value& y);
  // What an instruction of fast code, on numbers, does with what becomes numbers: nothing yet, or all; or it skips.
  enum class Redone : uint8_t { kNot, kDone, kSkips };
  // Whether `argument` is a text that is a number for a parameter of that type, or the other way round, and now is
  // converted. *cost: in units of fuel.
  bool TakeScalar(Type type, Value* argument, uint64_t* cost) const;
  Redone OperateOnTexts(Instruction i, const Value& x, const Value& y, Value* dest);
  // The value at the path where it is not where it was last time, or an error. A local that is read for the first time
  // is none of the rest.
  Value LoadPathSlow(uint32_t path);
  Value LoadPathByName(uint32_t path);
  // The value at path `path` if its steps are where they were last time; otherwise null.
  static const Value* FollowSteps(const CachedPath& path);
  // The same of any path, but where the only step is by number.
  static const Value* FollowPath(const CachedPath& path);
  const Value* FollowElement(uint32_t path) const;
  // The value at the path, which is one of paths_, in what is known and unmarked, remembering positions, or nothing
  // where it leads nowhere. Null where that is not certain.
  const Value* FindOnPath(CachedPath* path);
  // The same of one by its number, for the loop, which then keeps nothing else.
  const Value* FindAtPath(uint32_t path);
  // The same of a path of several steps, and of what is left of one.
  static const Value* FindSteps(const CachedPath& path);
  static const Value* FindRest(const Value* value, const PathStep* step, uint32_t* hint, uint32_t steps);
  // What identifies the shape among all that this and later runs meet: a host may reuse the memory of a shape, but not
  // before the run has ended. Pointers have 48 bits, and where one has more, it is not remembered.
  uint64_t ShapeInRun(const Shape* shape) const { return reinterpret_cast<uintptr_t>(shape) + run_; }
  void Remember(const Shape* shape, CachedAttribute* attribute) const {
    const bool has_short_address = reinterpret_cast<uintptr_t>(shape) < kOneRun;
    attribute->shape = has_short_address ? ShapeInRun(shape) : 0;
  }
  // Forgets those of earlier runs, whose numbers are given anew.
  void ForgetShapes();
  // The attribute of an object or element of a map; null if there is none.
  const Value* AttributeOf(const Value& value, CachedAttribute* attribute) const;
  const Value* FindAttribute(const Value& value, CachedAttribute* attribute) const;
  Value UnsetVariable(uint32_t slot);
  // The value of the lazy variable in the slot, which is now there; or an error.
  Value ReadLazy(uint32_t slot);
  // Whether an operand of the instruction, of fast code, was a lazy variable whose value is now there.
  bool ReadLazyOperand(const Instruction& placed);
  // Whether its value is there, and within the limits.
  bool ShowLazy(uint32_t slot);
  bool ShowLazyVariable(uint32_t slot);
  // The value of the local in the slot, which is now there; or an error. And whether it is there.
  Value ReadLocal(uint32_t slot);
  bool MakeLocal(uint32_t slot);
  // The end of a pass over a chunk. Rare, so that one test stands for all that there may be to do.
  void PutAwayLeftovers();
  std::vector<std::string_view> VisibleNames() const;
  // Operands are evaluated first and checked then, but reported in their order: moves the newest diagnostic, about one
  // operand, before those of `later`, the next operand that has failed, which `*moved` have been moved before already.
  void MoveLastBefore(const Value& later, size_t* moved);
  Value ConcatParts(absl::Span<const uint16_t> parts);
  // The same where all parts are strings and integers, which take at most `bytes`.
  Value ConcatFast(absl::Span<const uint16_t> parts, size_t bytes, bool begin_with_ascii);
  // Their text, which is in NFC but for where one meets the next.
  Value NormalizeParts(absl::Span<const uint16_t> parts, std::string_view text);
  Value ConcatAny(absl::Span<const uint16_t> parts);
  Value ContainsSlow(const LookupSet& set, const Value& needle);
  // What a conditional gives that takes `x` where `y` is its other branch, or nothing; false where that is not plain.
  bool Alike(const Value& x, const Value& y, Value* result);
  // The same where only the elements of the result are asked.
  bool ElementsAlike(const Value& x, const Value& y, Value* result);
  // Puts the result of the call whose arguments stand at `at` there, or nothing where it is tried and fails. True: it
  // is a scalar, and no error.
  template <bool kIsTried>
  bool CallLight(const CallSite& site, Value* at);
  // Puts `true` in place of the arguments of the call, or nothing where it fails; false where only the call itself can
  // tell.
  bool Succeeds(const CallSite& site, Value* at);
  // The call whose arguments stand at `arguments`, which may be converted in place.
  Value CallFast(const CallSite& site, Value* arguments);
  // The same of a function that is a program.
  Value CallProgram(const CallSite& site, Value* arguments);
  // Its end where the run has left something to do.
  Value ConcludeProgram(const CallSite& site, ProgramRun* run, const Value& result);
  // The same of a call that is tried: nothing where it fails, and an error only where it has ended the evaluation.
  Value CallTried(const CallSite& site, Value* arguments);
  // What a call that is tried is where it fails without being made.
  Value FailTried() {
    return ABSL_PREDICT_TRUE(Charge(kCallCost + kFailureCost)) ? InternalValue(nullptr) : OutOfFuel();
  }
  Value FinishCall(const CallSite& site, const FunctionCall& call, const Value& result);
  // `call` is light_call_ or tried_call_.
  Value FinishLightCall(const CallSite& site, FunctionCall* call, const Value& result);
  Value CallAny(const CallSite& site, Value* arguments);
  // `refusals`: as CallSite::CountRefusals(), not 0, in a run that only counts.
  Value RefuseCall(const CallSite& site, const Value* arguments, uint32_t refusals);
  Value CallExpanded(const CallSite& site, Value* arguments);
  static bool TakesAsTheyAre(const Function& function, absl::Span<const Value> arguments, uint64_t* cost);
  Value RunBody(const CallSite& site, absl::Span<const Value> arguments, uint64_t cost);
  Value CheckExpanded(const Value& expanded, int role);
  bool IsOpen(const Value& expanded) const;
  Value InvokeConverted(const CallSite& site, absl::Span<Value> arguments);
  Value CallFailed(const CallSite& site, const FunctionCall& call, MarkSet marks);
  bool ConvertArguments(const Function& function, uint32_t site_arguments, absl::Span<Value> arguments, Value* poison);

  // Loops. False: there is nothing to iterate, and *source is the result.
  bool BeginFor(Value* source, bool has_filter);
  // Begins a loop over a known, unmarked collection, with its first element; false where it has none.
  bool BeginFastFor(Value* source);
  // The same, with its last element.
  bool BeginFastForBack(Value* source);
  bool BeginSplat(Value* source, bool has_filter);
  // What the instruction TupleExtend does, with its operand C; false where it cannot.
  bool ExtendFast(TupleBuilder* builder, const Value& list, uint16_t how);
  // Either of them for a marked source: the result gets the marks.
  bool BeginMarked(Value* source, bool has_filter, bool (Interpreter::*begin)(Value*, bool));
  // The end of a loop: false.
  bool FinishLoop(LoopState* state, Value* loop);
  // Loads the next element behind `loop`; false at the end.
  bool NextElement(LoopState* state, Value* loop);
  // Whether the element passes; marks the builder otherwise.
  bool Filter(Value* loop);
  Value EndSplat(Value* loop, bool may_differ);
  Value EndListSplat(TupleBuilder* builder, bool may_differ);

  Value MakeTupleOf(const Value* items, uint32_t count);
  Value MakeObjectOf(const Shape* shape, const Value* values);
  void PutItem(ObjectBuilder* builder, const Value& key, const Value& value);
  Value CheckKey(ObjectBuilder* builder, const Value& key);
  void PushPart(StringBuilder* builder, const Value& part);
  // Appends the text of `part`, behind `separator` unless it is the first. False where fast code has to exit.
  bool JoinPart(const Value& part, const Value& separator, StringBuilder* builder);
  bool JoinLongNumber(const Value& part, const Value& separator, StringBuilder* builder);
  bool MakeRoom(size_t bytes, StringBuilder* builder);
  // Makes the condition of the Branch at the context's pc, one of the registers, a bool, an unknown bool or an error.
  // Marks on a bool are taken off and remembered for the result, which the jump to the branches' end will find in the
  // same register.
  void TestCondition(Value* condition);
  // Called by jumps to `target` while marks are pending.
  void EndMarkedBranches(uint32_t target);
  void Raise(uint32_t diagnostic);
  // Tells the recorder of the heap, if there is one, that a point begins, or ends with a value.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Record(uint32_t point, const Value* value);
  Value EndTry(const Value& kept);
  Value EndCan(const Value& value);

  static constexpr uint64_t kOneRun = uint64_t{1} << 48;

  // What each run touches stands in front.
  const Instruction* const code_;  // of the program
  const Chunk* const chunks_;
  Value* const frame_;
  uint64_t run_ = 0;  // its number, times kOneRun; from one on
  const uint64_t max_fuel_;
  Fuel fuel_;
  CachedPath* const paths_;
  CachedAttribute* const attributes_;
  const ProgramTables& program_;
  const LookupSet* const lookups_;
  const Value* const slots_;  // in the frame
  const Shape* scope_ = nullptr;
  uint32_t* const hints_;
  const uint64_t max_weight_;  // of a value that an operation makes
  bool stopped_ = false;       // a limit ended the evaluation
  bool is_tried_ = false;      // nobody reads what the call fails with that runs, and is no light one
  // Marks of the conditions of branches that are being run, until the jump to their end.
  struct PendingMarks {
    uint32_t end;   // code offset
    Value* result;  // of the branches, in the frame
    MarkSet marks;
  };
  std::vector<PendingMarks> pending_marks_;
  LazyVariables* lazy_ = nullptr;
  LocalValues* locals_ = nullptr;
  RunObserver* observer_ = nullptr;
  bool reads_late_ = false;     // one of the two is there
  bool has_leftovers_ = false;  // perhaps pending marks, or values of lazy variables in the slots
  RunState* const state_;
  OpContext context_;
  Failures failures_;  // which looks at the place in context_
  // Whom the call that runs asks.
  const Silence* call_silence() const { return is_tried_ ? &kNeverRead : &silence_; }
  const Silence silence_{[](void* failures) { return static_cast<Failures*>(failures)->quiet(); }, &failures_};
  // Of calls that CallSite::TakesLight() is true of. They do not nest: what a body evaluates has an interpreter of its
  // own.
  FunctionCall light_call_;
  FunctionCall tried_call_;  // nobody reads what it fails with
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_INTERPRETER_H_
