// Program: a compiled config, expression or template. Immutable; shared by any number of evaluators and threads.
//
// Tested by vm/program_test.cc, vm/verifier_test.cc.

#ifndef HCLVM_VM_PROGRAM_H_
#define HCLVM_VM_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "vm/function.h"
#include "vm/heap.h"
#include "vm/lookup_set.h"
#include "vm/opcode.h"
#include "vm/type_defaults.h"
#include "vm/value.h"

namespace hcl {

// A step of a path: an attribute, or an element by a constant key.
struct PathStep {
  Value key;          // a string or a number
  bool is_attribute;  // `.name`; otherwise `[key]`
};

// What an expression reads of the scope: a variable and constant steps into it.
struct Path {
  uint32_t slot;  // of the variable
  uint32_t first_step = 0;
  uint32_t step_count = 0;
};

// A place in a program's code that can be entered.
struct Chunk {
  uint32_t begin = 0;  // code offsets
  uint32_t end = 0;
  uint32_t registers = 0;
};

// A call in the source.
struct CallSite {
  const Function* function;
  uint32_t arguments;
  bool expand_last;
  std::shared_ptr<const void> prepared;  // by Function::prepare, or null
};

// Source ranges of the instruction at `pc`, in the order of span_role in vm/operations.h.
struct SpanEntry {
  uint32_t pc;
  uint32_t first;
};

// What decoding wants of an attribute's value, or of all blocks of one type, and what it says where that fails.
struct DecodeRule {
  Type type;
  std::string summary;
  std::string detail;                            // of an attribute: the message's beginning
  std::shared_ptr<const TypeDefaults> defaults;  // of an attribute, where its type has some
  // Of blocks some of which are dynamic: their type, and how many of them there may be.
  enum class Expansion : uint8_t { kOne, kSequence, kLabeled } expansion = Expansion::kOne;
  std::string block_type;
  uint32_t min_blocks = 0;
  uint32_t max_blocks = 0;  // 0: any number
  uint32_t map_levels = 0;  // of blocks: levels of objects by label that become maps
};

// Code for the plain case of an expression (see "Plain code" in vm/opcodes.def), and where its general code begins.
struct PlainRegion {
  uint32_t begin = 0;  // code offsets
  uint32_t end = 0;
  uint32_t general = 0;
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

// A place in the source that reads a loop variable and constant steps into it, for messages.
struct LocalUse {
  SourceRange range;
  uint32_t pc;          // the first instruction of it, or after it when it has none
  uint32_t loop;        // index in Program::loops()
  uint32_t first_step;  // in Program::local_steps()
  uint32_t step_count;
  bool is_key;
};

// An attribute that can be evaluated by itself.
struct Entry {
  // "policy.admin.allow"; index steps where a block repeats: "rule.0.when". Lives as long as the program.
  std::string_view path;
  uint32_t chunk;
  SourceRange range;
};

class Program {
 public:
  explicit Program(Dialect dialect = Dialect::kSpec, const Limits& limits = {})
      : heap_(nullptr, dialect, limits, kFirstBlockBytes) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Names of the variables that the program reads; a slot is an index here.
  absl::Span<const std::string> variables() const { return variables_; }
  // The slot of `name`, if the program reads it.
  std::optional<uint32_t> FindSlot(std::string_view name) const;
  // Every path that the program may read; a host need not provide more.
  absl::Span<const Path> paths() const { return paths_; }
  absl::Span<const PathStep> steps(const Path& path) const {
    return absl::MakeConstSpan(path_steps_).subspan(path.first_step, path.step_count);
  }

  // All functions that it calls are pure: evaluating it twice over one scope gives the same twice.
  bool is_pure() const { return is_pure_; }

  // Chunk of the whole result.
  uint32_t main_chunk() const { return main_chunk_; }
  absl::Span<const Entry> entries() const { return entries_; }
  // The entry with that path, or null.
  const Entry* FindEntry(std::string_view path) const;

  Dialect dialect() const { return heap_.dialect(); }
  // Types of constants; parent of an evaluator's own.
  const TypeTable* types() const { return heap_.types(); }
  size_t path_step_count() const { return path_steps_.size(); }
  absl::Span<const PathStep> all_steps() const { return path_steps_; }
  const Source& source() const { return *source_; }
  absl::Span<const internal::Instruction> code() const { return code_; }
  absl::Span<const Chunk> chunks() const { return chunks_; }
  absl::Span<const Value> constants() const { return constants_; }
  absl::Span<const CallSite> call_sites() const { return call_sites_; }
  absl::Span<const Shape* const> shapes() const { return shapes_; }
  absl::Span<const LookupSet> lookups() const { return lookups_; }
  absl::Span<const DecodeRule> rules() const { return rules_; }
  absl::Span<const Diagnostic> prepared_diagnostics() const { return diagnostics_; }
  // Operands (registers or constants, as in kRk) of list `i`.
  absl::Span<const uint16_t> list(uint32_t i) const {
    return absl::MakeConstSpan(operands_).subspan(lists_[i], lists_[i + 1] - lists_[i]);
  }
  uint32_t list_count() const { return lists_.empty() ? 0 : static_cast<uint32_t>(lists_.size()) - 1; }
  absl::Span<const PlainRegion> plain_regions() const { return plain_regions_; }
  // The region of the instruction at `pc`, or null.
  const PlainRegion* PlainRegionAt(uint32_t pc) const;
  uint32_t max_registers() const { return max_registers_; }
  // What messages about loops need, both by code offset.
  absl::Span<const LoopNames> loops() const { return loops_; }
  absl::Span<const LocalUse> local_uses() const { return local_uses_; }
  absl::Span<const PathStep> steps(const LocalUse& use) const {
    return absl::MakeConstSpan(local_steps_).subspan(use.first_step, use.step_count);
  }
  // Instructions with ranges, by code offset.
  absl::Span<const SpanEntry> span_entries() const { return span_entries_; }
  // Ranges of the instruction at `pc`; empty when it has none.
  absl::Span<const SourceRange> SpansAt(uint32_t pc) const;
  // The source of these, or null when it is source(): where a program was compiled from several.
  const Source* SourceAt(uint32_t pc) const;

  // Bytes that the program holds beyond its source and its functions.
  size_t MemoryBytes() const;

  // The listing of all chunks, for people and tests.
  std::string Disassemble() const;

  // Checks by the opcode table that every operand is in range, every jump hits an instruction of its own chunk, every
  // chunk ends, and chunks do not recurse. Empty when sound, otherwise the first
  // fault. Programs from the compiler are sound; a fault is a bug.
  std::string Verify() const;

 private:
  friend class ProgramBuilder;

  // Most programs are small and many are kept.
  static constexpr size_t kFirstBlockBytes = 256;

  Heap heap_;  // constants and their types
  std::shared_ptr<const Source> source_;
  std::shared_ptr<const FunctionRegistry> functions_;
  std::vector<internal::Instruction> code_;
  std::vector<Chunk> chunks_;
  std::vector<Value> constants_;
  std::vector<std::string> variables_;
  std::vector<Path> paths_;
  std::vector<PathStep> path_steps_;
  std::vector<CallSite> call_sites_;
  std::vector<const Shape*> shapes_;
  std::vector<LookupSet> lookups_;
  std::vector<DecodeRule> rules_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<uint16_t> operands_;
  std::vector<uint32_t> lists_;
  std::vector<PlainRegion> plain_regions_;  // by pc; none lies in another
  std::vector<SpanEntry> span_entries_;     // by pc
  std::vector<SourceRange> spans_;
  std::vector<SourceEntry> source_entries_;        // by pc
  std::vector<std::shared_ptr<const void>> kept_;  // what other sources, functions and so on belong to
  std::vector<LoopNames> loops_;
  std::vector<LocalUse> local_uses_;
  std::vector<PathStep> local_steps_;
  std::vector<Entry> entries_;
  uint32_t main_chunk_ = 0;
  bool is_pure_ = true;
  uint32_t max_registers_ = 0;
};

}  // namespace hcl

#endif  // HCLVM_VM_PROGRAM_H_
