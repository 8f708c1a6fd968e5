// Numbers: texts in all syntaxes, and what is computed of two of them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/tests/fuzz/exact_decimal.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/vm/value/number.h"

namespace hcl::fuzz {
namespace {

// What is compared exactly, since the exact way takes quadratic time.
constexpr size_t kMaxExactBytes = 2000;
constexpr int64_t kMaxExactExponent = 5000;

struct Parsed {
  Number number;
  ExactDecimal exact;
};

DecimalGrammar GrammarOf(NumberSyntax syntax) {
  DecimalGrammar grammar;
  grammar.minus = syntax != NumberSyntax::kLiteral;
  grammar.exponent = syntax != NumberSyntax::kSpec;
  grammar.leading_zeros = syntax != NumberSyntax::kJson;
  return grammar;
}

// What the number says of itself agrees with its text.
void CheckForms(const Number& number) {
  if (number.IsInfinite() || number.DigitCount() > 10 * kMaxExactBytes) return;
  const std::string text = number.ToString();
  const auto digits =
      static_cast<uint64_t>(std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
  Require(number.DigitCount() == digits, "a number knows its digits", text);
  Require(number.IsInteger() == (text.find('.') == std::string::npos), "a number knows whether it is whole", text);
  Require(number.Sign() == (text == "0" ? 0 : text[0] == '-' ? -1 : 1), "a number knows its sign", text);
  const double nearest = std::strtod(text.c_str(), nullptr);
  Require(number.ToDouble() == nearest, "the nearest double is that of the C library", text);
  Arena arena;
  NumberError error;
  const Number again = Number::Parse(text, NumberSyntax::kSpec, {}, &arena, &error);
  Require(error == NumberError::kNone && Equal(number, again) && number.Hash() == again.Hash() &&
              number.is_inline() == again.is_inline(),
          "a number reads as it was written", text);
  if (number.ToDouble() == HUGE_VAL || number.ToDouble() == -HUGE_VAL) return;
  const std::optional<Number> shortest = Number::FromDouble(nearest, &arena);
  Require(shortest && shortest->ToDouble() == nearest, "a double is read and written", text);
}

// The number if the text is one that can be compared.
std::optional<Parsed> Parse(std::string_view text, NumberSyntax syntax, Arena* arena) {
  Limits limits;
  NumberError error;
  const Number number = Number::Parse(text, syntax, limits, arena, &error);
  bool too_large = false;
  const std::optional<ExactDecimal> exact =
      text.size() <= kMaxExactBytes ? ParseExact(text, GrammarOf(syntax), &too_large) : std::nullopt;
  if (text.size() > kMaxExactBytes || too_large) return std::nullopt;
  if (!exact) {
    Require(error != NumberError::kNone || syntax == NumberSyntax::kReference, "a text that is no number is an error",
            text);
    return std::nullopt;
  }
  Require(error != NumberError::kSyntax, "a number is read", text);
  if (error == NumberError::kTooManyDigits || std::llabs(exact->exponent) > kMaxExactExponent) return std::nullopt;
  if (error == NumberError::kTooPrecise) {
    Require(syntax == NumberSyntax::kLiteral && NeedsRounding(*exact) && IsWhole(*exact),
            "only long whole literals are too precise", text);
    return std::nullopt;
  }
  Require(error == NumberError::kNone, "a number is read", text);
  Require(number.ToString() == RoundedText(*exact), "a number is what its text says", text);
  return Parsed{number, *exact};
}

using Operation = Number (*)(const Number& a, const Number& b, Arena* arena, NumberError* error);

void CheckResult(const char* what, Operation operation, const Parsed& a, const Parsed& b, const std::string& want) {
  Arena arena;
  NumberError error;
  const Number result = operation(a.number, b.number, &arena, &error);
  const std::string operands = a.number.ToString() + "\n" + b.number.ToString() + "\n";
  Require(error == NumberError::kNone, std::string(what) + " has a result", operands);
  Require(result.ToString() == want, std::string(what) + " is exact or rounded correctly",
          operands + result.ToString() + "\nwant " + want);
  CheckForms(result);
}

void Compute(const Parsed& a, const Parsed& b) {
  CheckResult("a sum", Add, a, b, RoundedText(Sum(a.exact, b.exact)));
  CheckResult("a difference", Subtract, a, b, RoundedText(Sum(a.exact, Negative(b.exact))));
  CheckResult("a product", Multiply, a, b, RoundedText(Product(a.exact, b.exact)));
  Require(Compare(a.number, b.number) == Compare(a.exact, b.exact), "numbers are ordered");
  Require(Equal(a.number, b.number) == (Compare(a.exact, b.exact) == 0), "numbers are equal or not");
  if (b.exact.coefficient == 0) return;
  CheckResult("a quotient", Divide, a, b, QuotientText(a.exact, b.exact));
  CheckResult("a remainder", Modulo, a, b, RoundedText(Remainder(a.exact, b.exact)));
}

}  // namespace

// One text, or two with a line end between them.
void FuzzNumber(std::string_view input) {
  const Watch watch("numbers", input.size());
  const size_t line = input.find('\n');
  const std::string_view first = input.substr(0, line);
  const std::string_view second = line == std::string_view::npos ? first : input.substr(line + 1);
  Arena arena;
  for (const NumberSyntax syntax :
       {NumberSyntax::kLiteral, NumberSyntax::kSpec, NumberSyntax::kReference, NumberSyntax::kJson}) {
    const std::optional<Parsed> a = Parse(first, syntax, &arena);
    const std::optional<Parsed> b = Parse(second, syntax, &arena);
    for (const auto& parsed : {a, b}) {
      if (parsed) CheckForms(parsed->number);
    }
    // Operands that were rounded are no longer those of the exact way.
    if (!a || !b || NeedsRounding(a->exact) || NeedsRounding(b->exact)) continue;
    Compute(*a, *b);
    Compute(*b, *a);
  }
}

}  // namespace hcl::fuzz
