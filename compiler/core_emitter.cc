// CoreEmitter: operands and values. Tested by compiler/core_emitter_test.cc.

#include "hclvm/compiler/core_emitter.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// Whether a jump on it looks at the value in that register before anything else.
bool LooksFirstAt(const CoreNode& condition, uint16_t reg) {
  const CoreNode* at = &condition;
  while (at->kind != CoreKind::kLocal) {
    const bool is_test = at->kind == CoreKind::kPrim && at->kinds == kBoolKind && !at->is(CoreOp::kSearch);
    if (!is_test && at->kind != CoreKind::kStep && !at->is(CoreOp::kLength)) return false;
    // Constants are looked at without an instruction.
    at = at->args[at->args.size() > 1 && at->args[0]->is_const() ? 1 : 0];
  }
  return at->index == reg;
}

// A longer key is paid for.
constexpr size_t kMaxFreeKey = 64;

// A smaller choice is made once more where it stands in several places: as a condition, it is a jump.
constexpr uint32_t kMaxRepeated = 8;

// What costs more to make again than to keep. Conditions are jumps.
bool IsWorthKeeping(const CoreNode& node) {
  switch (node.kind) {
    case CoreKind::kStep:
    case CoreKind::kIndex:
    case CoreKind::kText:
    case CoreKind::kCall:
    case CoreKind::kTry:
    case CoreKind::kLoop:
    case CoreKind::kGeneral:
      return true;
    case CoreKind::kIf:
    case CoreKind::kChoice:
    case CoreKind::kNeed:
    case CoreKind::kAll:
    case CoreKind::kAny:
      return node.size > kMaxRepeated;
    case CoreKind::kPrim:
      return node.kinds != kBoolKind || node.size > kMaxRepeated;
    default:
      return false;
  }
}

bool IsArithmetic(CoreOp op) { return op >= CoreOp::kAdd && op <= CoreOp::kRatio; }

// Of operations that put a value together; others are jumps.
Opcode OpcodeOf(CoreOp op) {
  switch (op) {
    case CoreOp::kAdd:
      return Opcode::kFastAdd;
    case CoreOp::kSubtract:
      return Opcode::kFastSubtract;
    case CoreOp::kMultiply:
      return Opcode::kFastMultiply;
    case CoreOp::kDivide:
      return Opcode::kFastDivide;
    case CoreOp::kModulo:
      return Opcode::kFastModulo;
    case CoreOp::kRatio:
      return Opcode::kFastRatio;
    case CoreOp::kCeil:
      return Opcode::kFastCeil;
    case CoreOp::kFloor:
      return Opcode::kFastFloor;
    case CoreOp::kShared:
      return Opcode::kFastShared;
    case CoreOp::kLacking:
      return Opcode::kFastLacking;
    case CoreOp::kPieces:
      return Opcode::kFastPieces;
    case CoreOp::kKeyed:
      return Opcode::kFastKeyed;
    default:
      HCL_DCHECK(op == CoreOp::kLength);
      return Opcode::kFastLength;
  }
}

}  // namespace

bool Passes(KindSet kinds, Guard check) {
  const auto are = [kinds](KindSet wanted) { return (kinds & ~wanted) == 0; };
  switch (check) {
    case Guard::kBool:
      return are(kBoolKind);
    case Guard::kNumber:
      return are(kNumberKind);
    case Guard::kString:
      return are(kStringKind);
    case Guard::kScalar:
    case Guard::kUnmarked:
    case Guard::kWhole:
      return are(kScalarKinds);
    default:
      return false;
  }
}

// Values that are kept count once where they are made in any case: others may be made on several ways.
uint64_t EmittedSize(CoreTree* tree, const CoreNode& root) {
  tree->CountUses(root);
  const auto nodes = tree->nodes();
  std::vector<bool> is_sure(nodes.size());
  is_sure[root.id] = true;
  for (uint32_t id = root.id + 1; id-- > 0;) {
    if (!is_sure[id]) continue;
    for (const CoreNode* arg : SureArgs(*nodes[id])) is_sure[arg->id] = true;
  }
  std::vector<uint64_t> sizes(nodes.size());
  uint64_t kept_size = 0;
  size_t kept = 0;
  std::vector<bool> is_kept(nodes.size());
  for (uint32_t id = 0; id <= root.id; ++id) {
    const CoreNode& node = *nodes[id];
    if (node.uses == 0) continue;
    sizes[id] = 1;
    for (const CoreNode* arg : node.args) sizes[id] += is_kept[arg->id] ? 1 : sizes[arg->id];
    sizes[id] = std::min<uint64_t>(sizes[id], kMaxCoreSize);
    is_kept[id] = node.uses > 1 && is_sure[id] && IsWorthKeeping(node) && ++kept < CoreEmitter::kMaxKept;
    if (is_kept[id]) kept_size += sizes[id];
  }
  return sizes[root.id] + kept_size;
}

void CoreEmitter::PatchToHere(const Label& label) {
  for (const uint32_t jump : label) builder_->PatchToHere(jump);
}

// Registers that hold nothing else up to the end, for what stands in several places.
void CoreEmitter::GiveRegisters(const CoreNode& root) {
  tree_.CountUses(root);
  const size_t count = tree_.nodes().size();
  places_.Reset(count, tree_.arena());
  size_t kept = 0;
  const auto keep = [&](const CoreNode& node) {
    if (kept == kMaxKept || !IsWorthKeeping(node) || places_.At(node).has_reg) return;
    places_.Give(node, registers_.Allocate());
    ++kept;
  };
  finder_.Find(root);
  for (const std::vector<const CoreNode*>& group : finder_.groups()) {
    for (const CoreNode* loop : group) keep(*loop);
  }
  for (const CoreNode* node : tree_.nodes()) {
    if (node->uses >= 2) keep(*node);
    if (node->uses == 0 || node->kind != CoreKind::kItems) continue;
    std::vector<const CoreNode*> invariants;
    finder_.AppendInvariants(*node, &invariants);
    for (const CoreNode* read : invariants) keep(*read);
  }
}

void CoreEmitter::Emit(const CoreNode& root, uint16_t dest, bool returns) {
  const uint16_t mark = registers_.next();
  GiveRegisters(root);
  regions_.Begin();
  Value(root, dest, returns);
  regions_.End(nullptr);
  runs_.MakeTables();
  registers_.FreeTo(mark);
}

void CoreEmitter::EmitFilter(const CoreNode& root, uint16_t element, Label* target) {
  const uint16_t mark = registers_.next();
  GiveRegisters(root);
  regions_.Begin();
  if (!LooksFirstAt(root, element)) Check(element, Guard::kKnown);
  Jump(root, false, target);
  regions_.End(nullptr);
  registers_.FreeTo(mark);
}

void CoreEmitter::Check(uint16_t operand, Guard check) { Emit(Opcode::kGuard, operand, static_cast<uint16_t>(check)); }

// From what costs nothing to what has to be made: constants and variables are operands by themselves, then come
// registers that hold the value already.
uint16_t CoreEmitter::Operand(const CoreNode& node, bool may_be_absent) {
  if (node.is_const()) return registers_.RkConstant(node.value);
  if (node.kind == CoreKind::kSlot && node.index < kMaxFastSlots) {
    return static_cast<uint16_t>(kSlotBit | node.index);
  }
  if (node.kind == CoreKind::kVar) return variables_[node.index];
  if (node.kind == CoreKind::kLocal) return static_cast<uint16_t>(node.index);
  if (failure_ != nullptr && !FailsHere(node)) {
    const Attempt none(this, nullptr);
    return Operand(node, may_be_absent);
  }
  const CorePlaces::Place place = places_.At(node);
  if (node.kind == CoreKind::kNeed && !place.has_reg) {
    MakeNeeds(node);
    return Operand(*node.args[0], may_be_absent);
  }
  if (failure_ != nullptr && looks_first_ && node.kind == CoreKind::kStep && place.state < CorePlaces::State::kFound)
    return SoughtOperand(node);
  if (!place.has_reg) {
    const uint16_t reg = registers_.Allocate();
    Value(node, reg);
    return reg;
  }
  if (place.state == CorePlaces::State::kMade || (place.state == CorePlaces::State::kFound && may_be_absent))
    return place.reg;
  if (place.state == CorePlaces::State::kFound) {
    Check(place.reg, Guard::kNoError);
  } else if (place.state == CorePlaces::State::kOnce) {
    MakeOnce(node, /*may_be_absent=*/false);
  } else if (node.kind != CoreKind::kLoop || !MakeJointLoops(node)) {
    MakeUnkept(node, place.reg);
  }
  places_.Set(node, CorePlaces::State::kMade);
  return place.reg;
}

// In what is tried, steps mostly lead nowhere where all of it fails: to look for that costs less than to fail.
uint16_t CoreEmitter::SoughtOperand(const CoreNode& node) {
  const uint16_t reg = Find(node);
  failure_->jumps.push_back(Emit(Opcode::kIfNotThere, reg));
  places_.MarkMade(node);
  return reg;
}

uint16_t CoreEmitter::CheckedOperand(const CoreNode& node, Guard check) {
  const uint16_t operand = Operand(node);
  if (places_.HasPassed(node, check) || Passes(node.kinds, check) || (check == Guard::kNoError && operand < kSlotBit))
    return operand;
  Check(operand, check);
  places_.SetPassed(node, check);
  return operand;
}

void CoreEmitter::Load(uint16_t operand, uint16_t dest) {
  if (operand & kConstantBit) {
    builder_->EmitX(Opcode::kLoadConst, dest, operand & ~kConstantBit);
  } else if (operand & kSlotBit) {
    builder_->EmitX(Opcode::kFastLoad, dest, builder_->AddPath(operand & ~kSlotBit, {}));
  } else if (operand != dest) {
    Emit(Opcode::kMove, dest, operand);
  }
}

uint16_t CoreEmitter::InRegister(uint16_t operand) {
  if ((operand & kConstantBit) != 0 || (operand & kSlotBit) == 0) return operand;
  const uint16_t reg = registers_.Allocate();
  Load(operand, reg);
  return reg;
}

void CoreEmitter::Finish(uint16_t operand, uint16_t dest, bool returns) {
  if (!returns) return Load(operand, dest);
  Emit(Opcode::kReturn, 0, InRegister(operand));
}

// What is kept is in its register first.
void CoreEmitter::Value(const CoreNode& node, uint16_t dest, bool returns) {
  const bool is_kept = places_.At(node).has_reg && IsWorthKeeping(node);
  if (!is_kept) return MakeUnkept(node, dest, returns);
  const uint16_t mark = registers_.next();
  Finish(Operand(node), dest, returns);
  registers_.FreeTo(mark);
}

// Conditions are jumps and never values on the way.
void CoreEmitter::MakeUnkept(const CoreNode& node, uint16_t dest, bool returns) {
  if (failure_ != nullptr && !FailsHere(node)) {
    const Attempt none(this, nullptr);
    return MakeUnkept(node, dest, returns);
  }
  const OriginScope origin(&nodes_, node.origin);
  const uint16_t mark = registers_.next();
  if (IsCondition(node)) {
    MakeTruth(node, dest, returns);
  } else if (node.kind == CoreKind::kNeed) {
    MakeNeeds(node);
    Value(*node.args[0], dest, returns);
  } else if (node.kind == CoreKind::kIf) {
    MakeIf(node, dest, returns);
  } else if (node.kind == CoreKind::kChoice) {
    MakeChoice(node, dest, returns);
  } else if (node.is_const()) {
    Finish(Operand(node), dest, returns);
  } else {
    MakeValue(node, dest);
    if (returns) Emit(Opcode::kReturn, 0, dest);
  }
  registers_.FreeTo(mark);
}

void CoreEmitter::MakeTruth(const CoreNode& node, uint16_t dest, bool returns) {
  Label if_false;
  Jump(node, false, &if_false);
  Finish(registers_.RkConstant(hcl::Value::Bool(true)), dest, returns);
  const uint32_t done = returns ? 0 : Emit(Opcode::kSkip, 0);
  PatchToHere(if_false);
  Finish(registers_.RkConstant(hcl::Value::Bool(false)), dest, returns);
  if (!returns) builder_->PatchToHere(done);
}

// The slow path's code, which is no part of the fast code around it.
void CoreEmitter::MakeGeneral(const CoreNode& node, uint16_t dest) {
  for (size_t n = 0; n < node.args.size(); ++n) {
    uint16_t operand = Operand(*node.args[n]);
    if (operand >= kSlotBit) {
      const uint16_t reg = registers_.Allocate();
      Load(operand, reg);
      operand = reg;
    }
    node.locals[n]->reg = operand;
  }
  regions_.End(nullptr);
  const bool has_form = (node.flags & kByFunction) != 0;
  has_form ? nodes_.YieldBehindFast(*node.origin, dest) : nodes_.YieldInsideFast(*node.origin, dest);
  regions_.Begin();
  Check(dest, Guard::kNoError);
}

void CoreEmitter::MakePiece(const CoreNode& node, uint16_t dest) {
  const uint16_t separator = ExitingOperand(*node.args[0]);
  Value(*node.args[1], dest);
  const bool fails = failure_ != nullptr && (node.index & kOtherPiece) == 0;
  Emit(fails ? Opcode::kFastSeekPiece : Opcode::kFastPiece, dest, separator, static_cast<uint16_t>(node.index));
  if (fails) failure_->jumps.push_back(Emit(Opcode::kIfNotThere, dest));
}

// What stands in one place, or has to be made for the first time.
void CoreEmitter::MakeValue(const CoreNode& node, uint16_t dest) {
  const uint16_t mark = registers_.next();
  switch (node.kind) {
    case CoreKind::kSlot:
      builder_->EmitX(Opcode::kFastLoad, dest, builder_->AddPath(node.index, {}));
      break;
    case CoreKind::kVar:
    case CoreKind::kLocal:
      Load(Operand(node), dest);
      break;
    case CoreKind::kGeneral:
      MakeGeneral(node, dest);
      break;
    case CoreKind::kLoop:
      MakeLoop(node, dest);
      break;
    case CoreKind::kObject:
    case CoreKind::kTuple:
      MakeStructure(node, dest);
      break;
    case CoreKind::kStep:
      MakeSteps(node, /*may_be_absent=*/false, dest, dest);
      break;
    case CoreKind::kIndex: {
      const uint16_t source = ExitingOperand(*node.args[0]);
      Emit(Opcode::kFastIndex, dest, source, ExitingOperand(*node.args[1]));
      break;
    }
    case CoreKind::kTry:
      MakeTry(node, dest);
      break;
    case CoreKind::kCall:
      MakeCall(node, failure_ == nullptr ? Opcode::kFastCall : Opcode::kFastAttempt, dest);
      if (failure_ != nullptr) failure_->jumps.push_back(Emit(Opcode::kIfNotThere, dest));
      break;
    case CoreKind::kText:
      MakeText(node, dest);
      break;
    default:
      HCL_DCHECK(node.kind == CoreKind::kPrim);
      if (node.op == CoreOp::kUnsure) {
        Value(*node.args[0], dest);
      } else if (node.op == CoreOp::kTyped) {
        const uint16_t operand = BranchOperand(*node.args[0], /*is_taken=*/true);
        // A tuple gives a null no type.
        const uint16_t type = node.args.size() > 1 ? Operand(*node.args[1])
                                                   : registers_.RkConstant(MakeTuple({}, builder_->heap()->arena()));
        Emit(Opcode::kFastTyped, dest, operand, type);
      } else if (node.op == CoreOp::kMeet) {
        MakeMeet(node, dest);
      } else if (node.op == CoreOp::kNotNull) {
        Value(*node.args[0], dest);
        Check(dest, Guard::kNotNull);
      } else if (node.op == CoreOp::kPiece) {
        MakePiece(node, dest);
      } else if (node.op == CoreOp::kMatches) {
        Value(*node.args[0], dest);
        Emit(Opcode::kFastMatches, dest, ExitingOperand(*node.args[1]));
      } else if (node.op == CoreOp::kLookup) {
        MakeLookup(node, dest);
      } else if (IsArithmetic(node.op)) {
        MakeArithmetic(OpcodeOf(node.op), node, dest);
      } else {
        uint16_t first = dest;
        if (node.op == CoreOp::kLength && node.args[0]->kind == CoreKind::kChoice) {
          MakeElements(*node.args[0], dest);
        } else {
          first = ExitingOperand(*node.args[0]);
        }
        const auto reader = static_cast<uint16_t>(node.op == CoreOp::kLength ? node.index : 0);
        Emit(OpcodeOf(node.op), dest, first, node.args.size() > 1 ? ExitingOperand(*node.args[1]) : reader);
      }
      break;
  }
  registers_.FreeTo(mark);
}

// The first operand may be a chain as well, whose value is computed in the same register.
void CoreEmitter::MakeArithmetic(Opcode op, const CoreNode& node, uint16_t dest) {
  const CoreNode& first = *node.args[0];
  uint16_t lhs = dest;
  if (first.kind == CoreKind::kPrim && IsArithmetic(first.op) && !places_.At(first).has_reg) {
    MakeValue(first, dest);
  } else {
    lhs = ExitingOperand(first);
  }
  Emit(op, dest, lhs, ExitingOperand(*node.args[1]));
}

void CoreEmitter::MakeLookup(const CoreNode& node, uint16_t dest) {
  const CoreNode& key = *node.args[1];
  Value(*node.args[0], dest);
  const bool is_name = key.is_const() && key.value.is_string() && key.value.AsString().size() < kMaxFreeKey;
  if (const auto name = is_name ? builder_->AddName(key.value) : std::nullopt) {
    Emit(Opcode::kFastLookupAttr, dest, Operand(*node.args[2]), *name);
    return;
  }
  const uint16_t operand = Operand(key);
  Emit(Opcode::kFastLookup, dest, operand, Operand(*node.args[2]));
}

void CoreEmitter::MakeText(const CoreNode& node, uint16_t dest) {
  // Most parts of a text are there.
  const bool looked_first = std::exchange(looks_first_, false);
  ShortList<uint16_t> operands;
  if (failure_ != nullptr && (node.flags & kByFunction) != 0) {
    // A function does not fail where another part is not known.
    for (const CoreNode* part : node.args) operands.push_back(Operand(*part));
    const Attempt none(this, nullptr);
    for (const uint16_t operand : operands) Check(operand, Guard::kWhole);
    operands.clear();
  }
  for (const CoreNode* part : node.args) operands.push_back(InRegister(CheckedOperand(*part, Guard::kScalar)));
  looks_first_ = looked_first;
  const SourceRange spans[] = {node.origin->range};
  builder_->EmitX(Opcode::kConcat, dest, builder_->AddList(operands), spans);
}

// From as many registers as there are parts.
void CoreEmitter::MakeStructure(const CoreNode& node, uint16_t dest) {
  const uint16_t run = registers_.Allocate();
  for (size_t n = 1; n < node.args.size(); ++n) registers_.Allocate();
  for (size_t n = 0; n < node.args.size(); ++n) Value(*node.args[n], static_cast<uint16_t>(run + n));
  if (node.kind == CoreKind::kTuple) {
    Emit(Opcode::kMakeTuple, dest, run, static_cast<uint16_t>(node.args.size()));
  } else {
    Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(As<BoundObject>(*node.origin).shape_index));
  }
}

void CoreEmitter::MakeCall(const CoreNode& node, Opcode op, uint16_t dest) {
  const auto& call = As<BoundCall>(*node.origin);
  const auto count = static_cast<uint32_t>(node.args.size());
  const uint16_t run = registers_.AllocateRun(dest, std::max<uint32_t>(count, 1));
  for (uint32_t n = 0; n < count; ++n) Value(*node.args[n], static_cast<uint16_t>(run + n));
  builder_->EmitX(op, run, call.site, call.spans);
  Load(run, dest);
}

}  // namespace hcl::internal
