// Code actions: edits that mend what a diagnostic tells of. Tested by lsp/features/code_actions_test.cc.

#ifndef HCLVM_LSP_FEATURES_CODE_ACTIONS_H_
#define HCLVM_LSP_FEATURES_CODE_ACTIONS_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// For each diagnostic of the request: the name that was meant, a declaration of a variable, `try` or `coalesce` around
// what may be null, and a comment that keeps the warning back.
Json CodeActions(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_CODE_ACTIONS_H_
