// ReadTypes: what some chunks read of a scope, and what becomes of that.
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

namespace hcl::internal {

// Immutable and thread-safe once made.
struct ReadTypes {
  explicit ReadTypes(std::shared_ptr<const Program> of)
      : program(std::move(of)), heap(program->types(), program->dialect()) {}

  std::shared_ptr<const Program> program;
  JsonProjection needed;
  Heap heap;  // of plans
  // Of a module, by slot: what its value becomes; null where none of the chunks reads the variable.
  std::vector<std::unique_ptr<const BindingPlan>> plans;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_READ_TYPES_H_
