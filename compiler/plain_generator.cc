// PlainGenerator: values and operands. Tested by compiler/plain_generator_test.cc.

#include "hclvm/compiler/plain_generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

Opcode ArithmeticOpcode(BinaryOp op) {
  static constexpr Opcode kOpcodes[] = {Opcode::kPlainAdd, Opcode::kPlainSubtract, Opcode::kPlainMultiply,
                                        Opcode::kPlainDivide, Opcode::kPlainModulo};
  return kOpcodes[static_cast<int>(op)];
}

PlainCheck BranchCheckOf(Type type) {
  return type == Type::Bool()     ? PlainCheck::kBoolOrBlank
         : type == Type::Number() ? PlainCheck::kNumberOrBlank
                                  : PlainCheck::kStringOrBlank;
}

// Whether no part has parts itself.
bool HasOnlyLeaves(const BoundTemplate& text) {
  return std::all_of(text.parts.begin(), text.parts.end(), [](const BoundExpr* part) {
    return part->is_constant() || part->kind == BoundKind::kPath || part->kind == BoundKind::kLocal;
  });
}

// Whether the value depends on one of the loop's variables: it is then not known where they are not.
bool Follows(const BoundExpr& expr, const BoundFor& loop) {
  for (const BoundExpr* at = &expr;;) {
    if (!at->plain_value) return false;
    switch (at->kind) {
      case BoundKind::kLocal: {
        const LocalVariable* const local = As<BoundLocal>(*at).local;
        return local == loop.variables.key || local == loop.variables.value;
      }
      case BoundKind::kSteps:
        at = As<BoundSteps>(*at).source;
        continue;
      case BoundKind::kIndex:
        at = As<BoundIndex>(*at).source;
        continue;
      case BoundKind::kChain:
        if (!IsArithmetic(As<BoundChain>(*at).op)) return false;
        at = As<BoundChain>(*at).operands[0];
        continue;
      case BoundKind::kCall:
        if (!As<BoundCall>(*at).is(Function::Special::kLength)) return false;
        at = As<BoundCall>(*at).arguments[0];
        continue;
      default:
        return false;
    }
  }
}

// Whether the first test of `expr` is on such a value.
bool FirstTestFollows(const BoundExpr& expr, const BoundFor& loop) {
  const BoundExpr* first = &expr;
  while (true) {
    // General code may know the answer for what is not known.
    if (!first->plain_value) return false;
    if (first->kind == BoundKind::kUnary) {
      first = As<BoundUnary>(*first).operand;
    } else if (first->kind == BoundKind::kChain && IsLogical(As<BoundChain>(*first).op)) {
      // The last operand that might not be a bool is loaded and checked before anything else (TestLogic).
      const auto& operands = As<BoundChain>(*first).tested;
      const auto loaded = std::find_if(operands.rbegin(), operands.rend() - 1,
                                       [](const BoundExpr* operand) { return !operand->sure_bool; });
      if (loaded != operands.rend() - 1) return Follows(**loaded, loop);
      first = operands[0];
    } else if (first->kind == BoundKind::kChain) {
      const auto& operands = As<BoundChain>(*first).operands;
      return Follows(*operands[0], loop) || Follows(*operands[1], loop);
    } else if (first->kind == BoundKind::kCall) {
      const auto& call = As<BoundCall>(*first);
      if (!call.is(Function::Special::kContains)) return Follows(*call.arguments[0], loop);
      return Follows(*call.arguments[1], loop) ||
             (call.lookup == BoundCall::kNone && Follows(*call.arguments[0], loop));
    } else {
      return Follows(*first, loop);
    }
  }
}

}  // namespace

// Answers of fast_forms.h about what there is code for.
struct PlainGenerator::Parts {
  const PlainGenerator* generator;
  const BoundExpr& inner(const BoundExpr& part) const { return generator->Inner(part); }
  bool has_register(const LocalVariable* local) const {
    return generator->session_ == nullptr || !generator->session_->IsVariable(local);
  }
  static bool yield(const BoundExpr&) { return true; }
};

// What has one test only is as fast in general code, unless it ends the chunk.
bool HasOwnPlainCode(const BoundExpr& expr, bool returns) {
  const bool operation = expr.kind == BoundKind::kChain || expr.kind == BoundKind::kUnary ||
                         expr.kind == BoundKind::kConditional || expr.kind == BoundKind::kCall ||
                         (expr.kind == BoundKind::kSteps && ReductionOf(expr));
  return operation && expr.plain_value && expr.reads() && expr.tests >= (returns ? 1 : 2);
}

bool FilterFollows(const BoundFor& loop) { return FirstTestFollows(*loop.condition, loop); }

// General code, which may have plain code of its own.

void PlainGenerator::EndRegion() {
  const uint32_t here = g_.builder_->here();
  if (here > begin_) regions_.push_back({begin_, here, 0});
}

void PlainGenerator::AddRegions(uint32_t general) {
  for (PlainRegion region : regions_) {
    region.general = general;
    g_.builder_->AddPlainRegion(region);
  }
}

void PlainGenerator::YieldGeneral(const BoundExpr& expr, uint16_t dest, PlainCheck check) {
  if (IsPlainCall(expr)) return YieldCall(As<BoundCall>(expr), dest, check);
  EndRegion();
  g_.YieldInsidePlain(expr, dest);
  BeginRegion();
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
}

// Operands.

void PlainGenerator::KeepReads(const BoundExpr& expr) {
  if (session_ == nullptr) g_.known_reads_.AddReads(*g_.tree_, expr, [this] { return g_.Allocate(); });
}

uint16_t PlainGenerator::Take(KnownReads::Read* read, bool leaves) {
  using State = KnownReads::State;
  const uint16_t reg = read->reg;
  if (read->state == State::kThere || (read->state == State::kFound && leaves)) return reg;
  const State before = read->state;
  g_.known_reads_.Set(read, State::kThere);
  if (before == State::kFound) {
    g_.builder_->Emit(Opcode::kPlainCheck, reg, static_cast<uint16_t>(PlainCheck::kNoError));
    return reg;
  }
  const uint32_t recalled = before == State::kOnce ? g_.builder_->Emit(Opcode::kIfKept, reg) : 0;
  YieldNode(*read->expr, reg);
  if (before == State::kOnce) g_.builder_->PatchToHere(recalled);
  return reg;
}

uint16_t PlainGenerator::FindKnown(KnownReads::Read* read) {
  using State = KnownReads::State;
  const uint16_t reg = read->reg;
  if (read->state == State::kThere || read->state == State::kFound) return reg;
  const State before = read->state;
  g_.known_reads_.Set(read, State::kFound);
  const uint32_t recalled = before == State::kOnce ? g_.builder_->Emit(Opcode::kIfKept, reg) : 0;
  Seek(*read->expr, reg);
  if (before == State::kOnce) g_.builder_->PatchToHere(recalled);
  return reg;
}

void PlainGenerator::MarkThere(const BoundExpr& expr) {
  KnownReads::Read* const read = KnownReadOf(Inner(expr));
  if (read != nullptr && read->state == KnownReads::State::kFound) {
    g_.known_reads_.Set(read, KnownReads::State::kThere);
  }
}

uint16_t PlainGenerator::OperandFor(const BoundExpr& expr, bool leaves) {
  const BoundExpr& inner = Inner(expr);
  if (const Value* const constant = ScalarOf(inner)) return g_.RkConstant(*constant);
  if (IsNull(inner)) return g_.RkConstant(Value::Null());
  if (inner.kind == BoundKind::kLocal && As<BoundLocal>(inner).steps.empty()) return As<BoundLocal>(inner).local->reg;
  if (inner.kind == BoundKind::kPath && As<BoundPath>(inner).steps.empty()) {
    const uint32_t slot = As<BoundPath>(inner).slot;
    if (slot < kMaxPlainSlots) return static_cast<uint16_t>(kSlotBit | slot);
  }
  if (const PlainSession::KnownValue* known = KnownValueOf(inner)) return known->reg;
  if (KnownReads::Read* const read = KnownReadOf(inner)) return Take(read, leaves);
  if (inner.is_constant() && session_ == nullptr) return g_.RkConstant(As<BoundConstant>(inner).value);
  const uint16_t reg = g_.Allocate();
  Yield(inner, reg, /*returns=*/false);
  return reg;
}

void PlainGenerator::Load(uint16_t operand, uint16_t dest) {
  if (operand & kConstantBit) {
    g_.builder_->EmitX(Opcode::kLoadConst, dest, operand & ~kConstantBit);
  } else if (operand & kSlotBit) {
    g_.builder_->EmitX(Opcode::kPlainLoad, dest, g_.builder_->AddPath(operand & ~kSlotBit, {}));
  } else if (operand != dest) {
    g_.builder_->Emit(Opcode::kMove, dest, operand);
  }
}

uint16_t PlainGenerator::InRegister(uint16_t operand) {
  if ((operand & kConstantBit) != 0 || (operand & kSlotBit) == 0) return operand;
  const uint16_t reg = g_.Allocate();
  Load(operand, reg);
  return reg;
}

// Values.

void PlainGenerator::Finish(const Value& value, uint16_t dest, bool returns) {
  const uint16_t operand = g_.RkConstant(value);
  if (returns) {
    g_.builder_->Emit(Opcode::kReturn, 0, operand);
  } else {
    Load(operand, dest);
  }
}

// What is a condition becomes jumps; the others put their value into `dest`.
void PlainGenerator::Yield(const BoundExpr& expr, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  const BoundExpr& inner = Inner(expr);
  if (const Value* const constant = ScalarOf(inner)) return Finish(*constant, dest, returns);
  if (inner.is_constant() && session_ == nullptr) return Finish(As<BoundConstant>(inner).value, dest, returns);
  if (const PlainSession::KnownValue* known = KnownValueOf(inner)) return Load(known->reg, dest);
  if (const std::optional<uint16_t> loaded = LoadedOperand(inner)) return Load(*loaded, dest);
  if (KnownReads::Read* const read = KnownReadOf(inner)) {
    const uint16_t taken = Take(read, /*leaves=*/false);
    if (returns) return static_cast<void>(g_.builder_->Emit(Opcode::kReturn, 0, taken));
    return Load(taken, dest);
  }
  if (IsGeneral(inner)) {
    YieldGeneral(inner, dest, PlainCheck::kNoError);
    if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
    return;
  }
  if (IsTruth(inner)) return YieldTruth(inner, dest, returns);
  if (IsChoice(inner)) return YieldChoice(As<BoundConditional>(inner), dest, returns);
  if (IsCondition(inner)) return YieldTruth(inner, dest, returns);
  YieldNode(inner, dest);
  g_.FreeTo(mark);
  if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
}

void PlainGenerator::YieldNode(const BoundExpr& inner, uint16_t dest) {
  switch (inner.kind) {
    case BoundKind::kPath:
      g_.builder_->EmitX(Opcode::kPlainLoad, dest, As<BoundPath>(inner).path);
      return;
    case BoundKind::kLocal: {
      const auto& local = As<BoundLocal>(inner);
      return local.steps.empty() ? Load(local.local->reg, dest) : TakeSteps(local.local->reg, local.steps, dest);
    }
    case BoundKind::kSteps: {
      const auto& steps = As<BoundSteps>(inner);
      if (const Reduction first = ReductionOf(steps)) return YieldReduction(first, dest);
      return TakeSteps(LeavingOperand(*steps.source), steps.steps, dest);
    }
    case BoundKind::kIndex: {
      const uint16_t collection = LeavingOperand(*As<BoundIndex>(inner).source);
      const uint16_t key = LeavingOperand(*As<BoundIndex>(inner).key);
      g_.builder_->Emit(Opcode::kPlainIndex, dest, collection, key);
      return;
    }
    case BoundKind::kUnary:
      g_.builder_->Emit(Opcode::kPlainSubtract, dest, g_.RkConstant(Value::Int(0)),
                        LeavingOperand(*As<BoundUnary>(inner).operand));
      return;
    case BoundKind::kChain:
      return YieldArithmetic(As<BoundChain>(inner), dest);
    case BoundKind::kObject:
      return YieldObject(As<BoundObject>(inner), dest);
    case BoundKind::kTuple:
      return YieldTuple(As<BoundTuple>(inner), dest);
    case BoundKind::kTemplate:
      return YieldTemplate(As<BoundTemplate>(inner), dest);
    case BoundKind::kCall:
      if (As<BoundCall>(inner).is(Function::Special::kTry)) return YieldTry(As<BoundCall>(inner), dest);
      if (As<BoundCall>(inner).is(Function::Special::kCoalesce)) return YieldCoalesce(As<BoundCall>(inner), dest);
      if (As<BoundCall>(inner).is(Function::Special::kLookup)) return YieldLookup(As<BoundCall>(inner), dest);
      if (ListedTruths(inner) != nullptr) return YieldTruths(As<BoundCall>(inner), dest);
      if (const Reduction reduction = ReductionOf(inner)) return YieldReduction(reduction, dest);
      g_.builder_->Emit(Opcode::kPlainLength, dest, LeavingOperand(*As<BoundCall>(inner).arguments[0]));
      return;
    default:
      HCL_DCHECK(false);
      return;
  }
}

void PlainGenerator::TakeStep(StepOpcodes op, uint16_t source, const BoundStep& step, uint16_t dest) {
  const uint16_t mark = g_.next();
  const std::optional<uint16_t> name = step.key.is_string() ? g_.builder_->AddName(step.key) : std::nullopt;
  if (name) {
    if (source >= kSlotBit) Load(std::exchange(source, dest), dest);
    g_.builder_->Emit(op.attribute, dest, source, *name);
  } else {
    g_.builder_->Emit(op.index, dest, source, g_.RkConstant(step.key));
  }
  g_.FreeTo(mark);
}

void PlainGenerator::TakeSteps(uint16_t source, absl::Span<const BoundStep> steps, uint16_t dest) {
  for (const BoundStep& step : steps) {
    TakeStep({Opcode::kPlainAttr, Opcode::kPlainIndex}, source, step, dest);
    source = dest;
  }
}

// The first operand may be a chain as well, whose value is computed in the same register.
void PlainGenerator::YieldArithmetic(const BoundChain& expr, uint16_t dest) {
  const BoundExpr& first = Inner(*expr.operands[0]);
  const bool nested = first.kind == BoundKind::kChain && IsArithmetic(As<BoundChain>(first).op) && !IsGeneral(first) &&
                      KnownValueOf(first) == nullptr;
  if (nested) YieldArithmetic(As<BoundChain>(first), dest);
  const uint16_t mark = g_.next();
  uint16_t lhs = nested ? dest : LeavingOperand(first);
  for (size_t n = 1; n < expr.operands.size(); ++n) {
    g_.builder_->Emit(ArithmeticOpcode(expr.op), dest, lhs, LeavingOperand(*expr.operands[n]));
    lhs = dest;
    g_.FreeTo(mark);
  }
}

// A bool as a value.
void PlainGenerator::YieldTruth(const BoundExpr& expr, uint16_t dest, bool returns) {
  PlainLabel if_false;
  Test(expr, false, &if_false);
  Finish(Value::Bool(true), dest, returns);
  const uint32_t done = returns ? 0 : g_.builder_->Emit(Opcode::kSkip);
  PatchToHere(if_false);
  Finish(Value::Bool(false), dest, returns);
  if (!returns) g_.builder_->PatchToHere(done);
}

void PlainGenerator::YieldLookup(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  Yield(*call.arguments[0], dest, /*returns=*/false);
  const uint16_t key = Operand(*call.arguments[1]);
  g_.builder_->Emit(Opcode::kPlainLookup, dest, key, Operand(*call.arguments[2]));
  g_.FreeTo(mark);
}

void PlainGenerator::YieldTruths(const BoundCall& call, uint16_t dest) {
  const bool is_all = call.is(Function::Special::kAllTrue);
  g_.MoveTo(Result::Constant(Value::Bool(is_all)), dest);
  for (const BoundExpr* element : ListedTruths(call)->elements) {
    const Value* const constant = ScalarOf(Inner(*element));
    if (constant != nullptr && constant->is_true() == is_all) continue;
    PlainLabel agrees;
    if (constant == nullptr) Test(*element, is_all, &agrees);
    g_.MoveTo(Result::Constant(Value::Bool(!is_all)), dest);
    PatchToHere(agrees);
  }
}

// Conditionals.

Type PlainGenerator::BranchTypeOf(const BoundExpr& expr) const {
  if (session_ == nullptr) return As<BoundConditional>(expr).branch_type;
  return internal::BranchTypeOf(expr, Parts{this}).type;
}

// The type of a conditional is that of its branches, and a branch that is an untyped null becomes a null of it: of the
// type that is known beforehand, or that the other branch has. A branch that is a choice again has no type where its
// condition fails, which is not known unless it runs; such a null is left to general code then, since an operand that
// is neither a scalar nor a null gives it no type.
void PlainGenerator::YieldChoice(const BoundConditional& expr, uint16_t dest, bool returns) {
  if (!expr.common_type.is_dynamic()) return YieldTyped(expr, dest, returns);
  if (expr.shape != nullptr) return YieldObjects(expr, dest, returns);
  const uint16_t mark = g_.next();
  const size_t outer = loaded_.size();
  const Type type = BranchTypeOf(expr);
  uint16_t typed = 0;
  if (type.is_dynamic()) {
    LoadBranches(expr, std::nullopt, /*inside=*/false);
    typed = Meet(outer);
  } else {
    LoadBranches(expr, BranchCheckOf(type), /*inside=*/false);
    typed = g_.RkConstant(Value::Null(type));
  }
  if (IsChoice(Inner(*expr.if_true)) || IsChoice(Inner(*expr.if_false))) {
    typed = g_.RkConstant(MakeTuple({}, g_.builder_->heap()->arena()));
  }
  PlainLabel done;
  YieldBranch(expr, {dest, returns, typed, &done});
  PatchToHere(done);
  loaded_.resize(outer);
  g_.FreeTo(mark);
}

void PlainGenerator::YieldTyped(const BoundConditional& choice, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  g_.FreeTo(mark);
  const Branch branch(this);
  YieldTypedBranch(choice, true, dest);
  const uint32_t done = returns ? 0 : g_.builder_->Emit(Opcode::kSkip);
  if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
  PatchToHere(if_false);
  branch.Else();
  YieldTypedBranch(choice, false, dest);
  if (!returns) return g_.builder_->PatchToHere(done);
  g_.builder_->Emit(Opcode::kReturn, 0, dest);
}

void PlainGenerator::YieldTypedBranch(const BoundConditional& choice, bool taken, uint16_t dest) {
  const uint16_t mark = g_.next();
  const BoundExpr& branch = taken ? *choice.if_true : *choice.if_false;
  const BoundExpr& other = taken ? *choice.if_false : *choice.if_true;
  if (branch.type == choice.common_type) {
    Yield(branch, dest, /*returns=*/false);
    return g_.FreeTo(mark);
  }
  const Type type = g_.builder_->heap()->types()->Import(choice.common_type);
  const std::optional<Value> converted = ConvertedConstant(branch, type);
  PlainLabel failed;
  if (!converted) Yield(branch, dest, /*returns=*/false);
  Ensure(other, &failed);
  if (converted) {
    g_.MoveTo(Result::Constant(*converted), dest);
  } else {
    const SourceRange spans[] = {choice.range, choice.condition->outer, branch.outer, branch.outer};
    g_.builder_->EmitX(Opcode::kConvertTo, dest, g_.builder_->AddConstant(Value::Null(type)), spans);
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNoError));
  }
  if (converted && !failed.empty()) {
    const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
    PatchToHere(failed);
    const Value& value = IsNull(branch) ? Value::Null() : As<BoundConstant>(branch).value;
    g_.MoveTo(Result::Constant(value), dest);
    g_.builder_->PatchToHere(done);
  } else {
    PatchToHere(failed);
  }
  g_.FreeTo(mark);
}

std::optional<Value> PlainGenerator::ConvertedConstant(const BoundExpr& branch, Type type) {
  if (IsNull(branch)) return Value::Null(type);
  if (!branch.is_constant()) return std::nullopt;
  const Value converted = g_.folding_.ConvertArgument(As<BoundConstant>(branch).value, type);
  return HasType(converted, type) ? std::make_optional(converted) : std::nullopt;
}

// What the text tells the type of fails where a part does: the parts of a literal need not be put together. A part of a
// template fails where it is null or not there. Only leaves are looked at so; other parts may hold choices again, and
// what each level looks at anew would double the code with each.
void PlainGenerator::Ensure(const BoundExpr& expr, PlainLabel* failed) {
  const uint16_t mark = g_.next();
  if (expr.is_constant()) return;
  if (expr.kind == BoundKind::kTuple) {
    for (const BoundExpr* element : As<BoundTuple>(expr).elements) Ensure(*element, failed);
    return;
  }
  if (expr.kind == BoundKind::kTemplate && HasOnlyLeaves(As<BoundTemplate>(expr))) {
    for (const BoundExpr* part : As<BoundTemplate>(expr).parts) {
      if (part->is_constant()) continue;
      failed->push_back(g_.builder_->Emit(Opcode::kIfBlank, Find(*part)));
      g_.FreeTo(mark);
    }
    return;
  }
  Operand(expr);
  g_.FreeTo(mark);
}

// A register that holds, in the end, a branch from `first` on whose type is that of all.
uint16_t PlainGenerator::Meet(size_t first) {
  const uint16_t met = g_.Allocate();
  g_.MoveTo(Result::Constant(Value::Null()), met);
  for (size_t n = first; n < loaded_.size(); ++n) g_.builder_->Emit(Opcode::kPlainMeet, met, loaded_[n].operand);
  return met;
}

bool PlainGenerator::CanSeek(const BoundExpr& expr) const { return internal::CanSeek(expr, Parts{this}); }

// Errors of a branch that is not taken do not count, so that it need not be there.
uint16_t PlainGenerator::Find(const BoundExpr& expr) {
  const BoundExpr& inner = Inner(expr);
  if (!CanSeek(inner) || KnownValueOf(inner) != nullptr) return Operand(inner);
  if (KnownReads::Read* const read = KnownReadOf(inner)) return FindKnown(read);
  const uint16_t reg = g_.Allocate();
  Seek(inner, reg);
  return reg;
}

void PlainGenerator::SeekSteps(uint16_t source, absl::Span<const BoundStep> steps, uint16_t dest) {
  for (const BoundStep& step : steps) {
    TakeStep({Opcode::kPlainSeekAttr, Opcode::kPlainSeek}, source, step, dest);
    source = dest;
  }
}

void PlainGenerator::Seek(const BoundExpr& expr, uint16_t dest) {
  const BoundExpr& inner = Inner(expr);
  switch (inner.kind) {
    case BoundKind::kPath:
      g_.builder_->EmitX(Opcode::kPlainFind, dest, As<BoundPath>(inner).path);
      return;
    case BoundKind::kLocal:
      return SeekSteps(As<BoundLocal>(inner).local->reg, As<BoundLocal>(inner).steps, dest);
    case BoundKind::kSteps:
      Seek(*As<BoundSteps>(inner).source, dest);
      return SeekSteps(dest, As<BoundSteps>(inner).steps, dest);
    case BoundKind::kIndex: {
      const uint16_t mark = g_.next();
      const uint16_t source = SeekFrom(*As<BoundIndex>(inner).source, dest);
      g_.builder_->Emit(Opcode::kPlainSeek, dest, source, Find(*As<BoundIndex>(inner).key));
      g_.FreeTo(mark);
      return;
    }
    default:
      HCL_DCHECK(false);
  }
}

uint16_t PlainGenerator::SeekFrom(const BoundExpr& expr, uint16_t dest) {
  if (!CanSeek(expr)) return Operand(expr);
  if (KnownReads::Read* const read = KnownReadOf(Inner(expr))) return FindKnown(read);
  Seek(expr, dest);
  return dest;
}

// The first that is there, and wholly known.
void PlainGenerator::YieldTry(const BoundCall& call, uint16_t dest) {
  PlainLabel done;
  const auto seek = [&](const BoundExpr& argument) {
    if (KnownReads::Read* const read = KnownReadOf(Inner(argument))) {
      Load(FindKnown(read), dest);
    } else {
      Seek(argument, dest);
    }
    done.push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
  };
  seek(*call.arguments[0]);
  // Where that is there, nothing else runs.
  const Branch branch(this);
  for (const BoundExpr* argument : call.arguments.subspan(1, call.arguments.size() - 2)) seek(*argument);
  const BoundExpr& last = Inner(*call.arguments.back());
  if (IsNull(last)) {
    Load(Operand(last), dest);
  } else {
    Yield(last, dest, /*returns=*/false);
    if (!last.is_constant()) done.push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
  }
  PatchToHere(done);
}

// All arguments count for the type, which must be one. Fast code does not convert.
void PlainGenerator::YieldCoalesce(const BoundCall& call, uint16_t dest) {
  ShortList<uint16_t> operands;
  for (const BoundExpr* argument : call.arguments) operands.push_back(LeavingOperand(*argument));
  const uint16_t met = g_.Allocate();
  g_.MoveTo(Result::Constant(Value::Null()), met);
  for (const uint16_t operand : operands) {
    // Marks in any of them are the result's, and none may be nothing.
    g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kUnmarked));
    g_.builder_->Emit(Opcode::kPlainMeet, met, operand);
  }
  PlainLabel done;
  for (size_t n = 0; n + 1 < operands.size(); ++n) {
    const uint32_t is_null = g_.builder_->Emit(Opcode::kIfNull, operands[n]);
    Load(operands[n], dest);
    done.push_back(g_.builder_->Emit(Opcode::kSkip));
    g_.builder_->PatchToHere(is_null);
  }
  Load(operands.back(), dest);
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNotNull));
  PatchToHere(done);
}

// A choice in a branch that fails has no type, and then the types of its own branches do not count. So these must be
// there, unless none can yield an untyped null.
void PlainGenerator::LoadBranches(const BoundConditional& choice, std::optional<PlainCheck> check, bool inside) {
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    const BoundExpr& inner = Inner(*branch);
    if (IsChoice(inner)) {
      LoadBranches(As<BoundConditional>(inner), check, /*inside=*/true);
    } else if (!inner.has_primitive_type() && !IsNull(inner)) {
      const bool may_be_nothing = !inside || check == PlainCheck::kBoolOrNothing;
      const uint16_t operand = may_be_nothing ? Find(inner) : Operand(inner);
      if (check) g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(*check));
      loaded_.push_back({&inner, operand});
    }
  }
}

std::optional<uint16_t> PlainGenerator::LoadedOperand(const BoundExpr& branch) const {
  for (const LoadedBranch& loaded : loaded_) {
    if (loaded.expr == &branch) return loaded.operand;
  }
  return std::nullopt;
}

void PlainGenerator::YieldBranch(const BoundExpr& expr, const ChoiceEnd& end) {
  const BoundExpr& inner = Inner(expr);
  if (IsChoice(inner)) {
    const auto& choice = As<BoundConditional>(inner);
    PlainLabel if_false;
    Test(*choice.condition, false, &if_false);
    const Branch branch(this);
    YieldBranch(*choice.if_true, end);
    if (!end.returns) end.done->push_back(g_.builder_->Emit(Opcode::kSkip));
    PatchToHere(if_false);
    branch.Else();
    YieldBranch(*choice.if_false, end);
    return;
  }
  const std::optional<uint16_t> loaded = IsNull(inner) ? Operand(inner) : LoadedOperand(inner);
  if (!loaded) return Yield(inner, end.dest, end.returns);
  g_.builder_->Emit(Opcode::kPlainTyped, end.dest, *loaded, end.typed);
  if (end.returns) g_.builder_->Emit(Opcode::kReturn, 0, end.dest);
}

}  // namespace hcl::internal
