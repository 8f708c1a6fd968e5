// ProgramBuilder: collects code, constants and tables, and becomes a Program.
//
// Tested by vm/program_test.cc.

#ifndef HCLVM_VM_PROGRAM_BUILDER_H_
#define HCLVM_VM_PROGRAM_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "vm/opcode.h"
#include "vm/program.h"

namespace hcl {

// Not thread-safe. Chunks are written one after the other; jumps are absolute code offsets.
class ProgramBuilder {
 public:
  using Opcode = internal::Opcode;

  // `limits` bound what constant folding may make.
  ProgramBuilder(std::shared_ptr<const Source> source, std::shared_ptr<const FunctionRegistry> functions,
                 Dialect dialect, const Limits& limits = {});

  // Memory of constants, which becomes the program's.
  Heap* heap() { return &program_->heap_; }

  void BeginChunk();
  // Ends the chunk, which used `registers` registers, and returns its index.
  uint32_t EndChunk(uint32_t registers);

  // Appends an instruction and returns its offset. `spans` are the source ranges of its roles (vm/operations.h).
  uint32_t Emit(Opcode op, uint16_t a = 0, uint16_t b = 0, uint16_t c = 0, absl::Span<const SourceRange> spans = {});
  uint32_t EmitX(Opcode op, uint16_t a, uint32_t x, absl::Span<const SourceRange> spans = {});
  // TuplePush of a constant, or of a register that nothing else reads: one instruction with the GetAttr that is its
  // value.
  void EmitPush(uint16_t tuple, uint16_t item);
  // A jump whose target is set later by PatchToHere().
  uint32_t EmitJump(Opcode op, uint16_t a = 0, absl::Span<const SourceRange> spans = {}) {
    return EmitX(op, a, 0, spans);
  }
  // For an operand of kind kForward, one of the 65,535 instructions before.
  void PatchToHere(uint32_t jump);
  internal::Instruction At(uint32_t offset) const { return program_->code_[offset]; }
  // Regions come in the order of their code.
  void AddPlainRegion(PlainRegion region) { program_->plain_regions_.push_back(region); }
  uint32_t here() const { return static_cast<uint32_t>(program_->code_.size()); }

  // Index of a constant, a variable's slot, and so on; equal ones are shared.
  uint32_t AddConstant(const Value& value);
  // The string constant of that text, if there is one and it is not inline.
  std::optional<Value> FindString(std::string_view text) const;
  uint32_t AddSlot(std::string_view name);
  uint32_t AddPath(uint32_t slot, absl::Span<const PathStep> steps);
  uint32_t AddShape(const Shape* shape);
  uint32_t AddLookup(LookupSet set);
  uint32_t AddSite(CallSite site);
  uint32_t AddList(absl::Span<const uint16_t> operands);
  uint32_t AddRule(DecodeRule rule);
  // A loop whose registers begin at `run`, from here on, up to EndLoop(); an empty `key` for none. Returns its index.
  uint32_t BeginLoop(uint16_t run, std::string_view key, std::string_view value);
  void EndLoop(uint32_t loop) { program_->loops_[loop].end = here(); }
  // A use, at `range`, of a variable of that loop.
  void AddLocalUse(SourceRange range, uint32_t loop, bool is_key, absl::Span<const PathStep> steps);
  uint32_t AddDiagnostic(Diagnostic diagnostic);
  // The entry `prefix` + `name`.
  void AddEntry(std::string_view prefix, std::string_view name, uint32_t chunk, SourceRange range);
  // Ranges of the instructions from here on are in `source`, which something kept owns; null: in the program's own.
  void UseSource(const Source* source);
  // Keeps `owner` alive as long as the program.
  void Keep(std::shared_ptr<const void> owner) { program_->kept_.push_back(std::move(owner)); }
  void SetMain(uint32_t chunk) { program_->main_chunk_ = chunk; }

  uint32_t shape_count() const { return static_cast<uint32_t>(program_->shapes_.size()); }
  const LookupSet& lookup(uint32_t index) const { return program_->lookups_[index]; }
  uint32_t lookup_count() const { return static_cast<uint32_t>(program_->lookups_.size()); }

  std::shared_ptr<const Program> Finish() &&;

 private:
  void EncodePath(uint32_t slot, absl::Span<const PathStep> steps);

  struct ScalarKey {
    uint64_t head, payload;
    friend bool operator==(ScalarKey a, ScalarKey b) { return a.head == b.head && a.payload == b.payload; }
    template <typename H>
    friend H AbslHashValue(H h, ScalarKey k) {
      return H::combine(std::move(h), k.head, k.payload);
    }
  };

  std::shared_ptr<Program> program_;
  absl::flat_hash_map<ScalarKey, uint32_t> scalars_;
  absl::flat_hash_map<absl::string_view, uint32_t> long_strings_;  // the constants' own text
  absl::flat_hash_map<std::string, uint32_t> slots_;
  uint32_t last_target_ = 0;  // of a jump that was patched: no instructions are joined across it
  absl::flat_hash_map<std::string, uint32_t> paths_;  // by their steps, encoded
  std::string path_key_;                              // the one looked up last; its memory is used again
};

}  // namespace hcl

#endif  // HCLVM_VM_PROGRAM_BUILDER_H_
