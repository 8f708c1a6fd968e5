// LocalCodes. Tested by module/local_code_test.cc.
//
// A local is mostly a condition of a few instructions, and a run of its chunk costs ten times as much as these. Where
// fast code reads one, it first repeats that code, unless the slot has the value already; what leaves it goes on in the
// slow path of who reads, which runs the chunk. So a value is made once in a run, by whichever way.

#include "hclvm/compiler/local_codes.h"

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

constexpr bool IsRegister(OperandKind kind, uint16_t operand) {
  switch (kind) {
    case OperandKind::kDest:
    case OperandKind::kUse:
    case OperandKind::kEdit:
      return true;
    case OperandKind::kRk:
      return (operand & kConstantBit) == 0;
    case OperandKind::kPlain:
      return (operand & (kConstantBit | kSlotBit)) == 0;
    default:
      return false;
  }
}

// Whether an operand means the same wherever the instruction stands, but for registers.
constexpr bool MayMove(OperandKind kind) {
  switch (kind) {
    case OperandKind::kJump:
    case OperandKind::kSite:
    case OperandKind::kList:
    case OperandKind::kChunk:
    case OperandKind::kDiag:
    case OperandKind::kInternal:
    case OperandKind::kTest:
      return false;
    default:
      return true;
  }
}

// What reports names a range, which may be one of another file.
bool MayRepeat(const Instruction& instruction) {
  if (instruction.opcode() == Opcode::kReturn) return true;
  const OpcodeInfo& info = InfoOf(instruction.opcode());
  return (info.flags & (kMayFail | kEnds)) == 0 && MayMove(info.a) && MayMove(info.b) && MayMove(info.c);
}

}  // namespace

// The fast code of a chunk comes first, in one region, with all of its general code behind it.
void LocalCodes::Add(uint32_t slot, uint32_t chunk, const ProgramBuilder& builder) {
  if (codes_.empty()) first_ = slot;
  HCL_DCHECK(slot == first_ + codes_.size());
  Code& code = codes_.emplace_back();
  const Chunk& made = builder.chunk(chunk);
  const absl::Span<const PlainRegion> regions = builder.plain_regions();
  if (regions.empty()) return;
  const PlainRegion& region = regions.back();
  if (region.begin != made.begin || region.end != region.general || region.failed != 0) return;
  if (region.end - region.begin > kMaxSize) return;
  for (uint32_t pc = region.begin; pc < region.end; ++pc) {
    if (!MayRepeat(builder.At(pc))) return;
  }
  code = {region.begin, region.end - region.begin, made.registers};
}

Instruction WithRegistersFrom(uint16_t base, const Instruction& instruction) {
  const OpcodeInfo& info = InfoOf(instruction.opcode());
  const auto moved = [base](OperandKind kind, uint16_t operand) {
    return static_cast<uint16_t>(IsRegister(kind, operand) ? operand + base : operand);
  };
  const uint16_t a = moved(info.a, instruction.a());
  if (info.c == OperandKind::kX) return Instruction::WithX(instruction.opcode(), a, instruction.x());
  return {instruction.opcode(), a, moved(info.b, instruction.b()), moved(info.c, instruction.c())};
}

}  // namespace hcl::internal
