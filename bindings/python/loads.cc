// hclvm.loads. Tested by bindings/python/tests/test_loads.py.
//
// Strings are templates as they are written in the language: what stands for an expression is in "${...}", and text
// that looks like that has another "$" before it. So no string is taken for an expression, nor an expression for a
// string. Recursion follows brackets and blocks, of which the parser bounds the depth.

#include "hclvm/bindings/python/loads.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/program.h"
#include "hclvm/bindings/python/to_python.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/value/number.h"

namespace hcl::python {
namespace {

py::str StrOf(std::string_view text) { return internal::IsKnownNfc(text) ? ToStr(text) : ToStr(internal::ToNfc(text)); }

// Text of a template, so that none of it begins an expression: "${" and "%{" get their sign twice.
void AppendEscaped(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '$' || c == '%') && i + 1 < text.size() && text[i + 1] == '{') out->push_back(c);
    out->push_back(c);
  }
}

// An expression that is a number, perhaps with a sign or in parentheses; null where it is something else.
const LiteralExpr* NumberIn(const Expr* expr, bool* negative) {
  *negative = false;
  while (true) {
    if (expr->kind == ExprKind::kParen) {
      expr = As<ParenExpr>(*expr).inner;
    } else if (expr->kind == ExprKind::kUnary && As<UnaryExpr>(*expr).op == UnaryOp::kNegate) {
      *negative = !*negative;
      expr = As<UnaryExpr>(*expr).operand;
    } else {
      break;
    }
  }
  if (expr->kind != ExprKind::kLiteral || As<LiteralExpr>(*expr).literal != LiteralKind::kNumber) return nullptr;
  return &As<LiteralExpr>(*expr);
}

class Loader {
 public:
  Loader(const Source& source, const Limits& limits)
      : source_(source), limits_(limits), digits_left_(limits.max_result_bytes) {}

  // Attributes and blocks in the order of the text.
  py::dict Load(const Body& body) {
    py::dict dict;
    std::unordered_map<std::string_view, py::list> lists;
    size_t next = 0;
    const auto add_blocks = [&](uint32_t end) {
      for (; next < body.blocks.size() && body.blocks[next].range.begin < end; ++next) {
        const Block& block = body.blocks[next];
        const auto [list, is_new] = lists.try_emplace(block.type);
        if (is_new) Put(block.type, block.type_range, list->second, &dict);
        list->second.append(LoadBlock(block));
      }
    };
    for (const Attribute& attribute : body.attributes) {
      add_blocks(attribute.range.begin);
      Put(attribute.name, attribute.name_range, Load(*attribute.expr), &dict);
    }
    add_blocks(UINT32_MAX);
    return dict;
  }

 private:
  // The parser has seen to it that attributes do not repeat.
  void Put(std::string_view name, SourceRange range, const py::object& value, py::dict* dict) {
    const py::str key = StrOf(name);
    if (dict->contains(key)) {
      Diagnostic diagnostic(DiagnosticCode::kAttributeAndBlock);
      diagnostic.detail =
          "The name \"" + std::string(name) + "\" stands for an attribute and for a block of this body.";
      diagnostic.subject = range;
      Diagnostics diagnostics;
      diagnostics.Add(std::move(diagnostic));
      Raise(ErrorOf(Phase::kCompile, diagnostics, &source_, false));
    }
    (*dict)[key] = value;
  }

  // The body, in a dict for each label.
  py::object LoadBlock(const Block& block) {
    py::object value = Load(*block.body);
    for (size_t i = block.labels.size(); i-- > 0;) {
      py::dict labelled;
      labelled[StrOf(block.labels[i].text)] = value;
      value = std::move(labelled);
    }
    return value;
  }

  py::object Load(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return LoadLiteral(As<LiteralExpr>(expr), false);
      case ExprKind::kTemplate:
        return LoadTemplate(As<TemplateExpr>(expr));
      case ExprKind::kTemplateWrap:
        return Expression(As<TemplateWrapExpr>(expr).inner->range);
      case ExprKind::kTuple: {
        py::list list;
        for (const Expr* element : As<TupleExpr>(expr).elements) list.append(Load(*element));
        return list;
      }
      case ExprKind::kObject: {
        py::dict dict;
        for (const ObjectItem& item : As<ObjectExpr>(expr).items) dict[KeyOf(item)] = Load(*item.value);
        return dict;
      }
      case ExprKind::kParen:
      case ExprKind::kUnary: {
        bool negative = false;
        const LiteralExpr* const number = NumberIn(&expr, &negative);
        return number != nullptr ? LoadLiteral(*number, negative) : Expression(expr.range);
      }
      default:
        return Expression(expr.range);
    }
  }

  py::object LoadLiteral(const LiteralExpr& literal, bool negative) {
    if (literal.literal == LiteralKind::kNull) return py::none();
    if (literal.literal != LiteralKind::kNumber) return py::bool_(literal.literal == LiteralKind::kTrue);
    Arena arena;
    NumberError error = NumberError::kNone;
    const Number number = Number::Parse(literal.spelling, NumberSyntax::kLiteral, limits_, &arena, &error);
    // A number that cannot be represented stays text, as what cannot be evaluated here.
    const uint64_t digits = error == NumberError::kNone ? number.DigitCount() : UINT64_MAX;
    if (digits > limits_.max_number_digits) return Expression(literal.range);
    // A few bytes, such as 1e99999, stand for many.
    if (digits > digits_left_) RaiseLimit("the numbers of the text have too many digits (limit max_result_bytes)");
    digits_left_ -= digits;
    return py::reinterpret_steal<py::object>(ToPython(negative ? Negate(number, &arena) : number, limits_));
  }

  py::object LoadTemplate(const TemplateExpr& expr) {
    if (expr.parts.empty()) return py::str();
    if (expr.parts.size() == 1 && expr.parts[0]->kind == ExprKind::kTemplateText) {
      const std::string_view text = As<TemplateTextExpr>(*expr.parts[0]).text;
      if (text.find('{') == std::string_view::npos) return StrOf(text);
    }
    std::string text;
    AppendParts(expr.parts, &text);
    return StrOf(text);
  }

  // The parts as a template has them, with escapes decoded and white space stripped.
  void AppendParts(absl::Span<const Expr* const> parts, std::string* out) {
    for (const Expr* part : parts) {
      if (part->kind == ExprKind::kTemplateText) {
        AppendEscaped(As<TemplateTextExpr>(*part).text, out);
      } else if (part->kind == ExprKind::kTemplateIf) {
        AppendIf(As<TemplateIfExpr>(*part), out);
      } else if (part->kind == ExprKind::kTemplateFor) {
        AppendFor(As<TemplateForExpr>(*part), out);
      } else {
        Append({"${", source_.Slice(part->range), "}"}, out);
      }
    }
  }

  void AppendIf(const TemplateIfExpr& expr, std::string* out) {
    Append({"%{ if ", source_.Slice(expr.condition->range), " }"}, out);
    AppendParts(expr.if_true->parts, out);
    if (expr.if_false != nullptr) {
      Append({"%{ else }"}, out);
      AppendParts(expr.if_false->parts, out);
    }
    Append({"%{ endif }"}, out);
  }

  void AppendFor(const TemplateForExpr& expr, std::string* out) {
    Append({"%{ for ", expr.key_name, expr.key_name.empty() ? "" : ", ", expr.value_name, " in ",
            source_.Slice(expr.collection->range), " }"},
           out);
    AppendParts(expr.body->parts, out);
    Append({"%{ endfor }"}, out);
  }

  static void Append(std::initializer_list<std::string_view> texts, std::string* out) {
    for (const std::string_view text : texts) out->append(text);
  }

  // A name, a string, or an expression as text.
  py::object KeyOf(const ObjectItem& item) {
    if (!item.key_name.empty()) return StrOf(item.key_name);
    if (item.key->kind == ExprKind::kTemplate) return LoadTemplate(As<TemplateExpr>(*item.key));
    const Expr& key = *item.key;
    if (key.kind == ExprKind::kLiteral) return StrOf(As<LiteralExpr>(key).spelling);
    if (key.kind == ExprKind::kTemplateWrap) return Expression(As<TemplateWrapExpr>(key).inner->range);
    return Expression(key.kind == ExprKind::kParen ? As<ParenExpr>(key).inner->range : key.range);
  }

  py::str Expression(SourceRange range) {
    std::string text = "${";
    text.append(source_.Slice(range));
    text.push_back('}');
    return StrOf(text);
  }

  const Source& source_;
  const Limits& limits_;
  uint64_t digits_left_;  // of numbers
};

}  // namespace

py::dict Loads(const py::object& text, const std::string& name, const py::object& limits, const StopOptions& stop) {
  ParseOptions options;
  options.limits = LimitsOf(limits);
  Call call(stop);
  options.limits.interrupt = call.interrupt();
  options.allow_byte_order_mark = true;
  const Source source(name, std::string(Bytes(text, "the text").view()));
  Diagnostics diagnostics(options.limits.max_diagnostics);
  std::unique_ptr<ParsedFile> file;
  call.WithoutGil([&] { file = ParseConfig(source, options, &diagnostics); });
  call.RaisePending();
  if (diagnostics.has_errors()) Raise(ErrorOf(Phase::kCompile, diagnostics, &source, call.cancelled()));
  return Loader(source, options.limits).Load(*file->body);
}

}  // namespace hcl::python
