// Semantic tokens. Tested by lsp/features/semantic_tokens_test.cc.

#include "hclvm/lsp/features/semantic_tokens.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {
namespace {

// Positions in kNames.
enum Type : uint32_t {
  kComment,
  kString,
  kNumber,
  kOperator,
  kKeyword,
  kVariable,
  kLocal,
  kFunction,
  kParameter,
  kProperty,
  kBlockType,
  kLabel,
};
constexpr const char* kNames[] = {"comment",  "string",   "number",    "operator", "keyword", "variable",
                                  "variable", "function", "parameter", "property", "class",   "string"};

// Bits in the order of kModifierNames.
constexpr uint32_t kDeclaration = 1;
constexpr uint32_t kReadOnly = 2;
constexpr const char* kModifierNames[] = {"declaration", "readonly"};

class TokenFinder {
 public:
  explicit TokenFinder(const FeatureContext& context)
      : context_(context), file_(*context.file), tree_(*context.file->tree()), nodes_(tree_.tokens().size(), 0) {
    // Nodes come behind those that they are in.
    for (uint32_t n = 0; n < tree_.nodes().size(); ++n) {
      const SourceNode& node = tree_.nodes()[n];
      for (uint32_t token = node.begin; token < node.end && n > 0; ++token) nodes_[token] = n;
    }
  }

  // Those that the range touches.
  Json Find(SourceRange range) {
    const absl::Span<const SourceToken> tokens = tree_.tokens();
    for (uint32_t n = 0; n < tokens.size(); ++n) {
      const SourceRange at = tokens[n].range;
      if (at.end <= range.begin || at.begin >= range.end) continue;
      uint32_t modifiers = 0;
      const std::optional<Type> type = TypeOf(n, &modifiers);
      if (type) AddLines(at, *type, modifiers);
    }
    Json result = Json::object();
    result["data"] = std::move(data_);
    return result;
  }

 private:
  std::optional<Type> TypeOf(uint32_t token, uint32_t* modifiers) const {
    switch (tree_.tokens()[token].kind) {
      case SourceTokenKind::kComment:
        return kComment;
      case SourceTokenKind::kQuote:
      case SourceTokenKind::kText:
      case SourceTokenKind::kHeredoc:
        return IsInHeader(token) ? kLabel : kString;
      case SourceTokenKind::kNumber:
        return kNumber;
      case SourceTokenKind::kOperator:
        return kOperator;
      case SourceTokenKind::kIdentifier:
        return TypeOfWord(token, modifiers);
      default:
        return std::nullopt;
    }
  }

  uint32_t NodeOf(uint32_t token) const { return nodes_[token]; }

  // A label of a block.
  bool IsInHeader(uint32_t token) const {
    const SourceNode& node = tree_.nodes()[NodeOf(token)];
    return node.kind == SourceNodeKind::kBlock && token < node.open;
  }

  std::optional<Type> TypeOfWord(uint32_t token, uint32_t* modifiers) const {
    const SourceNode& node = tree_.nodes()[NodeOf(token)];
    const SourceRange range = tree_.tokens()[token].range;
    const Symbol* const symbol = file_.symbols().At(range.begin);
    if (symbol != nullptr && symbol->range == range) {
      if (symbol->is_declaration) *modifiers |= kDeclaration;
      if (TypeOfSymbol(symbol->kind) == kLocal) *modifiers |= kReadOnly;
      const std::string_view word = tree_.TokenText(token);
      const bool is_root = symbol->kind == SymbolKind::kVariable && (word == "var" || word == "local");
      return is_root ? kKeyword : TypeOfSymbol(symbol->kind);
    }
    if (node.kind == SourceNodeKind::kBlock && token == node.begin) return kBlockType;
    if (node.kind == SourceNodeKind::kBlock && token < node.open) return kLabel;
    if (node.kind == SourceNodeKind::kAttribute && token == node.begin) return *modifiers |= kDeclaration, kProperty;
    const bool is_step = token > 0 && tree_.TokenText(token - 1) == ".";
    if (!is_step && IsKeyword(tree_.TokenText(token))) return kKeyword;
    return kProperty;
  }

  static bool IsKeyword(std::string_view word) {
    constexpr std::string_view kWords[] = {"for",  "in",    "if",   "else", "endif", "endfor",
                                           "true", "false", "null", "var",  "local"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  }

  static Type TypeOfSymbol(SymbolKind kind) {
    switch (kind) {
      case SymbolKind::kVariable:
        return kVariable;
      case SymbolKind::kLocal:
      case SymbolKind::kTestLocal:
        return kLocal;
      case SymbolKind::kFunction:
        return kFunction;
      case SymbolKind::kLoop:
      case SymbolKind::kParameter:
        return kParameter;
    }
    return kVariable;
  }

  // Clients need not take tokens of several lines.
  void AddLines(SourceRange range, Type type, uint32_t modifiers) {
    const LineIndex& lines = file_.lines();
    for (uint32_t begin = range.begin; begin < range.end;) {
      const uint32_t line = lines.LineAt(begin);
      const uint32_t next = lines.LineStart(line + 1);
      const uint32_t end = std::min(range.end, std::max(lines.LineEnd(line), begin));
      if (end > begin) Add({begin, end}, type, modifiers);
      if (next <= begin) return;
      begin = next;
    }
  }

  // Each is told as its distance from the one before.
  void Add(SourceRange range, Type type, uint32_t modifiers) {
    const TextPosition begin = file_.lines().PositionAt(range.begin, context_.encoding);
    const TextPosition end = file_.lines().PositionAt(range.end, context_.encoding);
    const uint32_t line = begin.line - last_.line;
    const uint32_t character = line == 0 ? begin.character - last_.character : begin.character;
    for (const uint32_t number :
         {line, character, end.character - begin.character, static_cast<uint32_t>(type), modifiers}) {
      data_.push_back(number);
    }
    last_ = begin;
  }

  const FeatureContext& context_;
  const TextFile& file_;
  const SourceTree& tree_;
  std::vector<uint32_t> nodes_;  // the innermost node of each token
  TextPosition last_;
  Json data_ = Json::array();
};

Json TokensIn(const FeatureContext& context, SourceRange range) {
  if (context.file->tree() == nullptr) return nullptr;
  return TokenFinder(context).Find(range);
}

}  // namespace

Json SemanticTokensLegend() { return {{"tokenTypes", kNames}, {"tokenModifiers", kModifierNames}}; }

Json SemanticTokens(const FeatureContext& context) {
  return TokensIn(context, {0, static_cast<uint32_t>(context.file->text().size())});
}

Json SemanticTokensOfRange(const FeatureContext& context) {
  const Json* const range = Member(*context.params, {"range"});
  if (range == nullptr) return nullptr;
  return TokensIn(context, context.file->lines().BytesOf(*range, context.encoding));
}

}  // namespace hcl::lsp
