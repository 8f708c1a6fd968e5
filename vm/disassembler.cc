// Disassembler: a program as text, generated from the opcode table. Tested by compiler/compiler_test.cc.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/print_numbers.h"
#include "hclvm/base/printable.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxConstantText = 60;

// The text is as in the source, so that a listing can be read beside it.
std::string PathText(const ProgramTables& program, uint32_t index) {
  const Path& path = program.paths()[index];
  std::string text(program.slot_names()[path.slot]);
  for (const PathStep& step : program.steps(path)) AppendStepText(step.key, step.is_attribute, &text);
  return text;
}

// One case for each kind of operand in the table, and none for an opcode: a new opcode needs no change here. `x` is the
// wide operand where the table says so, and the target of a forward jump; `narrow` is the column's own 16 bits.
void AppendOperand(const ProgramTables& program, OperandKind kind, uint16_t narrow, uint32_t x, std::string* out) {
  const bool is_constant = (narrow & internal::kConstantBit) != 0;
  const uint32_t wide = x;
  switch (kind) {
    case OperandKind::kNone:
    case OperandKind::kX:
      return;
    case OperandKind::kDest:
    case OperandKind::kUse:
    case OperandKind::kEdit:
      absl::StrAppend(out, " r", narrow);
      return;
    case OperandKind::kRk:
      if (is_constant) {
        absl::StrAppend(out, " ", ConstantText(program.constants()[narrow & ~internal::kConstantBit]));
      } else {
        absl::StrAppend(out, " r", narrow);
      }
      return;
    case OperandKind::kFast:
      if (!is_constant && (narrow & internal::kSlotBit) != 0) {
        absl::StrAppend(out, " ", ToAbsl(program.slot_names()[narrow & ~internal::kSlotBit]));
        return;
      }
      AppendOperand(program, OperandKind::kRk, narrow, x, out);
      return;
    case OperandKind::kForward:
      absl::StrAppend(out, " -> ", x);
      return;
    case OperandKind::kCount:
      absl::StrAppend(out, " #", wide);
      return;
    case OperandKind::kConst:
      absl::StrAppend(out, " ", ConstantText(program.constants()[wide]));
      return;
    case OperandKind::kName:
      absl::StrAppend(out, " ", ConstantText(program.names()[narrow]));
      return;
    case OperandKind::kVariable:
      absl::StrAppend(out, " ", ToAbsl(program.slot_names()[narrow]));
      return;
    case OperandKind::kPath:
      absl::StrAppend(out, " ", PathText(program, wide));
      return;
    case OperandKind::kJump:
      absl::StrAppend(out, " -> ", wide);
      return;
    case OperandKind::kSite: {
      const CallSite& site = program.call_sites()[wide];
      absl::StrAppend(out, " ", site.function->name, "/", site.arguments, site.expand_last ? "..." : "");
      return;
    }
    case OperandKind::kShape: {
      const Shape& shape = *program.shapes()[wide];
      absl::StrAppend(out, " {");
      for (uint32_t i = 0; i < shape.size; ++i)
        absl::StrAppend(out, i > 0 ? "," : "", ToAbsl(shape.keys[i].AsString()));
      absl::StrAppend(out, "}");
      return;
    }
    case OperandKind::kLookup:
      absl::StrAppend(out, " ", ConstantText(program.lookups()[narrow].tuple()));
      return;
    case OperandKind::kTest: {
      const TestPlace place = program.test_places()[narrow];
      absl::StrAppend(out, " test ", place.test, " of ", program.test_tables()[place.table].size());
      return;
    }
    case OperandKind::kList:
      for (const uint16_t operand : program.list(wide)) {
        AppendOperand(program, OperandKind::kRk, program.layout().Emitted(operand), 0, out);
      }
      return;
    case OperandKind::kChunk:
      absl::StrAppend(out, " chunk ", wide);
      return;
    case OperandKind::kPoint:
      absl::StrAppend(out, " point ", wide);
      return;
    case OperandKind::kInternal:
      absl::StrAppend(out, " ", ToAbsl(program.internal_calls()[wide].name));
      return;
    case OperandKind::kDiag:
      absl::StrAppend(out, " \"", program.prepared_diagnostics()[wide].summary, "\"");
      return;
  }
}

}  // namespace

// Typed JSON shows what plain JSON cannot: unknown values and infinities. A long text is cut, possibly inside of a
// character, because a listing is one line for each instruction.
std::string ConstantText(const Value& value) {
  if (value.is_error()) return "error";
  TypeTable types;
  std::string text;
  AppendTypedValueJson(value, &types, &text);
  if (text.size() > kMaxConstantText) {
    text.resize(kMaxConstantText);
    text += "...";
  }
  return text;
}

void AppendStepText(const Value& key, bool is_attribute, std::string* text) {
  if (is_attribute) {
    AppendNameStep(key.AsString(), text);
  } else if (key.is_string()) {
    AppendKeyStep(key.AsString(), text);
  } else {
    absl::StrAppend(text, "[", ConstantText(key), "]");
  }
}

// Relative jumps are shown with absolute targets, too, and regions of fast code are named at their first instruction.
// The listing is for people and tests; nothing reads it back.
std::string ProgramTables::Listing() const {
  // Entries by their chunks: a large config has as many of the ones as of the others.
  std::vector<const Entry*> entries;
  for (const Entry& entry : entries_) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) { return a->chunk < b->chunk; });
  auto entry = entries.begin();
  std::string out;
  for (uint32_t c = 0; c < chunks_.size(); ++c) {
    absl::StrAppend(&out, "chunk ", c);
    if (c == main_chunk_) absl::StrAppend(&out, " (main)");
    for (; entry != entries.end() && (*entry)->chunk == c; ++entry)
      absl::StrAppend(&out, " ", Printable((*entry)->path));
    absl::StrAppend(&out, ": ", chunks_[c].registers, " registers\n");
    for (uint32_t pc = chunks_[c].begin; pc < chunks_[c].end; ++pc) {
      const Instruction i = InstructionAt(pc);
      const internal::OpcodeInfo& info = InfoOf(i.opcode());
      std::string line = absl::StrCat(internal::PrintNumbers("%5u  ", pc), ToAbsl(info.name));
      constexpr size_t kOperands = 7 + 14;  // where they begin, behind pc and name
      if (line.size() < kOperands) line.append(kOperands - line.size(), ' ');
      AppendOperand(*this, info.a, i.a(), i.a(), &line);
      AppendOperand(*this, info.b, i.b(), i.x(), &line);
      AppendOperand(*this, info.c, i.c(), info.c == OperandKind::kForward ? pc + 1 + i.c() : i.c(), &line);
      const FastRegion* region = FastRegionAt(pc);
      if (region != nullptr && region->begin == pc) {
        absl::StrAppend(&line, "  ; fast code, slow path ", region->general);
        if (region->failed != 0) absl::StrAppend(&line, ", after a failure ", region->failed);
      }
      while (!line.empty() && line.back() == ' ') line.pop_back();
      absl::StrAppend(&out, Printable(line), "\n");
    }
  }
  return out;
}

}  // namespace hcl::internal
