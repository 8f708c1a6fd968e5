// Finding entries by names that people write.
//
// Tested by tests/cli_test.sh and bindings/python/tests/test_program.py.

#ifndef HCLVM_VM_ENTRY_NAMES_H_
#define HCLVM_VM_ENTRY_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

// The entry of that path, or null with *message set (it suggests a near one).
const Entry* FindEntryOrSuggest(const Program& program, std::string_view path, std::string* message);

// Has `diagnostic` point to where the part of a result at `path` (JsonError::path) comes from: the attribute that gives
// it, or the whole text where that is one expression. `chunk` is what was run. Where there are very many attributes,
// the last ones are not found.
void LocateResult(const Program& program, uint32_t chunk, std::string_view path, Diagnostic* diagnostic);

}  // namespace hcl::internal

#endif  // HCLVM_VM_ENTRY_NAMES_H_
