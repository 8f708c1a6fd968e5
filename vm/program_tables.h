// ProgramTables: what a program is made of: code, constants, and the tables that instructions refer to.
//
// Every Program is a ProgramTables; the class that users see holds what they may ask for. The listing is in
// vm/disassembler.cc, the checks in vm/verifier.cc. Tested by vm/program_test.cc.

#ifndef HCLVM_VM_PROGRAM_TABLES_H_
#define HCLVM_VM_PROGRAM_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/frame_layout.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/origin_table.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/range_table.h"
#include "hclvm/vm/read_table.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A place in a program's code that can be entered.
struct Chunk {
  uint32_t begin = 0;  // code offsets
  uint32_t end = 0;
  uint32_t registers = 0;
};

class Interpreter;

// What a compiler wants done that is none of the language's own operations, such as decoding: the machine calls it and
// knows nothing of what it does. The result for `value`, an error value when it has failed (OpContext::Fail). It pays
// for its work with Interpreter::Charge.
using InternalFunction = Value (*)(Interpreter* interpreter, const Value& value, const void* state);

// Such a function with what was prepared for it. Both live as long as the program.
struct InternalCall {
  InternalFunction function;
  const void* state;      // safe to use from many threads
  std::string_view name;  // for listings
};

// Code for the plain case of an expression (see "Fast code" in vm/opcodes.def), and where its the slow path begins.
struct FastRegion {
  uint32_t begin = 0;  // code offsets
  uint32_t end = 0;
  uint32_t general = 0;
  uint32_t failed = 0;  // where fast code goes on when an instruction fails for certain; 0: in the slow path
};

// The source of the code from `pc` on, up to the next entry; null: the program's.
struct SourceEntry {
  uint32_t pc;
  const Source* source;
};

// The variables of a `for`, for messages.
struct LoopNames {
  uint32_t begin;  // code offsets of what is repeated
  uint32_t end;
  uint16_t run;          // the loop's first register: the key is in the next one, the value in the one behind that
  std::string_view key;  // empty when the loop does not name it; both live as long as the program
  std::string_view value;
};

// A loop variable and constant steps into it, for messages.
struct LocalPath {
  uint32_t loop;        // index in ProgramTables::loops()
  uint32_t first_step;  // in ProgramTables::local_steps()
  uint32_t step_count;
  bool is_key;
};

// So much of a program is verified: what belongs to the chunks in front.
struct VerifiedPart {
  size_t chunks = 0;
  size_t regions = 0;
  size_t paths = 0;
};

// A constant, and a step into a value, as listings show them: the beginning of a long one.
std::string ConstantText(const Value& value);
void AppendStepText(const Value& key, bool is_attribute, std::string* text);

// Immutable and thread-safe once built.
class ProgramTables final : public Program {
 public:
  // For ProgramBuilder.
  explicit ProgramTables(Dialect dialect) : Program(dialect) {}

  // Names of all slots: of the variables, and behind them of what hosts do not see.
  absl::Span<const std::string_view> slot_names() const { return variables_; }
  // Of all slots; those of instructions.
  absl::Span<const Path> paths() const { return paths_; }
  // What the module declares that the program is made of; null for all other programs.
  const ModuleTables* module() const { return rare().module.get(); }
  size_t path_step_count() const { return path_steps_.size(); }
  absl::Span<const PathStep> all_steps() const { return path_steps_; }
  absl::Span<const Instruction> code() const { return code_; }
  absl::Span<const Chunk> chunks() const { return chunks_; }
  absl::Span<const Value> constants() const { return constants_; }
  absl::Span<const CallSite> call_sites() const { return call_sites_; }
  // Of attributes, one for each place that takes one, as far as operands reach: each has a cache of its own.
  absl::Span<const Value> names() const { return names_; }
  absl::Span<const Shape* const> shapes() const { return shapes_; }
  absl::Span<const LookupSet> lookups() const { return lookups_; }
  // Of FindTest and FindPathTest.
  const std::vector<TestPlace>& test_places() const { return rare().tests.places; }
  const std::vector<TestTable>& test_tables() const { return rare().tests.tables; }
  // Whether it keeps alive what others own: other sources, functions of its own, and so on.
  bool keeps_owners() const { return !rare().kept.empty(); }
  absl::Span<const InternalCall> internal_calls() const { return rare().internal_calls; }
  // Null for programs that do not keep them.
  const OriginTable* origins() const { return rare().origins.get(); }
  // What RecordEnter and RecordLeave report; null for programs that do not record.
  const RecordTable* records() const { return rare().records.get(); }
  absl::Span<const Diagnostic> prepared_diagnostics() const { return rare().diagnostics; }
  // Operands (registers or constants, as in kRk) of the list at `i`.
  absl::Span<const uint16_t> list(uint32_t i) const {
    HCL_DCHECK(HasList(i));
    return {operands_.data() + i + 1, operands_[i]};
  }
  // Whether a list begins there as far as its size tells.
  bool HasList(uint32_t i) const { return i < operands_.size() && operands_[i] < operands_.size() - i; }
  absl::Span<const FastRegion> fast_regions() const { return fast_regions_; }
  // The region of the instruction at `pc`, or null.
  const FastRegion* FastRegionAt(uint32_t pc) const;
  // Where operands stand while the program is evaluated. Those of code() and list() are placed once it can be.
  const FrameLayout& layout() const { return layout_; }
  // The instruction at `pc`, and an operand of list(), as they were emitted.
  Instruction InstructionAt(uint32_t pc) const { return layout_.Emitted(code_[pc]); }
  // Makes a frame of `frame_size()` values: the constants, registers that hold null, and slots for which nothing is
  // bound.
  size_t frame_size() const { return layout_.size(variables_.size()); }
  void BeginFrame(Value* frame) const;
  // What messages need, by code offset.
  absl::Span<const LoopNames> loops() const { return rare().loops; }
  absl::Span<const LocalPath> local_paths() const { return rare().local_paths; }
  using Program::steps;
  absl::Span<const PathStep> steps(const LocalPath& path) const {
    return rare().local_steps.subspan(path.first_step, path.step_count);
  }
  // The reads of the expression whose code the instruction at `pc` belongs to or follows, as ReadTable::ReadsAt().
  // Those of another chunk do not count.
  ReadTable::Reader ReadsAt(uint32_t pc, uint32_t begin) const;
  // Whether that expression reads a variable of a module that is declared as sensitive, or a local made of one.
  bool ReadsSensitive(uint32_t pc) const {
    return module() != nullptr && module()->has_sensitive && ReadsSensitiveSlots(pc);
  }
  // Where the registers of the chunk of that instruction stand, as an index into the frame.
  uint32_t WindowAt(uint32_t pc) const { return layout_.window(ChunkAt(pc) == main_chunk()); }
  // Source ranges of instructions.
  const RangeTable& ranges() const { return ranges_; }
  // Those of the instruction at `pc`; empty when it has none. They are decoded.
  InstructionRanges SpansAt(uint32_t pc) const {
    HCL_DCHECK(pc < code_.size());
    return ranges_.At(pc);
  }
  // Where the instruction at `pc` is in the text, for messages: its first range, or else that of an instruction near it
  // in its chunk.
  SourceRange PlaceOf(uint32_t pc) const;
  // The source of these, or null when it is source(): where a program was compiled from several.
  const Source* SourceAt(uint32_t pc) const;

  // Checks by the opcode table that every operand is in range, every jump hits an instruction of its own chunk, every
  // chunk ends, and no chunk calls the main one. Empty when sound, otherwise the first fault. Programs from the
  // compiler are sound; a fault is a bug.
  std::string Verify() const;

  // As Program::MemoryBytes().
  size_t BytesHeld() const;
  // As Program::Disassemble().
  std::string Listing() const;

 private:
  friend class ProgramBuilder;
  friend class ProgramGrowth;
  friend class hcl::Program;

  // The same but for what is verified, and places the operands of a program where they are as emitted. One with a fault
  // is of no use then.
  std::string VerifyAndPlace(const FrameLayout& layout, const VerifiedPart& before = {});

  // What few programs have.
  struct Rare {
    std::unique_ptr<const ModuleTables> module;
    std::vector<Diagnostic> diagnostics;
    std::vector<std::shared_ptr<const void>> kept;  // what other sources, functions and so on belong to
    size_t kept_bytes = 0;                          // of these
    TestTables tests;
    std::unique_ptr<RecordTable> records;
    std::unique_ptr<OriginTable> origins;
    absl::Span<const InternalCall> internal_calls;
    absl::Span<const SourceEntry> source_entries;  // by pc
    absl::Span<const LoopNames> loops;             // by begin
    absl::Span<const LocalPath> local_paths;
    absl::Span<const PathStep> local_steps;
    absl::Span<const uint32_t> slots_by_name;  // all of them, where they are many; of equal names, the lower one first
    bool empty() const {
      return module == nullptr && records == nullptr && origins == nullptr && internal_calls.empty() &&
             diagnostics.empty() && kept.empty() && source_entries.empty() && loops.empty() && tests.tables.empty() &&
             slots_by_name.empty();
    }
  };
  static const Rare kNothingRare;

  // So many slots are found one by one, which needs no memory.
  static constexpr size_t kFewSlots = 32;

  // Index of the chunk of the instruction at `pc`.
  uint32_t ChunkAt(uint32_t pc) const;
  bool ReadsSensitiveSlots(uint32_t pc) const;
  const Rare& rare() const { return rare_ == nullptr ? kNothingRare : *rare_; }

  Arena arena_;                          // of the tables, and of what constants point to
  std::shared_ptr<const void> storage_;  // in place of the arena, where several programs share tables
  size_t storage_bytes_ = 0;             // of that
  std::unique_ptr<const Rare> rare_;
  std::shared_ptr<const FunctionRegistry> functions_;
  absl::Span<const Instruction> code_;
  absl::Span<const Chunk> chunks_;
  absl::Span<const Value> constants_;
  absl::Span<const CallSite> call_sites_;
  absl::Span<const Value> names_;
  ReadTable reads_;
  absl::Span<const Shape* const> shapes_;
  absl::Span<const LookupSet> lookups_;
  absl::Span<const uint16_t> operands_;        // of each list, behind their number
  absl::Span<const FastRegion> fast_regions_;  // by pc; none lies in another
  RangeTable ranges_;
  FrameLayout layout_;
};

// The tables of `program`, which every program has.
inline const ProgramTables& TablesOf(const Program& program) { return static_cast<const ProgramTables&>(program); }

}  // namespace hcl::internal

#endif  // HCLVM_VM_PROGRAM_TABLES_H_
