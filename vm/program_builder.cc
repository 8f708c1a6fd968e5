// ProgramBuilder. Tested by vm/program_test.cc.

#include "vm/program_builder.h"

#include <algorithm>
#include <utility>

#include "base/absl_string.h"

namespace hcl {

using internal::Instruction;
using internal::Tag;

ProgramBuilder::ProgramBuilder(std::shared_ptr<const Source> source, std::shared_ptr<const FunctionRegistry> functions,
                               Dialect dialect, const Limits& limits)
    : program_(std::make_shared<Program>(dialect, limits)) {
  program_->source_ = std::move(source);
  program_->functions_ = std::move(functions);
  program_->lists_.push_back(0);
}

void ProgramBuilder::BeginChunk() {
  Chunk chunk;
  chunk.begin = here();
  program_->chunks_.push_back(chunk);
}

uint32_t ProgramBuilder::EndChunk(uint32_t registers) {
  Chunk& chunk = program_->chunks_.back();
  chunk.end = here();
  chunk.registers = registers;
  program_->max_registers_ = std::max(program_->max_registers_, registers);
  return static_cast<uint32_t>(program_->chunks_.size()) - 1;
}

uint32_t ProgramBuilder::Emit(Opcode op, uint16_t a, uint16_t b, uint16_t c, absl::Span<const SourceRange> spans) {
  const uint32_t pc = here();
  program_->code_.push_back(Instruction(op, a, b, c));
  if (!spans.empty()) {
    program_->span_entries_.push_back({pc, static_cast<uint32_t>(program_->spans_.size())});
    program_->spans_.insert(program_->spans_.end(), spans.begin(), spans.end());
  }
  return pc;
}

uint32_t ProgramBuilder::EmitX(Opcode op, uint16_t a, uint32_t x, absl::Span<const SourceRange> spans) {
  return Emit(op, a, static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16), spans);
}

void ProgramBuilder::EmitPush(uint16_t tuple, uint16_t item) {
  Instruction& last = program_->code_.back();
  if (last.opcode() == Opcode::kGetAttr && last.a() == item && last_target_ != here()) {
    last = Instruction(Opcode::kPushAttr, tuple, last.b(), last.c());
  } else {
    Emit(Opcode::kTuplePush, tuple, item);
  }
}

void ProgramBuilder::PatchToHere(uint32_t jump) {
  last_target_ = here();
  Instruction& i = program_->code_[jump];
  const bool forward = internal::InfoOf(i.opcode()).c == internal::OperandKind::kForward;
  i = forward ? Instruction(i.opcode(), i.a(), i.b(), static_cast<uint16_t>(here() - (jump + 1)))
              : Instruction::WithX(i.opcode(), i.a(), here());
}

uint32_t ProgramBuilder::AddConstant(const Value& value) {
  const uint32_t next = static_cast<uint32_t>(program_->constants_.size());
  if (value.tag() == Tag::kString) {
    auto [it, added] = long_strings_.try_emplace(ToAbsl(value.AsString()), next);
    if (!added) return it->second;
  } else {
    // By bits: finds inline values, and pointers to the same memory.
    auto [it, added] = scalars_.try_emplace(ScalarKey{value.head_bits(), value.payload_bits()}, next);
    if (!added) return it->second;
  }
  program_->constants_.push_back(value);
  return next;
}

std::optional<Value> ProgramBuilder::FindString(std::string_view text) const {
  auto it = long_strings_.find(ToAbsl(text));
  if (it == long_strings_.end()) return std::nullopt;
  return program_->constants_[it->second];
}

uint32_t ProgramBuilder::AddSlot(std::string_view name) {
  if (auto it = slots_.find(ToAbsl(name)); it != slots_.end()) return it->second;
  const uint32_t slot = static_cast<uint32_t>(program_->variables_.size());
  slots_.emplace(name, slot);
  program_->variables_.emplace_back(name);
  return slot;
}

// Writes what tells a path from others to path_key_.
void ProgramBuilder::EncodePath(uint32_t slot, absl::Span<const PathStep> steps) {
  path_key_.clear();
  auto append = [this](const auto& scalar) {
    path_key_.append(reinterpret_cast<const char*>(&scalar), sizeof(scalar));
  };
  append(slot);
  for (const PathStep& step : steps) {
    path_key_.push_back(step.key.is_number() ? 'n' : step.is_attribute ? '.' : 's');
    if (step.key.tag() == Tag::kString || step.key.tag() == Tag::kBigNumber) {
      const std::string text = step.key.is_string() ? std::string(step.key.AsString()) : step.key.AsNumber().ToString();
      append(text.size());
      path_key_.append(text);
    } else {
      append(step.key.head_bits());
      append(step.key.payload_bits());
    }
  }
}

uint32_t ProgramBuilder::AddPath(uint32_t slot, absl::Span<const PathStep> steps) {
  EncodePath(slot, steps);
  if (auto it = paths_.find(path_key_); it != paths_.end()) return it->second;
  const uint32_t index = static_cast<uint32_t>(program_->paths_.size());
  paths_.emplace(path_key_, index);
  Path path;
  path.slot = slot;
  path.first_step = static_cast<uint32_t>(program_->path_steps_.size());
  path.step_count = static_cast<uint32_t>(steps.size());
  program_->paths_.push_back(path);
  program_->path_steps_.insert(program_->path_steps_.end(), steps.begin(), steps.end());
  return index;
}

uint32_t ProgramBuilder::AddShape(const Shape* shape) {
  program_->shapes_.push_back(shape);
  return shape_count() - 1;
}

uint32_t ProgramBuilder::AddLookup(LookupSet set) {
  program_->lookups_.push_back(std::move(set));
  return lookup_count() - 1;
}

uint32_t ProgramBuilder::AddSite(CallSite site) {
  program_->is_pure_ &= site.function->pure;
  program_->call_sites_.push_back(std::move(site));
  return static_cast<uint32_t>(program_->call_sites_.size()) - 1;
}

uint32_t ProgramBuilder::AddList(absl::Span<const uint16_t> operands) {
  program_->operands_.insert(program_->operands_.end(), operands.begin(), operands.end());
  program_->lists_.push_back(static_cast<uint32_t>(program_->operands_.size()));
  return program_->list_count() - 1;
}

uint32_t ProgramBuilder::AddRule(DecodeRule rule) {
  program_->rules_.push_back(std::move(rule));
  return static_cast<uint32_t>(program_->rules_.size()) - 1;
}

void ProgramBuilder::UseSource(const Source* source) {
  if (source == program_->source_.get()) source = nullptr;
  std::vector<SourceEntry>& entries = program_->source_entries_;
  if (source == (entries.empty() ? nullptr : entries.back().source)) return;
  if (!entries.empty() && entries.back().pc == here()) {
    entries.back().source = source;
  } else {
    entries.push_back({here(), source});
  }
}

uint32_t ProgramBuilder::BeginLoop(uint16_t run, std::string_view key, std::string_view value) {
  Arena* arena = heap()->arena();
  program_->loops_.push_back({here(), 0, run, arena->CopyString(key), arena->CopyString(value)});
  return static_cast<uint32_t>(program_->loops_.size()) - 1;
}

void ProgramBuilder::AddLocalUse(SourceRange range, uint32_t loop, bool is_key, absl::Span<const PathStep> steps) {
  LocalUse use;
  use.range = range;
  use.pc = here();
  use.loop = loop;
  use.first_step = static_cast<uint32_t>(program_->local_steps_.size());
  use.step_count = static_cast<uint32_t>(steps.size());
  use.is_key = is_key;
  program_->local_uses_.push_back(use);
  program_->local_steps_.insert(program_->local_steps_.end(), steps.begin(), steps.end());
}

uint32_t ProgramBuilder::AddDiagnostic(Diagnostic diagnostic) {
  const std::vector<SourceEntry>& sources = program_->source_entries_;
  if (diagnostic.source == nullptr && !sources.empty()) diagnostic.source = sources.back().source;
  program_->diagnostics_.push_back(std::move(diagnostic));
  return static_cast<uint32_t>(program_->diagnostics_.size()) - 1;
}

void ProgramBuilder::AddEntry(std::string_view prefix, std::string_view name, uint32_t chunk, SourceRange range) {
  const size_t bytes = prefix.size() + name.size();
  char* path = heap()->arena()->NewArray<char>(bytes);
  std::copy(prefix.begin(), prefix.end(), path);
  std::copy(name.begin(), name.end(), path + prefix.size());
  program_->entries_.push_back({std::string_view(path, bytes), chunk, range});
}

std::shared_ptr<const Program> ProgramBuilder::Finish() && {
  Program& p = *program_;
  std::sort(p.plain_regions_.begin(), p.plain_regions_.end(),
            [](const PlainRegion& a, const PlainRegion& b) { return a.begin < b.begin; });
  auto trim = [](auto& v) { v.shrink_to_fit(); };
  trim(p.code_), trim(p.chunks_), trim(p.constants_), trim(p.variables_), trim(p.paths_), trim(p.path_steps_);
  trim(p.call_sites_), trim(p.shapes_), trim(p.lookups_), trim(p.diagnostics_), trim(p.operands_), trim(p.lists_);
  trim(p.span_entries_), trim(p.spans_), trim(p.loops_), trim(p.local_uses_), trim(p.local_steps_), trim(p.entries_);
  trim(p.rules_), trim(p.source_entries_), trim(p.kept_);
  trim(p.plain_regions_);
  return std::move(program_);
}

}  // namespace hcl
