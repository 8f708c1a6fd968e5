// PlainGenerator: values and operands. Tested by compiler/plain_generator_test.cc.

#include "hclvm/compiler/plain_generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/joined_texts.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

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

// What has one test only is as fast in general code, unless it ends the chunk.
bool HasOwnPlainCode(const BoundExpr& expr, bool returns) {
  const bool operation =
      expr.kind == BoundKind::kChain || expr.kind == BoundKind::kUnary || expr.kind == BoundKind::kConditional ||
      expr.kind == BoundKind::kCall || expr.kind == BoundKind::kTemplate ||
      (expr.kind == BoundKind::kSteps &&
       (ReductionOf(expr) || PieceOf(As<BoundSteps>(expr)) || MergeFor(As<BoundSteps>(expr)) != nullptr));
  return operation && expr.plain_value && expr.reads() && expr.tests >= (returns ? 1 : 2);
}

bool FilterFollows(const BoundFor& loop) { return FirstTestFollows(*loop.condition, loop); }

// General code, which may have plain code of its own.

void PlainGenerator::EndRegion() {
  const uint32_t here = g_.builder_->here();
  if (here > begin_) regions_.push_back({begin_, here, 0, 0});
}

// Null is no bool.
void PlainGenerator::Leave() {
  g_.builder_->Emit(Opcode::kPlainCheck, g_.RkConstant(Value::Null()), static_cast<uint16_t>(PlainCheck::kBool));
}

// Those side by side that go on at one place are one: the fewer there are, the sooner one is found.
void PlainGenerator::AddRegions(uint32_t general) {
  PlainRegion last;
  for (PlainRegion region : regions_) {
    region.general = general;
    if (region.failed == kFailsNowhere) region.failed = 0;
    if (last.end > 0 && last.end == region.begin && last.failed == region.failed) {
      last.end = region.end;
      continue;
    }
    if (last.end > 0) g_.builder_->AddPlainRegion(last);
    last = region;
  }
  if (last.end > 0) g_.builder_->AddPlainRegion(last);
}

void PlainGenerator::YieldGeneral(const BoundExpr& expr, uint16_t dest, PlainCheck check) {
  if (IsPlainCall(expr)) return YieldCall(As<BoundCall>(expr), dest, check);
  if (IsPlainStructure(expr)) return YieldStructure(expr, dest, check);
  if (strict_failed_ != nullptr && IsTriedTemplate(expr)) {
    const uint16_t mark = g_.next();
    YieldTemplate(As<BoundTemplate>(expr), dest);
    g_.FreeTo(mark);
    if (check != PlainCheck::kNoError) g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
    return;
  }
  EndRegion();
  g_.YieldInsidePlain(expr, dest);
  BeginRegion();
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
}

// Operands.

// From what costs nothing to what has to be made: constants and variables are operands by themselves, then come
// registers that hold the value already.
uint16_t PlainGenerator::OperandFor(const BoundExpr& expr, bool leaves) {
  const BoundExpr& inner = Inner(expr);
  if (const Value* const constant = ScalarOf(inner)) return g_.RkConstant(*constant);
  if (IsNull(inner)) return g_.RkConstant(Value::Null());
  if (inner.kind == BoundKind::kLocal && As<BoundLocal>(inner).steps.empty()) return As<BoundLocal>(inner).local->reg;
  if (inner.kind == BoundKind::kPath && As<BoundPath>(inner).steps.empty()) {
    const uint32_t slot = As<BoundPath>(inner).slot;
    if (slot < kMaxPlainSlots) {
      TakeNamed(slot);
      return static_cast<uint16_t>(kSlotBit | slot);
    }
  }
  if (const std::optional<uint16_t> ensured = EnsuredOperand(inner)) return *ensured;
  if (const PlainSession::KnownValue* known = KnownValueOf(inner)) return known->reg;
  if (KnownReads::Read* const read = KnownReadOf(inner)) return Take(read, leaves);
  if (inner.is_constant() && session_ == nullptr) return g_.RkConstant(As<BoundConstant>(inner).value);
  if (const std::optional<uint16_t> made = MadeRegister(inner)) return *made;
  if (const std::optional<uint16_t> made = JointValue(inner)) return *made;
  const uint16_t reg = g_.Allocate();
  Yield(inner, reg, /*returns=*/false);
  KeepJointValue(inner, reg);
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
  if (const std::optional<uint16_t> ensured = EnsuredOperand(inner)) return Load(*ensured, dest);
  if (KnownReads::Read* const read = KnownReadOf(inner)) {
    const uint16_t taken = Take(read, /*leaves=*/false);
    if (returns) return static_cast<void>(g_.builder_->Emit(Opcode::kReturn, 0, taken));
    return Load(taken, dest);
  }
  if (IsKeptList(inner)) {
    YieldCall(As<BoundCall>(inner), dest, PlainCheck::kNoError);
    if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
    return;
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

// By kind; whatever has no fast form of its own is not asked for here (HasFastValue).
void PlainGenerator::YieldNode(const BoundExpr& inner, uint16_t dest) {
  switch (inner.kind) {
    case BoundKind::kLocal:
      if (As<BoundLocal>(inner).steps.empty()) return Load(As<BoundLocal>(inner).local->reg, dest);
      [[fallthrough]];
    case BoundKind::kPath:
      return YieldRead(inner, StepsOf(inner).size(), StepTarget(dest));
    case BoundKind::kSteps: {
      const auto& steps = As<BoundSteps>(inner);
      if (const Reduction first = ReductionOf(steps)) return YieldReduction(first, dest);
      const AskedPiece piece = PieceOf(steps);
      if (piece && !IsKept(As<BoundCall>(*steps.source))) return YieldPiece(*piece.split, piece.place, dest);
      const BoundCall* const merge = MergeFor(steps);
      if (merge != nullptr && session_ == nullptr && !IsKept(*merge)) return YieldMerged(*merge, steps.steps, dest);
      return TakeSteps(LeavingOperand(*steps.source), steps.steps, StepTarget(dest));
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
      return YieldArithmetic(As<BoundChain>(inner), Quotients::kExact, dest);
    case BoundKind::kObject:
      return YieldObject(As<BoundObject>(inner), dest);
    case BoundKind::kTuple:
      return YieldTuple(As<BoundTuple>(inner), dest);
    case BoundKind::kTemplate:
      return YieldTemplate(As<BoundTemplate>(inner), dest);
    case BoundKind::kCall:
      if (session_ != nullptr && session_->IsElementCall(inner)) return YieldElementCall(As<BoundCall>(inner), dest);
      if (As<BoundCall>(inner).is(Function::Special::kTry)) return YieldTry(As<BoundCall>(inner), dest);
      if (As<BoundCall>(inner).is(Function::Special::kCoalesce)) return YieldCoalesce(As<BoundCall>(inner), dest);
      if (As<BoundCall>(inner).is(Function::Special::kLookup)) return YieldLookup(As<BoundCall>(inner), dest);
      if (ListedTruths(inner) != nullptr) return YieldTruths(As<BoundCall>(inner), dest);
      if (const Reduction reduction = ReductionOf(inner)) return YieldJoint(inner, reduction, dest);
      if (!ListedNumbers(As<BoundCall>(inner)).empty()) return YieldNumbers(As<BoundCall>(inner), dest);
      if (IsListCall(inner)) return YieldList(As<BoundCall>(inner), dest);
      if (IsRounding(As<BoundCall>(inner))) return YieldRounding(As<BoundCall>(inner), dest);
      if (const AskedPiece piece = PieceOf(As<BoundCall>(inner))) return YieldPiece(*piece.split, piece.place, dest);
      if (!JoinedParts(As<BoundCall>(inner)).empty()) return YieldJoined(As<BoundCall>(inner), dest);
      return YieldLength(As<BoundCall>(inner), dest);
    default:
      HCL_DCHECK(false);
      return;
  }
}

void PlainGenerator::TakeStep(StepOpcodes op, uint16_t source, const BoundStep& step, StepTarget to) {
  const uint16_t mark = g_.next();
  const std::optional<uint16_t> name = step.key.is_string() ? g_.builder_->AddName(step.key) : std::nullopt;
  if (name) {
    if (source >= kSlotBit) Load(std::exchange(source, to.between), to.between);
    g_.builder_->Emit(op.attribute, to.dest, source, *name);
  } else {
    g_.builder_->Emit(op.index, to.dest, source, g_.RkConstant(step.key));
  }
  g_.FreeTo(mark);
}

void PlainGenerator::FollowSteps(StepOpcodes op, uint16_t source, absl::Span<const BoundStep> steps, StepTarget to) {
  for (const BoundStep& step : steps) {
    const bool is_last = &step == &steps.back();
    TakeStep(op, source, step, is_last ? to : StepTarget(to.between));
    source = to.between;
  }
}

void PlainGenerator::TakeSteps(uint16_t source, absl::Span<const BoundStep> steps, StepTarget to) {
  FollowSteps({Opcode::kPlainAttr, Opcode::kPlainIndex}, source, steps, to);
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

// A longer key is paid for.
constexpr size_t kMaxFreeKey = 64;

void PlainGenerator::YieldLookup(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  const Value* const constant = ScalarOf(Inner(*call.arguments[1]));
  const bool is_name = constant != nullptr && constant->is_string() && constant->AsString().size() < kMaxFreeKey;
  const BoundCall* const merge = session_ == nullptr && !is_tried_ && is_name ? MergeForLookup(call) : nullptr;
  if (merge != nullptr && !IsKept(*merge)) return YieldMergedLookup(call, *merge, *constant, dest);
  Yield(*call.arguments[0], dest, /*returns=*/false);
  if (const auto name = is_name ? g_.builder_->AddName(*constant) : std::nullopt) {
    g_.builder_->Emit(Opcode::kPlainLookupAttr, dest, Operand(*call.arguments[2]), *name);
    return g_.FreeTo(mark);
  }
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

}  // namespace hcl::internal
