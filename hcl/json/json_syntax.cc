// JsonSyntax: the static analyses.
//
// Calls and traversals are strings that are parsed when they are asked for. Most strings are never asked for either.

#include "hclvm/hcl/json/json_syntax.h"

#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/embedded_parser.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_string.h"
#include "hclvm/hcl/variable_walk.h"

namespace hcl {
namespace {

const JsonValue& Node(const ExprView& expr) { return *static_cast<const JsonValue*>(expr.node()); }

// A string that is native syntax of `kind` as its tree; null when it is something else. Errors mean that it is
// something else, so they are counted and not kept. The source's text is cut before the closing quote, so that offsets
// are those of the file.
const Expr* ParseString(const JsonValue& string, internal::EmbeddedKind kind, const JsonFile& file, Arena* arena) {
  if (string.kind() != JsonKind::kString) return nullptr;
  const SourceRange range = string.range();
  internal::EmbeddedText embedded{file.source, file.source->text().substr(0, range.end - 1), range.begin + 1};
  embedded.strip_one_line = file.rules == JsonRules::kReference;
  internal::TextMap map;
  if (string.has_escapes()) {
    embedded.text = internal::DecodeJsonString(file.source->Slice(range), arena, &map, range.begin);
    embedded.begin = 0;
    embedded.map = &map;
  }
  Diagnostics errors(0);
  const Expr* expr = internal::ParseEmbedded(kind, embedded, file.limits, arena, &errors);
  return errors.empty() ? expr : nullptr;
}

}  // namespace

ExprView JsonSyntax::View(const JsonValue& value) const { return {this, &value, file_->source}; }

SourceRange JsonSyntax::Range(const ExprView& expr) const { return Node(expr).range(); }

// What the value is in JSON, and not what it becomes: whoever reads the message has JSON before them.
std::string_view JsonSyntax::Describe(const ExprView& expr) const {
  switch (Node(expr).kind()) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return "a bool";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
    case JsonKind::kInvalid:
      break;
  }
  return "no valid expression";
}

std::optional<std::vector<ExprView>> JsonSyntax::List(const ExprView& expr) const {
  if (Node(expr).kind() != JsonKind::kArray) return std::nullopt;
  std::vector<ExprView> views;
  for (const JsonValue& element : Node(expr).elements()) views.push_back(View(element));
  return views;
}

// Keys are views of strings: what they mean, literally or as templates, the rules say when they are evaluated.
std::optional<std::vector<StaticPair>> JsonSyntax::Map(const ExprView& expr) const {
  if (Node(expr).kind() != JsonKind::kObject) return std::nullopt;
  std::vector<StaticPair> pairs;
  for (const JsonProperty& property : Node(expr).properties()) {
    pairs.push_back({View(property.name), View(property.value)});
  }
  return pairs;
}

// The tree goes into memory that lives as long as the file, since the result points into it; several threads may ask,
// hence the lock.
std::optional<StaticCall> JsonSyntax::Call(const ExprView& expr) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const Expr* call = ParseString(Node(expr), internal::EmbeddedKind::kExpression, *file_, &arena_);
  if (call == nullptr) return std::nullopt;
  const ExprView native = ViewOf(*call, *file_->source);
  return native.syntax()->Call(native);
}

std::optional<StaticTraversal> JsonSyntax::Traversal(const ExprView& expr) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const Expr* path = ParseString(Node(expr), internal::EmbeddedKind::kTraversal, *file_, &arena_);
  return path == nullptr ? std::nullopt : internal::AbsoluteTraversal(*path, file_->source);
}

// Strings whose templates cannot be parsed read nothing.
void JsonSyntax::AppendVariables(const ExprView& expr, std::vector<StaticTraversal>* variables) const {
  std::lock_guard<std::mutex> lock(mutex_);
  Diagnostics errors(0);
  const Expr* native = ToNativeExpr(Node(expr), *file_, EvaluationMode::kFull, &arena_, &errors);
  internal::AppendVariables(*native, file_->source, variables);
}

}  // namespace hcl
