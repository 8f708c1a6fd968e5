// ModuleNames: what the expressions of a module may read, and what is known of it.
//
// Specification: docs/modules.md. Tested by module/module_test.cc.

#ifndef HCLVM_COMPILER_MODULE_NAMES_H_
#define HCLVM_COMPILER_MODULE_NAMES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// One variable or local.
struct ModuleName {
  uint32_t slot = 0;
  Type type;                               // of its values, null included; dynamic where that is not known
  const TypeDefaults* defaults = nullptr;  // of a variable: the attributes that may be null
  bool never_null = false;                 // it is not null, and no part of it is for which `defaults` say nothing
  bool sure_bool = false;                  // of a local, which may fail: all its values are bools
  bool is_declared = false;                // a variable of a type: its parts are as the type says
  std::optional<Value> constant;           // of a local
  const NamedTree* named = nullptr;        // of a local: what it is made of
  bool has_slot = true;                    // not where every read is of the constant
};

struct ModuleNames {
  HashMap<std::string, ModuleName> variables;
  HashMap<std::string, ModuleName> locals;
  bool allows_locals = true;  // not where a variable is validated
};

// What steps into a variable lead to.
struct ModulePart {
  Type type;
  bool never_null = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_MODULE_NAMES_H_
