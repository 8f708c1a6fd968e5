// Semantic tokens: what each word of a document is, for its color. Tested by lsp/features/semantic_tokens_test.cc.

#ifndef HCLVM_LSP_FEATURES_SEMANTIC_TOKENS_H_
#define HCLVM_LSP_FEATURES_SEMANTIC_TOKENS_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// The protocol's SemanticTokensLegend.
Json SemanticTokensLegend();
Json SemanticTokens(const FeatureContext& context);
Json SemanticTokensOfRange(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_SEMANTIC_TOKENS_H_
