// Hover and signature help. Tested by lsp/features/hover_test.cc.

#include "hclvm/lsp/features/hover.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/navigation.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/function_info.h"
#include "hclvm/lsp/features/known_types.h"
#include "hclvm/lsp/features/names.h"
#include "hclvm/lsp/features/request_values.h"

namespace hcl::lsp {
namespace {

using internal::ToAbsl;

// The word at a byte, or that ends there; empty where something else is there.
std::optional<SourceRange> WordAt(const TextFile& file, uint32_t offset) {
  const SourceTree* const tree = file.tree();
  if (tree == nullptr) return std::nullopt;
  const auto range_at = [&](uint32_t at, std::initializer_list<SourceTokenKind> kinds) -> std::optional<SourceRange> {
    const uint32_t token = tree->TokenAt(at);
    if (token == kNoSource) return std::nullopt;
    const SourceToken& found = tree->tokens()[token];
    if (std::find(kinds.begin(), kinds.end(), found.kind) == kinds.end()) return std::nullopt;
    return found.range;
  };
  for (const uint32_t at : {offset, offset == 0 ? 0 : offset - 1}) {
    const auto word = range_at(at, {SourceTokenKind::kIdentifier, SourceTokenKind::kNumber});
    if (word) return word;
  }
  return range_at(offset, {SourceTokenKind::kClose});  // of a call or a list
}

std::string_view TextOf(const TextFile& file, const Body& body, std::string_view name) {
  for (const Attribute& attribute : body.attributes) {
    if (attribute.name == name) return file.source()->Slice(attribute.expr->range);
  }
  return {};
}

// What the text of a declaration says.
std::string DocumentationOf(const FeatureContext& context, const Project& project, const Symbol& symbol) {
  if (symbol.kind == SymbolKind::kLoop || symbol.kind == SymbolKind::kParameter) return "";
  const std::optional<PlacedSymbol> declared = DeclarationOf(context.workspace, project, context.file, symbol);
  if (!declared) return "";
  const TextFile& file = *declared->file;
  std::string text;
  const Block* const block = symbol.kind == SymbolKind::kVariable ? VariableBlock(file, symbol.name) : nullptr;
  if (block != nullptr) {
    std::string_view description = TextOf(file, *block->body, "description");
    if (description.size() > 2 && description[0] == '"') description = description.substr(1, description.size() - 2);
    if (!description.empty()) absl::StrAppend(&text, ToAbsl(description), "\n\n");
    const std::string_view initial = TextOf(file, *block->body, "default");
    const auto is_set = [&](const char* flag) {
      const std::string_view value = TextOf(file, *block->body, flag);
      return !value.empty() && value != "false";
    };
    const bool is_ephemeral = is_set("ephemeral");
    const bool is_hidden = is_ephemeral || is_set("sensitive");
    if (!initial.empty() && !is_hidden) absl::StrAppend(&text, "Default: `", ToAbsl(initial), "`\n\n");
    if (is_hidden) {
      absl::StrAppend(&text, initial.empty() ? "" : "Has a default, which is not shown. ",
                      is_ephemeral ? "Ephemeral.\n\n" : "Sensitive.\n\n");
    }
    std::string_view deprecated = TextOf(file, *block->body, "deprecated");
    if (deprecated.size() > 2 && deprecated[0] == '"') deprecated = deprecated.substr(1, deprecated.size() - 2);
    if (!deprecated.empty()) absl::StrAppend(&text, "Deprecated: ", ToAbsl(deprecated), "\n\n");
  }
  const uint32_t line = file.source()->LineAt(declared->symbol.range.begin);
  return absl::StrCat(text, "Declared at ", file.source()->name(), " line ", line, ".");
}

const char* WordOf(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kVariable:
      return "variable ";
    case SymbolKind::kLocal:
    case SymbolKind::kTestLocal:
      return "local ";
    case SymbolKind::kFunction:
      return "function ";
    case SymbolKind::kLoop:
    case SymbolKind::kParameter:
      return "";
  }
  return "";
}

Json HoverOf(const FeatureContext& context, SourceRange range, const std::string& code, const std::string& text) {
  std::string markdown = code.empty() ? "" : absl::StrCat("```hcl\n", code, "\n```");
  if (!text.empty()) absl::StrAppend(&markdown, markdown.empty() ? "" : "\n\n", text);
  if (markdown.empty()) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", markdown}}}, {"range", context.RangeOf(range)}};
}

// What a name reads that the module or the scope has, as it would be written.
std::string ReadingOf(const Project& project, const Symbol& symbol) {
  const bool is_bare = symbol.kind == SymbolKind::kVariable && !project.has_module();
  return absl::StrCat(is_bare ? "" : symbol.kind == SymbolKind::kLocal ? "local." : "var.", ToAbsl(symbol.name));
}

bool IsRead(const Symbol& symbol) { return symbol.kind == SymbolKind::kVariable || symbol.kind == SymbolKind::kLocal; }

// Explanations have no value for a name alone.
std::optional<std::string> ValueOf(const FeatureContext& context, const Project& project, const Symbol& symbol) {
  if (project.kind != ProjectKind::kModule && project.kind != ProjectKind::kPlain) return std::nullopt;
  return ValueOfExpression(context.workspace, project, ReadingOf(project, symbol));
}

// A declared name has no expression where it is declared: its type is that of a reading of it.
std::optional<KnownType> TypeOf(const FeatureContext& context, const Project& project, SourceRange word,
                                const Symbol* symbol) {
  if (project.kind == ProjectKind::kSpec || project.kind == ProjectKind::kDecoded) return std::nullopt;
  if (symbol != nullptr && IsRead(*symbol) && (symbol->is_declaration || project.kind == ProjectKind::kTests)) {
    return TypeOfExpression(context.workspace, project, ReadingOf(project, *symbol));
  }
  return TypeOfWord(context.workspace, project, *context.file, word);
}

}  // namespace

Json Hover(const FeatureContext& context) {
  std::optional<SourceRange> word = WordAt(*context.file, context.offset);
  const Symbol* symbol = context.file->symbols().At(word ? word->begin : context.offset);
  if (!word && symbol != nullptr) word = symbol->range;  // in a label
  if (!word) return nullptr;
  const Project project = context.workspace->ProjectOf(context.file);
  // The name of a function has its namespaces.
  const bool is_call = symbol != nullptr && symbol->kind == SymbolKind::kFunction && symbol->range.end == word->end;
  if (symbol != nullptr && symbol->range != *word && !is_call) symbol = nullptr;
  const std::string_view text = context.file->source()->Slice(*word);
  if (symbol != nullptr && symbol->kind == SymbolKind::kFunction) {
    const std::optional<FunctionInfo> function = KnownFunctions(context.workspace, project).Find(symbol->name);
    if (!function) return nullptr;
    return HoverOf(context, *word,
                   absl::StrCat(function->Form(), function->result.empty() ? "" : ": ", function->result),
                   function->documentation);
  }
  // The attribute that the word names has the type of its value.
  const Attribute* const attribute = AttributeAt(context.file->body(), word->begin);
  const bool is_name = attribute != nullptr && attribute->name_range == *word;
  const SourceRange end = is_name ? attribute->expr->range : *word;
  const std::optional<KnownType> type = TypeOf(context, project, end, symbol);
  std::string code;
  if (type) {
    const bool is_bracket = text == ")" || text == "]" || text == "}";
    const std::string name = is_bracket ? "" : absl::StrCat(ToAbsl(text), ": ");
    code = absl::StrCat(symbol == nullptr ? "" : WordOf(symbol->kind), name, type->text);
  } else if (symbol != nullptr) {
    code = absl::StrCat(WordOf(symbol->kind), ToAbsl(text));
  }
  std::string more = symbol == nullptr ? "" : DocumentationOf(context, project, *symbol);
  const std::optional<std::string> value = symbol != nullptr && IsRead(*symbol)
                                               ? ValueOf(context, project, *symbol)
                                               : ValueAt(context.workspace, project, *context.file, end);
  if (value) more = absl::StrCat("Value for the chosen request: `", *value, "`", more.empty() ? "" : "\n\n", more);
  return HoverOf(context, *word, code, more);
}

Json SignatureHelp(const FeatureContext& context) {
  const SourceTree* const tree = context.file->tree();
  if (tree == nullptr) return nullptr;
  // Back from the place: brackets that are closed before it are passed over, and commas in the open one are counted.
  const absl::Span<const SourceToken> tokens = tree->tokens();
  size_t at = 0;
  while (at < tokens.size() && tokens[at].range.end <= context.offset && tokens[at].kind != SourceTokenKind::kEnd) ++at;
  size_t argument = 0;
  int closed = 0;
  while (at-- > 0) {
    const SourceTokenKind kind = tokens[at].kind;
    if (kind == SourceTokenKind::kClose) ++closed;
    if (kind == SourceTokenKind::kOpen && closed-- == 0) break;
    if (closed == 0 && tree->TokenText(static_cast<uint32_t>(at)) == ",") ++argument;
  }
  if (at == SIZE_MAX || at == 0 || tree->TokenText(static_cast<uint32_t>(at)) != "(") return nullptr;
  size_t begin = at;
  std::string name;
  while (begin > 0 && (tokens[begin - 1].kind == SourceTokenKind::kIdentifier ||
                       tree->TokenText(static_cast<uint32_t>(begin - 1)) == "::")) {
    --begin;
    name = absl::StrCat(ToAbsl(tree->TokenText(static_cast<uint32_t>(begin))), name);
  }
  const Project project = context.workspace->ProjectOf(context.file);
  const std::optional<FunctionInfo> function = KnownFunctions(context.workspace, project).Find(name);
  if (!function) return nullptr;
  Json parameters = Json::array();
  for (const FunctionInfo::Parameter& parameter : function->parameters) {
    parameters.push_back({{"label", absl::StrCat(parameter.name, parameter.type.empty() ? "" : ": ", parameter.type)}});
  }
  const bool repeats = !function->parameters.empty() && absl::StrContains(function->parameters.back().name, "...");
  if (repeats && argument >= parameters.size()) argument = parameters.size() - 1;
  const Json documentation = {{"kind", "markdown"}, {"value", function->documentation}};
  const Json signature = {
      {"label", function->Form()}, {"documentation", documentation}, {"parameters", std::move(parameters)}};
  return {{"signatures", Json::array({signature})}, {"activeSignature", 0}, {"activeParameter", argument}};
}

}  // namespace hcl::lsp
