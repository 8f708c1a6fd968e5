// What is wrong with configs by a spec file, before there are values for their variables.
//
// Tested by tests/check_test.sh.

#ifndef HCLVM_WORKBENCH_SPEC_CHECK_H_
#define HCLVM_WORKBENCH_SPEC_CHECK_H_

#include <memory>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

// Decodes `files` together, as `hclvm decode` does, with all variables unknown but for those that the spec file gives:
// so what is found is found in every scope. With `declared`, the program of a module, these are of the types of its
// variables, and there are no others; otherwise it is null. Findings are added to `diagnostics`, each with its source,
// which the caller keeps; `strict` makes warnings errors. `options` has the functions that a host offers besides those
// of the spec file; null for none.
void CheckWithSpec(const SpecFile& spec, const Program* declared, absl::Span<const ModuleFile> files,
                   const CompileOptions& options, bool strict, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_SPEC_CHECK_H_
