// Reads: what a program reads of a scope, so that a reader of JSON leaves out the rest.
//
//   const hcl::Reads reads(program, program->main_chunk());
//   hcl::ScopeReader scope(reads);  // hclvm/vm/scope_reader.h
//
// Tested by tests/reads_test.cc and tests/slow/projection_law_test.cc.

#ifndef HCLVM_VM_READS_H_
#define HCLVM_VM_READS_H_

#include <cstdint>
#include <memory>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"

namespace hcl {

namespace internal {
struct ReadTypes;
}  // namespace internal

// What a program reads of a scope where it runs some chunks. Immutable and thread-safe; movable.
class Reads {
 public:
  // `chunks`: of Program::main_chunk() and Entry::chunk, those that are run over a scope. Time: linear in the code of
  // the program and its types.
  Reads(std::shared_ptr<const Program> program, absl::Span<const uint32_t> chunks);
  Reads(std::shared_ptr<const Program> program, uint32_t chunk);
  Reads(Reads&&) noexcept;
  Reads& operator=(Reads&&) noexcept;
  ~Reads();

  // What is needed of a scope: of each variable, the paths of expressions that run or may run; of a module, what the
  // text of the chunks reads, by way of locals, functions and validations too (docs/modules.md, "What must fit"). What
  // is used as a whole (in calls, loops, comparisons, results) is needed whole, and so are arrays, but for attributes
  // that the declared type of their elements does not have. For several programs over one scope: JsonProjection::Add.
  //
  // A scope of which all that was read gives the same result, or a result where all of the scope gives an error: what
  // is wrong in what is not read, and limits. The texts of errors can be others, as they name what else there is: a run
  // that fails has to be done again over a scope that was read whole.
  const JsonProjection& needed() const ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // For the machine: what the variables of a module become of which a part was read.
  const internal::ReadTypes& types() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return *types_; }

 private:
  std::unique_ptr<const internal::ReadTypes> types_;
};

}  // namespace hcl

#endif  // HCLVM_VM_READS_H_
