// Completion: what can be written at a place. Tested by lsp/features/completion_test.cc.

#ifndef HCLVM_LSP_FEATURES_COMPLETION_H_
#define HCLVM_LSP_FEATURES_COMPLETION_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// A CompletionList: attributes behind a dot, names and functions in an expression, attributes and blocks in a body,
// attributes of a declared type in a request of a test.
Json Completion(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_COMPLETION_H_
