// Findings of checks: which source they are of, comments that keep warnings back, and warnings that are errors.
//
// Internal to modules and programs. Tested by module/type_checker_test.cc.

#ifndef HCLVM_MODULE_FINDINGS_H_
#define HCLVM_MODULE_FINDINGS_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"

namespace hcl::internal {

// Adds all that was found by a phase that knows of one source, and leaves it out.
void AddAll(const Diagnostics& found, const Source* source, Diagnostics* diagnostics);

// Adds the kept entries of `found` to `diagnostics`: without warnings whose code is named behind "hclvm:ignore" on
// their line or on the one before it; where `strict`, the others are errors.
void AddFindings(const Diagnostics& found, bool strict, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_FINDINGS_H_
