// Literals. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/literals.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

ABSL_ATTRIBUTE_NOINLINE Value OtherString(std::string_view text, Arena* arena) {
  return IsKnownNfc(text) ? Value::String(text, arena) : Value::String(ToNfc(text), arena);
}

}  // namespace

Value Literals::StringOf(std::string_view text) {
  // Most are names in ASCII that stand in the value itself, behind its first two bytes.
  if (text.size() <= kMaxInlineString) {
    const Value value = Value::StringView(text);
    if (MarkNonAscii(HeadBits(value) >> 16 | PayloadBits(value)) == 0) return value;
  }
  return OtherString(text, builder_.heap()->arena());
}

// Most are whole and have few digits, so many as no limit is below.
Number Literals::NumberOf(std::string_view spelling, NumberError* error) {
  constexpr size_t kMaxShort = 9;
  if (spelling.size() <= kMaxShort && limits_.max_number_digits >= kMaxShort) {
    int64_t value = 0;
    size_t at = 0;
    while (at < spelling.size() && spelling[at] >= '0' && spelling[at] <= '9')
      value = value * 10 + (spelling[at++] - '0');
    if (at == spelling.size() && at > 0) {
      *error = NumberError::kNone;
      return Number(value);
    }
  }
  return Number::Parse(spelling, NumberSyntax::kLiteral, limits_, builder_.heap()->arena(), error);
}

// Limits of digits have messages of their own, as the host may set them.
Value Literals::ValueOf(const LiteralExpr& expr) {
  switch (expr.literal) {
    case LiteralKind::kTrue:
      return Value::Bool(true);
    case LiteralKind::kFalse:
      return Value::Bool(false);
    case LiteralKind::kNull:
      return Value::Null();
    case LiteralKind::kNumber:
      break;
  }
  NumberError error = NumberError::kNone;
  const Number number = NumberOf(expr.spelling, &error);
  if (error == NumberError::kNone) return Value::FromNumber(number);
  if (error == NumberError::kTooManyDigits) {
    reports_.Report(expr.range, DiagnosticCode::kNumberTooLong,
                    absl::StrCat("A number must not need more than ", limits_.max_number_digits,
                                 " digits when written without an exponent (limit max_number_digits)."));
  } else {
    reports_.Report(expr.range, DiagnosticCode::kNumberOutOfRange,
                    error == NumberError::kTooPrecise
                        ? "This integer has more digits than can be represented exactly."
                        : "This number is out of the range of numbers that can be represented.");
  }
  return Value::Dynamic();
}

std::optional<Value> Literals::TextOf(const TemplateExpr& expr) {
  if (expr.parts.size() == 1 && expr.parts[0]->kind == ExprKind::kTemplateText) {
    return StringOf(As<TemplateTextExpr>(*expr.parts[0]).text);
  }
  const bool is_text = std::all_of(expr.parts.begin(), expr.parts.end(),
                                   [](const Expr* part) { return part->kind == ExprKind::kTemplateText; });
  if (!is_text) return std::nullopt;
  std::string text;
  for (const Expr* part : expr.parts) text.append(As<TemplateTextExpr>(*part).text);
  return StringOf(text);
}

std::optional<Value> Literals::LiteralOf(const Expr& expr) {
  if (expr.kind == ExprKind::kLiteral) return ValueOf(As<LiteralExpr>(expr));
  return expr.kind == ExprKind::kTemplate ? TextOf(As<TemplateExpr>(expr)) : std::nullopt;
}

}  // namespace hcl::internal
