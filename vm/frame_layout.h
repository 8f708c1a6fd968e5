// FrameLayout: where the operands of a program's instructions stand while it is evaluated.
//
// An evaluator has one array of values, its frame: the constants that instructions name, the registers of the main
// chunk, those of the chunk that it calls, and the variables. Whatever an operand means is one index into it, so that
// the loop finds every operand in the same way, without looking at what it is.

#ifndef HCLVM_VM_FRAME_LAYOUT_H_
#define HCLVM_VM_FRAME_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A value; thread-safe. Operands have two forms. *Emitted* ones say what they mean (kConstantBit, kSlotBit): those of
// the compiler, the verifier and listings. *Placed* ones are twice an index into the frame, as the address of a value
// of 16 bytes is scaled by 8 at most: those of the code that runs.
class FrameLayout {
 public:
  // Nothing is placed: Place() and Emitted() change nothing.
  FrameLayout() = default;
  // Of a program with so many constants, whose main chunk has `main` registers and any other at most `others`.
  FrameLayout(size_t constants, uint32_t main, uint32_t others)
      : is_placed_(true),
        main_begin_(static_cast<uint32_t>(std::min<size_t>(constants, kMaxFrameConstants))),
        others_begin_(main_begin_ + main),
        slots_begin_(others_begin_ + others) {}

  // Whether operands reach all that they may name.
  bool Fits(size_t slots) const { return slots_begin_ + std::min<size_t>(slots, kMaxFastSlots) <= kReach; }

  // Indexes into the frame. Constants stand at its beginning.
  uint32_t constants() const { return main_begin_; }
  uint32_t window(bool of_main) const { return of_main ? main_begin_ : others_begin_; }
  uint32_t slots_begin() const { return slots_begin_; }
  // Of a program with so many variables: values in its frame.
  size_t size(size_t slots) const { return slots_begin_ + slots; }

  // The operand of an instruction of the main chunk, or of another. Requires that it is sound, and that all fits.
  uint16_t Place(uint16_t operand, bool is_plain, bool in_main) const {
    if (!is_placed_) return operand;
    if ((operand & kConstantBit) != 0) return At(operand & ~uint32_t{kConstantBit});
    if (is_plain && (operand & kSlotBit) != 0) return At(slots_begin_ + (operand & ~uint32_t{kSlotBit}));
    return At(window(in_main) + operand);
  }
  uint16_t Emitted(uint16_t operand) const {
    if (!is_placed_) return operand;
    const uint32_t index = operand / 2;
    if (index < main_begin_) return static_cast<uint16_t>(index | kConstantBit);
    if (index >= slots_begin_) return static_cast<uint16_t>((index - slots_begin_) | kSlotBit);
    return static_cast<uint16_t>(index - (index < others_begin_ ? main_begin_ : others_begin_));
  }

  // The same for all operands of an instruction. Require a valid opcode.
  Instruction Place(const Instruction& i, bool in_main) const {
    return Map(i, [&](uint16_t operand, bool is_plain) { return Place(operand, is_plain, in_main); });
  }
  Instruction Emitted(const Instruction& i) const {
    return Map(i, [&](uint16_t operand, bool) { return Emitted(operand); });
  }

 private:
  static constexpr uint32_t kReach = 0x8000;
  static_assert(sizeof(Value) == 16);

  static uint16_t At(uint32_t index) {
    HCL_DCHECK(index < kReach);
    return static_cast<uint16_t>(index * 2);
  }
  template <typename MapOne>
  static Instruction Map(const Instruction& i, const MapOne& map) {
    HCL_DCHECK(i.raw_opcode() < kOpcodeCount);
    const int placed = kPlacedOperands[i.raw_opcode()];
    const auto mapped = [&](uint16_t operand, int place) {
      return (placed >> place & 1) != 0 ? map(operand, (placed >> place & 2) != 0) : operand;
    };
    return Instruction(i.opcode(), mapped(i.a(), 0), mapped(i.b(), 2), mapped(i.c(), 4));
  }

  bool is_placed_ = false;
  uint32_t main_begin_ = 0;
  uint32_t others_begin_ = 0;
  uint32_t slots_begin_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FRAME_LAYOUT_H_
