// Exact decimals.

#include "hclvm/tests/fuzz/exact_decimal.h"

#include <algorithm>
#include <cstddef>

namespace hcl::fuzz {
namespace {

constexpr size_t kDigits = 160;
constexpr size_t kMaxExponentDigits = 6;

Integer PowerOfTen(int64_t exponent) {
  return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent));
}

// Takes off zeros at the end.
ExactDecimal Reduced(ExactDecimal value) {
  if (value.coefficient == 0) return {};
  while (value.coefficient % 10 == 0) {
    value.coefficient /= 10;
    ++value.exponent;
  }
  return value;
}

// The coefficients of both, at the smaller exponent.
struct Aligned {
  Integer a, b;
  int64_t exponent;
};

Aligned Align(const ExactDecimal& a, const ExactDecimal& b) {
  const int64_t exponent = std::min(a.exponent, b.exponent);
  return {a.coefficient * PowerOfTen(a.exponent - exponent), b.coefficient * PowerOfTen(b.exponent - exponent),
          exponent};
}

std::string PlainText(const std::string& digits, int64_t exponent, bool negative) {
  std::string text = digits;
  if (exponent >= 0) {
    text.append(static_cast<size_t>(exponent), '0');
  } else {
    const auto places = static_cast<size_t>(-exponent);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, ".");
  }
  return negative ? "-" + text : text;
}

// Takes the digits at `*at`.
std::string_view TakeDigits(std::string_view text, size_t* at) {
  const size_t begin = *at;
  while (*at < text.size() && text[*at] >= '0' && text[*at] <= '9') ++*at;
  return text.substr(begin, *at - begin);
}

bool Take(std::string_view text, size_t* at, std::string_view characters) {
  if (*at == text.size() || characters.find(text[*at]) == std::string_view::npos) return false;
  ++*at;
  return true;
}

// Boost takes a leading zero for an octal number.
Integer FromDigits(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits.empty() ? Integer(0) : Integer(digits);
}

}  // namespace

// By hand, since what is wanted is a second reader of these grammars; a long exponent is looked at for its syntax only.
std::optional<ExactDecimal> ParseExact(std::string_view text, const DecimalGrammar& grammar, bool* too_large) {
  *too_large = false;
  size_t at = 0;
  const bool negative = grammar.minus && Take(text, &at, "-");
  const std::string_view whole = TakeDigits(text, &at);
  if (whole.empty() || (!grammar.leading_zeros && whole.size() > 1 && whole[0] == '0')) return std::nullopt;
  std::string_view fraction;
  if (grammar.fraction && Take(text, &at, ".")) {
    fraction = TakeDigits(text, &at);
    if (fraction.empty()) return std::nullopt;
  }
  int64_t exponent = 0;
  if (grammar.exponent && Take(text, &at, "eE")) {
    const bool below = at < text.size() && text[at] == '-';
    Take(text, &at, "+-");
    std::string_view digits = TakeDigits(text, &at);
    if (digits.empty()) return std::nullopt;
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    *too_large = digits.size() > kMaxExponentDigits;
    if (!*too_large && !digits.empty()) exponent = std::stoll(std::string(digits)) * (below ? -1 : 1);
  }
  if (at != text.size()) *too_large = false;
  if (at != text.size() || *too_large) return std::nullopt;
  ExactDecimal value;
  value.coefficient = FromDigits(std::string(whole) + std::string(fraction));
  if (negative) value.coefficient = -value.coefficient;
  value.exponent = exponent - static_cast<int64_t>(fraction.size());
  return Reduced(value);
}

bool NeedsRounding(const ExactDecimal& value) {
  const Integer coefficient = abs(Reduced(value).coefficient);
  return coefficient.str().size() > kDigits;
}

bool IsWhole(const ExactDecimal& value) { return Reduced(value).exponent >= 0; }

// On the digits as text, where what is cut off and whether it is half of a unit are plain to see.
std::string RoundedText(const ExactDecimal& value, bool below) {
  const bool negative = value.coefficient < 0;
  const Integer coefficient = abs(value.coefficient);
  const std::string digits = coefficient.str();
  ExactDecimal rounded = value;
  if (digits.size() > kDigits) {
    const std::string kept = digits.substr(0, kDigits);
    const std::string cut = digits.substr(kDigits);
    const std::string half = "5" + std::string(cut.size() - 1, '0');
    const bool odd = (kept.back() - '0') % 2 == 1;
    const bool up = cut > half || (cut == half && (below || odd));
    rounded.coefficient = FromDigits(kept) + (up ? 1 : 0);
    rounded.exponent = value.exponent + static_cast<int64_t>(cut.size());
  } else {
    rounded.coefficient = coefficient;
  }
  rounded = Reduced(rounded);
  return PlainText(rounded.coefficient.str(), rounded.exponent, negative && rounded.coefficient != 0);
}

ExactDecimal Sum(const ExactDecimal& a, const ExactDecimal& b) {
  const Aligned both = Align(a, b);
  return {both.a + both.b, both.exponent};
}

ExactDecimal Product(const ExactDecimal& a, const ExactDecimal& b) {
  return {a.coefficient * b.coefficient, a.exponent + b.exponent};
}

ExactDecimal Negative(const ExactDecimal& a) { return {-a.coefficient, a.exponent}; }

ExactDecimal Remainder(const ExactDecimal& a, const ExactDecimal& b) {
  const Aligned both = Align(a, b);
  return {both.a % both.b, both.exponent};
}

// So many digits more than are kept that what is cut off is decided by them, but for a remainder.
std::string QuotientText(const ExactDecimal& a, const ExactDecimal& b) {
  const Integer divisor = abs(b.coefficient);
  const auto more = static_cast<int64_t>(kDigits + divisor.str().size() + 2);
  const Integer dividend = a.coefficient * PowerOfTen(more) * (b.coefficient < 0 ? -1 : 1);
  return RoundedText({dividend / divisor, a.exponent - b.exponent - more}, dividend % divisor != 0);
}

int Compare(const ExactDecimal& a, const ExactDecimal& b) {
  const Aligned both = Align(a, b);
  return both.a < both.b ? -1 : both.a > both.b ? 1 : 0;
}

}  // namespace hcl::fuzz
