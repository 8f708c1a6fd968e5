// Opcodes and instructions, generated from vm/opcodes.def.

#ifndef HCLVM_VM_OPCODE_H_
#define HCLVM_VM_OPCODE_H_

#include <cstdint>
#include <string_view>

#include "hclvm/base/operators.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {

enum class Opcode : uint16_t {
#define OPCODE(name, a, b, c, flags, effect) k##name,
#include "hclvm/vm/opcodes.def"
#undef OPCODE
};

struct OpcodeCounter {
  enum : uint16_t {
#define OPCODE(name, a, b, c, flags, effect) k##name,
#include "hclvm/vm/opcodes.def"
#undef OPCODE
    kCount
  };
};
inline constexpr uint16_t kOpcodeCount = OpcodeCounter::kCount;

// What an operand is; see the legend in vm/opcodes.def.
enum class OperandKind : uint8_t {
  kNone,
  kDest,
  kUse,
  kEdit,
  kRk,
  kCount,
  kConst,
  kPath,
  kJump,
  kSite,
  kShape,
  kLookup,
  kList,
  kChunk,
  kDiag,
  kInternal,
  kPlain,
  kName,
  kVariable,
  kForward,
  kTest,
  kX,
};

enum OpcodeFlags : uint8_t { kMayFail = 1, kMayJump = 2, kEnds = 4, kMayLeave = 8 };

struct OpcodeInfo {
  std::string_view name;
  OperandKind a, b, c;
  uint8_t flags;
  std::string_view effect;
};

extern const OpcodeInfo kOpcodeInfos[kOpcodeCount];

// The opcode of a binary operator, and the operator of such an opcode: opcodes.def has them in the operators' order.
constexpr Opcode OpcodeOf(BinaryOp op) {
  return static_cast<Opcode>(static_cast<uint16_t>(Opcode::kAdd) + static_cast<uint16_t>(op));
}
constexpr BinaryOp OperatorOf(Opcode opcode) {
  HCL_DCHECK(opcode >= Opcode::kAdd && opcode <= Opcode::kOr);
  return static_cast<BinaryOp>(static_cast<uint16_t>(opcode) - static_cast<uint16_t>(Opcode::kAdd));
}
static_assert(OpcodeOf(BinaryOp::kOr) == Opcode::kOr);

// Requires a valid opcode.
inline const OpcodeInfo& InfoOf(Opcode opcode) {
  HCL_DCHECK(static_cast<uint16_t>(opcode) < kOpcodeCount);
  return kOpcodeInfos[static_cast<uint16_t>(opcode)];
}

// Operands of kind kRk at or above this are constants.
inline constexpr uint16_t kConstantBit = 0x8000;
inline constexpr uint32_t kMaxRegisters = 0x7fff;    // per chunk
inline constexpr uint32_t kMaxRkConstants = 0x8000;  // constants beyond need LoadConst

// Operands of kind kPlain: registers, from kSlotBit on variables' slots, from kConstantBit on constants.
inline constexpr uint16_t kSlotBit = 0x4000;
inline constexpr uint32_t kMaxPlainRegisters = kSlotBit;
inline constexpr uint32_t kMaxPlainSlots = kConstantBit - kSlotBit;

// In the code of a program, the top bits of a register, a variable or a constant, which say what it is, have become the
// lowest ones. So the index is scaled already for the address of what it means, and one mask finds the bits: an operand
// takes the loop an instruction less. Of kPlain two bits have moved, of other kinds one, and none of those that are
// indexes of something else.
constexpr int EncodedBits(OperandKind kind) {
  const bool is_one =
      kind == OperandKind::kDest || kind == OperandKind::kUse || kind == OperandKind::kEdit || kind == OperandKind::kRk;
  return kind == OperandKind::kPlain ? 2 : is_one ? 1 : 0;
}
constexpr uint16_t EncodeOperand(uint16_t operand, int bits) {
  return static_cast<uint16_t>(operand << bits | operand >> (16 - bits));
}
constexpr uint16_t DecodeOperand(uint16_t encoded, int bits) {
  return static_cast<uint16_t>(encoded >> bits | encoded << (16 - bits));
}
constexpr uint16_t EncodeRk(uint16_t operand) { return EncodeOperand(operand, EncodedBits(OperandKind::kRk)); }
constexpr uint16_t DecodeRk(uint16_t encoded) { return DecodeOperand(encoded, EncodedBits(OperandKind::kRk)); }

// One instruction. Trivial; the accessors name the operands as the table does.
class Instruction {
 public:
  Instruction() = default;
  constexpr Instruction(Opcode op, uint16_t a, uint16_t b, uint16_t c)
      : opcode_(static_cast<uint16_t>(op)), a_(a), b_(b), c_(c) {}
  static constexpr Instruction WithX(Opcode op, uint16_t a, uint32_t x) {
    return Instruction(op, a, static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16));
  }

  constexpr Opcode opcode() const { return static_cast<Opcode>(opcode_); }
  constexpr uint16_t raw_opcode() const { return opcode_; }
  constexpr uint16_t a() const { return a_; }
  constexpr uint16_t b() const { return b_; }
  constexpr uint16_t c() const { return c_; }
  constexpr uint32_t x() const { return b_ | static_cast<uint32_t>(c_) << 16; }

 private:
  // Fields, not a word that is shifted: the loop reads each operand with one load.
  uint16_t opcode_;
  uint16_t a_;
  uint16_t b_;
  uint16_t c_;
};
static_assert(sizeof(Instruction) == 8);

// By opcode, EncodedBits() of its operands: of A from bit 0 on, of B from bit 2 on, of C from bit 4 on.
extern const uint8_t kEncodedBits[kOpcodeCount];

// The instruction as the code of a program holds it, and back. Only the loop reads operands as they stand there; who
// else looks at code decodes it first. Both require a valid opcode.
inline Instruction EncodeInstruction(const Instruction& i) {
  HCL_DCHECK(i.raw_opcode() < kOpcodeCount);
  const int bits = kEncodedBits[i.raw_opcode()];
  return Instruction(i.opcode(), EncodeOperand(i.a(), bits & 3), EncodeOperand(i.b(), bits >> 2 & 3),
                     EncodeOperand(i.c(), bits >> 4));
}
inline Instruction DecodeInstruction(const Instruction& i) {
  HCL_DCHECK(i.raw_opcode() < kOpcodeCount);
  const int bits = kEncodedBits[i.raw_opcode()];
  return Instruction(i.opcode(), DecodeOperand(i.a(), bits & 3), DecodeOperand(i.b(), bits >> 2 & 3),
                     DecodeOperand(i.c(), bits >> 4));
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_OPCODE_H_
