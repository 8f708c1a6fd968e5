// Finding entries by names that people write.
//
// Tested by tests/cli_test.sh and bindings/python/tests/test_program.py.

#ifndef HCLVM_VM_ENTRY_NAMES_H_
#define HCLVM_VM_ENTRY_NAMES_H_

#include <string>
#include <string_view>

#include "hclvm/vm/program.h"

namespace hcl::internal {

// The entry of that path, or null with *message set (it suggests a near one).
const Entry* FindEntryOrSuggest(const Program& program, std::string_view path, std::string* message);

}  // namespace hcl::internal

#endif  // HCLVM_VM_ENTRY_NAMES_H_
