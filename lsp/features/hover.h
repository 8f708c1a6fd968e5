// Hover and signature help. Tested by lsp/features/hover_test.cc.

#ifndef HCLVM_LSP_FEATURES_HOVER_H_
#define HCLVM_LSP_FEATURES_HOVER_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// The type of an expression, its value for the chosen request, and what is written about a name: a Hover, or null.
Json Hover(const FeatureContext& context);
// The call around the place, with the argument that is written there: a SignatureHelp, or null.
Json SignatureHelp(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_HOVER_H_
