// The opcode table as data. Tested by vm/program_test.cc.

#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

using K = OperandKind;
// The short names are for the columns of the table.
constexpr K kNone = K::kNone, kDest = K::kDest, kUse = K::kUse, kEdit = K::kEdit, kRk = K::kRk, kCount = K::kCount,
            kConst = K::kConst, kPath = K::kPath, kJump = K::kJump, kSite = K::kSite, kShape = K::kShape,
            kLookup = K::kLookup, kList = K::kList, kChunk = K::kChunk, kDiag = K::kDiag, kPoint = K::kPoint,
            kInternal = K::kInternal, kFast = K::kFast, kName = K::kName, kVariable = K::kVariable,
            kForward = K::kForward, kTest = K::kTest, kX = K::kX;

constexpr int PlacedBits(K kind) {
  const bool is_one = kind == kDest || kind == kUse || kind == kEdit || kind == kRk;
  return kind == kFast ? 3 : is_one ? 1 : 0;
}

}  // namespace

const OpcodeInfo kOpcodeInfos[kOpcodeCount] = {
#define OPCODE(name, a, b, c, flags, effect) {#name, a, b, c, flags, effect},
#include "hclvm/vm/opcodes.def"
#undef OPCODE
};

const uint8_t kPlacedOperands[kOpcodeCount] = {
#define OPCODE(name, a, b, c, flags, effect) \
  static_cast<uint8_t>(PlacedBits(a) | PlacedBits(b) << 2 | PlacedBits(c) << 4),
#include "hclvm/vm/opcodes.def"
#undef OPCODE
};

}  // namespace hcl::internal
