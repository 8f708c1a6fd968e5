// What the server says of itself in its answer to `initialize`. Tested by lsp/server_test.cc.

#ifndef HCLVM_LSP_CAPABILITIES_H_
#define HCLVM_LSP_CAPABILITIES_H_

#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

// The protocol's InitializeResult, for positions in `encoding`.
Json Capabilities(PositionEncoding encoding);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_CAPABILITIES_H_
