// UnknownInput: what names in a scope are that a module does not declare.
//
// Tested by tests/answers/answers_test.cc.

#ifndef HCLVM_VM_UNKNOWN_INPUT_H_
#define HCLVM_VM_UNKNOWN_INPUT_H_

#include <cstdint>

#include "hclvm/internal/cxx17.h"

namespace hcl {

// Names of variables, and of attributes where the declared type is an object.
enum class UnknownInput : uint8_t {
  // A warning, where something that is read and may be missing is missing, and such a name is nearly its own; and where
  // a scope has such names and no variable that is declared. Nothing is looked for where nothing is missing.
  kNear,
  // An error, wherever they are in a scope, also in what is not read.
  kError,
  // Nothing.
  kIgnore,
};

}  // namespace hcl

#endif  // HCLVM_VM_UNKNOWN_INPUT_H_
