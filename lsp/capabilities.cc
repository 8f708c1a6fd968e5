// Capabilities. Tested by lsp/server_test.cc.

#include "hclvm/lsp/capabilities.h"

#include <utility>

#include "hclvm/lsp/features/semantic_tokens.h"
#include "hclvm/lsp/features/test_commands.h"

namespace hcl::lsp {

Json Capabilities(PositionEncoding encoding) {
  constexpr int kIncremental = 2;
  Json all = {
      {"positionEncoding", encoding == PositionEncoding::kUtf8    ? "utf-8"
                           : encoding == PositionEncoding::kUtf16 ? "utf-16"
                                                                  : "utf-32"},
      {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}}},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
      {"codeLensProvider", Json::object()},
      {"inlayHintProvider", true},
      {"executeCommandProvider", {{"commands", {kRunTest, kExplainTest}}}},
      {"completionProvider", {{"triggerCharacters", {"."}}}},
      {"hoverProvider", true},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"renameProvider", {{"prepareProvider", true}}},
      {"workspaceSymbolProvider", true},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
      {"documentSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"documentFormattingProvider", true},
      {"documentRangeFormattingProvider", true},
      {"documentOnTypeFormattingProvider",
       {{"firstTriggerCharacter", "\n"}, {"moreTriggerCharacter", {"}", "]", ")"}}}},
      {"selectionRangeProvider", true},
      {"semanticTokensProvider", {{"legend", SemanticTokensLegend()}, {"full", true}, {"range", true}}},
  };
  return {{"capabilities", std::move(all)}, {"serverInfo", {{"name", "hclvm"}}}};
}

}  // namespace hcl::lsp
