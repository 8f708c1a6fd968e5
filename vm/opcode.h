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

// What an operand is; see the legend in vm/opcodes.def. Those up to kTest have bounds in vm/verifier.cc.
enum class OperandKind : uint8_t {
  kNone,
  kUse,
  kRk,
  kFast,
  kConst,
  kPath,
  kSite,
  kShape,
  kLookup,
  kChunk,
  kDiag,
  kInternal,
  kPoint,
  kName,
  kVariable,
  kTest,
  kDest,
  kEdit,
  kCount,
  kJump,
  kList,
  kForward,
  kX,
};

enum OpcodeFlags : uint8_t { kMayFail = 1, kMayJump = 2, kEnds = 4, kMayExit = 8 };

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
// Operands of kind kFast: registers, from kSlotBit on variables' slots, from kConstantBit on constants.
inline constexpr uint16_t kSlotBit = 0x4000;

// What operands reach (vm/frame_layout.h): constants and slots beyond need an instruction that loads them.
inline constexpr uint32_t kMaxFrameConstants = 7168;
inline constexpr uint32_t kMaxFastSlots = 1024;
inline constexpr uint32_t kMaxRegisters = 0x7fff;  // per chunk; FrameLayout::Fits() says whether there is room
inline constexpr uint32_t kMaxFastRegisters = kSlotBit;

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

  void set_a(uint32_t a) { a_ = static_cast<uint16_t>(a); }
  void set_b(uint32_t b) { b_ = static_cast<uint16_t>(b); }
  void set_c(uint32_t c) { c_ = static_cast<uint16_t>(c); }

 private:
  // Fields, not a word that is shifted: the loop reads each operand with one load.
  uint16_t opcode_;
  uint16_t a_;
  uint16_t b_;
  uint16_t c_;
};
static_assert(sizeof(Instruction) == 8);

// By opcode, of operand A from bit 0 on, of B from bit 2 on, of C from bit 4 on: 1 for a register or constant, 3 for an
// operand of fast code, 0 for what stands in no frame.
extern const uint8_t kPlacedOperands[kOpcodeCount];

}  // namespace hcl::internal

#endif  // HCLVM_VM_OPCODE_H_
