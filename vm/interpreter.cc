// The dispatch loop. A case here is short; what takes longer is a function in vm/interpreter_*.cc or vm/operations.cc.
//
// Fuel is exact and costs nothing in straight-line code: a jump, a call of a chunk and its end charge for the
// instructions since the last one. Threaded dispatch through a table of labels where the compiler has it, a switch
// elsewhere; both are generated from vm/opcodes.def.
//
// Tested by vm/evaluator_test.cc and by every suite in tests/.

#include "hclvm/vm/interpreter.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/keyed_elements.h"
#include "hclvm/vm/list_parts.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_observer.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/object_choice.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/uniform_list.h"
#include "hclvm/vm/value/value_access.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC would merge the jumps at the ends of the cases into a few, which the branch predictor cannot tell apart.
#pragma GCC optimize("no-crossjumping", "no-gcse")
#endif

// Behind the pragma, so that it is compiled as the loop is and can be inlined there.
#include "hclvm/vm/interpreter_operands.h"

#if defined(__GNUC__) && !defined(HCLVM_SWITCH_DISPATCH)
#define HCLVM_THREADED 1
#else
#define HCLVM_THREADED 0
#endif

namespace hcl::internal {

// An element of a loop has the shape that the one before had. A set or a sequence, a marked value, null and unknown are
// no mapping.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline const Value* Interpreter::AttributeOf(const Value& value,
                                                                          CachedAttribute* attribute) const {
  if (ABSL_PREDICT_TRUE(value.is_mapping())) {
    const Mapping& mapping = MappingOf(value);
    const Shape* const shape = mapping.shape;
    if (ABSL_PREDICT_TRUE(ShapeInRun(shape) == attribute->shape)) return mapping.items() + attribute->at;
    if (attribute->at < shape->size && shape->keys[attribute->at].SameBits(attribute->name)) {
      Remember(shape, attribute);
      return mapping.items() + attribute->at;
    }
  }
  return FindAttribute(value, attribute);
}

// Whether a loop looks how much memory there is, since a body that only pushes allocates without asking: at its end,
// and now and then.
ABSL_ATTRIBUTE_ALWAYS_INLINE static inline bool LooksAtMemory(uint32_t next, uint32_t size) {
  constexpr uint32_t kPassesBetween = 16;
  return next % kPassesBetween == 0 || next >= size;
}

// The element at `position` of a list or tuple; null where there is none, and for all other values.
ABSL_ATTRIBUTE_ALWAYS_INLINE static inline const Value* ElementAt(const Value& value, uint64_t position) {
  if (!(value.is_tuple() || value.is_list())) return nullptr;
  const Sequence& sequence = SequenceOf(value);
  return ABSL_PREDICT_TRUE(position < sequence.size) ? sequence.items() + position : nullptr;
}

// What is left of a path where a step is neither an element nor an attribute with a short name that is where it was
// last time.
ABSL_ATTRIBUTE_NOINLINE static const Value* FollowRest(const Value* value, const PathStep* step, const uint32_t* hint,
                                                       uint32_t steps) {
  for (; steps > 0; --steps, ++step, ++hint) {
    if (FollowStep(&value, step->key, *hint)) continue;
    value = ElementAt(*value, step->position);
    if (value == nullptr) return nullptr;
  }
  return value;
}

// For paths of several steps. Null is not an error yet: the caller looks the path up by name (LoadPathSlow reports what
// is wrong, FindAtPath tells fast code). Hints are read here and never written, so that the usual case stores
// nothing; nor does it save registers, as nothing is left to do behind its only call.
ABSL_ATTRIBUTE_NOINLINE const Value* Interpreter::FollowSteps(const CachedPath& path) {
  const Value* value = path.root;
  const PathStep* step = path.steps.first;
  const uint32_t* hint = path.steps.hints;
  for (uint32_t left = path.step_count; left > 0; --left, ++step, ++hint) {
    if (ABSL_PREDICT_FALSE(!value->is_mapping())) {
      value = ElementAt(*value, step->position);
      if (value == nullptr) return nullptr;
      continue;
    }
    const Mapping& mapping = MappingOf(*value);
    const uint32_t at = *hint;
    if (ABSL_PREDICT_FALSE(at >= mapping.shape->size)) return nullptr;
    if (ABSL_PREDICT_FALSE(!mapping.shape->keys[at].SameBits(step->key))) return FollowRest(value, step, hint, left);
    value = mapping.items() + at;
  }
  return value;
}

// The same of what need not be there. A variable that is not read yet is no mapping.
ABSL_ATTRIBUTE_NOINLINE const Value* Interpreter::FindSteps(const CachedPath& path) {
  const Value* value = path.root;
  const PathStep* step = path.steps.first;
  uint32_t* hint = path.steps.hints;
  for (uint32_t left = path.step_count; left > 0; --left, ++step, ++hint) {
    if (ABSL_PREDICT_FALSE(!value->is_mapping())) {
      const Value* const element = ElementAt(*value, step->position);
      if (element == nullptr) return FindRest(value, step, hint, left);
      value = element;
      continue;
    }
    const Mapping& mapping = MappingOf(*value);
    const uint32_t at = *hint;
    const bool is_there = at < mapping.shape->size && mapping.shape->keys[at].SameBits(step->key);
    if (ABSL_PREDICT_FALSE(!is_there)) return FindRest(value, step, hint, left);
    value = mapping.items() + at;
  }
  return value;
}

ABSL_ATTRIBUTE_NOINLINE const Value* Interpreter::FollowPath(const CachedPath& path) {
  if (path.step_count != 1) return FollowSteps(path);
  const Value* value = path.root;
  return FollowStep(&value, path.key, path.hint) ? value : nullptr;
}

// For a path with one step, by number. Null as above.
ABSL_ATTRIBUTE_NOINLINE const Value* Interpreter::FollowElement(uint32_t path) const {
  const CachedPath& only = paths_[path];
  if (ABSL_PREDICT_TRUE(only.key.is_int())) return ElementAt(*only.root, static_cast<uint64_t>(only.key.AsInt()));
  return ElementAt(*only.root, program_.steps(program_.paths()[path])[0].position);
}

// Few scalars are what most calls take, and a scalar is what they yield: nothing of the protocol is left of these, and
// next to nothing of a call where the function is quick. Only where it is false may the evaluation have ended.
template <bool kIsTried>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool Interpreter::CallLight(const CallSite& site, Value* at) {
  if (site.is_quick && site.function->quick(at, *context_.heap)) {
    if (ABSL_PREDICT_TRUE(Charge(kCallCost))) return true;
    *at = OutOfFuel();
    return false;
  }
  if (kIsTried && (site.Refuses(*at) || (site.fails != nullptr && site.fails(at)))) {
    *at = FailTried();
    return false;
  }
  if (ABSL_PREDICT_FALSE(!site.TakesLight(at) || !Charge(kCallCost))) {
    *at = kIsTried ? CallTried(site, at) : CallFast(site, at);
    return false;
  }
  FunctionCall& call = kIsTried ? tried_call_ : light_call_;
  call.Restart(*site.function, site.prepared);
  const Value result = site.function->body(&call, {at, site.arguments});
  if (kIsTried && call.failed() && !call.is_limit() && Charge(kFailureCost)) {
    call.ForgetUnread();
    *at = InternalValue(nullptr);
    return true;
  }
  if (ABSL_PREDICT_FALSE(call.failed() || !IsLight(result))) {
    *at = FinishLightCall(site, &call, result);
    return false;
  }
  *at = result;
  return true;
}

// A branch that has failed, or is null, has no type. A number or bool beside a string becomes its text; nothing unifies
// a number and a bool. What structures unify to is for Select to say, whose errors the slow path reports again.
ABSL_ATTRIBUTE_NOINLINE bool Interpreter::Alike(const Value& x, const Value& y, Value* result) {
  if (!IsKnownPlain(x) || !(IsKnownPlain(y) || IsAbsent(y))) return false;
  if (IsBlank(y)) return *result = x, true;
  if (IsUntypedNull(x)) {
    if (!IsPlainScalar(y) && !(y.is_wholly_known() && !y.has_marks() && Charge(y.weight() / 2))) return false;
    *result = Value::Null(TypeOf(y, context_.heap->types()));
    return true;
  }
  if (!IsPlainScalar(x) || !IsPlainScalar(y)) {
    if (!Charge(CostOf(x) + CostOf(y))) return false;
    // Structures of different sizes are of different types.
    const bool differ = ((x.is_tuple() && y.is_tuple()) || (x.is_object() && y.is_object())) && x.size() != y.size();
    if (!differ && SameType(x, y)) return *result = x, true;
    if (ChooseStructure(x, y, context_.heap, result)) return true;
    *result = SelectOperation(Value::Bool(true), {x, Value::Dynamic()}, {y, Value::Dynamic()}, &context_);
    if (result->is_error()) failures_.Remove(ErrorBegin(*result));
    return !result->is_error();
  }
  if (!x.is_string() && !y.is_string()) return false;
  *result = x.is_string() ? x : ConvertBranch(x, Type::String(), &context_);
  return !result->is_error();
}

ABSL_ATTRIBUTE_NOINLINE bool Interpreter::ElementsAlike(const Value& x, const Value& y, Value* result) {
  if (!AreTuplesOfOneType(x, y)) return Alike(x, y, result);
  return Charge(CostOf(x) + CostOf(y)) && (*result = x, true);
}

// The region of the instruction at `pc`, in fast code. Most programs have one, so that the first is not searched for.
ABSL_ATTRIBUTE_ALWAYS_INLINE static inline const FastRegion& RegionAt(const ProgramTables& program, uint32_t pc) {
  const FastRegion* const first = program.fast_regions().data();
  return ABSL_PREDICT_TRUE(pc < first->end) ? *first : *program.FastRegionAt(pc);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE static inline uint32_t PlaceAfterFailure(const ProgramTables& program, uint32_t pc) {
  const FastRegion& region = RegionAt(program, pc);
  return region.failed != 0 ? region.failed : region.general;
}

// No C++ call for an instruction or a chunk: `pc`, `r`, `charged` and the origins of operands stay in machine
// registers. One caller is enough to remember, because only the main chunk calls chunks and the verifier refuses a call
// of the main chunk. Only the locals of a module, whose levels the compiler has bounded, recurse.
//
// Opcodes and operands are trusted. Compiler and decoder verify each program before they hand it out, so that no case
// tests an index, and none tests for the end of the code: the last instruction of a chunk never goes on behind it.
//
// Whatever can fail saves the pc before it is called (SAVE_PC), since diagnostics find their source range by it. A case
// that may cross a limit looks at stopped_ afterwards and ends the run, with its result.
template <bool kIsObserved>
void Interpreter::RunLoop(const Instruction* pc, Value* result) {
// A register that is written, and what is read: all of them stand in one frame.
#define REG(operand) ValueAt(frame, operand)
#define FAST(operand) ValueAt(frame, operand)
#define RK(operand) ValueAt(frame, operand)
#define RETURN(value)  \
  do {                 \
    *result = (value); \
    return;            \
  } while (0)
  const Instruction* charged = pc;  // instructions before this are paid for
  Value* const frame = frame_;
  const Instruction* caller = nullptr;  // of the chunk that runs, in the main chunk: behind its CallChunk
  // The path that was tested last, and its value: conditions often test one several times. It stays right for the whole
  // run of the chunk, because a scope does not change while it is evaluated.
  uint32_t tested_path = UINT32_MAX;
  const Value* tested = nullptr;
  // Of an instruction that has met what it is not for.
  const Value* operand_x = nullptr;
  const Value* operand_y = nullptr;

#define SAVE_PC() (context_.pc = static_cast<uint32_t>(pc - code_ - 1))
// Pays for the instructions up to here and goes to `target`. The difference of the two pointers is what has run since
// the last charge, so that no counter is kept. Loops go round by ForNext and SplatNext only, and both jump: no program
// runs without paying. Jumps of fast code move `pc` forward by hand and leave `charged`, so that what they skip is
// paid for like what they run.
#define JUMP(target)                                                                        \
  do {                                                                                      \
    if (ABSL_PREDICT_FALSE(!Charge(static_cast<uint64_t>(pc - charged)))) goto out_of_fuel; \
    pc = charged = code_ + (target);                                                        \
  } while (0)
// Sets `value` to what is at path `index`, or to null when it is not where it was last time. Most paths are a variable,
// or one attribute of one.
#define FOLLOW_PATH(value, index) \
  (value) = paths_[index].root;   \
  if (paths_[index].step_count != 0) FOLLOW_STEPS(value, index)
#define FOLLOW_STEPS(value, index)                                               \
  do {                                                                           \
    const CachedPath& path = paths_[index];                                      \
    (value) = path.root;                                                         \
    if (ABSL_PREDICT_FALSE(path.step_count != 1)) {                              \
      (value) = FollowSteps(path);                                               \
    } else if (ABSL_PREDICT_FALSE(!FollowStep(&(value), path.key, path.hint))) { \
      (value) = FollowElement(index);                                            \
    }                                                                            \
  } while (0)
#define OBSERVE()                                                                                                   \
  if constexpr (kIsObserved) {                                                                                      \
    observer_->Next(static_cast<uint32_t>(pc - code_), fuel_.left(), static_cast<uint64_t>(pc - charged), &charged, \
                    frame);                                                                                         \
  }
#if HCLVM_THREADED
  static const void* const kLabels[] = {
#define OPCODE(name, a, b, c, flags, effect) &&label_##name,
#include "hclvm/vm/opcodes.def"
#undef OPCODE
  };
  // In a machine register, as the compiler does not know that it could make it anew for each jump.
  const void* const* labels = kLabels;
  asm("" : "+r"(labels));
// Each case ends in an indirect jump of its own, which a branch predictor learns apart from the others. A switch has
// one for all cases.
#define NEXT()                         \
  do {                                 \
    OBSERVE()                          \
    ++pc;                              \
    goto* labels[pc[-1].raw_opcode()]; \
  } while (0)
// The case that follows reads its operands from memory, each with one load.
#define CASE(name) label_##name : if (const Instruction& i = pc[-1]; true)
#define BEGIN_DISPATCH() NEXT();
#define END_DISPATCH()
#else
#define NEXT() goto dispatch
#define CASE(name) case Opcode::k##name:
#define BEGIN_DISPATCH() \
  dispatch:              \
  OBSERVE()              \
  ++pc;                  \
  if (const Instruction& i = pc[-1]; true) switch (i.opcode()) {
#define END_DISPATCH() }
#endif
// The fast path is for two integers whose result is one; the overflow test of the builtin is one machine flag. All else
// goes to BinaryOperation, which constant folding calls too: there is one meaning of an operator.
#define ARITHMETIC_CASE(name, builtin, decimal)                                \
  CASE(name) {                                                                 \
    const Value& x = RK(i.b());                                                \
    const Value& y = RK(i.c());                                                \
    int64_t result;                                                            \
    if (x.is_int() && y.is_int() && !builtin(x.AsInt(), y.AsInt(), &result)) { \
      REG(i.a()) = Value::Int(result);                                         \
    } else if (!decimal(x, y, &REG(i.a()))) {                                  \
      SAVE_PC();                                                               \
      REG(i.a()) = OperateSlow(BinaryOp::k##name, x, y);                       \
    }                                                                          \
    NEXT();                                                                    \
  }
// NOLINTBEGIN(bugprone-macro-parentheses): operators cannot stand in parentheses
// Inline for integers; for other numbers without the detour over conversions.
#define COMPARISON_CASE(name, op)                                         \
  CASE(name) {                                                            \
    const Value& x = RK(i.b());                                           \
    const Value& y = RK(i.c());                                           \
    if (x.is_int() && y.is_int()) {                                       \
      REG(i.a()) = Value::Bool(x.AsInt() op y.AsInt());                   \
    } else if (x.is_number() && y.is_number()) {                          \
      REG(i.a()) = Value::Bool(Compare(x.AsNumber(), y.AsNumber()) op 0); \
    } else {                                                              \
      SAVE_PC();                                                          \
      REG(i.a()) = OperateSlow(BinaryOp::k##name, x, y);                  \
    }                                                                     \
    NEXT();                                                               \
  }
#define LOGICAL_CASE(name, operation, op, either)                                  \
  CASE(name) {                                                                     \
    const Value& x = RK(i.b());                                                    \
    const Value& y = RK(i.c());                                                    \
    if (x.is_bool() && y.is_bool()) {                                              \
      REG(i.a()) = Value::Bool(x.is_true() op y.is_true());                        \
    } else {                                                                       \
      SAVE_PC();                                                                   \
      REG(i.a()) = LogicalOperation(BinaryOp::operation, x, y, either, &context_); \
    }                                                                              \
    NEXT();                                                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
// Inline for what compares by its bits alone; other kinds may be unknown, nested or of another type.
#define EQUALITY_CASE(name, is_equal)                                       \
  CASE(name) {                                                              \
    const Value& x = RK(i.b());                                             \
    const Value& y = RK(i.c());                                             \
    if (ComparesByBits(x) && ComparesByBits(y)) {                           \
      REG(i.a()) = Value::Bool(x.SameBits(y) == (is_equal));                \
    } else if (ComparesToNull(x, y)) {                                      \
      REG(i.a()) = Value::Bool((x.is_null() && y.is_null()) == (is_equal)); \
    } else {                                                                \
      SAVE_PC();                                                            \
      if (!Charge(CostOf(x) + CostOf(y))) goto out_of_fuel;                 \
      REG(i.a()) = BinaryOperation(BinaryOp::k##name, x, y, &context_);     \
    }                                                                       \
    NEXT();                                                                 \
  }

  BEGIN_DISPATCH()
  CASE(LoadConst) {
    REG(i.a()) = program_.constants().data()[i.x()];
    NEXT();
  }
  CASE(Move) {
    REG(i.a()) = ByWords(REG(i.b()));
    NEXT();
  }
  CASE(LoadPath) {
    const Value* value;
    FOLLOW_PATH(value, i.x());
    if (ABSL_PREDICT_TRUE(value != nullptr && TagOf(*value) != Tag::kInternal)) {
      REG(i.a()) = *value;
    } else {
      SAVE_PC();
      REG(i.a()) = LoadPathSlow(i.x());
      if (stopped_) RETURN(REG(i.a()));
    }
    NEXT();
  }
  CASE(GetAttr) {
    const Value& x = REG(i.b());
    CachedAttribute* const attribute = attributes_ + i.c();
    const Value* const value = AttributeOf(x, attribute);
    if (ABSL_PREDICT_TRUE(value != nullptr)) {
      REG(i.a()) = ByWords(*value);
    } else {
      SAVE_PC();
      REG(i.a()) = GetAttribute(x, attribute->name, &context_);
    }
    NEXT();
  }
  // As GetAttr, by an index that is a text: x["name"].
  CASE(GetKey) {
    const Value& x = REG(i.b());
    CachedAttribute* const attribute = attributes_ + i.c();
    const Value* const value = AttributeOf(x, attribute);
    if (ABSL_PREDICT_TRUE(value != nullptr)) {
      REG(i.a()) = ByWords(*value);
    } else {
      SAVE_PC();
      REG(i.a()) = GetIndex(x, attribute->name, &context_);
    }
    NEXT();
  }
  // The fast paths leave only what fails, converts, or meets an unknown or a mark to GetIndex(). The index is compared
  // as unsigned, so that a negative one is out of range by the same test.
  CASE(GetIndex) {
    const Value& x = RK(i.b());
    const Value& y = RK(i.c());
    if ((x.is_tuple() || x.is_list()) && y.is_int() && static_cast<uint64_t>(y.AsInt()) < SequenceOf(x).size) {
      REG(i.a()) = ByWords(SequenceOf(x).items()[y.AsInt()]);
      NEXT();
    }
    if (x.is_mapping() && y.is_string()) {
      const int64_t at = x.shape().Find(y);
      if (at >= 0) {
        REG(i.a()) = ByWords(MappingOf(x).items()[at]);
        NEXT();
      }
    }
    if (x.is_mapping() && y.is_int()) {
      const Value* element = nullptr;
      if (SeekOtherwise(x, y, &element) && element != nullptr) {
        REG(i.a()) = ByWords(*element);
        NEXT();
      }
    }
    SAVE_PC();
    REG(i.a()) = GetIndex(x, y, &context_);
    NEXT();
  }
  ARITHMETIC_CASE(Add, __builtin_add_overflow, DecimalAdd)
  ARITHMETIC_CASE(Subtract, __builtin_sub_overflow, DecimalSubtract)
  ARITHMETIC_CASE(Multiply, __builtin_mul_overflow, DecimalMultiply)
  // The fast path takes a positive divisor and an exact quotient only: INT64_MIN / -1 would trap, x / 0 is an infinity,
  // and any other quotient has a fraction. Quotient and remainder come from one machine division.
  CASE(Divide) {
    const Value& x = RK(i.b());
    const Value& y = RK(i.c());
    if (x.is_int() && y.is_int() && y.AsInt() > 0 && x.AsInt() % y.AsInt() == 0) {
      REG(i.a()) = Value::Int(x.AsInt() / y.AsInt());
    } else if (!DecimalDivide(x, y, &REG(i.a()))) {
      SAVE_PC();
      REG(i.a()) = OperateSlow(BinaryOp::kDivide, x, y);
    }
    NEXT();
  }
  CASE(Modulo) {
    const Value& x = RK(i.b());
    const Value& y = RK(i.c());
    if (x.is_int() && y.is_int() && y.AsInt() > 0) {
      REG(i.a()) = Value::Int(x.AsInt() % y.AsInt());
    } else if (!DecimalModulo(x, y, &REG(i.a()))) {
      SAVE_PC();
      REG(i.a()) = OperateSlow(BinaryOp::kModulo, x, y);
    }
    NEXT();
  }
  EQUALITY_CASE(Equal, true)
  EQUALITY_CASE(NotEqual, false)
  COMPARISON_CASE(Less, <)
  COMPARISON_CASE(LessEqual, <=)
  COMPARISON_CASE(Greater, >)
  COMPARISON_CASE(GreaterEqual, >=)
  LOGICAL_CASE(And, kAnd, &&, context_.heap->dialect() == Dialect::kSpec)
  LOGICAL_CASE(Or, kOr, ||, context_.heap->dialect() == Dialect::kSpec)
  LOGICAL_CASE(TriedAnd, kAnd, &&, true)
  LOGICAL_CASE(TriedOr, kOr, ||, true)
  // The minus of a literal is folded while compiling, so that this runs for other operands only.
  CASE(Negate) {
    const Value& x = RK(i.b());
    if (x.is_int() && x.AsInt() != INT64_MIN) {
      REG(i.a()) = Value::Int(-x.AsInt());
    } else {
      SAVE_PC();
      REG(i.a()) = NegateOperation(x, &context_);
    }
    NEXT();
  }
  CASE(Not) {
    const Value& x = RK(i.b());
    SAVE_PC();
    REG(i.a()) = x.is_bool() ? Value::Bool(x.is_false()) : NotOperation(x, &context_);
    NEXT();
  }
  // A short needle costs what any scalar costs; hashing or comparing a long one is proportional to its length, and is
  // paid for, so that a long string cannot be searched for again and again at a unit each time.
  CASE(Contains) {
    const LookupSet& set = lookups_[i.c()];
    const Value& x = RK(i.b());
    SAVE_PC();
    if (TagOf(x) == Tag::kString && !Charge(CostOf(x))) goto out_of_fuel;
    REG(i.a()) = IsPlainScalar(x) ? Value::Bool(set.Has(x)) : ContainsSlow(set, x);
    NEXT();
  }
  // Marks of a condition wait for the jump that ends the branches (TestCondition). Every Jump would have to look for
  // them; the vector is empty in nearly all runs, and the test is one load.
  CASE(Jump) {
    JUMP(i.x());
    if (!pending_marks_.empty()) EndMarkedBranches(i.x());
    NEXT();
  }
  CASE(SkipIfFalse) {
    if (REG(i.a()).is_false()) JUMP(i.x());
    NEXT();
  }
  CASE(SkipIfTrue) {
    if (REG(i.a()).is_true()) JUMP(i.x());
    NEXT();
  }
  // native-syntax.md, "Conditional Operator". The next instruction is a jump to the code for an unknown or failed
  // condition, so that the two usual outcomes need one instruction. It is skipped by a JUMP and not by ++pc, so that
  // `charged` leaves it out: what does not run is not paid for in the slow path.
  CASE(Branch) {
    if (!REG(i.a()).is_bool()) {
      SAVE_PC();
      TestCondition(&REG(i.a()));
    }
    if (REG(i.a()).is_true()) {
      JUMP(pc + 1 - code_);
    } else if (REG(i.a()).is_false()) {
      JUMP(i.x());
    }
    NEXT();
  }
  // The condition is unknown or an error, and neither branch has run. The constant is what the forms of the branches
  // say of any result. An error stays as it is: its diagnostics stand already.
  CASE(OrUnknown) {
    if (!REG(i.a()).is_error())
      REG(i.a()) = Mark(program_.constants().data()[i.x()], REG(i.a()).marks(), context_.heap->arena());
    NEXT();
  }
  // Unifying the types of two large structures goes through both, whichever is taken, and so both are charged for.
  CASE(Select) {
    SAVE_PC();
    Value* const at = &REG(i.a());
    if (!Charge(CostOf(at[1]) + CostOf(at[2]))) goto out_of_fuel;
    at[0] = SelectOperation(at[0], {at[1], RK(i.b())}, {at[2], RK(i.c())}, &context_);
    NEXT();
  }
  CASE(ConvertTo) {
    SAVE_PC();
    REG(i.a()) = ConvertBranch(REG(i.a()), program_.constants().data()[i.x()].null_or_unknown_type(), &context_);
    NEXT();
  }
  // What is wrong was known while compiling (an unknown function, a wrong number of arguments), but is an error only
  // where the expression is evaluated: docs/language.md, "Errors". The error value is made first, since it holds the
  // number of the diagnostics before its own.
  CASE(Raise) {
    REG(i.a()) = context_.PoisonHere();
    Raise(i.x());
    NEXT();
  }
  CASE(Return) {
    const auto steps = static_cast<uint64_t>(pc - charged);
    if (ABSL_PREDICT_TRUE(caller == nullptr)) {
      if (!Charge(steps)) goto out_of_fuel;
      RETURN(ByWords(RK(i.b())));
    }
    const Instruction* const to = caller;
    // From one attribute of a body to the next: FixedPut is done here, and so is a CallChunk behind it. Both are
    // paid for, or what stands there in place of the call.
    if (to->opcode() == Opcode::kFixedPut && ABSL_PREDICT_TRUE(fuel_.ChargeAtOnce(steps + 2))) {
      static_cast<FixedBuilder*>(InternalState(REG(to->a())))->Put(to->x(), ByWords(RK(i.b())));
      if (to[1].opcode() == Opcode::kCallChunk) {
        caller = to + 2;
        pc = charged = code_ + chunks_[to[1].x()].begin;
        NEXT();
      }
      caller = nullptr;
      pc = to + 1;
      charged = to + 2;
      NEXT();
    }
    if (!Charge(steps)) goto out_of_fuel;
    const Value value = ByWords(RK(i.b()));
    caller = nullptr;
    pc = charged = to;
    REG(pc[-1].a()) = value;
    NEXT();
  }
  // The registers of the callee are others than those of the main chunk. A limit that it crosses ends the run, with its
  // result.
  CASE(CallChunk) {
    HCL_DCHECK(caller == nullptr);
    if (!Charge(static_cast<uint64_t>(pc - charged))) goto out_of_fuel;
    caller = pc;
    pc = charged = code_ + chunks_[i.x()].begin;
    NEXT();
  }
  // Bounded() after making, not before: the tuple itself takes 16 bytes for each register, but its tree may be huge,
  // because the same large value may stand in it several times.
  CASE(MakeTuple) {
    SAVE_PC();
    REG(i.a()) = Bounded(MakeTupleOf(&REG(i.b()), i.c()));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(MakeObject) {
    SAVE_PC();
    REG(i.a()) = Bounded(MakeObjectOf(program_.shapes().data()[i.c()], &REG(i.b())));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(Concat) {
    SAVE_PC();
    REG(i.a()) = ConcatParts(program_.list(i.x()));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(TupleBegin) {
    REG(i.a()) = InternalValue(context_.heap->arena()->New<TupleBuilder>());
    NEXT();
  }
  // A push is not bounded by itself: it adds one value to the arena, ForNext asks for memory at each round, and
  // TupleEnd bounds the finished tuple.
  CASE(TuplePush) {
    static_cast<TupleBuilder*>(InternalState(REG(i.a())))->Push(ByWords(RK(i.b())), context_.heap->arena());
    NEXT();
  }
  // GetAttr and TuplePush in one (ProgramBuilder::EmitPush), the usual body of a `for` and of a splat. It saves a
  // dispatch and a copy of 16 bytes through a register for each element.
  CASE(PushAttr) {
    TupleBuilder* const builder = static_cast<TupleBuilder*>(InternalState(REG(i.a())));
    const Value& x = REG(i.b());
    CachedAttribute* const attribute = attributes_ + i.c();
    const Value* const value = AttributeOf(x, attribute);
    if (ABSL_PREDICT_TRUE(value != nullptr)) {
      builder->Push(*value, context_.heap->arena());
    } else {
      SAVE_PC();
      builder->Push(GetAttribute(x, attribute->name, &context_), context_.heap->arena());
    }
    NEXT();
  }
  CASE(TupleEnd) {
    SAVE_PC();
    REG(i.a()) = Bounded(static_cast<TupleBuilder*>(InternalState(REG(i.b())))->FinishTuple(context_.heap->arena()));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(ObjectBegin) {
    REG(i.a()) = InternalValue(context_.heap->arena()->New<ObjectBuilder>(static_cast<RepeatedKey>(i.b())));
    NEXT();
  }
  CASE(ObjectPut) {
    SAVE_PC();
    PutItem(static_cast<ObjectBuilder*>(InternalState(REG(i.a()))), RK(i.b()), RK(i.c()));
    NEXT();
  }
  // The key is checked apart from ObjectPut, and before the value is evaluated: the code of a `for` skips the value
  // when there is no key for it, as the reference does.
  CASE(ObjectKey) {
    SAVE_PC();
    if (!REG(i.a()).is_string())
      REG(i.a()) = CheckKey(static_cast<ObjectBuilder*>(InternalState(REG(i.b()))), REG(i.a()));
    NEXT();
  }
  CASE(ObjectEnd) {
    SAVE_PC();
    REG(i.a()) = Bounded(static_cast<ObjectBuilder*>(InternalState(REG(i.b())))->Finish(context_.heap->arena()));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  // An object whose keys the compiler knows: nothing is hashed, compared or sorted.
  CASE(FixedBegin) {
    Arena* const arena = context_.heap->arena();
    REG(i.a()) = InternalValue(arena->New<FixedBuilder>(program_.shapes().data()[i.x()], arena));
    NEXT();
  }
  // An attribute that is a path: what its chunk, which the next instruction calls, would return where nothing is wrong.
  CASE(FixedTake) {
    const Value* value;
    FOLLOW_PATH(value, i.x());
    if (ABSL_PREDICT_FALSE(value == nullptr)) value = FindAtPath(i.x());
    if (ABSL_PREDICT_TRUE(value != nullptr && TagOf(*value) != Tag::kInternal)) {
      static_cast<FixedBuilder*>(InternalState(REG(i.a())))->Put(pc[1].x(), ByWords(*value));
      if (!Charge(static_cast<uint64_t>(pc - charged))) goto out_of_fuel;
      charged = pc += 2;
    }
    NEXT();
  }
  CASE(FixedPut) {
    static_cast<FixedBuilder*>(InternalState(REG(i.a())))->Put(i.x(), (&REG(i.a()))[1]);
    NEXT();
  }
  CASE(FixedEnd) {
    SAVE_PC();
    REG(i.a()) = Bounded(static_cast<FixedBuilder*>(InternalState(REG(i.b())))->Finish());
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(StringBegin) {
    REG(i.a()) = InternalValue(context_.heap->arena()->New<StringBuilder>());
    NEXT();
  }
  CASE(StringPush) {
    SAVE_PC();
    PushPart(static_cast<StringBuilder*>(InternalState(REG(i.a()))), RK(i.b()));
    NEXT();
  }
  CASE(StringEnd) {
    REG(i.a()) = static_cast<StringBuilder*>(InternalState(REG(i.b())))->Finish(context_.heap->arena());
    NEXT();
  }
  CASE(ForBegin) {
    SAVE_PC();
    if (!BeginFor(&REG(i.a()), /*has_filter=*/false)) JUMP(i.x());
    NEXT();
  }
  CASE(ForBeginFilter) {
    SAVE_PC();
    if (!BeginFor(&REG(i.a()), /*has_filter=*/true)) JUMP(i.x());
    NEXT();
  }
  // Known collections are stepped through here; dry passes and ends go to NextElement(), which tells them apart. size
  // is 0 in a dry pass of a `for`, so that the first test fails for it.
  CASE(ForNext) {
    Value* const at = &REG(i.a());
    LoopState* const loop = static_cast<LoopState*>(InternalState(*at));
    const uint32_t n = loop->next;
    if (LooksAtMemory(n, loop->size) && !context_.heap->CanAllocate(0)) goto out_of_memory;
    if (ABSL_PREDICT_TRUE(n < loop->size)) {
      loop->next = n + 1;
      at[2] = loop->items[n];
      at[1] = loop->keys != nullptr ? loop->keys[n] : Value::Int(n);
    } else if (!NextElement(loop, at)) {
      NEXT();
    }
    JUMP(i.x());
    NEXT();
  }
  CASE(ForEach) {
    Value* const at = &REG(i.a());
    LoopState* const loop = static_cast<LoopState*>(InternalState(*at));
    const uint32_t n = loop->next;
    if (LooksAtMemory(n, loop->size) && !context_.heap->CanAllocate(0)) goto out_of_memory;
    if (ABSL_PREDICT_TRUE(n < loop->size)) {
      loop->next = n + 1;
      at[2] = loop->items[n];
    } else if (!NextElement(loop, at)) {
      NEXT();
    }
    JUMP(i.x());
    NEXT();
  }
  // A condition that is `true` in a real pass needs nothing more, nor does `false`; all other outcomes (errors, marks,
  // unknowns) are Filter()'s.
  CASE(ForFilter) {
    const LoopState* const loop = static_cast<const LoopState*>(InternalState(REG(i.a())));
    const Value& condition = (&REG(i.a()))[4];
    if (!condition.is_true() || loop->dry) {
      SAVE_PC();
      const bool fails = condition.is_false() && !loop->unknown;
      if (fails || !Filter(&REG(i.a()))) JUMP(i.x());
    }
    NEXT();
  }
  CASE(SplatBegin) {
    SAVE_PC();
    if (!BeginSplat(&REG(i.a()), /*has_filter=*/false)) JUMP(i.x());
    NEXT();
  }
  CASE(SplatNext) {
    if (ABSL_PREDICT_FALSE(!context_.heap->CanAllocate(0))) goto out_of_memory;
    if (NextElement(static_cast<LoopState*>(InternalState(REG(i.a()))), &REG(i.a()))) JUMP(i.x());
    NEXT();
  }
  CASE(SplatEnd) {
    SAVE_PC();
    REG(i.a()) = Bounded(EndSplat(&REG(i.a()), /*may_differ=*/i.b() != 0));
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(CallInternal) {
    const InternalCall& call = program_.internal_calls().data()[i.x()];
    SAVE_PC();
    REG(i.a()) = call.function(this, REG(i.a()), call.state);
    if (stopped_) RETURN(REG(i.a()));
    NEXT();
  }
  CASE(TupleAbsorb) {
    static_cast<TupleBuilder*>(InternalState(REG(i.b())))->Absorb(REG(i.a()));
    NEXT();
  }
  CASE(SkipUnlessKnown) {
    if (REG(i.a()).is_error() || REG(i.a()).unmarked().is_unknown()) JUMP(i.x());
    NEXT();
  }
  // Marks do not matter for whether a value is there.
  CASE(SkipIfSet) {
    if (!REG(i.a()).unmarked().is_null()) JUMP(i.x());
    NEXT();
  }
  // Values that are made once. What is skipped was not run, but is paid for, as in fast code.
  CASE(Forget) {
    for (uint16_t n = 0; n < i.b(); ++n) (&REG(i.a()))[n] = InternalValue(nullptr);
    NEXT();
  }
  CASE(Recall) {
    const Value& kept = REG(i.b());
    if (TagOf(kept) != Tag::kInternal) {
      REG(i.a()) = ByWords(kept);
      pc += i.c();
    }
    NEXT();
  }
  CASE(Keep) {
    const Value& value = REG(i.b());
    if (!value.is_error()) REG(i.a()) = ByWords(value);
    NEXT();
  }
  // The fast path is for what is called most, with few scalars. Nothing of the protocol is left in it, and what is rare
  // stands in functions of its own: the code around the body is shorter than most bodies.
  CASE(Call) {
    SAVE_PC();
    Value* const at = &REG(i.a());
    if (CallLight</*kIsTried=*/false>(program_.call_sites().data()[i.x()], at)) NEXT();
    if (stopped_) RETURN(*at);
    NEXT();
  }
  // Errors of failed attempts are kept, not dropped, since TryEnd lists them when all fail. The first success removes
  // them all: they stand together, from the first one's begin on. A result that is not wholly known becomes the dynamic
  // value: with known values in it the attempt may fail, and the next one may be of another type.
  CASE(TryTest) {
    Value* const at = &REG(i.a());
    if (at[1].is_error()) {
      at[0] = at[0].is_error() ? Poison(at[0], at[1]) : at[1];
    } else {
      if (at[0].is_error()) failures_.Remove(ErrorBegin(at[0]));
      at[0] = at[1].is_wholly_known() ? at[1] : Value::Dynamic();
      JUMP(i.x());
    }
    NEXT();
  }
  CASE(TryEnd) {
    SAVE_PC();
    REG(i.a()) = EndTry(REG(i.a()));
    NEXT();
  }
  CASE(CanEnd) {
    REG(i.a()) = EndCan(REG(i.a()));
    NEXT();
  }
  CASE(RecordEnter) {
    Record(i.x(), nullptr);
    NEXT();
  }
  CASE(RecordLeave) {
    Record(i.x(), &REG(i.a()));
    NEXT();
  }
#include "hclvm/vm/interpreter_fast.inc"
  END_DISPATCH()

// The side exit. Fast code has no effects and reports nothing, so that the slow path starts the expression afresh;
// the search for its region costs a binary search, paid only where values are not plain. JUMP charges for the wasted
// part. Where all that is odd is a lazy variable or a local that was not read yet, the instruction is done again with
// its value: the slow path might read variables that fast code does not.
side_exit:
  if (reads_late_) {
    if (ReadLazyOperand(pc[-1])) {
      --pc;
      NEXT();
    }
    if (stopped_) RETURN(ErrorValue(0));
  }
  JUMP(RegionAt(program_, static_cast<uint32_t>(pc - code_ - 1)).general);
  NEXT();

not_numbers:
  if (BeginsNoNumber(*operand_x) || BeginsNoNumber(*operand_y)) goto fail_fast_code;
  if (((TagBit(TagOf(*operand_x)) | TagBit(TagOf(*operand_y))) & kStringTags) != 0) {
    const Redone redone = OperateOnTexts(pc[-1], *operand_x, *operand_y, &REG(pc[-1].a()));
    if (redone == Redone::kSkips) pc += pc[-1].c();
    if (redone != Redone::kNot) NEXT();
  }
  if (!FailToBecome<TypeKind::kNumber>(*operand_x, *operand_y)) goto side_exit;
  goto fail_fast_code;

not_strings:
  if (!FailToBecomeStrings(*operand_x, *operand_y)) goto side_exit;
  goto fail_fast_code;

not_both:
  if (IsUntypedNull(*operand_x) || IsUntypedNull(*operand_y)) goto fail_fast_code;
  goto not_logical;

not_either:
  if (NeitherIsTrue(*operand_x, *operand_y)) goto fail_fast_code;

not_logical:
  if (!SidesFail(*operand_x, *operand_y)) goto side_exit;
  goto fail_fast_code;

// Structures are walked, which is paid for.
not_scalars:
  if (const Instruction& i = pc[-1]; true) {
    const int64_t compared = CompareWhole(TestsPath(i.opcode()) ? *tested : FAST(i.a()), FAST(i.b()));
    if (compared < 0 || !Charge(static_cast<uint64_t>(compared) >> 1)) goto side_exit;
    if ((compared & 1) == JumpsWhereEqual(i.opcode())) pc += i.c();
    NEXT();
  }

// What has to be there, and is not, fails for certain.
not_bool:
  if (!IsAbsent(*operand_x) && !FailToBecome<TypeKind::kBool>(*operand_x, *operand_y)) goto side_exit;

// Where an instruction fails for certain, and nobody reads why, fast code goes on with what is tried next. Much of
// what is tried fails, which costs next to nothing.
fail_fast_code:
  JUMP(PlaceAfterFailure(program_, static_cast<uint32_t>(pc - code_ - 1)));
  NEXT();

// One place for all cases, each of which then holds no more than a conditional jump.
out_of_memory:
  SAVE_PC();
  RETURN(OutOfMemory());

out_of_fuel:
  SAVE_PC();
  RETURN(OutOfFuel());

#undef OBSERVE
#undef REG
#undef RK
#undef FOLLOW_PATH
#undef FOLLOW_STEPS
#undef RETURN
#undef SAVE_PC
#undef JUMP
#undef NEXT
#undef CASE
#undef BEGIN_DISPATCH
#undef END_DISPATCH
#undef ARITHMETIC_CASE
#undef COMPARISON_CASE
#undef LOGICAL_CASE
#undef EQUALITY_CASE
#undef FAST
}

template void Interpreter::RunLoop<false>(const Instruction* pc, Value* result);
template ABSL_ATTRIBUTE_COLD void Interpreter::RunLoop<true>(const Instruction* pc, Value* result);

}  // namespace hcl::internal
