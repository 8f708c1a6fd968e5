// Code actions. Tested by lsp/features/code_actions_test.cc.

#include "hclvm/lsp/features/code_actions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/navigation.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/lsp/features/known_types.h"

namespace hcl::lsp {
namespace {

using internal::ToAbsl;

// Diagnostics of one request that are looked at.
constexpr size_t kMaxDiagnostics = 100;

// Guards that are tried, with a check each.
constexpr size_t kMaxGuards = 12;

// The text between `before` and the next quote; empty where it is not there.
std::string_view QuotedAfter(std::string_view text, std::string_view before) {
  const size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + before.size());
  return rest.substr(0, rest.find('"'));
}

class ActionFinder {
 public:
  explicit ActionFinder(const FeatureContext& context)
      : context_(context), file_(*context.file), project_(context.workspace->ProjectOf(context.file)) {}

  Json Find() {
    const Json* const diagnostics = Member(*context_.params, {"context", "diagnostics"});
    if (diagnostics == nullptr || !diagnostics->is_array() || !WantsFixes()) return std::move(actions_);
    size_t taken = 0;
    for (const Json& diagnostic : *diagnostics) {
      if (TextAt(diagnostic, "source") != "hclvm" || ++taken > kMaxDiagnostics) continue;
      const Json* const range = Member(diagnostic, {"range"});
      if (range != nullptr) Take(diagnostic, file_.lines().BytesOf(*range, context_.encoding));
    }
    return std::move(actions_);
  }

 private:
  // All actions here are of the kind "quickfix".
  bool WantsFixes() const {
    const Json* const only = Member(*context_.params, {"context", "only"});
    if (only == nullptr || !only->is_array()) return true;
    return std::any_of(only->begin(), only->end(), [](const Json& kind) {
      return kind.is_string() && absl::StartsWith("quickfix", kind.get_ref<const std::string&>());
    });
  }

  void Take(const Json& diagnostic, SourceRange range) {
    const std::optional<DiagnosticCode> code = FindDiagnosticCode(TextAt(diagnostic, "code"));
    if (!code) return;
    const std::string message = TextAt(diagnostic, "message");
    OfferMeantName(diagnostic, message, range);
    if (*code == DiagnosticCode::kUndeclaredVariable) OfferDeclaration(diagnostic, range);
    if (*code == DiagnosticCode::kMayBeNull) OfferGuards(diagnostic, range);
    if (SeverityOf(*code) == Severity::kWarning) OfferIgnore(diagnostic, range);
  }

  // The word of the range that the message is about gives way to the one that it suggests.
  void OfferMeantName(const Json& diagnostic, const std::string& message, SourceRange range) {
    const std::string_view meant = QuotedAfter(message, "Did you mean \"");
    const SourceTree* const tree = file_.tree();
    if (meant.empty() || tree == nullptr) return;
    const std::string_view about = message;
    for (uint32_t at = range.begin; at < range.end;) {
      const uint32_t token = tree->TokenAt(at);
      if (token == kNoSource) {
        ++at;
        continue;
      }
      const SourceToken& found = tree->tokens()[token];
      at = std::max(at + 1, found.range.end);
      const bool is_name = found.kind == SourceTokenKind::kIdentifier || found.kind == SourceTokenKind::kText;
      const std::string_view word = tree->TokenText(token);
      if (!is_name || !absl::StrContains(ToAbsl(about), absl::StrCat("\"", ToAbsl(word), "\""))) continue;
      if (found.kind == SourceTokenKind::kIdentifier && !internal::IsIdentifier(meant)) return;
      return Add(diagnostic, absl::StrCat("Change to \"", ToAbsl(meant), "\""),
                 EditOf(context_.uri, context_.RangeOf(found.range), std::string(meant)), /*is_preferred=*/true);
    }
  }

  // Behind the last declaration of the module, in the file that it is in; otherwise at the end of this one.
  void OfferDeclaration(const Json& diagnostic, SourceRange range) {
    std::string name(file_.source()->Slice(range));
    if (absl::StartsWith(name, "var.")) name = name.substr(4);
    name = name.substr(0, name.find_first_of(".["));
    if (!internal::IsIdentifier(name)) return;
    // A function reads its parameters alone.
    const std::vector<const Block*> around = BlocksAt(file_.body(), range.begin);
    if (!around.empty() && around[0]->type == "function") return;
    TextFilePtr into = context_.file;
    uint32_t at = static_cast<uint32_t>(file_.text().size());
    for (const TextFilePtr& file : project_.files) {
      if (file->is_json()) continue;
      for (const Block& block : file->body().blocks) {
        if (block.type != "variable") continue;
        into = file;
        at = block.range.end;
      }
    }
    const bool is_end = at == into->text().size();
    const bool ends_line = at == 0 || into->text()[at - 1] == '\n';
    std::string text = absl::StrCat(ends_line ? "" : "\n", at == 0 ? "" : "\n", "variable \"", name,
                                    "\" {\n  type = any\n}", is_end ? "\n" : "");
    const Json edit =
        EditOf(context_.UriOfFile(*into), into->lines().RangeOf({at, at}, context_.encoding), std::move(text));
    Add(diagnostic, absl::StrCat("Declare the variable \"", name, "\" in ", NameOf(into->path())), edit);
  }

  // What is wrapped is the smallest expression that holds the whole range.
  void OfferGuards(const Json& diagnostic, SourceRange range) {
    const Expr* expr = nullptr;
    const Expr* next = OutermostExprAt(file_.body(), range.begin);
    while (next != nullptr) {
      expr = std::exchange(next, nullptr);
      internal::ForEachChild(*expr, [&](const Expr* part) {
        if (part->range.begin <= range.begin && range.end <= part->range.end) next = part;
      });
    }
    if (expr == nullptr) return;
    const SourceRange whole = expr->range;
    const std::string text(file_.source()->Slice(whole));
    const std::optional<KnownType> type = TypeOfWord(context_.workspace, project_, file_, whole);
    const std::string fallback = FallbackFor(type);
    std::vector<std::pair<const char*, std::string>> guards;
    if (!fallback.empty()) guards = {{"coalesce", fallback}, {"try", fallback}};
    guards.emplace_back("try", "null");
    for (const auto& [function, other] : guards) {
      const std::string guarded = absl::StrCat(function, "(", text, ", ", other, ")");
      if (guards_++ >= kMaxGuards || !Silences(diagnostic, whole, guarded)) continue;
      Add(diagnostic, absl::StrCat("Wrap in ", function, "(..., ", other, ")"),
          EditOf(context_.uri, context_.RangeOf(whole), guarded));
    }
  }

  // A value that can stand in for a null of a type; "" where none is at hand.
  static std::string FallbackFor(const std::optional<KnownType>& type) {
    constexpr std::pair<const char*, const char*> kFallbacks[] = {
        {"string", "\"\""}, {"number", "0"}, {"bool", "false"}, {"list", "[]"}};
    if (!type) return "";
    for (const auto& [name, fallback] : kFallbacks) {
      if (absl::StartsWith(type->text, name)) return fallback;
    }
    return "";
  }

  // Whether a check with `text` in place of the range finds nothing of that code in it.
  bool Silences(const Json& diagnostic, SourceRange range, const std::string& text) const {
    std::string changed(file_.text());
    changed.replace(range.begin, range.end - range.begin, text);
    const Project project = WithText(project_, file_, std::move(changed));
    const uint32_t end = range.begin + static_cast<uint32_t>(text.size());
    const CheckOutcome outcome = context_.workspace->Check(project);
    return std::none_of(outcome.found.begin(), outcome.found.end(), [&](const Diagnostic& one) {
      const TextFilePtr file = project.FileOf(one.source);
      return file != nullptr && file->path() == file_.path() && one.subject && one.subject->begin < end &&
             range.begin < one.subject->end && CodeText(one.code) == TextAt(diagnostic, "code");
    });
  }

  // A comment on the line before, as deep as the line.
  void OfferIgnore(const Json& diagnostic, SourceRange range) {
    if (file_.is_json() || IsInHeredoc(range.begin)) return;
    const uint32_t begin = file_.lines().LineStart(file_.lines().LineAt(range.begin));
    uint32_t indent = begin;
    while (indent < file_.text().size() && (file_.text()[indent] == ' ' || file_.text()[indent] == '\t')) ++indent;
    const std::string code = TextAt(diagnostic, "code");
    Add(diagnostic, absl::StrCat("Ignore ", code, " here"),
        EditOf(context_.uri, context_.RangeOf({begin, begin}),
               absl::StrCat(ToAbsl(file_.text().substr(begin, indent - begin)), "# hclvm:ignore ", code, LineEnd())));
  }

  // As the first line of the file ends.
  const char* LineEnd() const {
    const size_t end = file_.text().find('\n');
    return end != std::string_view::npos && end > 0 && file_.text()[end - 1] == '\r' ? "\r\n" : "\n";
  }

  // Before a line of a heredoc, a comment would be text.
  bool IsInHeredoc(uint32_t offset) const {
    const SourceTree* const tree = file_.tree();
    if (tree == nullptr) return true;
    const uint32_t begin = file_.lines().LineStart(file_.lines().LineAt(offset));
    uint32_t open = 0;
    for (uint32_t n = 0; n < tree->tokens().size() && tree->tokens()[n].range.begin < begin; ++n) {
      const SourceToken& token = tree->tokens()[n];
      if (token.kind == SourceTokenKind::kComment && token.range.end > begin) return true;
      if (token.kind == SourceTokenKind::kHeredoc) open += absl::StartsWith(ToAbsl(tree->TokenText(n)), "<<") ? 1 : -1;
    }
    return open > 0;
  }

  static Json EditOf(const std::string& uri, Json range, std::string text) {
    Json edit = {{"newText", std::move(text)}};
    edit["range"] = std::move(range);
    Json changes = Json::object();
    changes[uri] = Json::array({std::move(edit)});
    Json whole = Json::object();
    whole["changes"] = std::move(changes);
    return whole;
  }

  void Add(const Json& diagnostic, const std::string& title, Json edit, bool is_preferred = false) {
    Json action = {{"title", title}, {"kind", "quickfix"}, {"diagnostics", Json::array({diagnostic})}};
    action["edit"] = std::move(edit);
    if (is_preferred) action["isPreferred"] = true;
    actions_.push_back(std::move(action));
  }

  const FeatureContext& context_;
  const TextFile& file_;
  const Project project_;
  Json actions_ = Json::array();
  size_t guards_ = 0;  // that were tried
};

}  // namespace

Json CodeActions(const FeatureContext& context) { return ActionFinder(context).Find(); }

}  // namespace hcl::lsp
