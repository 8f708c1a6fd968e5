// ProgramSet::Writer: tables that nobody reads before they are there as a whole. Tested as compiler/program_set.h says.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/compiler/chunk_copy.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/compiler/set_writer.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ProgramBuilder;
using internal::SetRecord;
using internal::SetSegment;

namespace {

// Programs of one segment, and bytes of their names and texts, by level: so that few programs are alone, and the fixed
// parts of segments do not matter.
constexpr uint32_t kSegmentPrograms[internal::kGatheredLevels] = {128, 512};
constexpr size_t kSegmentBytes[internal::kGatheredLevels] = {256 << 10, 1 << 20};

}  // namespace

bool ProgramSet::Writer::CompileAgain(std::string_view text, internal::Code* code) const {
  const Source source("", std::string(text));
  const std::unique_ptr<ParsedFile> file = ParseExpression(source, ParseOptionsFor(options_), &code->diagnostics);
  if (code->diagnostics.has_errors()) return false;
  code->generator.BeginText(text.size());
  code->generator.GenerateChunk(*file->expr);
  return !code->diagnostics.has_errors();
}

// The code is copied. The few programs that need more are compiled again, which works, as it did before; where it does
// not, for want of room, what is pending stays as it is.
void ProgramSet::Writer::AddPending(int level, Id id, const SetRecord& record) {
  std::unique_ptr<internal::Pending>& pending = pending_[level];
  const std::string_view text = record.segment->texts().TextOf(record.chunk);
  if (pending == nullptr) {
    pending = std::make_unique<internal::Pending>(shared_source_, options_, MakeSegment(kSegmentPrograms[level]));
  }
  const std::shared_ptr<const Program> program = record.segment->program();
  const bool is_copied =
      internal::CopyChunk(internal::TablesOf(*program), record.chunk, &pending->code.builder).has_value();
  if (!is_copied && !CompileAgain(text, &pending->code)) return DropPending(level);
  pending->replaced.push_back(record);
  pending->segment->ids()->push_back(id);
  internal::SetTexts* const texts = pending->segment->mutable_texts();
  const internal::SetTexts& from = record.segment->texts();
  texts->Add(from.NameOf(record.chunk), text, from.FirstTestsOf(record.chunk));
  HCL_DCHECK(pending->code.builder.chunk_count() == texts->count());
  if (texts->count() == texts->capacity() || texts->bytes() >= kSegmentBytes[level]) FinishPending(level);
}

void ProgramSet::Writer::DropPending(int level) {
  if (pending_[level] != nullptr) FreeNumber(*pending_[level]->segment);
  pending_[level].reset();
}

// The id that the next program of the first segment had when it came; none where that was the last one, or there is
// none.
std::optional<ProgramSet::Id> ProgramSet::Writer::NextOf(internal::Draining* draining) {
  const SetSegment& segment = *draining->segments.front();
  if (draining->done < segment.ids()->size()) return (*segment.ids())[draining->done++];
  draining->segments.pop_front();
  draining->done = 0;
  return std::nullopt;
}

// A few programs of segments that are given up go to others. Those of tables that grow are moved by Put() as well, in
// one step with the program that it is called for.
void ProgramSet::Writer::Drain(bool may_move) {
  if (may_move && !grown_.segments.empty()) {
    if (growing_ == nullptr) StartGrowing();
    growing_->mark = growing_->code.builder.Here();
    Changes changes;
    Move(&changes);
    if (!changes.empty() && Grow()) Publish(changes);
    if (growing_ != nullptr && IsFull()) FinishGrowing();
  }
  for (uint32_t n = 0; n < internal::kDrainedPrograms && !gathered_.segments.empty(); ++n) {
    const std::shared_ptr<const SetSegment> segment = gathered_.segments.front();
    const std::optional<Id> id = NextOf(&gathered_);
    if (!id) continue;
    const SetRecord record{segment, gathered_.done - 1};
    if (IsThere(*id, record)) AddPending(1, *id, record);
  }
}

// A program must have a main chunk, which nobody runs here.
void ProgramSet::Writer::FinishPending(int level) {
  const std::unique_ptr<internal::Pending> pending = std::move(pending_[level]);
  ProgramBuilder& builder = pending->code.builder;
  internal::Registers& registers = *pending->code.generator.registers();
  builder.BeginChunk();
  registers.Reset();
  const uint16_t none = registers.Allocate();
  builder.EmitX(internal::Opcode::kLoadConst, none, builder.AddConstant(Value()));
  builder.Emit(internal::Opcode::kReturn, 0, none);
  builder.SetMain(builder.EndChunk(registers.used()));
  const std::shared_ptr<SetSegment>& segment = pending->segment;
  std::shared_ptr<const Program> program = std::move(builder).FinishVerified(&pending->code.diagnostics);
  if (program == nullptr) return FreeNumber(*segment);
  segment->set_program(std::move(program));
  segment->Finish();
  std::vector<Change> changes;
  for (uint32_t chunk = 0; chunk < pending->replaced.size(); ++chunk) {
    const Id id = (*segment->ids())[chunk];
    if (IsThere(id, pending->replaced[chunk])) changes.emplace_back(id, SetRecord{segment, chunk});
  }
  if (changes.empty()) return FreeNumber(*segment);
  Publish(changes);
  if (level == 0) StartDraining(*segment);
}

}  // namespace hcl
