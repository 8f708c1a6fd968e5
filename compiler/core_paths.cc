// CoreEmitter: steps into values, and what need not be there. Tested by compiler/core_emitter_test.cc.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hclvm/compiler/core_emitter.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Names have caches.
void CoreEmitter::TakeStep(const CoreNode& step, uint16_t source, bool may_be_absent, uint16_t dest, uint16_t between) {
  const uint16_t mark = registers_.next();
  const std::optional<uint16_t> name = step.value.is_string() ? builder_->AddName(step.value) : std::nullopt;
  if (name) {
    if (source >= kSlotBit) Load(source, between), source = between;
    Emit(may_be_absent ? Opcode::kFastSeekAttr : Opcode::kFastAttr, dest, source, *name);
  } else {
    Emit(may_be_absent ? Opcode::kFastSeek : Opcode::kFastIndex, dest, source, registers_.RkConstant(step.value));
  }
  registers_.FreeTo(mark);
}

// A whole path is one instruction, unless a value on the way is in a register, or is to be; the first step of such a
// one is taken so that the list of paths stays as it is, of which the slow path reads more.
void CoreEmitter::MakeSteps(const CoreNode& node, bool may_be_absent, uint16_t dest, uint16_t between) {
  if (const uint32_t path = places_.PathOf(node); path != kNoIndex) {
    builder_->EmitX(may_be_absent ? Opcode::kFastFind : Opcode::kFastLoad, dest, path);
    return;
  }
  const CoreNode& source = *node.args[0];
  if (source.kind == CoreKind::kSlot) {
    const std::optional<uint16_t> name =
        source.index <= UINT16_MAX && node.value.is_string() ? builder_->AddName(node.value) : std::nullopt;
    if (name) {
      Emit(may_be_absent ? Opcode::kFastSeekVarAttr : Opcode::kFastVarAttr, dest, static_cast<uint16_t>(source.index),
           *name);
      return;
    }
  }
  const bool is_between = source.kind == CoreKind::kStep && !places_.At(source).has_reg;
  if (is_between) MakeSteps(source, may_be_absent, between, between);
  const uint16_t from = is_between ? between : may_be_absent ? Find(source) : ExitingOperand(source);
  TakeStep(node, from, may_be_absent, dest, between);
}

// A read that was passed over on some way here is made anew where it is missing. What it begins with is not known
// behind code that is passed over.
void CoreEmitter::MakeOnce(const CoreNode& node, bool may_be_absent) {
  const uint16_t mark = registers_.next();
  const uint16_t reg = places_.At(node).reg;
  const CorePlaces::Branch branch(&places_);
  const uint32_t is_made = Emit(Opcode::kIfKept, reg);
  if (node.kind == CoreKind::kStep) {
    MakeSteps(node, may_be_absent, reg, registers_.Allocate());
  } else {
    const uint16_t made = registers_.Allocate();
    may_be_absent ? MakeFound(node, made) : MakeUnkept(node, made);
    Load(made, reg);
  }
  builder_->PatchToHere(is_made);
  registers_.FreeTo(mark);
}

// Constants and variables are there.
uint16_t CoreEmitter::Find(const CoreNode& node) {
  const CorePlaces::Place place = places_.At(node);
  const bool is_operand =
      node.is_const() || node.kind == CoreKind::kSlot || node.kind == CoreKind::kVar || node.kind == CoreKind::kLocal;
  if (is_operand || place.state >= CorePlaces::State::kFound) return Operand(node, /*may_be_absent=*/true);
  const bool is_sought = node.kind == CoreKind::kStep || node.kind == CoreKind::kIndex || node.kind == CoreKind::kCall;
  if (!is_sought && failure_ == nullptr) return Operand(node);
  const uint16_t reg = place.has_reg ? place.reg : registers_.Allocate();
  place.state == CorePlaces::State::kOnce ? MakeOnce(node, /*may_be_absent=*/true) : MakeFound(node, reg);
  places_.Set(node, CorePlaces::State::kFound);
  return reg;
}

}  // namespace hcl::internal
