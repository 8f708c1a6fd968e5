// Opcodes and instructions, generated from vm/opcodes.def.

#ifndef HCLVM_VM_OPCODE_H_
#define HCLVM_VM_OPCODE_H_

#include <cstdint>
#include <string_view>

namespace hcl::internal {

enum class Opcode : uint16_t {
#define OPCODE(name, a, b, c, flags, effect) k##name,
#include "vm/opcodes.def"
#undef OPCODE
};

struct OpcodeCounter {
  enum : uint16_t {
#define OPCODE(name, a, b, c, flags, effect) k##name,
#include "vm/opcodes.def"
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
  kRule,
  kPlain,
  kForward,
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

// Requires a valid opcode.
inline const OpcodeInfo& InfoOf(Opcode opcode) { return kOpcodeInfos[static_cast<uint16_t>(opcode)]; }

// Operands of kind kRk at or above this are constants.
inline constexpr uint16_t kConstantBit = 0x8000;
inline constexpr uint32_t kMaxRegisters = 0x7fff;    // per chunk
inline constexpr uint32_t kMaxRkConstants = 0x8000;  // constants beyond need LoadConst

// Operands of kind kPlain: registers, from kSlotBit on variables' slots, from kConstantBit on constants.
inline constexpr uint16_t kSlotBit = 0x4000;
inline constexpr uint32_t kMaxPlainRegisters = kSlotBit;
inline constexpr uint32_t kMaxPlainSlots = kConstantBit - kSlotBit;

// One instruction. Trivial; the accessors name the operands as the table does.
class Instruction {
 public:
  Instruction() = default;
  constexpr Instruction(Opcode op, uint16_t a, uint16_t b, uint16_t c)
      : word_(static_cast<uint64_t>(op) | static_cast<uint64_t>(a) << 16 | static_cast<uint64_t>(b) << 32 |
              static_cast<uint64_t>(c) << 48) {}
  static constexpr Instruction WithX(Opcode op, uint16_t a, uint32_t x) {
    return Instruction(op, a, static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16));
  }

  constexpr Opcode opcode() const { return static_cast<Opcode>(word_ & 0xffff); }
  constexpr uint16_t raw_opcode() const { return static_cast<uint16_t>(word_); }
  constexpr uint16_t a() const { return static_cast<uint16_t>(word_ >> 16); }
  constexpr uint16_t b() const { return static_cast<uint16_t>(word_ >> 32); }
  constexpr uint16_t c() const { return static_cast<uint16_t>(word_ >> 48); }
  constexpr uint32_t x() const { return static_cast<uint32_t>(word_ >> 32); }

 private:
  uint64_t word_;
};
static_assert(sizeof(Instruction) == 8);

}  // namespace hcl::internal

#endif  // HCLVM_VM_OPCODE_H_
