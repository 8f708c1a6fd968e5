// Renaming of what the files of a project declare. Tested by lsp/features/rename_test.cc.

#ifndef HCLVM_LSP_FEATURES_RENAME_H_
#define HCLVM_LSP_FEATURES_RENAME_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// The range of the name, or null where it cannot be renamed: nothing declares it.
Json PrepareRename(const FeatureContext& context);
// A WorkspaceEdit. Fails where nothing declares the name, where `newName` is none or is taken, and where any name would
// then mean something else.
Json Rename(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_RENAME_H_
