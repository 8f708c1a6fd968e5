// The table of requests. Tested by lsp/server_test.cc.

#include "hclvm/lsp/routes.h"

#include "hclvm/lsp/features/code_actions.h"
#include "hclvm/lsp/features/completion.h"
#include "hclvm/lsp/features/formatting.h"
#include "hclvm/lsp/features/hover.h"
#include "hclvm/lsp/features/inlay_hints.h"
#include "hclvm/lsp/features/names.h"
#include "hclvm/lsp/features/outline.h"
#include "hclvm/lsp/features/rename.h"
#include "hclvm/lsp/features/semantic_tokens.h"
#include "hclvm/lsp/features/test_commands.h"

namespace hcl::lsp {
namespace {

struct Route {
  std::string_view method;
  Feature feature;
  bool needs_document = true;
};

constexpr Route kRoutes[] = {
    {"textDocument/codeAction", CodeActions},
    {"textDocument/codeLens", CodeLenses},
    {"textDocument/completion", Completion},
    {"textDocument/definition", Definition},
    {"textDocument/documentHighlight", DocumentHighlights},
    {"textDocument/documentSymbol", DocumentSymbols},
    {"textDocument/foldingRange", FoldingRanges},
    {"textDocument/formatting", Formatting},
    {"textDocument/hover", Hover},
    {"textDocument/inlayHint", InlayHints},
    {"textDocument/onTypeFormatting", OnTypeFormatting},
    {"textDocument/prepareRename", PrepareRename},
    {"textDocument/rangeFormatting", RangeFormatting},
    {"textDocument/references", References},
    {"textDocument/rename", Rename},
    {"textDocument/selectionRange", SelectionRanges},
    {"textDocument/semanticTokens/full", SemanticTokens},
    {"textDocument/semanticTokens/range", SemanticTokensOfRange},
    {"textDocument/signatureHelp", SignatureHelp},
    {"workspace/executeCommand", ExecuteCommand, /*needs_document=*/false},
    {"workspace/symbol", WorkspaceSymbols, /*needs_document=*/false},
};

const Route* Find(std::string_view method) {
  for (const Route& route : kRoutes) {
    if (route.method == method) return &route;
  }
  return nullptr;
}

}  // namespace

Feature FindFeature(std::string_view method) {
  const Route* const route = Find(method);
  return route == nullptr ? nullptr : route->feature;
}

bool NeedsDocument(std::string_view method) {
  const Route* const route = Find(method);
  return route != nullptr && route->needs_document;
}

}  // namespace hcl::lsp
