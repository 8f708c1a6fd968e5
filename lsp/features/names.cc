// Names across files. Tested by lsp/features/names_test.cc.

#include "hclvm/lsp/features/names.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "hclvm/lsp/documents/file_store.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/module/module_directory.h"

namespace hcl::lsp {
namespace {

// Folders in which symbols are looked for.
constexpr size_t kMaxFolders = 10'000;
// Symbols that an answer lists.
constexpr size_t kMaxWorkspaceSymbols = 500;

// The letters of `query` stand in `name` in this order, whatever their case.
bool HoldsLetters(std::string_view name, std::string_view query) {
  size_t at = 0;
  for (const char c : name) {
    if (at < query.size() && absl::ascii_tolower(static_cast<unsigned char>(c)) ==
                                 absl::ascii_tolower(static_cast<unsigned char>(query[at]))) {
      ++at;
    }
  }
  return at == query.size();
}

// The folders of the workspace and those below, without hidden ones and without following links; no more than
// kMaxFolders.
std::vector<std::string> FoldersOf(const FileStore& files, const std::atomic<bool>& stop) {
  std::vector<std::string> folders;
  for (const std::string& folder : files.folders()) {
    if (!folder.empty()) folders.push_back(folder);
  }
  for (size_t next = 0; next < folders.size() && !stop; ++next) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folders[next], error), end; !error && at != end; at.increment(error)) {
      std::error_code unknown;
      const std::string name = at->path().filename().string();
      if (name[0] == '.' || at->is_symlink(unknown) || !at->is_directory(unknown)) continue;
      if (folders.size() >= kMaxFolders) return folders;
      folders.push_back(at->path().string());
    }
  }
  return folders;
}

// Files that may name what others declare: the module, and its tests.
std::vector<TextFilePtr> FilesOf(Workspace* workspace, const Project& project) {
  std::vector<TextFilePtr> files = project.files;
  if (!project.has_module()) return files;
  for (TextFilePtr& file : workspace->files()->ReadFolder(FolderOf(project.file->path()), internal::IsTestFileName)) {
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::vector<PlacedSymbol> PlacesOf(Workspace* workspace, const Project& project, const TextFilePtr& file,
                                   const Symbol& symbol) {
  std::vector<PlacedSymbol> places;
  const std::vector<TextFilePtr> files =
      symbol.is_in_file() ? std::vector<TextFilePtr>{file} : FilesOf(workspace, project);
  for (const TextFilePtr& one : files) {
    for (const Symbol& other : one->symbols().all()) {
      if (other.IsSame(symbol)) places.push_back({one, other});
    }
  }
  return places;
}

std::vector<PlacedSymbol> PlacesFor(const FeatureContext& context) {
  const Symbol* const symbol = context.file->symbols().At(context.offset);
  if (symbol == nullptr) return {};
  return PlacesOf(context.workspace, context.workspace->ProjectOf(context.file), context.file, *symbol);
}

std::optional<PlacedSymbol> DeclarationOf(Workspace* workspace, const Project& project, const TextFilePtr& file,
                                          const Symbol& symbol) {
  for (PlacedSymbol& one : PlacesOf(workspace, project, file, symbol)) {
    if (one.symbol.is_declaration) return std::move(one);
  }
  return std::nullopt;
}

std::vector<PlacedSymbol> DeclaredNames(const Project& project, SymbolKind kind) {
  std::vector<PlacedSymbol> found;
  std::set<std::string_view> names;
  for (const TextFilePtr& file : project.files) {
    for (const Symbol& symbol : file->symbols().all()) {
      if (symbol.is_declaration && symbol.kind == kind && names.insert(symbol.name).second) {
        found.push_back({file, symbol});
      }
    }
  }
  return found;
}

const Block* VariableBlock(const TextFile& file, std::string_view name) {
  for (const Block& block : file.body().blocks) {
    if (block.type == "variable" && block.labels.size() == 1 && block.labels[0].text == name) return &block;
  }
  return nullptr;
}

Json Definition(const FeatureContext& context) {
  for (const PlacedSymbol& one : PlacesFor(context)) {
    if (one.symbol.is_declaration) return context.LocationOf(*one.file, one.symbol.range);
  }
  return nullptr;
}

Json References(const FeatureContext& context) {
  const Json* const options = Member(*context.params, {"context"});
  const bool with_declaration = options == nullptr || BoolAt(*options, "includeDeclaration", true);
  Json all = Json::array();
  for (const PlacedSymbol& one : PlacesFor(context)) {
    if (with_declaration || !one.symbol.is_declaration) all.push_back(context.LocationOf(*one.file, one.symbol.range));
  }
  return all;
}

Json DocumentHighlights(const FeatureContext& context) {
  constexpr int kRead = 2, kWrite = 3;
  Json all = Json::array();
  for (const PlacedSymbol& one : PlacesFor(context)) {
    if (one.file->path() != context.file->path()) continue;
    all.push_back({{"range", context.RangeOf(one.symbol.range)}, {"kind", one.symbol.is_declaration ? kWrite : kRead}});
  }
  return all;
}

// Open documents are there also where they are in no module below the root.
Json WorkspaceSymbols(const FeatureContext& context) {
  constexpr int kVariable = 13, kConstant = 14, kFunction = 12;
  const std::string query = TextAt(*context.params, "query");
  FileStore* const files = context.workspace->files();
  std::map<std::string, TextFilePtr> all;
  for (const auto& [path, document] : files->open()) all[path] = document.file;
  for (const std::string& folder : FoldersOf(*files, *context.workspace->stop())) {
    if (*context.workspace->stop()) break;
    for (TextFilePtr& file : files->ReadFolder(folder, IsModuleFileName)) all[file->path()] = std::move(file);
  }
  Json found = Json::array();
  for (const auto& [path, file] : all) {
    if (*context.workspace->stop()) break;
    for (const Symbol& symbol : file->symbols().all()) {
      if (!symbol.is_declaration || symbol.is_in_file() || !HoldsLetters(symbol.name, query)) continue;
      if (found.size() >= kMaxWorkspaceSymbols) return found;
      const int kind = symbol.kind == SymbolKind::kVariable ? kVariable
                       : symbol.kind == SymbolKind::kLocal  ? kConstant
                                                            : kFunction;
      found.push_back({{"name", std::string(symbol.name)},
                       {"kind", kind},
                       {"location", context.LocationOf(*file, symbol.range)},
                       {"containerName", file->source()->name()}});
    }
    if (files->FindOpen(path) == nullptr) file->DropTrees();
  }
  return found;
}

}  // namespace hcl::lsp
