// Verifier: what must hold of a program before it runs, by the opcode table. The interpreter tests no operand, so that
// each index, register and jump is checked here, once for each program. Time: linear in the code. What the verifier
// does not check is what registers hold: that a builder's register holds a builder follows from how the compiler emits
// loops. Tested by vm/program_test.cc.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/frame_layout.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/operand_forms.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// Registers behind R[A] that an instruction touches. The operands have been checked already, so that the call site
// exists.
uint32_t RegistersBehind(const ProgramTables& program, const Instruction& i) {
  switch (i.opcode()) {
    case Opcode::kForget:
      return i.b() == 0 ? 0 : i.b() - 1u;
    case Opcode::kCall:
    case Opcode::kFastCall:
    case Opcode::kFastAttempt:
    case Opcode::kFastCan: {
      const uint32_t arguments = program.call_sites()[i.x()].arguments;
      return arguments == 0 ? 0 : arguments - 1;
    }
    default:
      return FixedRegistersBehind(i.opcode());
  }
}

class Verifier {
 public:
  // Most operands are plain indexes, for which one comparison does. What is not below its bound there gets a closer
  // look (CheckOperand), as the bounds are those that nearly all programs keep to.
  //
  // With a `layout`, operands are placed as soon as they are known to be sound: walking through the code once more
  // takes half as long as checking it. `code` and `lists` are those of the program then.
  explicit Verifier(const ProgramTables& program, const FrameLayout* layout = nullptr, Instruction* code = nullptr,
                    uint16_t* lists = nullptr)
      : layout_(layout), code_(code), lists_(lists), program_(program) {
    std::fill_n(reaches_.begin() + FirstRowOf(OperandKind::kNone), kOperandRows, Reach{UINT32_MAX, 0, 1});
    Bound(OperandKind::kConst, program.constants().size());
    Bound(OperandKind::kPath, program.paths().size());
    Bound(OperandKind::kSite, program.call_sites().size());
    Bound(OperandKind::kName, program.names().size());
    Bound(OperandKind::kVariable, program.slot_names().size());
    Bound(OperandKind::kShape, program.shapes().size());
    Bound(OperandKind::kLookup, program.lookups().size());
    // Those behind the main chunk, which is the last one of most programs, are left to a closer look.
    Bound(OperandKind::kChunk, std::min<size_t>(program.chunks().size(), program.main_chunk()));
    Bound(OperandKind::kDiag, program.prepared_diagnostics().size());
    Bound(OperandKind::kInternal, program.internal_calls().size());
    Bound(OperandKind::kPoint, program.records() == nullptr ? 0 : program.records()->points().size());
    Bound(OperandKind::kTest, program.test_places().size());
    const size_t constants = std::min<size_t>(program.constants().size(), kMaxFrameConstants);
    SetFrameRow(OperandKind::kRk, kConstantBit, constants, 0);
    SetFrameRow(OperandKind::kFast, kConstantBit, constants, 0);
    SetFrameRow(OperandKind::kFast, kSlotBit, std::min<size_t>(program.slot_names().size(), kMaxFastSlots),
                layout == nullptr ? 0 : layout->slots_begin());
    PlaceRegisters(/*in_main=*/false);
  }

  // Chunks must follow each other without gaps, so that each instruction belongs to exactly one chunk and none escapes
  // the checks. The last instruction of a chunk must end it, because the loop has no test for the end of the code;
  // jumps go into their own chunk only, so that this holds however control gets there. The first fault is enough: a
  // program with one is not run, and the fault is a bug of the compiler, not of a user.
  //
  // What is verified `before` is not looked at.
  std::string Run(const VerifiedPart& before) {
    if (const char* fault = CheckRegions(before)) return fault;
    if (const char* fault = CheckTables()) return fault;
    uint32_t at = before.chunks == 0 ? 0 : program_.chunks()[before.chunks - 1].end;
    region_ = before.regions;
    for (size_t c = before.chunks; c < program_.chunks().size(); ++c) {
      const Chunk& chunk = program_.chunks()[c];
      if (chunk.begin != at || chunk.end <= chunk.begin || chunk.end > program_.code().size()) {
        return absl::StrCat("chunk ", c, ": bad bounds");
      }
      at = chunk.end;
      if (chunk.registers > internal::kMaxRegisters) return absl::StrCat("chunk ", c, ": too many registers");
      const bool in_main = c == program_.main_chunk();
      SetRegisters(chunk, in_main);
      uint32_t faulty = 0;
      const char* const fault = layout_ != nullptr ? CheckCode(chunk, code_, in_main, &faulty)
                                                   : CheckCode(chunk, program_.code().data(), in_main, &faulty);
      if (fault != nullptr) return absl::StrCat("pc ", faulty, ": ", fault);
      const OpcodeInfo& last = InfoOf(program_.code()[chunk.end - 1].opcode());
      if ((last.flags & internal::kEnds) == 0) return absl::StrCat("chunk ", c, ": runs past its end");
    }
    if (at != program_.code().size()) return "code outside of chunks";
    if (program_.main_chunk() >= program_.chunks().size()) return "no main chunk";
    for (const Entry& entry : program_.entries()) {
      if (entry.chunk >= program_.chunks().size()) return absl::StrCat("entry ", ToAbsl(entry.path), ": no chunk");
    }
    for (const Path& path : program_.paths().subspan(before.paths)) {
      if (path.slot >= program_.slot_names().size()) return "path: no variable";
    }
    return "";
  }

 private:
  // What an operand must be below, and what it becomes where it is placed (vm/frame_layout.h): itself times `scale`,
  // and `base`, modulo 2^16. Eight bytes, so that they are found by one address.
  struct Reach {
    uint32_t below;
    uint16_t base, scale;

    bool Has(uint32_t operand) const { return operand < below; }
    uint32_t Placed(uint32_t operand) const { return operand * scale + base; }
  };

  // Of the operand, among the rows from `first_row` on.
  const Reach& ReachOf(uint8_t first_row, uint32_t operand) const {
    return reaches_[first_row + (operand >> kRowShift)];
  }

  void Bound(OperandKind kind, size_t size) { reaches_[FirstRowOf(kind)] = {static_cast<uint32_t>(size), 0, 1}; }

  // The row of `size` operands from `first` on, which stand in the frame from `begin` on.
  void SetFrameRow(OperandKind kind, uint32_t first, size_t size, uint32_t begin) {
    const auto below = static_cast<uint32_t>(first + size);
    const bool places = layout_ != nullptr;
    const auto base = static_cast<uint16_t>(places ? 2 * (begin - first) : 0);
    reaches_[FirstRowOf(kind) + (first >> kRowShift)] = {below, base, static_cast<uint16_t>(places ? 2 : 1)};
  }

  // All chunks but one have their registers at the same place. Chunks of more registers than one row has are few.
  void SetRegisters(const Chunk& chunk, bool in_main) {
    if (in_main != is_in_main_) PlaceRegisters(in_main);
    reaches_[FirstRowOf(OperandKind::kUse)].below = chunk.registers;
    reaches_[FirstRowOf(OperandKind::kRk)].below = chunk.registers;
    reaches_[FirstRowOf(OperandKind::kFast)].below = chunk.registers;
  }
  void PlaceRegisters(bool in_main) {
    is_in_main_ = in_main;
    const uint32_t begin = layout_ == nullptr ? 0 : layout_->window(in_main);
    SetFrameRow(OperandKind::kUse, 0, 0, begin);
    SetFrameRow(OperandKind::kRk, 0, 0, begin);
    SetFrameRow(OperandKind::kFast, 0, 0, begin);
  }

  // The first fault of a chunk's instructions, and where it is. Where `code` can be changed, operands are placed.
  template <typename Code>
  const char* CheckCode(const Chunk& chunk, Code* code, bool in_main, uint32_t* faulty) {
    Code* const end = code + chunk.end;
    for (Code* at = code + chunk.begin; at != end; ++at) {
      if (TakeDirectly(chunk, at)) continue;
      const uint32_t pc = *faulty = PcOf(at);
      if (const char* fault = CheckInstruction(chunk, pc)) return fault;
      if (layout_ != nullptr) Place(pc, in_main);
    }
    return nullptr;
  }

  // What CheckInstruction() finds of nearly all instructions, and Place() does, without a closer look. False says
  // nothing. Operands are read one by one, from where they stand: put together, they would be taken apart again.
  template <typename Code>
  bool TakeDirectly(const Chunk& chunk, Code* at) {
    constexpr bool kPlaces = !std::is_const_v<Code>;
    if (at->raw_opcode() >= kOpcodeCount) return false;
    Instruction emitted;
    if constexpr (!kPlaces) emitted = program_.InstructionAt(PcOf(at));
    const Instruction& i = kPlaces ? *at : emitted;
    const InstructionForm& form = kInstructionForms[i.raw_opcode()];
    const Reach& a = ReachOf(form.a, i.a());
    if (!a.Has(i.a())) return false;
    if ((form.asks & InstructionForm::kWide) != 0) {
      if (!reaches_[form.b].Has(i.x())) return false;
      if (form.asks > InstructionForm::kWide && !TakeOtherOfWide(form.asks, chunk, i, PcOf(at))) return false;
      if constexpr (kPlaces) at->set_a(a.Placed(i.a()));
      return true;
    }
    const Reach& b = ReachOf(form.b, i.b());
    const Reach& c = ReachOf(form.c, i.c());
    if (!b.Has(i.b()) || !c.Has(i.c())) return false;
    if (form.asks != 0 && !TakeOther(form.asks, chunk, i, PcOf(at))) return false;
    if constexpr (kPlaces) {
      at->set_a(a.Placed(i.a()));
      at->set_b(b.Placed(i.b()));
      at->set_c(c.Placed(i.c()));
    }
    return true;
  }
  uint32_t PcOf(const Instruction* at) const { return static_cast<uint32_t>(at - program_.code().data()); }

  // What an instruction is asked besides its operands, which are sound. A list is placed.
  bool TakeOther(uint8_t asks, const Chunk& chunk, const Instruction& i, uint32_t pc) {
    if ((asks & InstructionForm::kFast) != 0 && !IsInRegion(pc)) return false;
    if ((asks & InstructionForm::kForward) != 0 && pc + 1 + i.c() >= chunk.end) return false;
    const uint32_t behind = asks >> InstructionForm::kBehindShift;
    if (behind != 0 && i.a() + behind >= chunk.registers) return false;
    return (asks & InstructionForm::kSpecial) == 0 || TakeSpecial(chunk, i, pc);
  }
  // The same where B and C are one number, which may be a target and is no distance.
  bool TakeOtherOfWide(uint8_t asks, const Chunk& chunk, const Instruction& i, uint32_t pc) {
    if ((asks & InstructionForm::kTarget) != 0 && !IsTarget(chunk, i.x())) return false;
    return (asks & ~(InstructionForm::kWide | InstructionForm::kTarget)) == 0 || TakeOther(asks, chunk, i, pc);
  }

  ABSL_ATTRIBUTE_NOINLINE bool TakeSpecial(const Chunk& chunk, const Instruction& i, uint32_t pc) {
    return InfoOf(i.opcode()).b == OperandKind::kList ? TakeList(i.x()) : CheckSpecial(chunk, pc, i) == nullptr;
  }

  bool TakeList(uint32_t list) {
    if (!program_.HasList(list)) return false;
    const absl::Span<const uint16_t> items = program_.list(list);
    const auto reach = [this](uint16_t item) -> const Reach& { return ReachOf(FirstRowOf(OperandKind::kRk), item); };
    const auto is_sound = [&](uint16_t item) {
      const uint16_t emitted = program_.layout().Emitted(item);
      return reach(emitted).Has(emitted);
    };
    if (!std::all_of(items.begin(), items.end(), is_sound)) return false;
    if (lists_ == nullptr) return true;
    std::transform(items.begin(), items.end(), lists_ + list + 1,
                   [&](uint16_t item) { return static_cast<uint16_t>(reach(item).Placed(item)); });
    return true;
  }

  // Requires that the instruction is sound.
  void Place(uint32_t pc, bool in_main) {
    const Instruction i = code_[pc];
    code_[pc] = layout_->Place(i, in_main);
    if (InfoOf(i.opcode()).b != OperandKind::kList) return;
    uint16_t* const items = lists_ + i.x();
    for (uint16_t n = 1; n <= items[0]; ++n) items[n] = layout_->Place(items[n], /*is_plain=*/false, in_main);
  }

  // Null when sound, like the others below. The order matters: the opcode before its row in the table, operands before
  // what they lead to (RegistersBehind() reads the call site, MakeObject its shape).
  const char* CheckInstruction(const Chunk& chunk, uint32_t pc) {
    if (program_.code()[pc].raw_opcode() >= internal::kOpcodeCount) return "unknown opcode";
    const Instruction i = layout_ != nullptr ? code_[pc] : program_.InstructionAt(pc);
    const OpcodeInfo& info = InfoOf(i.opcode());
    const bool wide = info.c == OperandKind::kX;
    const char* fault = CheckOperand(chunk, info.a, i.a());
    if (fault == nullptr) fault = CheckOperand(chunk, info.b, wide ? i.x() : i.b());
    if (fault == nullptr && !wide) fault = CheckOperand(chunk, info.c, i.c());
    if (fault != nullptr) return fault;
    if ((info.flags & internal::kMayExit) != 0 && !IsInRegion(pc)) return "fast instruction outside of fast code";
    if (info.c == OperandKind::kForward && pc + 1 + i.c() >= chunk.end) return "jump out of its chunk";
    const bool is_special = IsSpecial(i.opcode()) || FixedRegistersBehind(i.opcode()) != 0;
    return is_special ? CheckSpecial(chunk, pc, i) : nullptr;
  }

  const char* CheckSpecial(const Chunk& chunk, uint32_t pc, const Instruction& i) const {
    if (i.opcode() == Opcode::kFindTest || i.opcode() == Opcode::kFindPathTest) {
      const TestTable& table = program_.test_tables()[program_.test_places()[i.b()].table];
      const bool stays = table.targets().front() >= chunk.begin && table.end() < chunk.end;
      return stays ? nullptr : "test out of its chunk";
    }
    if (i.a() + RegistersBehind(program_, i) >= chunk.registers) return "register out of range";
    // Branch runs the instruction behind it or skips it.
    if (i.opcode() == Opcode::kBranch && pc + 2 >= chunk.end) return "branch at the end";
    const bool takes_run = i.opcode() == Opcode::kMakeTuple || i.opcode() == Opcode::kMakeObject;
    if (takes_run) {
      const uint32_t count = i.opcode() == Opcode::kMakeTuple ? i.c() : program_.shapes()[i.c()]->size;
      if (i.b() + count > chunk.registers) return "registers out of range";
    }
    if (i.opcode() == Opcode::kFixedTake && !IsPutBehindNext(chunk, pc, i)) return "take without its put";
    // The evaluator has room for two windows. The compiler lets only the main chunk call others, so that one level is
    // all there is as long as nobody calls the main chunk.
    if (i.opcode() == Opcode::kCallChunk && i.x() == program_.main_chunk()) return "recursion";
    return nullptr;
  }

  // What FixedTake does in place of two instructions. The builder is in the same register, as it is where that put
  // runs.
  bool IsPutBehindNext(const Chunk& chunk, uint32_t pc, const Instruction& take) const {
    if (pc + 3 >= chunk.end) return false;
    const Instruction put = layout_ != nullptr ? code_[pc + 2] : program_.InstructionAt(pc + 2);
    return put.opcode() == Opcode::kFixedPut && put.a() == take.a();
  }

  // After a side exit, control goes on outside of its region, in the same chunk; a filter's the slow path stands
  // before its fast code. Regions must be sorted and apart from each other, because the interpreter finds them by
  // binary search.
  const char* CheckRegions(const VerifiedPart& before) {
    size_t c = before.chunks;
    uint32_t at = c == 0 ? 0 : program_.chunks()[c - 1].end;
    for (const FastRegion& region : program_.fast_regions().subspan(before.regions)) {
      if (region.begin < at || region.end <= region.begin) return "fast code: bad bounds";
      while (c < program_.chunks().size() && program_.chunks()[c].end <= region.begin) ++c;
      const bool outside = region.general < region.begin || region.general >= region.end;
      const bool inside = c < program_.chunks().size() && outside && region.general >= program_.chunks()[c].begin &&
                          region.end <= program_.chunks()[c].end && region.general < program_.chunks()[c].end;
      if (!inside) return "fast code: no the slow path";
      const bool goes_on =
          region.failed == 0 || (region.failed >= region.end && region.failed < program_.chunks()[c].end);
      if (!goes_on) return "fast code: no other attempt";
      at = region.end;
    }
    return nullptr;
  }

  // Targets ascend up to the end, so that these two tell where all are.
  const char* CheckTables() const {
    for (const TestTable& table : program_.test_tables()) {
      if (table.size() == 0 || table.targets().back() > table.end()) return "table of tests: bad end";
      if (!std::is_sorted(table.targets().begin(), table.targets().end())) return "table of tests: bad order";
    }
    for (const TestPlace& place : program_.test_places()) {
      const bool found =
          place.table < program_.test_tables().size() && place.test < program_.test_tables()[place.table].size();
      if (!found) return "no such test";
    }
    return nullptr;
  }

  // Callers ask in ascending order, so that the regions are gone through once for all instructions.
  bool IsInRegion(uint32_t pc) {
    if (pc >= region_end_) NextRegion(pc);
    return pc >= region_begin_ && pc < region_end_;
  }
  ABSL_ATTRIBUTE_NOINLINE void NextRegion(uint32_t pc) {
    const absl::Span<const FastRegion> regions = program_.fast_regions();
    while (region_ < regions.size() && regions[region_].end <= pc) ++region_;
    if (region_ < regions.size()) region_begin_ = regions[region_].begin, region_end_ = regions[region_].end;
  }

  static bool IsTarget(const Chunk& chunk, uint32_t pc) { return pc >= chunk.begin && pc < chunk.end; }

  const char* CheckOperand(const Chunk& chunk, OperandKind kind, uint32_t value) const {
    const auto unless_below = [&](const char* fault) {
      return reaches_[FirstRowOf(kind)].Has(value) ? nullptr : fault;
    };
    switch (kind) {
      case OperandKind::kNone:
      case OperandKind::kCount:
      case OperandKind::kForward:
      case OperandKind::kX:
        return nullptr;
      case OperandKind::kDest:
      case OperandKind::kUse:
      case OperandKind::kEdit:
        return value < chunk.registers ? nullptr : "register out of range";
      case OperandKind::kRk:
      case OperandKind::kFast:
        return CheckFrameOperand(chunk, kind, value);
      case OperandKind::kJump:
        return IsTarget(chunk, value) ? nullptr : "jump out of its chunk";
      case OperandKind::kList:
        return CheckList(chunk, value);
      case OperandKind::kChunk:
        return value < program_.chunks().size() ? nullptr : "chunk out of range";
      case OperandKind::kConst:
        return unless_below("constant out of range");
      case OperandKind::kPath:
        return unless_below("path out of range");
      case OperandKind::kSite:
        return unless_below("call site out of range");
      case OperandKind::kName:
        return unless_below("name out of range");
      case OperandKind::kVariable:
        return unless_below("variable out of range");
      case OperandKind::kShape:
        return unless_below("shape out of range");
      case OperandKind::kLookup:
        return unless_below("lookup set out of range");
      case OperandKind::kTest:
        return unless_below("test out of range");
      case OperandKind::kDiag:
        return unless_below("diagnostic out of range");
      case OperandKind::kPoint:
        return unless_below("point out of range");
      case OperandKind::kInternal:
        return unless_below("internal function out of range");
    }
    return "unknown kind of operand";
  }

  // A register, or what else stands in the frame.
  const char* CheckFrameOperand(const Chunk& chunk, OperandKind kind, uint32_t value) const {
    if ((value & kConstantBit) != 0) {
      const uint32_t constant = value & ~uint32_t{kConstantBit};
      return constant < kMaxFrameConstants ? CheckOperand(chunk, OperandKind::kConst, constant)
                                           : "constant out of reach";
    }
    if (kind == OperandKind::kFast && (value & kSlotBit) != 0) {
      const uint32_t slot = value & ~uint32_t{kSlotBit};
      return slot < kMaxFastSlots ? CheckOperand(chunk, OperandKind::kVariable, slot) : "variable out of range";
    }
    return value < chunk.registers ? nullptr : "register out of range";
  }

  const char* CheckList(const Chunk& chunk, uint32_t list) const {
    if (!program_.HasList(list)) return "list out of range";
    for (const uint16_t operand : program_.list(list)) {
      if (const char* fault = CheckOperand(chunk, OperandKind::kRk, program_.layout().Emitted(operand))) return fault;
    }
    return nullptr;
  }

  std::array<Reach, kReachRows> reaches_{};  // by row; nothing is within those that are not set
  const FrameLayout* const layout_;
  Instruction* const code_;
  uint16_t* const lists_;
  bool is_in_main_ = false;  // whose registers rows are placed for
  // The first one that does not end before the instruction, and what it has.
  size_t region_ = 0;
  uint32_t region_begin_ = 0, region_end_ = 0;
  const ProgramTables& program_;
};

}  // namespace

std::string ProgramTables::Verify() const { return Verifier(*this).Run({}); }

// Nobody else has the program yet, whose arena holds the code. A list belongs to one instruction.
std::string ProgramTables::VerifyAndPlace(const FrameLayout& layout, const VerifiedPart& before) {
  std::string fault =
      Verifier(*this, &layout, const_cast<Instruction*>(code_.data()), const_cast<uint16_t*>(operands_.data()))
          .Run(before);
  layout_ = layout;
  return fault;
}

}  // namespace hcl::internal
