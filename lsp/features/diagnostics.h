// Diagnostics as the protocol has them. Tested by lsp/server_test.cc.

#ifndef HCLVM_LSP_FEATURES_DIAGNOSTICS_H_
#define HCLVM_LSP_FEATURES_DIAGNOSTICS_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {

// The protocol's Diagnostic for one that is of `file`. One about no place is about the first byte.
Json ToProtocol(const Diagnostic& diagnostic, const TextFile& file, PositionEncoding encoding);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_DIAGNOSTICS_H_
