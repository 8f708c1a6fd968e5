// Names across the files of a project: definitions and references. Tested by lsp/features/names_test.cc.

#ifndef HCLVM_LSP_FEATURES_NAMES_H_
#define HCLVM_LSP_FEATURES_NAMES_H_

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hclvm/hcl/ast.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

// A symbol and the file that it is in.
struct PlacedSymbol {
  TextFilePtr file;
  Symbol symbol;
};

// All places that name what `symbol` of `file` does, in the order of the files: of a module, its files and its tests.
std::vector<PlacedSymbol> PlacesOf(Workspace* workspace, const Project& project, const TextFilePtr& file,
                                   const Symbol& symbol);
// The same for the symbol at the place that a request is about; none where there is no symbol.
std::vector<PlacedSymbol> PlacesFor(const FeatureContext& context);
// The declaration among these; none for names that nothing declares.
std::optional<PlacedSymbol> DeclarationOf(Workspace* workspace, const Project& project, const TextFilePtr& file,
                                          const Symbol& symbol);
// The names that files of the project declare as variables, locals or functions; each once, in the order of the text.
std::vector<PlacedSymbol> DeclaredNames(const Project& project, SymbolKind kind);
// The block `variable "name"`, or null.
const Block* VariableBlock(const TextFile& file, std::string_view name);

Json Definition(const FeatureContext& context);
Json References(const FeatureContext& context);
Json DocumentHighlights(const FeatureContext& context);
// Names that the modules in the workspace declare and that hold the letters of the query in their order.
Json WorkspaceSymbols(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_NAMES_H_
