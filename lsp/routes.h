// The requests that features answer. Tested by lsp/server_test.cc.

#ifndef HCLVM_LSP_ROUTES_H_
#define HCLVM_LSP_ROUTES_H_

#include <string_view>

#include "hclvm/lsp/features/feature.h"

namespace hcl::lsp {

// The feature that answers requests of that method, or null.
Feature FindFeature(std::string_view method);
// Its parameters name a document, which must be open.
bool NeedsDocument(std::string_view method);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_ROUTES_H_
