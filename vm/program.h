// Program: a compiled config, expression or template. Immutable; shared by any number of evaluators and threads.
//
// Tested by vm/program_test.cc.

#ifndef HCLVM_VM_PROGRAM_H_
#define HCLVM_VM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {
class ProgramBuilder;
}  // namespace internal

// A step of a path: an attribute, or an element by a constant key.
struct PathStep {
  Value key;          // a string or a number
  bool is_attribute;  // `.name`; otherwise `[key]`
  // Of a program's steps: the position in a list or tuple that the key stands for, a whole number or its digits; a
  // large number where the slow path has to find it.
  uint32_t position = UINT32_MAX;
};

// What an expression reads of the scope: a variable and constant steps into it.
struct Path {
  uint32_t slot;  // of the variable
  uint32_t first_step = 0;
  uint32_t step_count = 0;
};

// An attribute that can be evaluated by itself.
struct Entry {
  // "policy.admin.allow"; index steps where a block repeats: "rule.0.when". Lives as long as the program.
  std::string_view path;
  uint32_t chunk;  // for Evaluator
  SourceRange range;
};

// What compilations make (compiler/compiler.h) and evaluators run (vm/evaluator.h). Spans, pointers and views that it
// returns live as long as the program.
class Program {
 public:
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Names of the variables that the program reads; a slot is an index here.
  absl::Span<const std::string_view> variables() const { return is_module_ ? ModuleVariables() : variables_; }
  // The slot of `name`, if the program reads it. Names that are equal when normalized (NFC) are one name. Time:
  // logarithmic in the number of variables; linear in a program of a ProgramSet.
  std::optional<uint32_t> FindSlot(std::string_view name) const;
  // Every path that the program may read; a host need not provide more.
  absl::Span<const Path> paths() const { return is_module_ ? ModulePaths() : paths_; }
  // Requires a path of this program.
  absl::Span<const PathStep> steps(const Path& path) const {
    HCL_DCHECK(path.first_step + path.step_count <= path_steps_.size());
    return {path_steps_.data() + path.first_step, path.step_count};
  }

  // All functions that it calls are pure: evaluating it twice over one scope gives the same twice.
  bool is_pure() const { return is_pure_; }

  // The attributes of a config, in the order of the text; empty for expressions and templates.
  absl::Span<const Entry> entries() const { return entries_; }
  // The entry with that path, or null. Paths that are equal when normalized (NFC) are one path. Time: linear in the
  // number of entries.
  const Entry* FindEntry(std::string_view path) const;
  // What stands for the whole config, expression or template, as Entry::chunk does for an entry; for Evaluator.
  uint32_t main_chunk() const { return main_chunk_; }

  // The dialect that it was compiled in.
  Dialect dialect() const { return dialect_; }
  // The text that it was compiled from; the first one where there were several.
  const Source& source() const { return *source_; }
  // Types of constants, parent of an evaluator's own; null when there are none.
  const TypeTable* types() const { return types_.get(); }

  // Bytes that the program holds beyond its source and its functions, when it was made: patterns learn from searches,
  // within Limits::max_prepared_bytes.
  size_t MemoryBytes() const;

  // The listing of the bytecode, for people; its form changes with versions. docs/bytecode.md explains it.
  std::string Disassemble() const;

 protected:
  friend class internal::ProgramBuilder;

  explicit Program(Dialect dialect) : dialect_(dialect) {}
  // Programs are made as internal::ProgramTables, and shared pointers know that.
  ~Program() = default;

  // What hosts see of a module, whose locals are in the tables below as well.
  absl::Span<const std::string_view> ModuleVariables() const;
  absl::Span<const Path> ModulePaths() const;

  std::unique_ptr<const TypeTable> types_;
  std::shared_ptr<const Source> source_;
  absl::Span<const std::string_view> variables_;
  absl::Span<const Path> paths_;
  absl::Span<const PathStep> path_steps_;
  absl::Span<const Entry> entries_;
  Dialect dialect_;
  bool is_pure_ = true;
  bool is_module_ = false;
  uint32_t main_chunk_ = 0;
};

}  // namespace hcl

#endif  // HCLVM_VM_PROGRAM_H_
