// Verifier: what must hold of a program before it runs, by the opcode table. The interpreter tests no operand, so that
// each index, register and jump is checked here, once for each program. Time: linear in the code. What the verifier
// does not check is what registers hold: that a builder's register holds a builder follows from how the compiler emits
// loops. Tested by vm/program_test.cc.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/frame_layout.h"
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
    case Opcode::kPlainCall:
    case Opcode::kPlainAttempt:
    case Opcode::kPlainCan: {
      const uint32_t arguments = program.call_sites()[i.x()].arguments;
      return arguments == 0 ? 0 : arguments - 1;
    }
    default:
      return FixedRegistersBehind(i.opcode());
  }
}

class Verifier {
 public:
  // Most operands are plain indexes, for which one comparison does. Bounds of 0 send every operand of the kind to
  // CheckBeyond(): registers and targets of jumps depend on the chunk, and a list holds operands of its own.
  //
  // With a `layout`, operands are placed as soon as they are known to be sound: walking through the code once more
  // takes half as long as checking it. `code` and `lists` are those of the program then.
  explicit Verifier(const ProgramTables& program, const FrameLayout* layout = nullptr, Instruction* code = nullptr,
                    uint16_t* lists = nullptr)
      : layout_(layout), code_(code), lists_(lists), program_(program) {
    bounds_.fill(UINT64_MAX);  // for what is no index
    Bound(OperandKind::kConst, program.constants().size());
    Bound(OperandKind::kPath, program.paths().size());
    Bound(OperandKind::kSite, program.call_sites().size());
    Bound(OperandKind::kName, program.names().size());
    Bound(OperandKind::kVariable, program.slot_names().size());
    Bound(OperandKind::kShape, program.shapes().size());
    Bound(OperandKind::kLookup, program.lookups().size());
    Bound(OperandKind::kChunk, program.chunks().size());
    Bound(OperandKind::kDiag, program.prepared_diagnostics().size());
    Bound(OperandKind::kInternal, program.internal_calls().size());
    Bound(OperandKind::kTest, program.test_places().size());
    for (const OperandKind kind : {OperandKind::kDest, OperandKind::kUse, OperandKind::kEdit, OperandKind::kRk,
                                   OperandKind::kPlain, OperandKind::kJump, OperandKind::kList}) {
      Bound(kind, 0);
    }
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
    SetReaches();
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
      SetReachesOf(chunk, in_main);
      uint32_t faulty = 0;
      const char* const fault =
          layout_ != nullptr ? CheckCode<true>(chunk, in_main, &faulty) : CheckCode<false>(chunk, in_main, &faulty);
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
  // What an operand is compared with: counted from `from` on, it must be below `below`. What it becomes where it is
  // placed (vm/frame_layout.h): itself times `scale`, and `base`.
  struct Reach {
    uint32_t from, below, scale, base;

    bool Has(uint32_t operand) const { return operand - from < below; }
    uint32_t Placed(uint32_t operand) const { return operand * scale + base; }
    // For what stands in the frame from `begin` on.
    void Place(uint32_t begin) { scale = 2, base = 2 * (begin - from); }
  };

  // The rows of registers: of operands that can be nothing else, and of others.
  static constexpr std::array<size_t, 7> kRegisterRows = {
      FirstRowOf(OperandKind::kUse),     FirstRowOf(OperandKind::kUse) + 1, FirstRowOf(OperandKind::kUse) + 2,
      FirstRowOf(OperandKind::kUse) + 3, FirstRowOf(OperandKind::kRk),      FirstRowOf(OperandKind::kRk) + 1,
      FirstRowOf(OperandKind::kPlain),
  };

  // What depends on the chunk is not set yet. Most kinds have their first row only: what is beyond gets a closer look.
  void SetReaches() {
    for (size_t kind = 0; kind < kOperandKinds; ++kind) {
      const auto below = static_cast<uint32_t>(std::min<uint64_t>(bounds_[kind], UINT32_MAX));
      reaches_[FirstRowOf(static_cast<OperandKind>(kind))] = {0, below, 1, 0};
    }
    // Those behind the main chunk, which is the last one, are left to a closer look as well.
    Reach& chunks = reaches_[FirstRowOf(OperandKind::kChunk)];
    chunks.below = std::min(chunks.below, program_.main_chunk());
    Reach constants = {kConstantBit,
                       static_cast<uint32_t>(std::min<size_t>(program_.constants().size(), kMaxFrameConstants)), 1, 0};
    Reach slots = {kSlotBit, static_cast<uint32_t>(std::min<size_t>(program_.slot_names().size(), kMaxPlainSlots)), 1,
                   0};
    if (layout_ != nullptr) constants.Place(0), slots.Place(layout_->slots_begin());
    Reach registers = {0, 0, 1, 0};
    if (layout_ != nullptr) registers.Place(layout_->window(/*of_main=*/false));
    for (const size_t row : kRegisterRows) reaches_[row] = registers;
    SetReach(OperandKind::kRk, kConstantBit >> kRowShift, kOperandRows, constants);
    SetReach(OperandKind::kPlain, kConstantBit >> kRowShift, kOperandRows, constants);
    SetReach(OperandKind::kPlain, kSlotBit >> kRowShift, kConstantBit >> kRowShift, slots);
  }
  // The same for all rows of the kind from `row` to `end`.
  void SetReach(OperandKind kind, size_t row, size_t end, const Reach& reach) {
    std::fill_n(reaches_.begin() + FirstRowOf(kind) + row, end - row, reach);
  }

  // Registers and jumps. All chunks but one have their registers at the same place.
  void SetReachesOf(const Chunk& chunk, bool in_main) {
    if (layout_ != nullptr && in_main != is_in_main_) {
      is_in_main_ = in_main;
      for (const size_t row : kRegisterRows) reaches_[row].Place(layout_->window(in_main));
    }
    // Without a loop, which would take longer than what it does.
    std::apply([&](auto... row) { ((reaches_[row].below = chunk.registers), ...); }, kRegisterRows);
    Reach& jump = reaches_[FirstRowOf(OperandKind::kJump)];
    jump.from = chunk.begin;
    jump.below = chunk.end - chunk.begin;
  }

  // Of the operand, among the rows from `first_row` on.
  const Reach& ReachOf(uint8_t first_row, uint32_t operand) const {
    return reaches_[first_row + (operand >> kRowShift)];
  }

  // The first fault of a chunk's instructions, and where it is.
  template <bool kPlaces>
  const char* CheckCode(const Chunk& chunk, bool in_main, uint32_t* faulty) {
    const uint32_t end = chunk.end;
    for (uint32_t pc = chunk.begin; pc < end; ++pc) {
      // What is placed is changed where it stands.
      Instruction emitted;
      if (!kPlaces) emitted = program_.InstructionAt(pc);
      if (TakePlainly<kPlaces>(chunk, pc, kPlaces ? &code_[pc] : &emitted)) continue;
      *faulty = pc;
      if (const char* fault = CheckInstruction(chunk, pc)) return fault;
      if (kPlaces) Place(pc, in_main);
    }
    return nullptr;
  }

  // What CheckInstruction() finds of most instructions, and Place() does, without a closer look. False says nothing.
  // Operands are read once and asked together, so that a sound instruction takes one branch.
  template <bool kPlaces>
  bool TakePlainly(const Chunk& chunk, uint32_t pc, Instruction* at) {
    const Instruction i = *at;
    if (i.raw_opcode() >= kOpcodeCount) return false;
    const InstructionForm form = kInstructionForms[i.raw_opcode()];
    if (form.asks > InstructionForm::kWide && !TakeOther(form, chunk, pc, i.c())) return false;
    const Reach& a = ReachOf(form.a, i.a());
    if ((form.asks & InstructionForm::kWide) != 0) {
      if (!a.Has(i.a() + form.behind) || !reaches_[form.b].Has(i.x())) return false;
      if (kPlaces) at->set_a(a.Placed(i.a()));
      return true;
    }
    const Reach& b = ReachOf(form.b, i.b());
    const Reach& c = ReachOf(form.c, i.c());
    const bool has_all = a.Has(i.a() + form.behind) & b.Has(i.b()) & c.Has(i.c());
    if (has_all && kPlaces) {
      at->set_a(a.Placed(i.a()));
      at->set_b(b.Placed(i.b()));
      at->set_c(c.Placed(i.c()));
    }
    return has_all;
  }

  // What an instruction is asked besides its operands.
  bool TakeOther(const InstructionForm& form, const Chunk& chunk, uint32_t pc, uint32_t distance) {
    if ((form.asks & InstructionForm::kCloser) != 0) return false;
    if ((form.asks & InstructionForm::kPlain) != 0 && !IsInRegion(pc)) return false;
    return (form.asks & InstructionForm::kForward) == 0 || pc + 1 + distance < chunk.end;
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
    if ((info.flags & internal::kMayLeave) != 0 && !IsInRegion(pc)) return "plain instruction outside of plain code";
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

  // Control that leaves plain code goes on outside of its region, in the same chunk; a filter's general code stands
  // before its plain code. Regions must be sorted and apart from each other, because the interpreter finds them by
  // binary search.
  const char* CheckRegions(const VerifiedPart& before) {
    size_t c = before.chunks;
    uint32_t at = c == 0 ? 0 : program_.chunks()[c - 1].end;
    for (const PlainRegion& region : program_.plain_regions().subspan(before.regions)) {
      if (region.begin < at || region.end <= region.begin) return "plain code: bad bounds";
      while (c < program_.chunks().size() && program_.chunks()[c].end <= region.begin) ++c;
      const bool outside = region.general < region.begin || region.general >= region.end;
      const bool inside = c < program_.chunks().size() && outside && region.general >= program_.chunks()[c].begin &&
                          region.end <= program_.chunks()[c].end && region.general < program_.chunks()[c].end;
      if (!inside) return "plain code: no general code";
      const bool goes_on =
          region.failed == 0 || (region.failed >= region.end && region.failed < program_.chunks()[c].end);
      if (!goes_on) return "plain code: no other attempt";
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
    const absl::Span<const PlainRegion> regions = program_.plain_regions();
    while (region_ < regions.size() && regions[region_].end <= pc) ++region_;
    return region_ < regions.size() && regions[region_].begin <= pc;
  }

  const char* CheckOperand(const Chunk& chunk, OperandKind kind, uint32_t value) const {
    return value < bounds_[static_cast<size_t>(kind)] ? nullptr : CheckBeyond(chunk, kind, value);
  }

  // An operand that is no index below its bound.
  const char* CheckBeyond(const Chunk& chunk, OperandKind kind, uint32_t value) const {
    switch (kind) {
      case OperandKind::kDest:
      case OperandKind::kUse:
      case OperandKind::kEdit:
        return value < chunk.registers ? nullptr : "register out of range";
      case OperandKind::kRk:
      case OperandKind::kPlain:
        if (value < chunk.registers) return nullptr;
        if (value & internal::kConstantBit) {
          const uint32_t constant = value & ~uint32_t{internal::kConstantBit};
          return constant < internal::kMaxFrameConstants ? CheckOperand(chunk, OperandKind::kConst, constant)
                                                         : "constant out of reach";
        }
        if (kind == OperandKind::kPlain && (value & internal::kSlotBit) != 0) {
          const uint32_t slot = value & ~uint32_t{internal::kSlotBit};
          const bool found = slot < program_.slot_names().size() && slot < internal::kMaxPlainSlots;
          return found ? nullptr : "variable out of range";
        }
        return "register out of range";
      case OperandKind::kJump:
        return value >= chunk.begin && value < chunk.end ? nullptr : "jump out of its chunk";
      case OperandKind::kList:
        return CheckList(chunk, value);
      case OperandKind::kConst:
        return "constant out of range";
      case OperandKind::kPath:
        return "path out of range";
      case OperandKind::kSite:
        return "call site out of range";
      case OperandKind::kName:
        return "name out of range";
      case OperandKind::kVariable:
        return "variable out of range";
      case OperandKind::kShape:
        return "shape out of range";
      case OperandKind::kLookup:
        return "lookup set out of range";
      case OperandKind::kTest:
        return "test out of range";
      case OperandKind::kChunk:
        return "chunk out of range";
      case OperandKind::kDiag:
        return "diagnostic out of range";
      case OperandKind::kInternal:
        return "internal function out of range";
      default:
        return "operand out of range";
    }
  }

  const char* CheckList(const Chunk& chunk, uint32_t list) const {
    if (!program_.HasList(list)) return "list out of range";
    for (const uint16_t operand : program_.list(list)) {
      if (const char* fault = CheckOperand(chunk, OperandKind::kRk, program_.layout().Emitted(operand))) return fault;
    }
    return nullptr;
  }

  void Bound(OperandKind kind, uint64_t bound) { bounds_[static_cast<size_t>(kind)] = bound; }

  // For each kind of operand, what its value must be below; operands beyond get a closer look.
  std::array<uint64_t, kOperandKinds> bounds_;
  std::array<Reach, kOperandKinds * kOperandRows> reaches_{};  // by row
  const FrameLayout* const layout_;
  Instruction* const code_;
  uint16_t* const lists_;
  bool is_in_main_ = false;  // where the rows of registers are placed
  size_t region_ = 0;        // the first one that does not end before the instruction
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
