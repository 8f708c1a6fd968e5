// CopyChunk. The opcode table tells what each operand is an index of (vm/opcodes.def), so that nothing here depends on
// what instructions do. Tested by compiler/chunk_copy_test.cc.

#include "hclvm/compiler/chunk_copy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/read_table.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Whether such an operand is the same in another program.
constexpr bool IsSame(OperandKind kind) {
  switch (kind) {
    case OperandKind::kNone:
    case OperandKind::kDest:
    case OperandKind::kUse:
    case OperandKind::kEdit:
    case OperandKind::kCount:
    case OperandKind::kForward:
    case OperandKind::kX:
      return true;
    default:
      return false;
  }
}

class ChunkCopier {
 public:
  ChunkCopier(const ProgramTables& from, const Chunk& chunk, CopiedIndexes* known, ProgramBuilder* to)
      : from_(from), chunk_(chunk), known_(*known), to_(to), moved_(to->here() - chunk.begin) {}

  // All operands first: nothing is added to the code where one of them cannot be copied.
  std::optional<uint32_t> Copy() {
    if (from_.keeps_owners() || from_.module() != nullptr) return std::nullopt;
    for (uint32_t pc = chunk_.begin; pc < chunk_.end; ++pc) {
      if (!Translate(pc)) return std::nullopt;
    }
    to_->BeginChunk();
    to_->Append(code_);
    to_->AddRanges(from_.ranges(), chunk_, moved_);
    CopyRegions();
    CopyLoops();
    CopyReads();
    return to_->EndChunk(chunk_.registers);
  }

 private:
  // Operands one by one: an instruction that is put together in memory cannot be read as a whole right away.
  bool Translate(uint32_t pc) {
    const Instruction& i = from_.code()[pc];
    const OpcodeInfo& info = InfoOf(i.opcode());
    const int placed = kPlacedOperands[i.raw_opcode()];
    const auto emitted = [&](uint16_t operand, int place) -> uint32_t {
      return (placed >> place & 1) != 0 ? from_.layout().Emitted(operand) : operand;
    };
    uint32_t a = emitted(i.a(), 0);
    if (!TranslateShort(info.a, &a)) return false;
    if (info.c == OperandKind::kX) {
      uint32_t x = i.x();
      if (!Translate(info.b, &x)) return false;
      code_.emplace_back(i.opcode(), static_cast<uint16_t>(a), static_cast<uint16_t>(x),
                         static_cast<uint16_t>(x >> 16));
      return true;
    }
    uint32_t b = emitted(i.b(), 2);
    uint32_t c = emitted(i.c(), 4);
    if (!TranslateShort(info.b, &b) || !TranslateShort(info.c, &c)) return false;
    code_.emplace_back(i.opcode(), static_cast<uint16_t>(a), static_cast<uint16_t>(b), static_cast<uint16_t>(c));
    return true;
  }

  // An operand of 16 bits.
  bool TranslateShort(OperandKind kind, uint32_t* operand) {
    return IsSame(kind) || (Translate(kind, operand) && *operand <= UINT16_MAX);
  }

  bool Translate(OperandKind kind, uint32_t* operand) {
    switch (kind) {
      case OperandKind::kRk:
        return TranslateRk(operand);
      case OperandKind::kFast:
        if ((*operand & kConstantBit) != 0 || (*operand & kSlotBit) == 0) return TranslateRk(operand);
        *operand = SlotOf(*operand & ~uint32_t{kSlotBit});
        if (*operand >= kMaxFastSlots) return false;
        *operand |= kSlotBit;
        return true;
      case OperandKind::kVariable:
        *operand = SlotOf(*operand);
        return true;
      case OperandKind::kConst:
        *operand = ConstantOf(*operand);
        return true;
      case OperandKind::kPath:
        *operand = PathOf(*operand);
        return true;
      case OperandKind::kJump:
        *operand += moved_;
        return true;
      case OperandKind::kSite: {
        const CallSite& site = from_.call_sites()[*operand];
        if (site.prepared != nullptr) return false;
        *operand = known_.Get(kind, *operand, [&] {
          return to_->AddSite(site.function, site.prepared, site.arguments, site.expand_last);
        });
        return true;
      }
      case OperandKind::kShape:
        *operand = to_->AddShape(MakeShape(KeysOf(*from_.shapes()[*operand]), to_->heap()->arena()));
        return true;
      case OperandKind::kLookup:
        *operand = known_.Get(kind, *operand, [&, index = *operand] {
          return to_->AddLookup(from_.lookups()[index].tuple(), ProgramBuilder::Memory::kOthers);
        });
        return true;
      case OperandKind::kList:
        return TranslateList(operand);
      case OperandKind::kName: {
        const std::optional<uint16_t> name = to_->AddName(to_->Owned(from_.names()[*operand]));
        *operand = name.value_or(0);
        return name.has_value();
      }
      case OperandKind::kDiag:
        *operand = to_->AddDiagnostic(from_.prepared_diagnostics()[*operand]);
        return true;
      default:  // chunks, calls inside of the machine, tables of tests
        return IsSame(kind);
    }
  }

  bool TranslateRk(uint32_t* operand) {
    if ((*operand & kConstantBit) == 0) return true;
    *operand = ConstantOf(*operand & ~uint32_t{kConstantBit});
    if (*operand >= kMaxFrameConstants) return false;
    *operand |= kConstantBit;
    return true;
  }

  bool TranslateList(uint32_t* list) {
    absl::InlinedVector<uint16_t, 16> operands;
    for (const uint16_t placed : from_.list(*list)) {
      uint32_t operand = from_.layout().Emitted(placed);
      if (!TranslateRk(&operand)) return false;
      operands.push_back(static_cast<uint16_t>(operand));
    }
    *list = to_->AddList(operands);
    return true;
  }

  uint32_t ConstantOf(uint32_t index) {
    return known_.Get(OperandKind::kConst, index,
                      [&] { return to_->AddConstant(from_.constants()[index], ProgramBuilder::Memory::kOthers); });
  }
  uint32_t SlotOf(uint32_t slot) {
    return known_.Get(OperandKind::kVariable, slot, [&] { return to_->AddSlot(from_.slot_names()[slot]); });
  }
  uint32_t PathOf(uint32_t index) {
    return known_.Get(OperandKind::kPath, index, [&] {
      const Path& path = from_.paths()[index];
      return to_->AddPath(SlotOf(path.slot), from_.steps(path), ProgramBuilder::Memory::kOthers);
    });
  }
  std::vector<Value> KeysOf(const Shape& shape) {
    std::vector<Value> keys;
    keys.reserve(shape.size);
    for (uint32_t n = 0; n < shape.size; ++n) keys.push_back(to_->Owned(shape.keys[n]));
    return keys;
  }

  void CopyRegions() {
    const absl::Span<const FastRegion> regions = from_.fast_regions();
    auto region = std::lower_bound(regions.begin(), regions.end(), chunk_.begin,
                                   [](const FastRegion& one, uint32_t at) { return one.begin < at; });
    for (; region != regions.end() && region->begin < chunk_.end; ++region) {
      const uint32_t failed = region->failed == 0 ? 0 : region->failed + moved_;
      to_->AddFastRegion({region->begin + moved_, region->end + moved_, region->general + moved_, failed});
    }
  }

  // Loops stand in the order in which they begin.
  void CopyLoops() {
    const absl::Span<const LoopNames> loops = from_.loops();
    const auto first = std::lower_bound(loops.begin(), loops.end(), chunk_.begin,
                                        [](const LoopNames& one, uint32_t at) { return one.begin < at; });
    first_loop_ = static_cast<uint32_t>(first - loops.begin());
    for (auto loop = first; loop != loops.end() && loop->begin < chunk_.end; ++loop) {
      const uint32_t copy = to_->AddLoop({loop->begin + moved_, loop->end + moved_, loop->run, loop->key, loop->value});
      if (loop == first) copied_loop_ = copy;
    }
  }

  void CopyReads() {
    ReadTable::Reader reads = from_.ReadsAt(chunk_.begin, 0);
    to_->BeginReads(chunk_.begin + moved_);
    std::vector<PathStep> steps;
    for (Read read; reads.Next(&read);) {
      if ((read.path & Read::kLocalBit) == 0) {
        to_->AddRead(read.range, PathOf(read.path));
        continue;
      }
      const LocalPath& path = from_.local_paths()[read.path & ~Read::kLocalBit];
      steps.clear();
      for (const PathStep& step : from_.steps(path)) steps.push_back({to_->Owned(step.key), step.is_attribute});
      to_->AddLocalRead(read.range, path.loop - first_loop_ + copied_loop_, path.is_key, steps);
    }
    to_->EndReads();
  }

  const ProgramTables& from_;
  const Chunk chunk_;
  CopiedIndexes& known_;
  ProgramBuilder* const to_;
  const uint32_t moved_;  // by so much offsets are larger in the copy, modulo 2^32
  absl::InlinedVector<Instruction, 96> code_;
  uint32_t first_loop_ = 0;
  uint32_t copied_loop_ = 0;
};

}  // namespace

std::optional<uint32_t> CopyChunk(const ProgramTables& from, uint32_t chunk, CopiedIndexes* known, ProgramBuilder* to) {
  HCL_DCHECK(chunk < from.chunks().size());
  return ChunkCopier(from, from.chunks()[chunk], known, to).Copy();
}

}  // namespace hcl::internal
