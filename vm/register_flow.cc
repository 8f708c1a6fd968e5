// Forward analysis over one chunk after the other: before each instruction, the registers that every way to it writes.
// What the opcode table says of operands holds for most instructions. The others, which touch registers behind R[A] or
// write only where they jump, are listed here. Ways are told apart by registers that are blank: a loop that looks for
// its first element has one that is null as long as it has none, and code that makes a value once has one that is
// nothing before it did.

#include "hclvm/vm/register_flow.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/test_table.h"

namespace hcl::internal {
namespace {

constexpr uint16_t kIsBool = 0;  // of Guard

struct Registers {
  std::vector<bool> written;
  // For certain, of those that some test asks for it.
  std::vector<bool> null;
  std::vector<bool> nothing;

  void Write(uint32_t reg, bool is_null = false, bool is_nothing = false) {
    written[reg] = true;
    null[reg] = is_null;
    nothing[reg] = is_nothing;
  }
  bool IsAsBlankAs(const Registers& other) const { return null == other.null && nothing == other.nothing; }
};

// Ways of other blank registers each. Of code with more nothing is said: it would be wrong if ways were taken together.
using Ways = std::vector<Registers>;
constexpr size_t kMaxWays = 32;

class ChunkFlow {
 public:
  ChunkFlow(const ProgramTables& program, const Chunk& chunk)
      : program_(program), chunk_(chunk), before_(chunk.end - chunk.begin) {}

  std::string Run() {
    FindTests();
    const std::vector<bool> none(chunk_.registers);
    Reach(chunk_.begin, {none, none, none});
    while (!waiting_.empty() && !is_too_much_) {
      const uint32_t pc = waiting_.extract(waiting_.begin()).value();
      // Ways back to `pc` change what is known there.
      for (const Registers& before : Ways(before_[pc - chunk_.begin])) Go(pc, before);
    }
    if (is_too_much_) return "";
    for (uint32_t pc = chunk_.begin; pc < chunk_.end; ++pc) {
      for (const Registers& before : before_[pc - chunk_.begin]) {
        ForEachRead(At(pc), [&](uint32_t reg) {
          if (fault_.empty() && !before.written[reg]) {
            fault_ = absl::StrCat("pc ", pc, ": ", ToAbsl(InfoOf(At(pc).opcode()).name), " reads r", reg);
          }
        });
      }
    }
    return fault_;
  }

 private:
  Instruction At(uint32_t pc) const { return program_.InstructionAt(pc); }

  // Those of registers: whether they are null, and whether they are nothing.
  void FindTests() {
    null_tests_.resize(chunk_.registers);
    kept_tests_.resize(chunk_.registers);
    for (uint32_t pc = chunk_.begin; pc < chunk_.end; ++pc) {
      const Instruction i = At(pc);
      if (i.a() >= chunk_.registers) continue;  // no register
      if (i.opcode() == Opcode::kIfKept) kept_tests_[i.a()] = true;
      if (i.opcode() == Opcode::kIfNotNull || (i.opcode() == Opcode::kGuard && i.b() == kIsBool)) {
        null_tests_[i.a()] = true;
      }
    }
  }

  // Follows all ways on from `pc`.
  void Go(uint32_t pc, const Registers& before) {
    const Instruction i = At(pc);
    const OpcodeInfo& info = InfoOf(i.opcode());
    if ((info.flags & kMayExit) != 0) {
      const FastRegion& region = *program_.FastRegionAt(pc);
      Reach(region.general, before);
      if (region.failed != 0) Reach(region.failed, before);
    }
    Registers after = before;
    if (info.a == OperandKind::kDest || info.a == OperandKind::kEdit) after.Write(i.a());
    switch (i.opcode()) {
      case Opcode::kLoadConst:
        after.Write(i.a(), program_.constants()[i.x()].is_null() && null_tests_[i.a()]);
        break;
      case Opcode::kForget:
        for (uint32_t n = 0; n < i.b(); ++n) after.Write(i.a() + n, false, kept_tests_[i.a() + n]);
        break;
      case Opcode::kIfNotNull:
        if (IsNull(i.a(), before)) return Reach(pc + 1, after);
        break;
      case Opcode::kIfKept:
        if (before.nothing[i.a()]) return Reach(pc + 1, after);
        break;
      case Opcode::kGuard:
        if (i.b() == kIsBool && IsNull(i.a(), before)) return;
        break;
      case Opcode::kSkip:
        return Reach(pc + 1 + i.c(), after);
      case Opcode::kRecall:
        Reach(pc + 1 + i.c(), after);
        return Reach(pc + 1, before);
      case Opcode::kFastFor:
      case Opcode::kFastForFilter:
      case Opcode::kFastForBack:
        Reach(i.x(), after);
        after.Write(i.a() + 1u);
        after.Write(i.a() + 2u);
        return Reach(pc + 1, after);
      case Opcode::kForNext:
      case Opcode::kForEach:
      case Opcode::kFastForNext:
      case Opcode::kFastForEach:
      case Opcode::kFastForPrevious:
      case Opcode::kSplatNext: {
        Reach(pc + 1, after);
        const bool has_key = i.opcode() == Opcode::kForNext || i.opcode() == Opcode::kFastForNext ||
                             i.opcode() == Opcode::kFastForPrevious;
        if (has_key) after.Write(i.a() + 1u);
        after.Write(i.a() + 2u);
        return Reach(i.x(), after);
      }
      case Opcode::kFindTest:
      case Opcode::kFindPathTest: {
        const TestPlace place = program_.test_places()[i.b()];
        const TestTable& table = program_.test_tables()[place.table];
        for (size_t test = place.test; test < table.size(); ++test) Reach(table.targets()[test], after);
        return Reach(table.end(), after);
      }
      case Opcode::kBranch:
        Reach(pc + 2, after);
        break;
      case Opcode::kFixedTake:
        Reach(pc + 3, after);
        break;
      default:
        break;
    }
    if ((info.flags & kMayJump) != 0) Reach(info.c == OperandKind::kForward ? pc + 1 + i.c() : i.x(), after);
    if ((info.flags & kEnds) == 0) Reach(pc + 1, after);
  }

  // Whether the operand, of kind kFast, is null for certain.
  bool IsNull(uint16_t operand, const Registers& registers) const {
    if (operand >= kConstantBit) return program_.constants()[operand & ~kConstantBit].is_null();
    return operand < kSlotBit && registers.null[operand];
  }

  // Control may come to `pc` with these registers.
  void Reach(uint32_t pc, const Registers& registers) {
    Ways& ways = before_[pc - chunk_.begin];
    const auto known =
        std::find_if(ways.begin(), ways.end(), [&](const Registers& way) { return way.IsAsBlankAs(registers); });
    if (known == ways.end() && ways.size() == kMaxWays) is_too_much_ = true;
    bool is_new = known == ways.end();
    if (is_new) {
      ways.push_back(registers);
    } else {
      for (const auto bits : {&Registers::written, &Registers::null, &Registers::nothing}) {
        is_new = Meet(registers.*bits, &((*known).*bits)) || is_new;
      }
    }
    if (is_new) waiting_.insert(pc);
  }

  // Leaves in *to what is in `from` too. Whether that changes it.
  static bool Meet(const std::vector<bool>& from, std::vector<bool>* to) {
    bool changed = false;
    for (size_t reg = 0; reg < to->size(); ++reg) {
      if (!(*to)[reg] || from[reg]) continue;
      (*to)[reg] = false;
      changed = true;
    }
    return changed;
  }

  template <typename OnRead>
  void ForEachRead(const Instruction& i, const OnRead& on_read) const {
    const auto run = [&](uint32_t begin, uint32_t count) {
      for (uint32_t n = 0; n < count; ++n) on_read(begin + n);
    };
    switch (i.opcode()) {
      case Opcode::kCall:
      case Opcode::kFastCall:
      case Opcode::kFastAttempt:
      case Opcode::kFastCan:
        return run(i.a(), program_.call_sites()[i.x()].arguments);
      case Opcode::kMakeTuple:
        return run(i.b(), i.c());
      case Opcode::kMakeObject:
        return run(i.b(), program_.shapes()[i.c()]->size);
      case Opcode::kSelect:
        run(i.a() + 1u, 2);
        break;
      case Opcode::kTryTest:
      case Opcode::kFixedPut:
        run(i.a() + 1u, 1);
        break;
      case Opcode::kForFilter:
        run(i.a() + 3u, 2);
        break;
      case Opcode::kSplatEnd:
        run(i.a() + 3u, 1);
        break;
      case Opcode::kConcat:
        for (const uint16_t operand : program_.list(i.x()))
          Read(OperandKind::kRk, program_.layout().Emitted(operand), on_read);
        break;
      default:
        break;
    }
    const OpcodeInfo& info = InfoOf(i.opcode());
    Read(info.a, i.a(), on_read);
    if (info.c == OperandKind::kX) return;
    Read(info.b, i.b(), on_read);
    Read(info.c, i.c(), on_read);
  }

  template <typename OnRead>
  static void Read(OperandKind kind, uint16_t operand, const OnRead& on_read) {
    const bool is_register = kind == OperandKind::kUse || kind == OperandKind::kEdit ||
                             (kind == OperandKind::kRk && operand < kConstantBit) ||
                             (kind == OperandKind::kFast && operand < kSlotBit);
    if (is_register) on_read(uint32_t{operand});
  }

  const ProgramTables& program_;
  const Chunk& chunk_;
  std::vector<bool> null_tests_;  // by register
  std::vector<bool> kept_tests_;
  std::vector<Ways> before_;    // by instruction; none where no way was found to it
  std::set<uint32_t> waiting_;  // instructions whose ways have changed, which go first where they come first
  bool is_too_much_ = false;
  std::string fault_;
};

}  // namespace

std::string WhatIsReadBeforeWritten(const Program& program) {
  const ProgramTables& tables = TablesOf(program);
  for (const Chunk& chunk : tables.chunks()) {
    std::string fault = ChunkFlow(tables, chunk).Run();
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace hcl::internal
