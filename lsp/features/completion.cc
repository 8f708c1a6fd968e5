// Completion. Tested by lsp/features/completion_test.cc.
//
// A text that is being written is wrong at the place. So the place is looked for in the text with a name there, which
// is what the reader is about to write.

#include "hclvm/lsp/features/completion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/lsp/documents/symbols.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/function_info.h"
#include "hclvm/lsp/features/known_bodies.h"
#include "hclvm/lsp/features/known_types.h"
#include "hclvm/lsp/features/names.h"

namespace hcl::lsp {
namespace {

using internal::ToAbsl;

// The protocol's CompletionItemKind.
enum ItemKind {
  kFunctionItem = 3,
  kFieldItem = 5,
  kVariableItem = 6,
  kPropertyItem = 10,
  kKeywordItem = 14,
  kSnippetItem = 15,
  kConstantItem = 21,
  kStructItem = 22,
  kTypeItem = 25,
};

constexpr std::string_view kTypes[] = {"any", "bool", "number", "string", "list",
                                       "set", "map",  "tuple",  "object", "optional"};

class Completer {
 public:
  explicit Completer(const FeatureContext& context)
      : context_(context), project_(context.workspace->ProjectOf(context.file)) {}

  Json Complete() {
    FindWord();
    if (context_.file->is_json() || !ReadPatched()) return Result();
    if (IsInText()) return Result();
    if (word_.begin > 0 && context_.file->text()[word_.begin - 1] == '.') {
      AddAfterDot();
    } else if (IsAfterCore()) {
      AddCoreFunctions();
    } else if (IsItem()) {
      AddItems();
    } else if (!AddKeysOfRequest() && IsValue()) {
      AddNames();
    }
    return Result();
  }

 private:
  void FindWord() {
    const std::string_view text = context_.file->text();
    word_ = {context_.offset, context_.offset};
    while (word_.begin > 0 && IsNamePart(text[word_.begin - 1])) --word_.begin;
    while (word_.end < text.size() && IsNamePart(text[word_.end])) ++word_.end;
  }

  bool ReadPatched() {
    std::string text(context_.file->text());
    text.replace(word_.begin, word_.end - word_.begin, kNameInPlace);
    patched_ = std::make_unique<const TextFile>(context_.file->path(), "", std::move(text));
    if (patched_->tree() == nullptr) return false;
    token_ = patched_->tree()->TokenAt(word_.begin);
    node_ = patched_->tree()->NodeAt(word_.begin);
    return token_ != kNoSource;
  }

  // In a text, a comment or a number.
  bool IsInText() const {
    const char first = word_.begin < word_.end ? context_.file->text()[word_.begin] : ' ';
    return patched_->tree()->tokens()[token_].kind != SourceTokenKind::kIdentifier || (first >= '0' && first <= '9');
  }

  // Where a value can begin: not behind another one, and not where a loop's variables are named.
  bool IsValue() const {
    if (token_ == 0) return true;
    switch (patched_->tree()->tokens()[token_ - 1].kind) {
      case SourceTokenKind::kIdentifier: {
        const std::string_view word = patched_->tree()->TokenText(token_ - 1);
        return word == "in" || word == "if";
      }
      case SourceTokenKind::kNumber:
      case SourceTokenKind::kQuote:
      case SourceTokenKind::kClose:
        return false;
      default:
        return true;
    }
  }

  // Where an attribute or a block begins.
  bool IsItem() const {
    const SourceNode& node = patched_->tree()->nodes()[node_];
    return node.kind != SourceNodeKind::kFile && token_ == node.begin;
  }

  // The types of the blocks around a node, the outermost first.
  std::vector<std::string_view> TypesAround(uint32_t node) const {
    std::vector<std::string_view> types;
    for (uint32_t at = patched_->tree()->nodes()[node].parent; at != kNoSource && at != SourceTree::kRoot;
         at = patched_->tree()->nodes()[at].parent) {
      types.push_back(patched_->tree()->NameOf(at));
    }
    std::reverse(types.begin(), types.end());
    return types;
  }

  // The names of the other attributes of the body that a node is in.
  std::set<std::string_view> AttributesBeside(uint32_t node) const {
    const absl::Span<const SourceNode> nodes = patched_->tree()->nodes();
    std::set<std::string_view> names;
    for (uint32_t other = 1; other < nodes.size(); ++other) {
      const bool is_beside = other != node && nodes[other].parent == nodes[node].parent;
      if (is_beside && nodes[other].kind == SourceNodeKind::kAttribute) names.insert(patched_->tree()->NameOf(other));
    }
    return names;
  }

  void AddItems() {
    const std::vector<std::string_view> types = TypesAround(node_);
    std::vector<KnownItem> items = ItemsIn(project_, types);
    if (project_.kind == ProjectKind::kDecoded) {
      Diagnostics ignored;
      const std::unique_ptr<SpecFile> spec = context_.workspace->SpecOf(project_, &ignored);
      if (spec != nullptr) items = ItemsBySpec(*spec->spec, types);
    }
    const std::set<std::string_view> given = AttributesBeside(node_);
    for (const KnownItem& item : items) {
      if (!item.is_block && given.count(item.name) > 0) continue;
      Add(item.name, item.is_block ? kStructItem : kPropertyItem, item.detail, item.snippet);
    }
    if (project_.kind != ProjectKind::kTests || types.size() != 1 || types[0] != "variables") return;
    for (const PlacedSymbol& one : DeclaredNames(project_, SymbolKind::kVariable)) {
      const std::string name(one.symbol.name);
      Add(name, kVariableItem, "variable", name + " = $0");
    }
  }

  void AddAfterDot() {
    const std::string_view before = context_.file->text().substr(0, word_.begin - 1);
    size_t begin = before.size();
    while (begin > 0 && IsNamePart(before[begin - 1])) --begin;
    const std::string_view root = before.substr(begin);
    const bool is_root = begin == 0 || before[begin - 1] != '.';
    if (is_root && root == "local") return AddLocals("");
    if (is_root && root == "var") return AddDeclared(SymbolKind::kVariable, "", kVariableItem);
    const std::optional<KnownType> type = TypeBeforeDot(context_.workspace, project_, *context_.file, word_);
    if (type) AddAttributes(*type, "");
  }

  void AddAttributes(const KnownType& type, const std::string& behind) {
    for (const KnownType::Attribute& attribute : type.attributes) {
      // Others are written as ["a b"].
      if (!std::all_of(attribute.name.begin(), attribute.name.end(), IsNamePart)) continue;
      Add(attribute.name, kFieldItem, attribute.type, behind.empty() ? "" : attribute.name + behind);
    }
  }

  // Those of the module; in a file of tests its own, but in `assert`.
  void AddLocals(const std::string& prefix) {
    const std::vector<std::string_view> types = TypesAround(node_);
    const bool is_own = project_.kind == ProjectKind::kTests && (types.empty() || types.back() != "assert");
    if (!is_own) return AddDeclared(SymbolKind::kLocal, prefix, kConstantItem);
    for (const Symbol& symbol : context_.file->symbols().all()) {
      if (symbol.kind != SymbolKind::kTestLocal || !symbol.is_declaration) continue;
      Add(absl::StrCat(prefix, ToAbsl(symbol.name)), kConstantItem, "local of this file", "");
    }
  }

  void AddEntries(const std::string& behind) {
    for (const TextFilePtr& file : project_.files) {
      for (const Attribute& entry : file->body().attributes) {
        const std::string name(entry.name);
        Add(name, kPropertyItem, absl::StrCat("entry, ", file->source()->name()), behind.empty() ? "" : name + behind);
      }
    }
  }

  void AddDeclared(SymbolKind kind, const std::string& prefix, ItemKind item_kind) {
    const SourceNode& node = patched_->tree()->nodes()[node_];
    const std::vector<std::string_view> types = TypesAround(node_);
    const bool is_local = node.kind == SourceNodeKind::kAttribute && !types.empty() && types[0] == "locals";
    for (const PlacedSymbol& one : DeclaredNames(project_, kind)) {
      if (kind == SymbolKind::kLocal && is_local && one.symbol.name == patched_->tree()->NameOf(node_)) continue;
      Add(absl::StrCat(prefix, ToAbsl(one.symbol.name)), item_kind,
          absl::StrCat(kind == SymbolKind::kLocal ? "local" : "variable", ", ", one.file->source()->name()), "");
    }
  }

  // In the object that `with` or an attribute of `variables` is: the attributes of the type that is declared. In what a
  // test expects: entries.
  bool AddKeysOfRequest() {
    std::vector<std::string> keys;
    if (!FindKeys(&keys)) return false;
    if (project_.kind != ProjectKind::kTests) return true;  // no keys are known
    const SourceTree& tree = *patched_->tree();
    const std::vector<std::string_view> types = TypesAround(node_);
    std::string attribute(tree.NameOf(node_));
    if (types.size() != 1) return false;
    if (types[0] == "variables") {
      keys.insert(keys.begin(), attribute);
    } else if (attribute == "cases" && keys.size() >= 2) {
      attribute = keys[1];
      keys.erase(keys.begin(), keys.begin() + 2);
    }
    if (attribute == "expect" || attribute == "expect_part" || attribute == "fails") {
      if (keys.empty()) AddEntries(" = $0");
      return keys.empty();
    }
    if (types[0] != "variables" && attribute != "with") return false;
    if (keys.empty()) {
      for (const PlacedSymbol& one : DeclaredNames(project_, SymbolKind::kVariable)) {
        const std::string name(one.symbol.name);
        Add(name, kVariableItem, "variable", name + " = $0");
      }
      return true;
    }
    const std::string path = absl::StrCat("var", [&] {
      std::string text;
      for (const std::string& key : keys) absl::StrAppend(&text, ".", key);
      return text;
    }());
    const std::optional<KnownType> type = TypeOfExpression(context_.workspace, project_, path);
    if (type) AddAttributes(*type, " = $0");
    return true;
  }

  // Whether the place is where a key of an object is written; the keys of the objects around it, the outermost first.
  bool FindKeys(std::vector<std::string>* keys) const {
    const SourceTree& tree = *patched_->tree();
    const absl::Span<const SourceToken> tokens = tree.tokens();
    const SourceNode& node = tree.nodes()[node_];
    if (node.kind != SourceNodeKind::kAttribute || token_ <= node.open) return false;
    const auto text = [&](uint32_t token) { return tree.TokenText(token); };
    const std::string_view before = text(token_ - 1);
    if (before != "{" && before != "," && tokens[token_ - 1].kind != SourceTokenKind::kNewline) return false;
    uint32_t closed = 0;
    for (uint32_t at = token_; --at > node.open;) {
      if (tokens[at].kind == SourceTokenKind::kClose) ++closed;
      if (tokens[at].kind != SourceTokenKind::kOpen || (closed > 0 && closed-- > 0)) continue;
      if (text(at) != "{") return false;
      if (at - 1 == node.open) return std::reverse(keys->begin(), keys->end()), true;
      if (at < node.open + 3 || (text(at - 1) != "=" && text(at - 1) != ":")) return false;
      if (tokens[at - 2].kind != SourceTokenKind::kIdentifier) return false;
      keys->emplace_back(text(at - 2));
    }
    return false;
  }

  void AddNames() {
    const SourceTree& tree = *patched_->tree();
    const SourceNode& node = tree.nodes()[node_];
    const std::vector<std::string_view> types = TypesAround(node_);
    const bool is_attribute = node.kind == SourceNodeKind::kAttribute;
    if (node.kind == SourceNodeKind::kBlock && token_ < node.open) return;  // a label
    const std::string_view in = types.empty() ? "" : types.back();
    if (is_attribute && tree.NameOf(node_) == "type" && (in == "variable" || in == "attr")) {
      for (const std::string_view type : kTypes) Add(std::string(type), kTypeItem, "type", "");
      return;
    }
    for (const std::string_view name : patched_->symbols().NamesInScopeAt(word_.begin)) {
      if (name != kNameInPlace) Add(std::string(name), kVariableItem, "", "");
    }
    // A function reads its parameters alone, and a default nothing.
    const bool is_default = in == "variable" && is_attribute && tree.NameOf(node_) == "default";
    const bool reads_all = !is_default && (types.empty() || types[0] != "function");
    if (reads_all && project_.has_module() && (project_.kind != ProjectKind::kTests || in == "assert")) {
      AddDeclared(SymbolKind::kVariable, "", kVariableItem);
      if (in == "assert") AddEntries("");
    }
    if (reads_all && project_.has_module()) AddLocals("local.");
    const KnownFunctions functions(context_.workspace, project_);
    for (const std::string& name : functions.Names()) {
      const std::optional<FunctionInfo> function = functions.Find(name);
      if (function) AddFunction(*function);
    }
    for (const char* const word : {"true", "false", "null"}) Add(word, kKeywordItem, "", "");
    Add("for", kSnippetItem, "a list of what a collection's elements become",
        "[for ${1:value} in ${2:collection} : ${0:value}]");
    if (project_.has_module()) return;
    // Names that a plain config reads elsewhere.
    std::string_view last;
    for (const Symbol& symbol : patched_->symbols().all()) {
      if (symbol.kind != SymbolKind::kVariable || symbol.name == kNameInPlace || symbol.name == last) continue;
      last = symbol.name;
      Add(std::string(symbol.name), kVariableItem, "", "");
    }
  }

  bool IsAfterCore() const {
    constexpr std::string_view kCore = "core::";
    const std::string_view before = std::string_view(context_.file->text()).substr(0, word_.begin);
    if (before.size() < kCore.size() || before.substr(before.size() - kCore.size()) != kCore) return false;
    return before.size() == kCore.size() || !IsNamePart(before[before.size() - kCore.size() - 1]);
  }

  // A module's functions have their name alone.
  void AddCoreFunctions() {
    const KnownFunctions functions(context_.workspace, project_);
    for (const std::string& name : functions.Names()) {
      const std::optional<FunctionInfo> function = functions.Find(absl::StrCat("core::", name));
      if (function) AddFunction(*function);
    }
  }

  void AddFunction(const FunctionInfo& function) {
    const std::string_view text = context_.file->text();
    if (word_.end < text.size() && text[word_.end] == '(') {
      return Add(function.name, kFunctionItem, function.Form(), "");
    }
    std::string snippet = function.name + "(";
    for (size_t n = 0; n < function.parameters.size(); ++n) {
      std::string name = function.parameters[n].name;
      while (!name.empty() && (name.back() == '.' || name.back() == '?')) name.pop_back();
      absl::StrAppend(&snippet, n == 0 ? "" : ", ", "${", n + 1, ":", name, "}");
    }
    Json item = Item(function.name, kFunctionItem, function.Form(), snippet + ")");
    item["documentation"] = {{"kind", "markdown"}, {"value", function.documentation}};
    Push(std::move(item));
  }

  Json Item(const std::string& label, ItemKind kind, const std::string& detail, const std::string& snippet) const {
    constexpr int kSnippet = 2;
    Json item = {{"label", label}, {"kind", kind}};
    if (!detail.empty()) item["detail"] = detail;
    item["textEdit"] = {{"range", context_.RangeOf(word_)}, {"newText", snippet.empty() ? label : snippet}};
    if (!snippet.empty()) item["insertTextFormat"] = kSnippet;
    return item;
  }

  void Add(const std::string& label, ItemKind kind, const std::string& detail, const std::string& snippet) {
    Push(Item(label, kind, detail, snippet));
  }

  // Each label once, the first of them.
  void Push(Json item) {
    if (labels_.insert(TextAt(item, "label")).second) items_.push_back(std::move(item));
  }

  Json Result() {
    Json result = {{"isIncomplete", false}};
    result["items"] = std::move(items_);
    return result;
  }

  const FeatureContext& context_;
  const Project project_;
  SourceRange word_;
  std::unique_ptr<const TextFile> patched_;
  uint32_t token_ = kNoSource;
  uint32_t node_ = 0;
  std::set<std::string> labels_;
  Json items_ = Json::array();
};

}  // namespace

Json Completion(const FeatureContext& context) { return Completer(context).Complete(); }

}  // namespace hcl::lsp
