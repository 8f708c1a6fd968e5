// Renaming. Tested by lsp/features/rename_test.cc.

#include "hclvm/lsp/features/rename.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/function_info.h"
#include "hclvm/lsp/features/names.h"

namespace hcl::lsp {
namespace {

bool IsDeclared(const std::vector<PlacedSymbol>& places) {
  return std::any_of(places.begin(), places.end(), [](const PlacedSymbol& one) { return one.symbol.is_declaration; });
}

// The file with `name` in these places.
TextFile Renamed(const TextFile& file, absl::Span<const Symbol> places, std::string_view name) {
  std::string text;
  uint32_t written = 0;
  for (const Symbol& place : places) {
    absl::StrAppend(&text, internal::ToAbsl(file.text().substr(written, place.range.begin - written)),
                    internal::ToAbsl(name));
    written = place.range.end;
  }
  absl::StrAppend(&text, internal::ToAbsl(file.text().substr(written)));
  return TextFile(file.path(), file.source()->name(), std::move(text));
}

// The line of the first name that is another thing in the renamed file; 0 where all are what they were.
uint32_t ChangedLine(const TextFile& file, absl::Span<const Symbol> places, std::string_view name) {
  const TextFile renamed = Renamed(file, places, name);
  const std::vector<Symbol>& before = file.symbols().all();
  const std::vector<Symbol>& after = renamed.symbols().all();
  size_t place = 0;
  for (size_t n = 0; n < before.size(); ++n) {
    Symbol wanted = before[n];
    if (place < places.size() && places[place].range == wanted.range) {
      wanted.name = name;
      ++place;
    }
    const bool is_same =
        n < after.size() && after[n].IsSame(wanted) && after[n].is_declaration == wanted.is_declaration;
    if (!is_same) return file.source()->LineAt(before[n].range.begin);
  }
  return file.is_sound() && !renamed.is_sound() ? file.source()->LineAt(places.front().range.begin) : 0;
}

// The first file in the JSON syntax that may name the symbol, as it has the word; "" where none has.
std::string JsonFileWith(const Project& project, std::string_view word) {
  for (const TextFilePtr& file : project.files) {
    const SourceRange whole = {0, static_cast<uint32_t>(file->text().size())};
    if (file->is_json() && !WordIn(file->text(), whole, word).empty()) return file->source()->name();
  }
  return "";
}

// Why the places cannot have this name; empty where they can.
std::string WhyNot(const FeatureContext& context, const std::vector<PlacedSymbol>& places, const std::string& name) {
  const std::string shown = absl::StrCat("\"", internal::Printable(name), "\"");
  if (!internal::IsIdentifier(name)) {
    return absl::StrCat(shown, " is no name: a name has letters, digits, \"_\" and \"-\", and begins with a letter.");
  }
  const Symbol& symbol = places.front().symbol;
  if (symbol.kind == SymbolKind::kVariable && (name == "var" || name == "local")) {
    return absl::StrCat("A variable cannot have the name ", shown, ".");
  }
  const Project project = context.workspace->ProjectOf(context.file);
  const std::string in_json = symbol.is_in_file() ? "" : JsonFileWith(project, symbol.name);
  if (!in_json.empty()) {
    return absl::StrCat(in_json, " has the word \"", internal::Printable(symbol.name),
                        "\", and names in the JSON syntax cannot be renamed here.");
  }
  if (symbol.kind != SymbolKind::kLoop && symbol.kind != SymbolKind::kParameter) {
    Symbol taken = symbol;
    taken.name = name;
    const std::vector<PlacedSymbol> others = PlacesOf(context.workspace, project, places.front().file, taken);
    if (!others.empty()) {
      const TextFile& file = *others.front().file;
      return absl::StrCat("The name ", shown, " is there already: ", file.source()->name(), " line ",
                          file.source()->LineAt(others.front().symbol.range.begin), ".");
    }
  }
  if (symbol.kind == SymbolKind::kFunction && KnownFunctions(context.workspace, project).Find(name)) {
    return absl::StrCat("There is a function ", shown, " already.");
  }
  for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    const TextFile& file = *places[begin].file;
    std::vector<Symbol> symbols;
    for (; end < places.size() && places[end].file == places[begin].file; ++end) symbols.push_back(places[end].symbol);
    const uint32_t line = ChangedLine(file, symbols, name);
    if (line == 0) continue;
    return absl::StrCat("With the name ", shown, ", ", file.source()->name(), " line ", line,
                        " would mean something else.");
  }
  return "";
}

}  // namespace

Json PrepareRename(const FeatureContext& context) {
  const Symbol* const symbol = context.file->symbols().At(context.offset);
  if (symbol == nullptr || !IsDeclared(PlacesFor(context))) return nullptr;
  return context.RangeOf(symbol->range);
}

Json Rename(const FeatureContext& context) {
  const std::string name = TextAt(*context.params, "newName");
  const std::vector<PlacedSymbol> places = PlacesFor(context);
  if (!IsDeclared(places)) return context.Fail("Here is no name that a file of the module declares.");
  std::map<std::string, Json> changes;
  if (places.front().symbol.name == name) return {{"changes", std::move(changes)}};
  const std::string fault = WhyNot(context, places, name);
  if (!fault.empty()) return context.Fail(fault);
  for (const PlacedSymbol& one : places) {
    Json& edits = changes.try_emplace(context.UriOfFile(*one.file), Json::array()).first->second;
    edits.push_back({{"range", one.file->lines().RangeOf(one.symbol.range, context.encoding)}, {"newText", name}});
  }
  return {{"changes", std::move(changes)}};
}

}  // namespace hcl::lsp
