// ScopeReader::Impl: what an evaluator takes of what was read.
//
// Internal to the machine. Tested by tests/scope_reader_test.cc.

#ifndef HCLVM_VM_SCOPE_VARIABLES_H_
#define HCLVM_VM_SCOPE_VARIABLES_H_

#include <cstdint>
#include <vector>

#include "hclvm/vm/json/form_reader.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"

namespace hcl {

struct ScopeReader::Impl {
  const Reads* reads = nullptr;
  internal::FormReader reader;
  bool is_module = false;
  std::vector<uint32_t> expected;    // properties that no base gives
  std::vector<uint32_t> properties;  // of the reader, by slot; that which is missing where none is read
};

}  // namespace hcl

#endif  // HCLVM_VM_SCOPE_VARIABLES_H_
