// PlainGenerator: loops, with one value kept in place of a list. Tested by compiler/plain_generator_test.cc.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/compiler/literal_loop.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

Opcode FoldOpcode(Reduction::Kind kind) {
  return kind == Reduction::Kind::kSum     ? Opcode::kPlainSum
         : kind == Reduction::Kind::kLeast ? Opcode::kPlainLeast
                                           : Opcode::kPlainGreatest;
}

// Whether there is a logical operator in what runs first of it, as FindFirstReads() finds that.
bool HasLogic(const BoundExpr& expr, int depth) {
  if (expr.kind == BoundKind::kChain && IsLogical(As<BoundChain>(expr).op)) return true;
  bool has = false;
  if (depth > 0) ForEachPart(expr, [&](const BoundExpr& part) { has = has || HasLogic(part, depth - 1); });
  return has;
}

}  // namespace

// The body may not run at all, so that nothing it finds out holds behind it. What leaves from there starts everything
// over: at most all elements are seen twice. Where there are none, general code tries the filter, and so it is left
// where it might fail.
void PlainGenerator::YieldLoop(const BoundFor& loop, bool fails_empty, LoopBody body) {
  const BoundFor* const loops[] = {&loop};
  YieldLoops(loops, fails_empty, [&](size_t, PlainLabel* next) { body(next); });
}

// Loops over one list go over it together (compiler/joint_loops.h). What a pass reads of the scope is read before
// the first one. A filter that leaves nothing owes the errors of what its conditions read, which are asked for
// behind the loop only then.
void PlainGenerator::YieldLoops(absl::Span<const BoundFor* const> loops, bool fails_empty, JointBody body) {
  const BoundFor& loop = *loops[0];
  OwedReads owed;
  const bool is_clean = std::all_of(loops.begin(), loops.end(), [&](const BoundFor* each) {
    return each->condition == nullptr || (!fails_empty && session_ == nullptr && HasCleanFilter(*each, &owed));
  });
  const BoundFor* const inner = is_clean && owed.empty() ? FusedWith(loop) : nullptr;
  if (inner != nullptr) {
    return YieldFused(loop, *inner, fails_empty, [&](PlainLabel* next) { body(0, next); });
  }
  const uint16_t run = g_.Allocate();
  for (int n = 1; n < kLoopRegisters; ++n) g_.Allocate();
  const BoundCall* const listed = session_ == nullptr && loops.size() == 1 ? ListedMapping(loop) : nullptr;
  const bool over_mapping = listed != nullptr && !IsKept(*listed);
  const bool over_places = IsOverPlaces(loop);
  const bool over_keys = over_places || (over_mapping && listed->is(Function::Special::kKeys));
  // The mapping itself has its keys and values.
  if (over_places) {
    YieldPlaces(*CountedList(loop), run);
  } else if (over_mapping || loop.splat != nullptr) {  // whose steps the type of an empty list decides
    Yield(over_mapping ? *listed->arguments[0] : *loop.collection, run, /*returns=*/false);
  } else {
    YieldElementsOf(*loop.collection, run);
  }
  if (over_mapping) g_.builder_->Emit(Opcode::kPlainCheck, run, static_cast<uint16_t>(PlainCheck::kMapping));
  if (loop.splat != nullptr) {
    g_.builder_->Emit(Opcode::kPlainCheck, run, static_cast<uint16_t>(PlainCheck::kSplat));
  }
  for (const BoundFor* each : loops) {
    if (each->variables.key != nullptr) each->variables.key->reg = static_cast<uint16_t>(run + 1);
    if (each->variables.value != nullptr) each->variables.value->reg = static_cast<uint16_t>(run + (over_keys ? 1 : 2));
  }
  // What the passes read besides is read once.
  const KnownReads::Scope known(&g_.known_reads_);
  FirstReads first_reads;
  if (session_ == nullptr) {
    FindFirstReads(loop.condition != nullptr ? *loop.condition : *loop.value, loop.variables, &first_reads);
    for (const BoundFor* each : loops) KeepReadsOf(*each, first_reads);
    if (loops.size() > 1) g_.known_reads_.AddJointReads(*g_.tree_, loops, [this] { return g_.Allocate(); });
  }
  const uint32_t empty = g_.builder_->EmitJump(is_clean ? Opcode::kPlainFor : Opcode::kPlainForFilter, run);
  const CodeGenerator::SharingScope scope(&g_, &loop);
  std::vector<std::unique_ptr<CodeGenerator::SharingScope>> others;
  for (const BoundFor* each : loops.subspan(1)) {
    others.push_back(std::make_unique<CodeGenerator::SharingScope>(&g_, each));
  }
  const Branch branch(this);
  TakeFirstReads(loop, first_reads);
  const uint32_t first = g_.builder_->here();
  scope.Begin();
  for (const auto& other : others) other->Begin();
  JointPass pass{branches_, {}, {}};
  JointPass* const outer_pass = std::exchange(joint_, loops.size() > 1 ? &pass : nullptr);
  const uint16_t held = g_.held();
  for (size_t n = 0; n < loops.size(); ++n) YieldElementOf(*loops[n], n, body);
  g_.Release(held);
  joint_ = outer_pass;
  const bool takes_keys = loop.variables.key != nullptr || over_keys;
  g_.builder_->EmitX(takes_keys ? Opcode::kPlainForNext : Opcode::kPlainForEach, run, first);
  const uint32_t done = is_clean && !owed.empty() ? g_.builder_->Emit(Opcode::kSkip) : 0;
  g_.builder_->PatchToHere(empty);
  if (done == 0) return;
  branch.Else();
  Owe(owed);
  g_.builder_->PatchToHere(done);
}

// Whether it goes over the places of a list, `range(length(list))`, which need not be made: they are the list's keys.
// What leaves there need not fail, so that it is not tried.
bool PlainGenerator::IsOverPlaces(const BoundFor& loop) {
  const BoundCall* const length = session_ == nullptr && !is_tried_ ? CountedList(loop) : nullptr;
  return length != nullptr && !IsGeneral(*length) && !ReductionOf(*length) && !IsKept(As<BoundCall>(*loop.collection));
}

// Leaves for what has other keys, a set or a mapping, unless it is empty, and for more numbers than a range may have.
void PlainGenerator::YieldPlaces(const BoundCall& length, uint16_t dest) {
  constexpr int kMaxRange = 1024;
  const uint16_t mark = g_.next();
  const uint16_t scratch = g_.Allocate();
  YieldElementsOf(*length.arguments[0], dest);
  g_.builder_->Emit(Opcode::kPlainLength, scratch, dest);
  const uint32_t is_empty = g_.builder_->Emit(Opcode::kIfEqual, scratch, g_.RkConstant(Value::Int(0)));
  const uint32_t is_short = g_.builder_->Emit(Opcode::kIfLessEqual, scratch, g_.RkConstant(Value::Int(kMaxRange)));
  Leave();
  g_.builder_->PatchToHere(is_short);
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kSplat));
  g_.builder_->Emit(Opcode::kPlainIndex, scratch, dest, g_.RkConstant(Value::Int(0)));
  g_.builder_->PatchToHere(is_empty);
  g_.FreeTo(mark);
}

// What is made behind a filter is not there for the others.
void PlainGenerator::YieldElementOf(const BoundFor& loop, size_t number, JointBody body) {
  PlainLabel next;
  if (loop.condition != nullptr) Test(*loop.condition, false, &next);
  std::optional<Branch> branch;
  if (loop.condition != nullptr) branch.emplace(this);
  body(number, &next);
  PatchToHere(next);
}

// Elements of the inner loop are the outer one's as they are made. All of them are made in any case: the list fails if
// one does, and so does the fast code. A list that is needed again is made once, and a table has code of its own
// (compiler/literal_loop.h).
const BoundFor* PlainGenerator::FusedWith(const BoundFor& loop) const {
  if (session_ != nullptr || loop.variables.key != nullptr || loop.collection->kind != BoundKind::kFor) return nullptr;
  const auto& inner = As<BoundFor>(*loop.collection);
  const bool makes_list =
      inner.key == nullptr && (inner.splat == nullptr || (!inner.splat->nests && loop.splat == nullptr));
  const bool is_plain = inner.value->kind != BoundKind::kRaise && inner.collection->kind != BoundKind::kRaise &&
                        (inner.condition == nullptr || inner.condition->plain_test);
  const bool has_own_code = inner.condition != nullptr && MayBeListed(*inner.collection);
  return makes_list && is_plain && !has_own_code && g_.shared_values_.Of(inner) == nullptr ? &inner : nullptr;
}

void PlainGenerator::YieldFused(const BoundFor& loop, const BoundFor& inner, bool fails_empty, LoopBody body) {
  const KnownReads::Scope known(&g_.known_reads_);
  KeepReadsOf(loop, {});
  YieldLoop(inner, fails_empty, [&](PlainLabel* next) {
    const uint16_t mark = g_.next();
    // General code in the body takes it from a register. Who reads the variable does not ask whether it is there.
    uint16_t element = Operand(*inner.value);
    if (element >= kSlotBit) {
      const uint16_t operand = element;
      Load(operand, element = g_.Allocate());
    }
    if (loop.variables.value != nullptr) loop.variables.value->reg = element;
    const CodeGenerator::SharingScope scope(&g_, &loop);
    scope.Begin();
    if (loop.condition != nullptr) Test(*loop.condition, false, next);
    body(next);
    g_.FreeTo(mark);
  });
}

// What every pass over `variables` reads before it decides anything, and is the same in all: the first pass can read it
// for the others.
void PlainGenerator::FindFirstReads(const BoundExpr& expr, const LoopVariables& variables, FirstReads* reads) const {
  const BoundExpr& inner = Inner(expr);
  const auto all = [&](absl::Span<const BoundExpr* const> parts) {
    for (const BoundExpr* part : parts) FindFirstReads(*part, variables, reads);
  };
  switch (inner.kind) {
    case BoundKind::kLocal: {
      const LocalVariable* const local = As<BoundLocal>(inner).local;
      if (local == variables.key || local == variables.value) return;
      ABSL_FALLTHROUGH_INTENDED;
    }
    case BoundKind::kPath:
      if (reads->size() < KnownReads::kMaxReads) reads->push_back(&inner);
      return;
    case BoundKind::kSteps:
      return all({As<BoundSteps>(inner).source});
    case BoundKind::kIndex:
      return all({As<BoundIndex>(inner).source, As<BoundIndex>(inner).key});
    case BoundKind::kUnary:
      return all({As<BoundUnary>(inner).operand});
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(inner);
      const bool is_logical = chain.op == BinaryOp::kAnd || chain.op == BinaryOp::kOr;
      return all(is_logical ? chain.operands.first(1) : chain.operands);
    }
    case BoundKind::kConditional:
      return all({As<BoundConditional>(inner).condition});
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(inner);
      const Function::Special special = call.function->special;
      return special == Function::Special::kTry || special == Function::Special::kCan ? void() : all(call.arguments);
    }
    default:
      return;
  }
}

// Where all fails with the loop, one side of a logical operator does not: what is not there leaves.
void PlainGenerator::TakeFirstReads(const BoundFor& loop, const FirstReads& reads) {
  const BoundExpr& first = loop.condition != nullptr ? *loop.condition : *loop.value;
  const bool may_be_dropped = strict_failed_ != nullptr && HasLogic(first, MaxStrictDepth(0).parts);
  const auto separate = [&] {
    if (!may_be_dropped) return;
    EndRegion();
    BeginRegion();
  };
  separate();
  const size_t region = regions_.size();
  for (const BoundExpr* read : reads) {
    if (KnownReads::Read* const known_read = KnownReadOf(*read)) Take(known_read, /*leaves=*/true);
  }
  separate();
  if (regions_.size() > region) regions_[region].failed = kFailsNowhere;
}

// Registers that begin as nothing, next to each other as far as they are.
void PlainGenerator::KeepReadsOf(const BoundFor& loop, absl::Span<const BoundExpr* const> first_reads) {
  uint16_t first = 0, count = 0;
  const auto forget = [&] {
    if (count > 0) g_.builder_->Emit(Opcode::kForget, first, count);
  };
  g_.known_reads_.EnterLoop(
      *g_.tree_, loop, first_reads, [this] { return g_.Allocate(); },
      [&](uint16_t reg) {
        if (count == 0 || reg != first + count) {
          forget();
          first = reg;
          count = 0;
        }
        ++count;
      });
  forget();
}

// Their marks would be the result's. One that fails does not fail the loop for certain: beside an element that is not
// known, `||` and `&&` make something not known of it.
void PlainGenerator::Owe(const OwedReads& owed) {
  if (owed.empty()) return;
  const bool is_tried = is_tried_ || strict_failed_ != nullptr;
  if (is_tried) {
    EndRegion();
    BeginRegion();
  }
  const size_t first = regions_.size();
  for (const BoundExpr* read : owed) Ask(*read, PlainCheck::kUnmarked);
  if (!is_tried) return;
  EndRegion();
  BeginRegion();
  for (size_t n = first; n < regions_.size(); ++n) {
    if (regions_[n].failed == 0) regions_[n].failed = kFailsNowhere;
  }
}

// The value begins as that of no elements; as null where there is none, which is an error then, and general code's.
void PlainGenerator::BeginReduction(const Reduction& reduction, uint16_t dest) {
  using Kind = Reduction::Kind;
  const auto begin_with = [&](const Value& start) { g_.MoveTo(Result::Constant(start), dest); };
  switch (reduction.kind) {
    case Kind::kAllTrue:
      return begin_with(Value::Bool(true));
    case Kind::kLength:
      return begin_with(Value::Int(0));
    case Kind::kSum:
    case Kind::kLeast:
    case Kind::kGreatest:
      begin_with(Value::Null());
      for (const Value& constant : reduction.before) {
        g_.builder_->Emit(FoldOpcode(reduction.kind), dest, g_.RkConstant(constant));
      }
      return;
    default:
      return begin_with(Value::Bool(false));
  }
}

// Where all that is tried fails with the loop, instructions fail for what no reduction takes.
void PlainGenerator::ReduceElement(const Reduction& reduction, uint16_t dest, PlainLabel* next) {
  using Kind = Reduction::Kind;
  const BoundExpr& value = *reduction.loop->value;
  const uint16_t mark = g_.next();
  if (reduction.kind == Kind::kAllTrue || reduction.kind == Kind::kAnyTrue) {
    const bool is_all = reduction.kind == Kind::kAllTrue;
    if (strict_failed_ != nullptr && !IsSureOfBool(value)) {
      ReduceTried(value, is_all, dest, next);
      return g_.FreeTo(mark);
    }
    Test(value, is_all, next);
    g_.MoveTo(Result::Constant(Value::Bool(!is_all)), dest);
  } else if (reduction.kind == Kind::kLength) {
    // With marks in an element, the length is marked.
    g_.builder_->Emit(Opcode::kPlainCheck, Operand(value), static_cast<uint16_t>(PlainCheck::kUnmarked));
    g_.builder_->Emit(Opcode::kPlainAdd, dest, dest, g_.RkConstant(Value::Int(1)));
  } else {
    g_.builder_->Emit(FoldOpcode(reduction.kind), dest, LeavingOperand(value));
  }
  g_.FreeTo(mark);
}

// An untyped null among bools counts as false, and is told apart where the test fails.
void PlainGenerator::ReduceTried(const BoundExpr& value, bool is_all, uint16_t dest, PlainLabel* next) {
  const uint16_t element = LeavingOperand(value);
  EndRegion();
  BeginRegion();
  const size_t region = regions_.size();
  next->push_back(g_.builder_->Emit(is_all ? Opcode::kIfTrue : Opcode::kIfFalse, element));
  EndRegion();
  BeginRegion();
  g_.MoveTo(Result::Constant(Value::Bool(!is_all)), dest);
  next->push_back(g_.builder_->Emit(Opcode::kSkip));
  regions_[region].failed = g_.builder_->here();
  strict_failed_->push_back(g_.builder_->Emit(Opcode::kIfNotThere, element));
  const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, element);
  strict_failed_->push_back(g_.builder_->Emit(Opcode::kSkip));
  g_.builder_->PatchToHere(is_null);
  g_.builder_->Emit(Opcode::kPlainCheck, element, static_cast<uint16_t>(PlainCheck::kSide));
  if (is_all) g_.MoveTo(Result::Constant(Value::Bool(false)), dest);
}

void PlainGenerator::EndReduction(const Reduction& reduction, uint16_t dest) {
  if (!FoldsNumbers(reduction.kind)) return;
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNumber));
}

// As a reduction of a list whose elements stand in the text.
void PlainGenerator::YieldNumbers(const BoundCall& call, uint16_t dest) {
  const Function::Special special = call.function->special;
  const Opcode op = special == Function::Special::kSum   ? Opcode::kPlainSum
                    : special == Function::Special::kMin ? Opcode::kPlainLeast
                                                         : Opcode::kPlainGreatest;
  g_.MoveTo(Result::Constant(Value::Null()), dest);
  for (const BoundExpr* number : ListedNumbers(call)) {
    const uint16_t mark = g_.next();
    g_.builder_->Emit(op, dest, LeavingOperand(*number));
    g_.FreeTo(mark);
  }
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNumber));
}

// Each kind is a loop with one register that gathers; only where the first or the one element is wanted does it end
// early, and the forms say what they owe for the rest.
void PlainGenerator::YieldReduction(const Reduction& reduction, uint16_t dest) {
  using Kind = Reduction::Kind;
  if (YieldUnrolled(reduction, dest)) return;
  const uint16_t mark = g_.next();
  const BoundExpr& value = *reduction.loop->value;
  switch (reduction.kind) {
    case Kind::kNone:
      HCL_DCHECK(false);
      break;
    case Kind::kAllTrue:
    case Kind::kAnyTrue:
    case Kind::kLength:
    case Kind::kSum:
    case Kind::kLeast:
    case Kind::kGreatest:
      BeginReduction(reduction, dest);
      YieldLoop(*reduction.loop, FailsEmpty(reduction),
                [&](PlainLabel* next) { ReduceElement(reduction, dest, next); });
      EndReduction(reduction, dest);
      break;
    case Kind::kContains: {
      if (IsListedOnce(*reduction.loop)) {
        YieldHas(reduction, dest);
        break;
      }
      // It must be sound, whether there are elements or not.
      const uint16_t needle = Operand(*reduction.needle);
      if (ScalarOf(*reduction.needle) == nullptr) CheckNeedle(needle);
      BeginReduction(reduction, dest);
      YieldLoop(*reduction.loop, /*fails_empty=*/false, [&](PlainLabel* next) {
        EmitTest(Opcode::kIfNotEqual, Opcode::kIfPathNotEqual, value, needle, next);
        g_.MoveTo(Result::Constant(Value::Bool(true)), dest);
      });
      break;
    }
    case Kind::kFirst:
      YieldFirst(reduction, dest);
      break;
    case Kind::kOne:
      YieldOne(*reduction.loop, dest);
      break;
  }
  g_.FreeTo(mark);
}

bool PlainGenerator::YieldUnrolled(const Reduction& reduction, uint16_t dest) {
  const BoundExpr& list = *reduction.loop->collection;
  if (session_ != nullptr || g_.in_literal_loop_ || !(list.is_constant() || MayBeListed(list))) return false;
  LiteralLoop loop(&g_, *g_.tree_);
  if (!loop.Suits(reduction)) return false;
  const uint16_t mark = g_.next();
  EndRegion();
  g_.in_literal_loop_ = true;
  loop.YieldReduction(dest);
  g_.in_literal_loop_ = false;
  // What is asked of an element there need not be what the element fails by.
  for (const PlainRegion& region : loop.regions()) {
    regions_.push_back(region);
    if (region.failed == 0) regions_.back().failed = kFailsNowhere;
  }
  BeginRegion();
  g_.FreeTo(mark);
  return true;
}

// Whether the list is the same in all passes of a loop around it. It is made once then, and each pass looks through it,
// which takes less time than to make its elements again.
bool PlainGenerator::IsListedOnce(const BoundFor& loop) {
  if (session_ != nullptr || !g_.SharedRegister(loop)) return false;
  return g_.shared_values_.Of(loop)->repeats;
}

// A list or object may stand among the elements, so that what is tried does not fail for it.
void PlainGenerator::CheckNeedle(uint16_t needle) {
  if (strict_failed_ != nullptr) {
    EndRegion();
    BeginRegion();
  }
  g_.builder_->Emit(Opcode::kPlainCheck, needle, static_cast<uint16_t>(PlainCheck::kScalar));
  if (strict_failed_ == nullptr) return;
  EndRegion();
  BeginRegion();
  regions_.back().failed = kFailsNowhere;
}

void PlainGenerator::YieldHas(const Reduction& reduction, uint16_t dest) {
  const uint16_t list = Operand(*reduction.loop);
  const uint16_t needle = LeavingOperand(*reduction.needle);
  g_.MoveTo(Result::Constant(Value::Bool(false)), dest);
  const uint32_t lacks = g_.builder_->Emit(Opcode::kIfNotHas, list, needle);
  g_.MoveTo(Result::Constant(Value::Bool(true)), dest);
  g_.builder_->PatchToHere(lacks);
}

// The variable is the only element, whose error is the list's even if nothing reads it. Another one of its level may
// have stood for another before.
void PlainGenerator::YieldLet(const BoundFor& loop, PlainCheck check, uint16_t dest) {
  const NoPass no_pass(this, /*is_none=*/true);
  const BoundExpr& element = *As<BoundTuple>(*loop.collection).elements[0];
  if (loop.variables.value != nullptr) {
    loop.variables.value->reg = InRegister(Operand(element));
  } else {
    CheckedOperand(element, PlainCheck::kNoError);
  }
  if (loop.variables.key != nullptr) {
    loop.variables.key->reg = g_.Allocate();
    g_.MoveTo(Result::Constant(Value::Int(0)), loop.variables.key->reg);
  }
  const CodeGenerator::SharingScope scope(&g_, &loop);
  const MadeScope made(this);
  scope.Begin();
  Yield(*loop.value, dest, /*returns=*/false);
  if (check != PlainCheck::kNoError) g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
}

// Null without elements. A second one is an error, and general code's.
void PlainGenerator::YieldOne(const BoundFor& loop, uint16_t dest) {
  const uint16_t found = g_.Allocate();
  g_.MoveTo(Result::Constant(Value::Null()), found);
  g_.MoveTo(Result::Constant(Value::Null()), dest);
  YieldLoop(loop, /*fails_empty=*/false, [&](PlainLabel*) {
    const uint16_t inner = g_.next();
    g_.builder_->Emit(Opcode::kPlainCheck, found, static_cast<uint16_t>(PlainCheck::kBoolOrBlank));
    Load(CheckedOperand(*loop.value, PlainCheck::kUnmarked), dest);
    g_.MoveTo(Result::Constant(Value::Int(1)), found);
    g_.FreeTo(inner);
  });
}

// Later elements are evaluated as well: their errors are the list's, and where a function takes it, their marks too.
void PlainGenerator::YieldFirst(const Reduction& reduction, uint16_t dest) {
  const BoundFor& loop = *reduction.loop;
  if (IsLet(loop)) {
    YieldLet(loop, reduction.is_by_call ? PlainCheck::kUnmarked : PlainCheck::kNoError, dest);
    return TakeSteps(dest, reduction.steps, StepTarget(dest));
  }
  const uint16_t found = g_.Allocate();
  BeginFirst(found, reduction.otherwise, dest);
  YieldLoop(loop, /*fails_empty=*/reduction.otherwise == nullptr, [&](PlainLabel* next) {
    const uint16_t inner = g_.next();
    const uint16_t operand = Operand(*loop.value);
    if (reduction.is_by_call) {
      g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kUnmarked));
    }
    next->push_back(g_.builder_->Emit(Opcode::kIfNotNull, found));
    Load(operand, dest);
    g_.MoveTo(Result::Constant(Value::Bool(true)), found);
    g_.FreeTo(inner);
  });
  EndFirst(found, reduction.steps, reduction.otherwise, dest);
}

void PlainGenerator::BeginFirst(uint16_t found, const Value* otherwise, uint16_t dest) {
  g_.MoveTo(Result::Constant(Value::Null()), found);
  if (otherwise != nullptr) g_.MoveTo(Result::Constant(*otherwise), dest);
}

void PlainGenerator::EndFirst(uint16_t found, absl::Span<const BoundStep> steps, const Value* otherwise,
                              uint16_t dest) {
  if (otherwise == nullptr) {
    g_.builder_->Emit(Opcode::kPlainCheck, found, static_cast<uint16_t>(PlainCheck::kBool));
    return TakeSteps(dest, steps, StepTarget(dest));
  }
  if (steps.empty()) return;
  const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, found);
  TakeSteps(dest, steps, StepTarget(dest));
  g_.builder_->PatchToHere(is_null);
}

}  // namespace hcl::internal
