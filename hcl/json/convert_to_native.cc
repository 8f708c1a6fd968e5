// From JSON to the native syntax: a native tree is made of the JSON text, and printed. Recursion follows the nesting of
// the text, which its parser has bounded.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/format.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/json/convert_support.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_dump.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/json/json_string.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/text_map.h"

namespace hcl {

using internal::ToAbsl;
namespace {

const JsonValue& NodeOf(const ExprView& view) { return *static_cast<const JsonValue*>(view.node()); }

class NativeTree {
 public:
  NativeTree(const JsonFile& file, Arena* arena, Diagnostics* diagnostics)
      : file_(file), arena_(arena), diagnostics_(diagnostics) {}

  // The printer merges attributes and blocks by their places, which are those of the JSON text.
  const Body* Read(const BodyView& view, const BodyShape& shape) {
    BodyContent content;
    AttributeMap others;
    const BodySchema schema = shape.schema.WithNothingRequired();
    if (shape.has_other_attributes) {
      PartialBodyContent partial = view.PartialContent(schema, diagnostics_);
      content = std::move(partial.content);
      others = partial.remaining->JustAttributes(diagnostics_);
    } else {
      content = view.Content(schema, diagnostics_);
    }
    std::vector<Attribute> attributes;
    for (const AttributeMap* map : {&content.attributes, &others}) {
      for (const AttributeView& attribute : *map) attributes.push_back(Read(attribute, shape));
    }
    const auto is_before = [](const Attribute& a, const Attribute& b) { return a.range.begin < b.range.begin; };
    std::sort(attributes.begin(), attributes.end(), is_before);
    std::vector<Block> blocks;
    for (const BlockView& block : content.blocks) blocks.push_back(Read(block, shape));
    Body* const body = arena_->New<Body>();
    body->attributes = arena_->CopySpan(absl::Span<const Attribute>(attributes));
    body->blocks = arena_->CopySpan(absl::Span<const Block>(blocks));
    return body;
  }

  // False, which is reported, where the indentation alone takes more than a text may have: a text in many brackets
  // becomes hundreds of times as long.
  bool FitsWithin(uint64_t max_source_bytes) const {
    if (indentation_ <= max_source_bytes) return true;
    diagnostics_->AddLimit(std::nullopt, DiagnosticCode::kSourceTooLarge,
                           absl::StrCat("The native text would have more than the ", max_source_bytes,
                                        " bytes that max_source_bytes allows."));
    return false;
  }

  // The start of an object that is the body of a block.
  bool IsBody(const JsonValue& object) const { return bodies_.contains(object.range().begin); }

 private:
  Attribute Read(const AttributeView& view, const BodyShape& shape) {
    if (!internal::IsIdentifier(view.name)) {
      internal::AddNoCounterpart(
          view.name_range,
          "The native syntax has no attribute of this name: an identifier is required, of letters, digits, \"_\" and "
          "\"-\", that begins with a letter or \"_\".",
          diagnostics_);
    }
    Attribute attribute = {view.name, view.name_range, {}, nullptr, view.range};
    attribute.expr = internal::IsStatic(shape, view.name)
                         ? StaticExpr(NodeOf(view.expr))
                         : AsWritten(ToNativeExpr(view.expr, EvaluationMode::kFull, arena_, diagnostics_));
    return attribute;
  }

  Block Read(const BlockView& view, const BodyShape& shape) {
    bodies_.insert(view.range.begin);
    Block block;
    block.type = view.type;
    block.labels = arena_->CopySpan(absl::Span<const BlockLabel>(view.labels));
    block.body = Read(*view.body, internal::ShapeOfBlocks(shape, view.type));
    block.range = view.range;
    return block;
  }

  // As the static analysis reads it (hcl/json/json_syntax.h).
  const Expr* StaticExpr(const JsonValue& value) {
    if (value.kind() == JsonKind::kArray) {
      std::vector<const Expr*> elements;
      for (const JsonValue& element : value.elements()) elements.push_back(StaticExpr(element));
      return arena_->New<TupleExpr>(value.range(), arena_->CopySpan(absl::Span<const Expr* const>(elements)));
    }
    if (value.kind() != JsonKind::kString)
      return ToNativeExpr(value, file_, EvaluationMode::kFull, arena_, diagnostics_);
    const SourceRange range = value.range();
    internal::EmbeddedText embedded{file_.source, file_.source->text().substr(0, range.end - 1), range.begin + 1};
    internal::TextMap map;
    if (value.has_escapes()) {
      embedded.text = internal::DecodeJsonString(file_.source->Slice(range), arena_, &map, range.begin);
      embedded.begin = 0;
      embedded.map = &map;
    }
    return internal::ParseEmbedded(internal::EmbeddedKind::kExpression, embedded, file_.limits, arena_, diagnostics_);
  }

  // `expr` as people write it: keys as names where they can be (`a = 1` in place of `"a" = 1`), and what is in a
  // template of one interpolation. What comes from templates stays as it was written.
  const Expr* AsWritten(const Expr* expr) {
    if (expr->kind == ExprKind::kTemplateWrap) return As<TemplateWrapExpr>(*expr).inner;
    indentation_ += depth_;
    if (expr->kind == ExprKind::kTuple) {
      std::vector<const Expr*> elements;
      ++depth_;
      for (const Expr* element : As<TupleExpr>(*expr).elements) elements.push_back(AsWritten(element));
      --depth_;
      return arena_->New<TupleExpr>(expr->range, arena_->CopySpan(absl::Span<const Expr* const>(elements)));
    }
    if (expr->kind != ExprKind::kObject) return expr;
    const auto& object = As<ObjectExpr>(*expr);
    std::vector<ObjectItem> items;
    ++depth_;
    for (const ObjectItem& given : object.items) {
      ObjectItem item = given;
      item.value = AsWritten(given.value);
      const std::optional<std::string_view> name = internal::LiteralText(*given.key);
      if (name && internal::IsIdentifier(*name)) item.key_name = *name;
      if (!name) {
        internal::AddNotKept(
            given.key->range,
            "JSON refuses a name that is given twice. In the native syntax, the last item counts where "
            "this name turns out to be that of another one.",
            diagnostics_);
      }
      items.push_back(item);
    }
    --depth_;
    return arena_->New<ObjectExpr>(expr->range, arena_->CopySpan(absl::Span<const ObjectItem>(items)), object.open);
  }

  const JsonFile& file_;
  Arena* arena_;
  Diagnostics* diagnostics_;
  internal::HashSet<uint32_t> bodies_;
  uint32_t depth_ = 0;
  uint64_t indentation_ = 0;  // of all lines, in steps
};

// A line of a comment. What a terminal would act on is written as JSON escapes it.
void AppendCommentLine(std::string_view line, std::string* out) {
  bool is_plain = true;
  for (size_t i = 0; i < line.size();) {
    const internal::CodePoint c = internal::DecodeUtf8(line, i);
    is_plain = is_plain && (c.value == '\t' || !internal::IsTerminalControl(c.value));
    i += c.bytes;
  }
  std::string escaped;
  if (!is_plain) {
    AppendJsonString(line, &escaped);
    line = std::string_view(escaped).substr(1, escaped.size() - 2);
  }
  absl::StrAppend(out, line.empty() ? "#" : "# ", ToAbsl(line), "\n");
}

void AppendComment(const JsonValue& comment, std::string* out) {
  if (comment.kind() == JsonKind::kArray) {
    for (const JsonValue& line : comment.elements()) AppendComment(line, out);
    return;
  }
  if (comment.kind() != JsonKind::kString) return AppendCommentLine(internal::DumpJson(comment), out);
  std::string_view text = comment.text();
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    AppendCommentLine(text.substr(0, end), out);
    text.remove_prefix(end + 1);
  }
  AppendCommentLine(text, out);
}

// The properties "//" of all bodies, in the order of the text. Elsewhere such a property is a part of a value.
void AppendComments(const JsonValue& value, const NativeTree& tree, bool is_root, std::string* out) {
  if (value.kind() == JsonKind::kArray) {
    for (const JsonValue& element : value.elements()) AppendComments(element, tree, false, out);
  }
  if (value.kind() != JsonKind::kObject) return;
  const bool is_body = is_root || tree.IsBody(value);
  for (const JsonProperty& property : value.properties()) {
    if (is_body && property.name.text() == kJsonComment) {
      AppendComment(property.value, out);
    } else {
      AppendComments(property.value, tree, false, out);
    }
  }
}

}  // namespace

std::optional<std::string> ConvertToNative(const Source& source, const ConvertOptions& options,
                                           Diagnostics* diagnostics) {
  JsonOptions json;
  json.limits = options.limits;
  json.rules = options.rules;
  const size_t errors = diagnostics->error_count();
  const auto file = ParseJson(source, json, diagnostics);
  if (diagnostics->error_count() > errors) return std::nullopt;
  Arena arena;
  NativeTree tree(*file, &arena, diagnostics);
  const Body* const body = tree.Read(*ViewOf(*file), options.shape);
  if (diagnostics->error_count() > errors || !tree.FitsWithin(options.limits.max_source_bytes)) return std::nullopt;
  std::string text;
  AppendComments(file->root, tree, true, &text);
  const std::string items = PrintBody(*body);
  if (!text.empty() && !items.empty()) text += '\n';
  text += items;
  Diagnostics found(1);
  text = FormatConfig(Source("converted", text), options.limits, &found);
  if (!internal::HasNoErrors(found, diagnostics)) return std::nullopt;
  return text;
}

}  // namespace hcl
