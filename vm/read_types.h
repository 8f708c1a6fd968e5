// ReadTypes: the parts of a module's variables that a chunk reads, as types of their own.
//
// Internal to the machine. Tested by tests/reads_test.cc.

#ifndef HCLVM_VM_READ_TYPES_H_
#define HCLVM_VM_READ_TYPES_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

// Immutable and thread-safe once made.
struct ReadTypes {
  struct Variable {
    Type type;
    std::unique_ptr<const BindingPlan> plan;  // null: none of the chunks needs the variable
  };

  explicit ReadTypes(std::shared_ptr<const Program> of)
      : program(std::move(of)), heap(program->types(), program->dialect()) {}

  std::shared_ptr<const Program> program;
  JsonProjection needed;
  Heap heap;                        // of types and plans
  std::vector<Variable> variables;  // of a module, by slot
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_READ_TYPES_H_
