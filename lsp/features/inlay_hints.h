// Inlay hints: types of locals, functions and attributes, and values for the chosen request. Tested by
// lsp/features/inlay_hints_test.cc.

#ifndef HCLVM_LSP_FEATURES_INLAY_HINTS_H_
#define HCLVM_LSP_FEATURES_INLAY_HINTS_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// Those within the range of the request.
Json InlayHints(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_INLAY_HINTS_H_
