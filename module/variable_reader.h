// Reading one `variable` block. Internal to modules. Tested by module/module_test.cc.

#ifndef HCLVM_MODULE_VARIABLE_READER_H_
#define HCLVM_MODULE_VARIABLE_READER_H_

#include <memory>
#include <string>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/module/declarations.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {

// Adds what the block says to `variable`, whose name and place are there. Types and values are made in `heap`, trees in
// `arena`. Mistakes are reported; what is in error is left as it was.
void ReadVariable(const BlockView& block, const std::shared_ptr<const Source>& source, const CompileOptions& options,
                  const std::shared_ptr<Heap>& heap, Arena* arena, DeclaredVariable* variable,
                  Diagnostics* diagnostics);

// An error at a place.
void AddModuleError(const Place& place, DiagnosticCode code, std::string detail, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_VARIABLE_READER_H_
