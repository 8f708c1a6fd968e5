// The outline of documents: symbols, folding, and selections that grow. Tested by lsp/features/outline_test.cc.

#ifndef HCLVM_LSP_FEATURES_OUTLINE_H_
#define HCLVM_LSP_FEATURES_OUTLINE_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// DocumentSymbols: blocks with what is in them, attributes, variables, locals and functions.
Json DocumentSymbols(const FeatureContext& context);
// FoldingRanges: blocks, brackets, heredocs, and comments of several lines.
Json FoldingRanges(const FeatureContext& context);
// A SelectionRange for each position: from the word to the file, by expressions, attributes and blocks.
Json SelectionRanges(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_OUTLINE_H_
