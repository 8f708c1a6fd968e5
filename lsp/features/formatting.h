// Formatting of a document, of a range and on type: the layout of `hclvm fmt`. Tested by
// lsp/features/formatting_test.cc.

#ifndef HCLVM_LSP_FEATURES_FORMATTING_H_
#define HCLVM_LSP_FEATURES_FORMATTING_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// Lists of TextEdit, one for each line that changes: cursors and marks in other lines stay.
Json Formatting(const FeatureContext& context);
// Only lines that the range touches.
Json RangeFormatting(const FeatureContext& context);
// After a line end: the line before it. After a closing brace: the lines of its block.
Json OnTypeFormatting(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_FORMATTING_H_
