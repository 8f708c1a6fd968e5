// BaseTables: what a BaseLayer has of a program's variables and locals.
//
// Internal to the machine. Tested by tests/base_layer_test.cc.

#ifndef HCLVM_VM_BASE_TABLES_H_
#define HCLVM_VM_BASE_TABLES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/declared_variables.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_state.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Immutable and thread-safe once made.
struct BaseTables {
  struct Variable {
    Value value;  // of a module: as it is declared
    bool is_given = false;
    bool is_replaceable = false;
    bool is_valid = false;  // its validations hold, which read variables of the base alone
  };
  enum class State : uint8_t { kOpen, kMade, kFailed };
  struct Local {
    State state = State::kOpen;  // open: it depends on more than the base
    Value value;
    Failures::Kept failures;
  };

  BaseTables(Dialect dialect, const Limits& limits) : heap(nullptr, dialect, limits) {}

  std::shared_ptr<const Program> program;
  std::shared_ptr<const BaseData> data;
  std::vector<Variable> variables;  // by slot
  std::vector<Local> locals;        // of a module, by index; empty where none is made

  // What values live in, besides `data`.
  std::vector<Value> slots;
  RunState run_state;  // of `declared`
  std::unique_ptr<DeclaredVariables> declared;
  Heap heap;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_BASE_TABLES_H_
