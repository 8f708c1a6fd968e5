// From JSON values to native expressions. Recursion follows the nesting of the JSON text, which its parser has bounded.
//
// The compiler then needs to know nothing of JSON: there is one kind of tree, and one meaning of it.

#include "hclvm/hcl/json/json_expr.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/json/json_string.h"
#include "hclvm/hcl/json/json_syntax.h"
#include "hclvm/hcl/scratch_list.h"

namespace hcl {

using internal::IsKnownNfc;
using internal::ToAbsl;
using internal::ToNfc;
namespace {

// True when a template may be something else than its own text. Most strings cannot, and need no parse. The first byte
// of a byte order mark counts, since the scanner skips the mark where a template starts.
bool MayHaveSequences(std::string_view text) {
  return text.find_first_of("$%") != std::string_view::npos || (!text.empty() && text.front() == '\xEF');
}

class Translator {
 public:
  Translator(const JsonFile& file, EvaluationMode mode, Arena* arena, Diagnostics* diagnostics)
      : file_(file), mode_(mode), arena_(arena), diagnostics_(diagnostics) {}

  // The mapping of json-syntax.md, "Expressions". In literal-only mode a string is what it says; in full expression
  // mode it is a template of the native syntax ("Strings").
  const Expr* Value(const JsonValue& value) {
    switch (value.kind()) {
      case JsonKind::kNull:
        return arena_->New<LiteralExpr>(value.range(), LiteralKind::kNull, "null");
      case JsonKind::kTrue:
        return arena_->New<LiteralExpr>(value.range(), LiteralKind::kTrue, "true");
      case JsonKind::kFalse:
        return arena_->New<LiteralExpr>(value.range(), LiteralKind::kFalse, "false");
      case JsonKind::kNumber:
        return Number(value);
      case JsonKind::kString:
        return mode_ == EvaluationMode::kFull ? Template(value) : Text(value);
      case JsonKind::kArray:
        return Array(value);
      case JsonKind::kObject:
        return Object(value);
      case JsonKind::kInvalid:
        break;
    }
    return arena_->New<ErrorExpr>(value.range());
  }

 private:
  // Native literals have no sign, so that a negative number becomes a negation. All digits are kept (json-syntax.md,
  // "Numbers").
  const Expr* Number(const JsonValue& value) {
    const SourceRange range = value.range();
    const std::string_view spelling = value.text();
    if (spelling.front() != '-') return arena_->New<LiteralExpr>(range, LiteralKind::kNumber, spelling);
    const Expr* digits =
        arena_->New<LiteralExpr>(SourceRange{range.begin + 1, range.end}, LiteralKind::kNumber, spelling.substr(1));
    return arena_->New<UnaryExpr>(range, UnaryOp::kNegate, digits);
  }

  const Expr* Text(const JsonValue& string) {
    if (string.text().empty()) return arena_->New<TemplateExpr>(string.range(), absl::Span<const Expr* const>());
    const SourceRange inside = {string.range().begin + 1, string.range().end - 1};
    const Expr* text = arena_->New<TemplateTextExpr>(inside, string.text());
    return arena_->New<TemplateExpr>(string.range(), arena_->CopySpan(absl::Span<const Expr* const>(&text, 1)));
  }

  // The native parser reads the string where it stands in the JSON text when that is possible: ranges need no mapping
  // then, and literal text no copy. A string with escapes is decoded, with a map for the ranges. `depth_` goes along,
  // so that the limit holds for JSON and template together.
  const Expr* Template(const JsonValue& string) {
    if (!MayHaveSequences(string.text())) return Text(string);
    const SourceRange range = string.range();
    internal::EmbeddedText embedded{file_.source, file_.source->text().substr(0, range.end - 1), range.begin + 1,
                                    depth_};
    embedded.strip_one_line = file_.rules == JsonRules::kReference;
    internal::TextMap map;
    if (string.has_escapes()) {
      embedded.text = internal::DecodeJsonString(file_.source->Slice(range), arena_, &map, range.begin);
      embedded.begin = 0;
      embedded.map = &map;
    }
    const size_t errors = diagnostics_->error_count();
    const Expr* expr =
        internal::ParseEmbedded(internal::EmbeddedKind::kTemplate, embedded, file_.limits, arena_, diagnostics_);
    if (diagnostics_->error_count() > errors) return Text(string);
    const_cast<Expr*>(expr)->range = range;  // just made, and not const; with the quotes, as those of native strings
    return expr;
  }

  const Expr* Array(const JsonValue& array) {
    internal::ScratchList<const Expr*> elements(&exprs_);
    ++depth_;
    for (const JsonValue& element : array.elements()) elements.Add(Value(element));
    --depth_;
    return arena_->New<TupleExpr>(array.range(), arena_->CopySpan(elements.view()));
  }

  // Names are literal by json-syntax.md ("an attribute whose name exactly matches the property name"), and templates in
  // the reference. Given twice is an error ("Objects"): here for literal names, for others where the object is made, as
  // `unique_keys` says.
  const Expr* Object(const JsonValue& object) {
    internal::ScratchList<ObjectItem> items(&items_);
    internal::HashMap<std::string, SourceRange> names;  // of the items so far, where literal
    ++depth_;
    for (const JsonProperty& property : object.properties()) {
      ObjectItem item{};
      item.key = NamesAreTemplates() ? Template(property.name) : Text(property.name);
      if (IsRepeated(*item.key, property.name, &names)) continue;
      item.value = Value(property.value);
      items.Add(item);
    }
    --depth_;
    return arena_->New<ObjectExpr>(object.range(), arena_->CopySpan(items.view()), object.start(), true);
  }

  bool NamesAreTemplates() const { return mode_ == EvaluationMode::kFull && file_.rules == JsonRules::kReference; }

  // Names that are calculated are compared when they have values. Others are compared as the values will be, in
  // Normalization Form C; the map keeps copies, as normalized names live nowhere else.
  bool IsRepeated(const Expr& key, const JsonValue& name, internal::HashMap<std::string, SourceRange>* names) {
    if (key.kind != ExprKind::kTemplate) return false;
    const absl::Span<const Expr* const> parts = As<TemplateExpr>(key).parts;
    if (parts.size() > 1 || (parts.size() == 1 && parts[0]->kind != ExprKind::kTemplateText)) return false;
    const std::string_view text = parts.empty() ? std::string_view() : As<TemplateTextExpr>(*parts[0]).text.view();
    const auto [first, is_new] = names->try_emplace(IsKnownNfc(text) ? std::string(text) : ToNfc(text), name.range());
    if (is_new) return false;
    diagnostics_->AddError(name.range(), DiagnosticCode::kJsonRepeatedName,
                           absl::StrCat("This object has an attribute named \"", ToAbsl(text), "\" already, on line ",
                                        file_.source->LineAt(first->second.begin), "."));
    return true;
  }

  const JsonFile& file_;
  EvaluationMode mode_;
  Arena* arena_;
  Diagnostics* diagnostics_;
  uint32_t depth_ = 0;
  internal::ScratchStack<const Expr*> exprs_;
  internal::ScratchStack<ObjectItem> items_;
};

}  // namespace

const Expr* ToNativeExpr(const JsonValue& value, const JsonFile& file, EvaluationMode mode, Arena* arena,
                         Diagnostics* diagnostics) {
  return Translator(file, mode, arena, diagnostics).Value(value);
}

// There are two syntaxes, so what is not native comes from a JsonFile: the cast needs no test. Messages are gathered
// apart, without a bound, and handed on with their source, to the caller's bound.
const Expr* ToNativeExpr(const ExprView& expr, EvaluationMode mode, Arena* arena, Diagnostics* diagnostics) {
  if (const Expr* native = NativeExpr(expr)) return native;
  const auto* syntax = static_cast<const JsonSyntax*>(expr.syntax());
  Diagnostics found(UINT32_MAX);
  const Expr* result = ToNativeExpr(*static_cast<const JsonValue*>(expr.node()), syntax->file(), mode, arena, &found);
  for (Diagnostic diagnostic : found.kept()) {
    diagnostic.source = expr.source();
    diagnostics->Add(std::move(diagnostic));
  }
  return result;
}

// A native body, so that a config in JSON compiles like any other. There is no schema, hence no blocks: every property
// is an attribute (json-syntax.md, "Attributes"), but for comments.
const Body* JsonAttributes(const JsonFile& file, EvaluationMode mode, Arena* arena, Diagnostics* diagnostics) {
  Body* const body = arena->New<Body>();
  body->range = file.root.range();
  body->end = file.root.close();
  if (file.root.kind() != JsonKind::kObject) {
    if (file.root.kind() != JsonKind::kInvalid) {
      diagnostics->AddError(file.root.start(), DiagnosticCode::kJsonIncorrectType,
                            "An object is required here, whose properties are the attributes.");
    }
    return body;
  }
  std::vector<Attribute> attributes;
  internal::HashMap<absl::string_view, SourceRange> names;
  for (const JsonProperty& property : file.root.properties()) {
    const std::string_view name = property.name.text();
    if (name == kJsonComment) continue;
    const SourceRange name_range = property.name.range();
    const auto [first, is_new] = names.try_emplace(ToAbsl(name), name_range);
    if (!is_new) {
      diagnostics->AddError(name_range, DiagnosticCode::kJsonDuplicateAttribute,
                            absl::StrCat("The attribute \"", ToAbsl(name), "\" is set already, on line ",
                                         file.source->LineAt(first->second.begin), "."));
      continue;
    }
    const Expr* expr = ToNativeExpr(property.value, file, mode, arena, diagnostics);
    attributes.push_back({name, name_range, {name_range.end, name_range.end}, expr, property.range()});
  }
  body->attributes = arena->CopySpan(absl::Span<const Attribute>(attributes));
  return body;
}

}  // namespace hcl
