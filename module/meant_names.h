// MeantNames: attributes and blocks that a module names where only variables and locals can be read.
//
// Internal to modules. Tested by module/meant_names_test.cc.

#ifndef HCLVM_MODULE_MEANT_NAMES_H_
#define HCLVM_MODULE_MEANT_NAMES_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/module/declarations.h"

namespace hcl::internal {

// Adds `found` to `diagnostics`, as AddAll() does. An error that no variable of a name is declared
// (DiagnosticCode::kUndeclaredVariable) says what the name is, and how to write what is meant, where it is the name of
// an attribute or a block in the same body or in one around it; the nearest one counts. An error about a name that
// a local has stays as it is. Time: linear in the attributes and blocks of these bodies, for each such error that was
// kept.
void AddWithMeantNames(const Declarations& declared, const Diagnostics& found, const Source* source,
                       Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_MEANT_NAMES_H_
