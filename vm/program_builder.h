// ProgramBuilder: collects code, constants and tables, and becomes a Program.
//
// Tested by vm/program_test.cc.

#ifndef HCLVM_VM_PROGRAM_BUILDER_H_
#define HCLVM_VM_PROGRAM_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/frame_layout.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/intern_index.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/origin_table.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/range_table.h"
#include "hclvm/vm/read_table.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Chunks are written one after the other; jumps are absolute code offsets.
class ProgramBuilder {
 public:
  // `limits` bound what constant folding may make.
  ProgramBuilder(std::shared_ptr<const Source> source, std::shared_ptr<const FunctionRegistry> functions,
                 Dialect dialect, const Limits& limits = {});
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  // Bytes of the text that is compiled.
  size_t source_bytes() const { return source_->text().size(); }

  // Memory of constants, which becomes the program's.
  Heap* heap() { return &heap_; }

  void BeginChunk();
  // Ends the chunk, which used `registers` registers, and returns its index.
  uint32_t EndChunk(uint32_t registers);

  // Appends an instruction and returns its offset. `spans` are the source ranges of its roles (vm/operations.h).
  uint32_t Emit(Opcode op, uint16_t a = 0, uint16_t b = 0, uint16_t c = 0) {
    const uint32_t pc = here();
    // Written where it stays: its parts need not be put together before.
    *code_.Reserve(1) = Instruction(op, a, b, c);
    code_.Grow(1);
    return pc;
  }
  uint32_t Emit(Opcode op, uint16_t a, uint16_t b, uint16_t c, absl::Span<const SourceRange> spans);
  uint32_t EmitX(Opcode op, uint16_t a, uint32_t x) {
    return Emit(op, a, static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16));
  }
  uint32_t EmitX(Opcode op, uint16_t a, uint32_t x, absl::Span<const SourceRange> spans) {
    return Emit(op, a, static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16), spans);
  }
  // TuplePush of a constant, or of a register that nothing else reads: one instruction with the GetAttr that is its
  // value.
  void EmitPush(uint16_t tuple, uint16_t item);
  // Guard, by its number, that a register holds a bool or nothing, likewise.
  void EmitBoolCheck(uint16_t reg, uint16_t check);
  // A jump whose target is set later by PatchToHere().
  uint32_t EmitJump(Opcode op, uint16_t a = 0) { return EmitX(op, a, 0); }
  uint32_t EmitJump(Opcode op, uint16_t a, absl::Span<const SourceRange> spans) { return EmitX(op, a, 0, spans); }
  // An operand of kind kForward reaches over 65,535 instructions at most; FinishVerified() reports a longer jump.
  void PatchToHere(uint32_t jump);
  Instruction At(uint32_t offset) const { return code_[offset]; }
  const Chunk& chunk(uint32_t index) const { return chunks_[index]; }
  // Those that were added, in that order.
  absl::Span<const FastRegion> fast_regions() const { return fast_regions_; }
  // The constant that the chunk returns, and the path whose value it returns, if it does nothing else.
  std::optional<uint32_t> ConstantOf(uint32_t chunk) const;
  std::optional<uint32_t> PathOf(uint32_t chunk) const;
  // Where a jump of the fast path goes, once it is patched.
  uint32_t TargetOf(uint32_t jump) const { return jump + 1 + code_[jump].c(); }
  // A test of one string, as it stands in code.
  struct TestCode {
    uint16_t subject;  // what is tested: an operand of fast code, or a path
    bool is_path;
    uint32_t begin;  // its first instruction
    uint32_t body;   // where control goes where it holds
  };
  // Makes looks into `table` of these tests, which are those of the table.
  void ReplaceTests(TestTable table, absl::Span<const TestCode> tests);
  // So many more are possible.
  size_t RoomForTests() const;
  // Instructions as they are, and the ranges of a whole chunk of another program, whose copy stands `moved` further
  // behind.
  void Append(absl::Span<const Instruction> code) { code_.Append(code); }
  void AddRanges(const RangeTable& from, const Chunk& chunk, uint32_t moved) {
    ranges_.AddGroups(from, chunk.begin, chunk.end, moved);
  }
  // In any order; Finish() sorts them.
  void AddFastRegion(FastRegion region) { fast_regions_.push_back(region); }
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }

  // How much there is of what a chunk adds to: for Rewind().
  struct Mark {
    size_t code, chunks, operands, shapes, regions, diagnostics, internal_calls, sources, loops, local_paths,
        local_steps;
    RangeTableWriter::Mark ranges;
    ReadTableWriter::Mark reads;
    bool is_pure;
    size_t test_tables, test_places;
  };
  Mark Here() const;
  // Takes back what was added since `mark`, between chunks. What others may share stays: constants, paths, names, call
  // sites, and what is kept.
  void Rewind(const Mark& mark);
  size_t kept_count() const { return rare_.kept.size(); }
  uint32_t chunk_count() const { return static_cast<uint32_t>(chunks_.size()); }

  // Whose memory a value is in: the program's, or that of somebody else, who may go before it.
  enum class Memory { kOwn, kOthers };
  // A copy in the program's memory.
  Value Owned(const Value& value) { return Clone(value, heap_.arena(), heap_.types()); }

  // Index of a constant, a variable's slot, and so on; equal ones are shared, and others copied where they are not the
  // program's.
  uint32_t AddConstant(const Value& value, Memory memory = Memory::kOwn);
  // The string constant of that text, if there is one and it is not inline.
  std::optional<Value> FindString(std::string_view text) const;
  uint32_t AddSlot(std::string_view name);
  std::string_view slot_name(uint32_t slot) const { return variables_[slot]; }
  // The slot of a local value of a module, whose variables all have theirs already. `name` is for messages and
  // listings.
  uint32_t AddLocalSlot(std::string_view name);
  uint32_t AddPath(uint32_t slot, absl::Span<const PathStep> steps, Memory memory = Memory::kOwn);
  // How far AddPath() may look for a path. For tests.
  size_t LongestPathSearch() const { return path_index_.LongestSearch(); }
  // Index of the name of an attribute, a string: its own as long as there are few, then that of an equal one. Nullopt
  // when no operand reaches so far.
  std::optional<uint16_t> AddName(const Value& name);
  uint32_t AddShape(const Shape* shape);
  // The set of the elements of `tuple`; see LookupSet. Equal ones are shared.
  uint32_t AddLookup(const Value& tuple, Memory memory = Memory::kOwn);
  // A CallSite of these. What they point to belongs to the program's functions, or is kept. Equal ones that have
  // prepared nothing are shared.
  uint32_t AddSite(const Function* function, const void* prepared, uint32_t arguments, bool expand_last);
  uint32_t AddList(absl::Span<const uint16_t> operands);
  // What `state` points to is kept by the program (Keep); `name` is copied.
  uint32_t AddInternalCall(InternalFunction function, const void* state, std::string_view name);
  // A loop whose registers begin at `run`, from here on, up to EndLoop(); an empty `key` for none. Returns its index.
  uint32_t BeginLoop(uint16_t run, std::string_view key, std::string_view value);
  void EndLoop(uint32_t loop) { loops_[loop].end = here(); }
  // A loop with code that is there; its names are copied. Returns its index.
  uint32_t AddLoop(const LoopNames& loop);
  // The code from `pc` on is that of an expression whose reads are added from here on.
  void BeginReads(uint32_t pc) { reads_.Begin(pc); }
  // A read of a path at `range`, and one of a variable of a loop.
  void AddRead(SourceRange range, uint32_t path) { reads_.Add(range, path); }
  void AddLocalRead(SourceRange range, uint32_t loop, bool is_key, absl::Span<const PathStep> steps);
  // The table of a program that records.
  RecordTable* records() {
    if (rare_.records == nullptr) rare_.records = std::make_unique<RecordTable>();
    return rare_.records.get();
  }
  // The table of a program that keeps origins.
  OriginTable* origins() {
    if (rare_.origins == nullptr) rare_.origins = std::make_unique<OriginTable>();
    return rare_.origins.get();
  }
  // The source that ranges are in here, also where that is the program's own.
  const Source* source() const { return source_here() != nullptr ? source_here() : source_.get(); }
  // All reads of the expression are added.
  void EndReads() { reads_.End(); }
  uint32_t AddDiagnostic(Diagnostic diagnostic);
  const Diagnostic& diagnostic(uint32_t index) const { return rare_.diagnostics[index]; }
  // The entry `prefix` + `name`.
  void AddEntry(std::string_view prefix, std::string_view name, uint32_t chunk, SourceRange range);
  // Those that were added, in that order.
  absl::Span<const Entry> entries() const { return entries_; }
  // Ranges of the instructions from here on are in `source`, which something kept owns; null: in the program's own.
  void UseSource(const Source* source);
  // That source.
  const Source* source_here() const { return source_entries_.empty() ? nullptr : source_entries_.back().source; }
  // Keeps `owner`, if there is one, alive as long as the program.
  // `bytes` of it count as the program's.
  void Keep(std::shared_ptr<const void> owner, size_t bytes = 0) {
    rare_.kept_bytes += bytes;
    if (owner != nullptr) rare_.kept.push_back(std::move(owner));
  }
  void SetMain(uint32_t chunk) { main_chunk_ = chunk; }
  // What the program declares, if it is that of a module.
  void SetModule(std::unique_ptr<const ModuleTables> module) { rare_.module = std::move(module); }

  uint32_t shape_count() const { return static_cast<uint32_t>(shapes_.size()); }
  const LookupSet& lookup(uint32_t index) const { return lookups_[index]; }
  uint32_t lookup_count() const { return static_cast<uint32_t>(lookups_.size()); }

  // The program, which may be unsound, and cannot be evaluated: for the verifier, and for listings.
  std::shared_ptr<const Program> Finish() &&;
  // The same, verified (ProgramTables::Verify) and ready to be evaluated: what compilers call. An unsound program is
  // our mistake, never the user's, and must not run: the process ends with the fault on stderr. Null, with a
  // diagnostic, when a jump is too far for its operand, or a frame would be too large.
  std::shared_ptr<const Program> FinishVerified(Diagnostics* diagnostics) &&;

 private:
  friend class ProgramGrowth;

  // Tables that a program has in others of its parts.
  struct Parts {
    explicit Parts(ProgramTables::Rare* of) : rare(of) {}
    ProgramTables::Rare* rare;
    absl::Span<const uint8_t> range_bytes;
    absl::Span<const RangeTable::Mark> range_marks;
    absl::Span<const uint8_t> read_bytes;
    absl::Span<const ReadTable::Mark> read_marks;
  };
  static constexpr size_t kTables = 22;

  // Most programs are small and many are kept.
  static constexpr size_t kFirstBlockBytes = 256;

  void MakeRoom();
  ABSL_ATTRIBUTE_NOINLINE uint32_t AddText(const Value& text, Memory memory);
  ABSL_ATTRIBUTE_NOINLINE uint32_t AddNewConstant(uint64_t hash, const Value& value, Memory memory);
  ABSL_ATTRIBUTE_NOINLINE uint32_t AddNewSlot(uint64_t hash, std::string_view name);
  ABSL_ATTRIBUTE_NOINLINE uint32_t AddNewPath(uint64_t hash, uint32_t slot, absl::Span<const PathStep> steps,
                                              Memory memory);
  std::shared_ptr<ProgramTables> Build() &&;
  void PackTables(ProgramTables* program);
  // Calls `take` with each of the lists and where the program has it, always in the same order.
  template <typename Take>
  void ForEachTable(ProgramTables* program, Parts* parts, const Take& take) const;
  FrameLayout LayOut() const;

  std::shared_ptr<const Source> source_;
  std::shared_ptr<const FunctionRegistry> functions_;
  Heap heap_;
  // The program's tables, as they grow. Small programs allocate nothing for them.
  PlainList<Instruction, 96> code_;
  PlainList<Chunk, 2> chunks_;
  PlainList<Value, 16> constants_;
  PlainList<std::string_view, 8> variables_;
  PlainList<Path, 16> paths_;
  PlainList<PathStep, 16> path_steps_;
  PlainList<CallSite, 8> call_sites_;
  PlainList<Value, 8> names_;
  HashMap<uint32_t, uint16_t> shared_names_;  // by the constant
  PlainList<const Shape*, 8> shapes_;
  PlainList<LookupSet, 8> lookups_;
  PlainList<uint16_t, 16> operands_;
  PlainList<FastRegion, 2> fast_regions_;
  RangeTableWriter ranges_;
  std::vector<Entry> entries_;
  ProgramTables::Rare rare_;  // without what is in the next ones
  std::vector<InternalCall> internal_calls_;
  std::vector<SourceEntry> source_entries_;
  std::vector<LoopNames> loops_;
  std::vector<LocalPath> local_paths_;
  std::vector<PathStep> local_steps_;
  ReadTableWriter reads_;
  uint32_t last_target_ = 0;   // of a jump that was patched: no instructions are joined across it
  bool has_far_jump_ = false;  // a distance did not fit its operand
  uint32_t main_chunk_ = 0;
  bool is_pure_ = true;
  // Where equal ones are.
  InternIndex constant_index_;
  InternIndex variable_index_;
  uint32_t last_slot_ = UINT32_MAX;  // that was added or found: policies mostly ask for the same again
  InternIndex path_index_;
  InternIndex lookup_index_;
  InternIndex site_index_;  // of calls that have prepared nothing
};

// Every table is named here once.
template <typename Take>
void ProgramBuilder::ForEachTable(ProgramTables* program, Parts* parts, const Take& take) const {
  take(absl::MakeConstSpan(code_), &program->code_);
  take(absl::MakeConstSpan(chunks_), &program->chunks_);
  take(absl::MakeConstSpan(constants_), &program->constants_);
  take(absl::MakeConstSpan(variables_), &program->variables_);
  take(absl::MakeConstSpan(paths_), &program->paths_);
  take(absl::MakeConstSpan(path_steps_), &program->path_steps_);
  take(absl::MakeConstSpan(call_sites_), &program->call_sites_);
  take(absl::MakeConstSpan(names_), &program->names_);
  take(absl::MakeConstSpan(shapes_), &program->shapes_);
  take(absl::MakeConstSpan(lookups_), &program->lookups_);
  take(absl::MakeConstSpan(operands_), &program->operands_);
  take(absl::MakeConstSpan(fast_regions_), &program->fast_regions_);
  take(absl::MakeConstSpan(entries_), &program->entries_);
  take(absl::MakeConstSpan(internal_calls_), &parts->rare->internal_calls);
  take(absl::MakeConstSpan(source_entries_), &parts->rare->source_entries);
  take(absl::MakeConstSpan(loops_), &parts->rare->loops);
  take(absl::MakeConstSpan(local_paths_), &parts->rare->local_paths);
  take(absl::MakeConstSpan(local_steps_), &parts->rare->local_steps);
  take(ranges_.bytes(), &parts->range_bytes);
  take(ranges_.marks(), &parts->range_marks);
  take(reads_.bytes(), &parts->read_bytes);
  take(reads_.marks(), &parts->read_marks);
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_PROGRAM_BUILDER_H_
