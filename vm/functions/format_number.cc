// Numbers by a printf-like specification. Tested by vm/functions/format_functions_test.cc.

#include "hclvm/vm/functions/format_number.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/value/digits.h"

namespace hcl::internal {
namespace {

// The number 0.DIGITS * 10^point; digits without zeros at the ends, none for zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  int64_t point = 0;
};

// Numbers are decimal, so that formatting is work on their digits: nothing is rounded but what the precision asks for.
Decimal ToDecimal(const Number& number) {
  Decimal decimal;
  std::string text = number.ToString();
  decimal.negative = number.Sign() < 0;
  if (decimal.negative) text.erase(0, 1);
  const size_t dot = std::min(text.find('.'), text.size());
  decimal.point = static_cast<int64_t>(dot);
  if (dot < text.size()) text.erase(dot, 1);
  const size_t first = std::min(text.find_first_not_of('0'), text.size());
  text.erase(0, first);
  decimal.point -= static_cast<int64_t>(first);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.empty()) decimal.point = 0;
  decimal.digits = std::move(text);
  return decimal;
}

// Keeps `count` digits. `half` is exact, since all digits are there. Nines carry by falling away, because zeros at the
// end are not kept.
void Round(int64_t count, Decimal* decimal) {
  std::string& digits = decimal->digits;
  if (count < 0 || count >= static_cast<int64_t>(digits.size())) return;
  const size_t kept = static_cast<size_t>(count);
  const bool half = digits[kept] == '5' && kept + 1 == digits.size();
  const bool up = half ? kept > 0 && (digits[kept - 1] - '0') % 2 == 1 : digits[kept] >= '5';
  digits.resize(kept);
  if (up) {
    while (!digits.empty() && digits.back() == '9') digits.pop_back();
    if (digits.empty()) {
      digits = "1";
      ++decimal->point;
    } else {
      ++digits.back();
    }
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.empty()) decimal->point = 0;
}

char DigitAt(const Decimal& decimal, int64_t index) {
  return index >= 0 && index < static_cast<int64_t>(decimal.digits.size()) ? decimal.digits[static_cast<size_t>(index)]
                                                                           : '0';
}

std::string_view SignOf(bool negative, const FormatSpec& spec) {
  return negative ? "-" : spec.plus ? "+" : spec.space ? " " : "";
}

void AppendPadded(std::string_view sign, std::string_view body, const FormatSpec& spec, bool zeros, std::string* out) {
  const int64_t used = static_cast<int64_t>(sign.size() + body.size());
  const size_t padding = static_cast<size_t>(std::max<int64_t>(spec.width.value_or(0) - used, 0));
  if (!spec.minus && !zeros) out->append(padding, ' ');
  out->append(sign);
  if (!spec.minus && zeros) out->append(padding, '0');
  out->append(body);
  if (spec.minus) out->append(padding, ' ');
}

// The usual number with the usual precision: so many digits behind the point, without a text in between. False when it
// is another one.
bool AppendFewDigits(const Number& number, int64_t precision, const FormatSpec& spec, std::string* out) {
  constexpr int64_t kMostPrecision = 16;
  if (!number.is_inline() || precision > kMostPrecision) return false;
  const int64_t dropped = static_cast<int64_t>(number.scale()) - precision;
  if (dropped > kMaxPowerOfTen) return false;
  const bool negative = number.coefficient() < 0;
  uint64_t digits = static_cast<uint64_t>(number.coefficient());
  if (negative) digits = 0 - digits;
  if (dropped > 0) {
    const auto unit = static_cast<uint64_t>(kPowersOfTen[dropped]);
    const uint64_t rest = digits % unit;
    digits /= unit;
    // Half to even; twice a rest fits, as it is below 10^18.
    if (2 * rest > unit || (2 * rest == unit && digits % 2 == 1)) ++digits;
  }
  char text[48];
  char* const end = text + sizeof(text) - kMostPrecision;  // zeros follow where there are too few digits
  char* begin = WriteBackwards(digits, end);
  const auto shown = static_cast<ptrdiff_t>(std::min(precision, precision + dropped));  // digits behind the point
  while (end - begin <= shown) *--begin = '0';
  if (precision > 0) {
    --begin;
    std::memmove(begin, begin + 1, static_cast<size_t>(end - begin - 1 - shown));
    *(end - 1 - shown) = '.';
  }
  const auto zeros = static_cast<size_t>(precision - shown);
  std::memset(end, '0', zeros);
  AppendPadded(SignOf(negative, spec), {begin, static_cast<size_t>(end - begin) + zeros}, spec, spec.zero, out);
  return true;
}

// Digits after the point: `precision`.
std::string Fixed(const Decimal& decimal, int64_t precision) {
  std::string text;
  for (int64_t i = 0; i < decimal.point; ++i) text.push_back(DigitAt(decimal, i));
  if (text.empty()) text = "0";
  if (precision > 0) text.push_back('.');
  for (int64_t i = 0; i < precision; ++i) text.push_back(DigitAt(decimal, decimal.point + i));
  return text;
}

std::string Scientific(const Decimal& decimal, int64_t precision, char letter) {
  std::string text(1, DigitAt(decimal, 0));
  if (precision > 0) text.push_back('.');
  for (int64_t i = 1; i <= precision; ++i) text.push_back(DigitAt(decimal, i));
  const int64_t exponent = decimal.digits.empty() ? 0 : decimal.point - 1;
  const int64_t magnitude = exponent < 0 ? -exponent : exponent;
  text.push_back(letter);
  text.push_back(exponent < 0 ? '-' : '+');
  if (magnitude < 10) text.push_back('0');
  return text + std::to_string(magnitude);
}

// Fixed or scientific, whichever suits; without a precision, all digits. It follows Go's %g: the exponent decides, and
// a precision bounds the digits in all. Without one, six is the threshold for writing an exponent only, and no digit is
// dropped.
std::string General(Decimal decimal, std::optional<int64_t> precision, char letter) {
  int64_t digits = static_cast<int64_t>(decimal.digits.size());
  int64_t threshold = 6;
  int64_t shown = digits;
  if (precision) {
    shown = std::max<int64_t>(*precision, 1);
    Round(shown, &decimal);
    digits = static_cast<int64_t>(decimal.digits.size());
    threshold = shown > digits && digits >= decimal.point ? digits : shown;
  }
  const int64_t exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= threshold) return Scientific(decimal, std::min(shown, digits) - 1, letter);
  if (shown > decimal.point) shown = digits;
  return Fixed(decimal, std::max<int64_t>(shown - decimal.point, 0));
}

// The digits of a whole, non-negative number. The cost is quadratic in their number, which is at most kBigDigits (the
// caller checks).
std::string DigitsInBase(const Number& number, int64_t base, bool upper, Arena* arena) {
  if (base == 10) return number.ToString();
  std::string digits;
  Number rest = number;
  do {
    NumberError error = NumberError::kNone;
    const Number digit = Modulo(rest, Number(base), arena, &error);
    digits.push_back((upper ? "0123456789ABCDEF" : "0123456789abcdef")[digit.coefficient()]);
    rest = Divide(Subtract(rest, digit, arena, &error), Number(base), arena, &error);
  } while (rest.Sign() > 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

struct Base {
  int64_t base;
  const char* prefix;
};

Base BaseOf(char verb) {
  switch (verb) {
    case 'b':
      return {2, "0b"};
    case 'o':
      return {8, "0"};
    case 'x':
      return {16, "0x"};
    case 'X':
      return {16, "0X"};
    default:
      return {10, ""};
  }
}

}  // namespace

// This follows Go's fmt, which the reference uses, on exact decimals: %f counts digits behind the point, %e all digits
// but one, and %g chooses. A half is rounded to the even digit. Infinities are padded with blanks even where zeros are
// asked for.
void AppendDecimal(const Number& number, const FormatSpec& spec, std::string* out) {
  if (number.IsInfinite()) {
    const bool negative = number.Sign() < 0;
    return AppendPadded(negative ? "-" : spec.space ? " " : "+", "Inf", spec, false, out);
  }
  const int64_t precision = spec.precision.value_or(6);
  if (spec.verb == 'f' && AppendFewDigits(number, precision, spec, out)) return;
  Decimal decimal = ToDecimal(number);
  const bool negative = decimal.negative;
  std::string body;
  switch (spec.verb) {
    case 'f':
      Round(decimal.point + precision, &decimal);
      body = Fixed(decimal, precision);
      break;
    case 'e':
    case 'E':
      Round(precision + 1, &decimal);
      body = Scientific(decimal, precision, spec.verb);
      break;
    default:
      body = General(std::move(decimal), spec.precision, spec.verb == 'G' ? 'E' : 'e');
  }
  AppendPadded(SignOf(negative, spec), body, spec, spec.zero, out);
}

// This follows Go's fmt: a precision is the least number of digits and switches padding with zeros off; zero with a
// precision of zero is no text at all.
void AppendInteger(const Number& number, const FormatSpec& spec, Arena* arena, std::string* out) {
  const bool negative = number.Sign() < 0;
  const Base base = BaseOf(spec.verb);
  std::string digits = DigitsInBase(negative ? Negate(number, arena) : number, base.base, spec.verb == 'X', arena);
  if (spec.precision) {
    if (*spec.precision == 0 && digits == "0") return;
    const int64_t missing = *spec.precision - static_cast<int64_t>(digits.size());
    if (missing > 0) digits.insert(0, static_cast<size_t>(missing), '0');
  }
  const std::string sign = absl::StrCat(ToAbsl(SignOf(negative, spec)), spec.sharp ? base.prefix : "");
  AppendPadded(sign, digits, spec, spec.zero && !spec.precision, out);
}

void AppendShortest(const Number& number, std::string* out) {
  if (number.IsInfinite()) {
    out->append(number.Sign() < 0 ? "-Inf" : "+Inf");
    return;
  }
  Decimal decimal = ToDecimal(number);
  if (decimal.negative) out->push_back('-');
  out->append(General(std::move(decimal), std::nullopt, 'e'));
}

}  // namespace hcl::internal
