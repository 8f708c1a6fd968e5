// Operand forms: what the verifier has to ask of each operand of an opcode, as a table in few bytes, so that it goes
// over most instructions without a look at what they are.
//
// Tested by vm/program_test.cc.

#ifndef HCLVM_VM_OPERAND_FORMS_H_
#define HCLVM_VM_OPERAND_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// What operands of a kind are indexes of, by their two highest bits (vm/opcode.h): each kind has so many rows in a
// table of what there is. Registers that are written and such that are read are in the same ones, and whatever is no
// index, or has checks of its own, is in those of kNone.
inline constexpr size_t kOperandRows = 4;
inline constexpr uint32_t kRowShift = 14;
inline constexpr size_t kReachRows = kOperandRows * (static_cast<size_t>(OperandKind::kTest) + 1);

constexpr uint8_t FirstRowOf(OperandKind kind) {
  const bool is_register = kind == OperandKind::kDest || kind == OperandKind::kEdit;
  const bool has_rows = kind <= OperandKind::kTest;
  return static_cast<uint8_t>(kOperandRows * static_cast<size_t>(is_register ? OperandKind::kUse
                                                                 : has_rows  ? kind
                                                                             : OperandKind::kNone));
}

// Registers behind R[A] that instructions of that opcode touch, by their effect in the table, which says so in words
// only. Those where that hangs on other operands are in RegistersBehind() of the verifier.
constexpr uint8_t FixedRegistersBehind(Opcode opcode) {
  switch (opcode) {
    case Opcode::kSelect:
    case Opcode::kForNext:
    case Opcode::kForEach:
    case Opcode::kFastFor:
    case Opcode::kFastForFilter:
    case Opcode::kFastForNext:
    case Opcode::kFastForEach:
    case Opcode::kFastForBack:
    case Opcode::kFastForPrevious:
    case Opcode::kSplatNext:
      return 2;
    case Opcode::kTryTest:
    case Opcode::kFixedPut:
      return 1;
    case Opcode::kForFilter:
      return 4;
    case Opcode::kSplatEnd:
      return 3;
    default:
      return 0;
  }
}

// Whether operands by themselves do not say all that must hold of instructions of that opcode.
constexpr bool IsSpecial(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBranch:
    case Opcode::kCall:
    case Opcode::kCallChunk:
    case Opcode::kFindPathTest:
    case Opcode::kFindTest:
    case Opcode::kFixedTake:
    case Opcode::kForget:
    case Opcode::kMakeObject:
    case Opcode::kMakeTuple:
    case Opcode::kFastAttempt:
    case Opcode::kFastCall:
    case Opcode::kFastCan:
      return true;
    default:
      return false;
  }
}

struct alignas(4) InstructionForm {
  // What is asked besides, in bits of `asks`.
  static constexpr uint8_t kWide = 1;     // B and C are one number
  static constexpr uint8_t kForward = 2;  // C is the distance of a jump
  static constexpr uint8_t kFast = 4;     // it stands in fast code
  static constexpr uint8_t kTarget = 8;   // X is where a jump goes
  static constexpr uint8_t kSpecial = 16;
  static constexpr int kBehindShift = 5;  // the bits from here on: registers behind R[A]

  uint8_t a, b, c;  // first rows of the operands
  uint8_t asks;
};

// CallChunk is special by the chunk that it calls only, for which its operand's bound does.
constexpr uint8_t AsksOf(Opcode opcode, OperandKind b, OperandKind c, uint8_t flags) {
  const bool is_plain = (flags & kMayExit) != 0;
  const bool is_wide = c == OperandKind::kX;
  const bool is_special = (IsSpecial(opcode) && opcode != Opcode::kCallChunk) || b == OperandKind::kList;
  return static_cast<uint8_t>(
      (is_wide ? InstructionForm::kWide : 0) | (c == OperandKind::kForward ? InstructionForm::kForward : 0) |
      (is_plain ? InstructionForm::kFast : 0) | (b == OperandKind::kJump ? InstructionForm::kTarget : 0) |
      (is_special ? InstructionForm::kSpecial : 0) | FixedRegistersBehind(opcode) << InstructionForm::kBehindShift);
}

inline constexpr InstructionForm kInstructionForms[] = {
#define OPCODE(name, a, b, c, flags, effect)                                           \
  {FirstRowOf(OperandKind::a), FirstRowOf(OperandKind::b), FirstRowOf(OperandKind::c), \
   AsksOf(Opcode::k##name, OperandKind::b, OperandKind::c, flags)},
#include "hclvm/vm/opcodes.def"
#undef OPCODE
};
static_assert(std::size(kInstructionForms) == kOpcodeCount && kReachRows <= UINT8_MAX);
#define OPCODE(name, a, b, c, flags, effect) \
  static_assert(FixedRegistersBehind(Opcode::k##name) <= UINT8_MAX >> InstructionForm::kBehindShift);
#include "hclvm/vm/opcodes.def"
#undef OPCODE

}  // namespace hcl::internal

#endif  // HCLVM_VM_OPERAND_FORMS_H_
