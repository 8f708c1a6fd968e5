// ModuleTables: what the program of a module declares, beside its code (docs/modules.md).
//
// Tested by module/module_test.cc.

#ifndef HCLVM_VM_MODULE_TABLES_H_
#define HCLVM_VM_MODULE_TABLES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/read_paths.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A condition that a variable has to meet, and what is said where it does not.
struct ModuleValidation {
  uint32_t condition;  // chunks
  uint32_t message;
  SourceRange range;  // of the condition
  bool sensitive;     // the message reads a variable that is
  SourceRange message_range;
};

// A variable: what a host gives becomes a value of its type.
struct ModuleVariable {
  std::string name;
  std::string description;
  Type type;  // dynamic: any
  std::shared_ptr<const BindingPlan> plan;
  std::shared_ptr<const TypeDefaults> defaults;  // of attributes that may be missing; may be null
  std::optional<Value> default_value;            // of the type; without it, a value must be given
  bool nullable = false;
  bool sensitive = false;  // also of each that is ephemeral
  bool ephemeral = false;
  std::string deprecated;  // what its users are told; empty where it is not deprecated
  SourceRange range;       // of the name in the declaration
  const Source* source;    // of that and of the validations
  std::vector<ModuleValidation> validations;
};

// A value that the module names, made when it is first read in a run.
struct ModuleLocal {
  std::string name;
  uint32_t chunk;
  uint32_t level;  // how many locals are made while this one is, one in the other
  bool sensitive;  // made of a variable that is
  SourceRange range;
  const Source* source;
};

// What the text says of a local, also of one that is constant and so no ModuleLocal.
struct ModuleLocalText {
  std::string name;
  SourceRange range;  // of the value
  const Source* source;
};

// A function that the module defines.
struct ModuleFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::string variadic;  // empty: none
};

// What is needed of a variable: as much as its plan says, which is the variable's own where all of it is.
struct ModuleNeed {
  uint32_t slot;
  std::shared_ptr<const BindingPlan> plan;
};

struct ModuleTables {
  std::vector<ModuleVariable> variables;  // by slot
  std::vector<ModuleLocal> locals;        // their slots follow
  std::vector<Path> paths;                // of the variables, as wholes
  // By chunk: the paths that its text reads, also by way of locals, functions and validations; and what has to be
  // prepared for that, in the order of slots. The main chunk reads what all entries do.
  std::vector<std::vector<uint32_t>> reads;
  std::vector<std::vector<ModuleNeed>> needs;
  ReadPaths read_paths;
  std::vector<ModuleLocalText> local_texts;  // in the order of the text
  std::vector<ModuleFunction> functions;     // in the order of the text
  bool has_sensitive = false;
  uint32_t max_level = 0;  // of locals

  bool IsSensitive(uint32_t slot) const {
    return slot < variables.size() ? variables[slot].sensitive : locals[slot - variables.size()].sensitive;
  }
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_MODULE_TABLES_H_
