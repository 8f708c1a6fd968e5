// Numbers from and to text and double.
//
// Tested by vm/value/number_test.cc.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/charconv.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Exponents are cut to this: far beyond any number, far from overflowing.
constexpr int64_t kHugeExponent = 1'000'000'000'000;

// Digits that a coefficient in 64 bits may have, whatever they are.
constexpr int64_t kPowers = internal::kMaxPowerOfTen;

// A number taken apart: +-(whole digits)(fraction digits) * 10^exponent * 2^binary_exponent.
struct Spelling {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int64_t exponent = 0;
  int64_t binary_exponent = 0;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool Take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view TakeDigits() {
    size_t begin = at_;
    while (text_.size() - at_ >= 8 && internal::AreEightDigits(internal::LoadEight(text_.data() + at_))) at_ += 8;
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Reads [+-]digits; false when there are no digits. The value is cut while it is read: an exponent of a million digits
// must not overflow.
bool ScanExponent(Scanner* scanner, int64_t* exponent) {
  bool negative = scanner->Take('-');
  if (!negative) scanner->Take('+');
  std::string_view digits = scanner->TakeDigits();
  if (digits.empty()) return false;
  int64_t value = 0;
  for (char digit : digits) value = std::min(value * 10 + (digit - '0'), kHugeExponent);
  *exponent = negative ? -value : value;
  return true;
}

// Only the reference reads `1.` as a number.
bool ScanFraction(Scanner* scanner, NumberSyntax syntax, Spelling* out) {
  if (!scanner->Take('.')) return true;
  out->fraction = scanner->TakeDigits();
  return !out->fraction.empty() || syntax == NumberSyntax::kReference;
}

// One scanner for four syntaxes, which differ in a sign, an exponent, leading zeros and empty parts (NumberSyntax). It
// only splits the text, so that a number of any length costs one pass and no memory.
bool Scan(std::string_view text, NumberSyntax syntax, Spelling* out) {
  bool reference = syntax == NumberSyntax::kReference;
  Scanner scanner(text);
  if (syntax != NumberSyntax::kLiteral) out->negative = scanner.Take('-');
  if (reference && !out->negative) scanner.Take('+');
  out->whole = scanner.TakeDigits();
  if (out->whole.empty() && !reference) return false;
  if (syntax == NumberSyntax::kJson && out->whole.size() > 1 && out->whole[0] == '0') return false;
  if (!ScanFraction(&scanner, syntax, out)) return false;
  if (out->whole.empty() && out->fraction.empty()) return false;
  if (syntax != NumberSyntax::kSpec && (scanner.Take('e') || scanner.Take('E'))) {
    if (!ScanExponent(&scanner, &out->exponent)) return false;
  } else if (reference && (scanner.Take('p') || scanner.Take('P'))) {
    if (!ScanExponent(&scanner, &out->binary_exponent)) return false;
  }
  return scanner.at_end();
}

bool IsInfinityText(std::string_view text, bool* negative) {
  *negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text == "inf" || text == "Inf";
}

// Digits of the plain form of digits * 10^exponent, where `digits` counts those from the first that is not zero. So a
// number is refused before its digits are made: `1e999999999` is a few bytes of input.
uint64_t PlainDigits(size_t digits, int64_t exponent) {
  int64_t whole = std::max<int64_t>(static_cast<int64_t>(digits) + exponent, 1);
  int64_t fraction = std::max<int64_t>(-exponent, 0);
  return static_cast<uint64_t>(whole + fraction);
}

// coefficient * 10^exponent, in its canonical form. False when the exponent may be beyond all numbers. The coefficient
// has at most kMaxPowerOfTen digits; zeros at its end are taken off first, so that its form tells which kind of number
// it is.
bool FromCoefficient(bool negative, uint64_t coefficient, int64_t exponent, const Limits& limits, Arena* arena,
                     Number* number, NumberError* error) {
  while (internal::TakeTen(&coefficient)) ++exponent;
  const auto value = static_cast<int64_t>(negative ? 0 - coefficient : coefficient);
  const bool is_inline = exponent <= 0 && -exponent <= kMaxInlineScale;
  if (is_inline && limits.max_number_digits > kPowers + kMaxInlineScale) {
    *number = Number::Inline(value, static_cast<uint32_t>(-exponent));
    return true;
  }
  int64_t digits = 1;
  while (digits < kPowers && coefficient >= static_cast<uint64_t>(internal::kPowersOfTen[digits])) ++digits;
  if (PlainDigits(static_cast<size_t>(digits), exponent) > limits.max_number_digits) {
    *error = NumberError::kTooManyDigits;
    return true;
  }
  if (digits + exponent > internal::kMaxExponent || exponent < -internal::kMaxExponent) return false;
  int64_t raised;
  if (is_inline) {
    *number = Number::Inline(value, static_cast<uint32_t>(-exponent));
  } else if (exponent > 0 && exponent <= kPowers &&
             !__builtin_mul_overflow(value, internal::kPowersOfTen[exponent], &raised)) {
    *number = Number(raised);
  } else {
    *number = internal::NumberFromShort(negative, coefficient, exponent, arena);
  }
  return true;
}

// The common case: an integer or a decimal of few digits, without an exponent. False when it is another one, or no
// number. Up to 18 digits fit 64 bits without a test for overflow, and a zero before the point is all that their plain
// form may have besides.
bool ParsePlain(std::string_view text, NumberSyntax syntax, const Limits& limits, Number* number) {
  if (limits.max_number_digits <= kPowers) return false;
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = syntax != NumberSyntax::kLiteral && at != end && *at == '-';
  if (negative) ++at;
  uint64_t coefficient = 0;
  const char* const first = at;
  at = internal::ReadDigits(at, end, &coefficient);
  ptrdiff_t digits = at - first;
  if (digits == 0 || digits > kPowers) return false;
  if (syntax == NumberSyntax::kJson && digits > 1 && *first == '0') return false;
  ptrdiff_t scale = 0;
  if (at != end) {
    if (*at != '.') return false;
    const char* const fraction = ++at;
    at = internal::ReadDigits(at, end, &coefficient);
    scale = at - fraction;
    digits += scale;
    if (at != end || scale == 0 || digits > kPowers) return false;
  }
  if (coefficient == 0) scale = 0;
  while (scale > 0 && internal::TakeTen(&coefficient)) --scale;
  *number =
      Number::Inline(static_cast<int64_t>(negative ? 0 - coefficient : coefficient), static_cast<uint32_t>(scale));
  return true;
}

// Few digits with an exponent, or with a form that ParsePlain() leaves alone. False when it is another case. The digits
// are never too many for a limit that is no less than they may be; an exponent may make more of them.
bool ParseSmall(const Spelling& spelling, const Limits& limits, Arena* arena, Number* number, NumberError* error) {
  const auto digits = static_cast<int64_t>(spelling.whole.size() + spelling.fraction.size());
  if (digits > kPowers || limits.max_number_digits < kPowers || spelling.binary_exponent != 0) return false;
  uint64_t coefficient = 0;
  for (const std::string_view part : {spelling.whole, spelling.fraction}) {
    internal::ReadDigits(part.data(), part.data() + part.size(), &coefficient);
  }
  if (coefficient == 0) {
    *number = Number();
    return true;
  }
  const int64_t exponent = spelling.exponent - static_cast<int64_t>(spelling.fraction.size());
  if (exponent != 0) return FromCoefficient(spelling.negative, coefficient, exponent, limits, arena, number, error);
  *number = Number(static_cast<int64_t>(spelling.negative ? 0 - coefficient : coefficient));
  return true;
}

// The reference has binary exponents (`1p10`), which are taken by squaring. An exponent beyond the range of numbers
// ends it with an overflow after a few dozen multiplications.
Number ScaleByTwo(const Number& number, int64_t exponent, Arena* arena, NumberError* error) {
  Number power(1);
  Number base(2);
  uint64_t rest = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent);
  for (; rest != 0 && *error == NumberError::kNone; rest >>= 1) {
    if (rest & 1) power = Multiply(power, base, arena, error);
    if (rest > 1 && *error == NumberError::kNone) base = Multiply(base, base, arena, error);
  }
  if (*error != NumberError::kNone) return Number();
  return exponent < 0 ? Divide(number, power, arena, error) : Multiply(number, power, arena, error);
}

// Zeros at both ends are taken off first, so that neither limit counts them. information-model.md, "Primitive Types":
// "an error is produced if an integer value given in source cannot be represented precisely", hence kTooPrecise for
// literals, while a fraction is rounded. The digits after scaling by two are counted again, because a small text may
// stand for many.
Number ParseLarge(const Spelling& spelling, NumberSyntax syntax, const Limits& limits, Arena* arena,
                  NumberError* error) {
  std::string digits;
  digits.reserve(spelling.whole.size() + spelling.fraction.size());
  digits.append(spelling.whole).append(spelling.fraction);
  size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return Number();
  size_t last = digits.find_last_not_of('0');
  int64_t exponent = spelling.exponent - static_cast<int64_t>(spelling.fraction.size());
  exponent += static_cast<int64_t>(digits.size() - 1 - last);
  std::string_view all = digits;
  std::string_view significant = all.substr(first, last + 1 - first);
  if (PlainDigits(significant.size(), exponent) > limits.max_number_digits) {
    *error = NumberError::kTooManyDigits;
    return Number();
  }
  if (syntax == NumberSyntax::kLiteral && exponent >= 0 && significant.size() > kBigDigits) {
    *error = NumberError::kTooPrecise;
    return Number();
  }
  Number number = internal::NumberFromDigits(spelling.negative, significant, exponent, arena, error);
  if (*error != NumberError::kNone || spelling.binary_exponent == 0) return number;
  number = ScaleByTwo(number, spelling.binary_exponent, arena, error);
  if (*error == NumberError::kNone && number.DigitCount() > limits.max_number_digits) {
    *error = NumberError::kTooManyDigits;
  }
  return number;
}

// Appends digits * 10^exponent in plain form. information-model.md, "Primitive Type Conversions": no exponent, however
// large the number; who calls this has asked DigitCount() whether it may.
void AppendPlain(std::string_view digits, int64_t exponent, std::string* out) {
  if (exponent >= 0) {
    out->append(digits);
    out->append(static_cast<size_t>(exponent), '0');
    return;
  }
  size_t fraction = static_cast<size_t>(-exponent);
  if (digits.size() > fraction) {
    out->append(digits.substr(0, digits.size() - fraction));
    out->push_back('.');
    out->append(digits.substr(digits.size() - fraction));
    return;
  }
  out->append("0.");
  out->append(fraction - digits.size(), '0');
  out->append(digits);
}

}  // namespace

// The reference's words for infinities are tried only after the number has failed.
Number Number::Parse(std::string_view text, NumberSyntax syntax, const Limits& limits, Arena* arena,
                     NumberError* error) {
  *error = NumberError::kNone;
  Number number;
  if (ParsePlain(text, syntax, limits, &number)) return number;
  Spelling spelling;
  if (!Scan(text, syntax, &spelling)) {
    bool negative;
    if (syntax == NumberSyntax::kReference && IsInfinityText(text, &negative)) return Infinity(negative);
    *error = NumberError::kSyntax;
    return Number();
  }
  if (ParseSmall(spelling, limits, arena, &number, error)) return number;
  return ParseLarge(spelling, syntax, limits, arena, error);
}

// The way goes over the shortest text that reads back as the same double: 0.1 becomes 0.1, and not the 55 digits that
// the double stands for.
std::optional<Number> Number::FromDouble(double value, Arena* arena) {
  if (std::isnan(value)) return std::nullopt;
  if (std::isinf(value)) return Infinity(value < 0);
  char text[32];
  std::to_chars_result result = std::to_chars(text, text + sizeof(text), value);
  NumberError error;
  Limits limits;
  return Parse({text, static_cast<size_t>(result.ptr - text)}, NumberSyntax::kReference, limits, arena, &error);
}

// Correctly rounded: by one exact division where that can do it, and by the digits otherwise, since dividing an inexact
// double by an inexact power would round twice.
double Number::ToDouble() const {
  if (IsInfinite())
    return Sign() < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  // Both exactly representable, and one division rounds once.
  constexpr int64_t kMaxExactInteger = int64_t{1} << 53;
  constexpr uint32_t kMaxExactPower = 18;
  if (is_inline() && scale_ <= kMaxExactPower && coefficient_ <= kMaxExactInteger &&
      coefficient_ >= -kMaxExactInteger) {
    return static_cast<double>(coefficient_) / static_cast<double>(internal::kPowersOfTen[scale_]);
  }
  std::string text;
  if (is_inline()) {
    text = std::to_string(coefficient_) + "e-" + std::to_string(scale_);
  } else {
    internal::BigText big = internal::BigToText(*big_);
    text = (big.negative ? "-" : "") + big.digits + "e" + std::to_string(big.exponent);
  }
  double value = 0;
  absl::from_chars_result result = absl::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range && std::abs(value) >= 1) {
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  return value;
}

namespace {

uint64_t Magnitude(int64_t coefficient) {
  return coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
}

// Writes a short number up to `end`, where Number::kMaxShortText bytes are free before it; the point and the sign are
// put in. Returns the begin.
char* WriteShortBackwards(const Number& number, char* end) {
  char* begin = internal::WriteBackwards(Magnitude(number.coefficient()), end);
  if (number.scale() != 0) {
    // At least one digit stands before the point, which moves to the left.
    char* const point = end - number.scale() - 1;
    while (begin > point) *--begin = '0';
    --begin;
    // The loops above have written all of it.
    for (char* at = begin; at != point; ++at) at[0] = at[1];  // NOLINT(clang-analyzer-core.uninitialized.Assign)
    *point = '.';
  }
  if (number.coefficient() < 0) *--begin = '-';
  return begin;
}

}  // namespace

char* Number::WriteShort(char* to) const {
  HCL_DCHECK(is_short());
  char text[kMaxShortText];
  char* const end = text + sizeof(text);
  return std::copy(WriteShortBackwards(*this, end), end, to);
}

// A big number goes by its digits, and so does one with many zeros behind the point.
void Number::AppendTo(std::string* out) const {
  if (is_short()) {
    char text[kMaxShortText];
    char* const end = text + sizeof(text);
    const char* const begin = WriteShortBackwards(*this, end);
    out->append(begin, static_cast<size_t>(end - begin));
    return;
  }
  if (is_inline()) {
    if (coefficient_ < 0) out->push_back('-');
    char text[kMaxShortText];
    char* const end = text + sizeof(text);
    const char* const begin = internal::WriteBackwards(Magnitude(coefficient_), end);
    AppendPlain({begin, static_cast<size_t>(end - begin)}, -static_cast<int64_t>(scale_), out);
    return;
  }
  if (IsInfinite()) {
    out->append(Sign() < 0 ? "-Inf" : "Inf");
    return;
  }
  internal::BigText text = internal::BigToText(*big_);
  if (text.negative) out->push_back('-');
  AppendPlain(text.digits, text.exponent, out);
}

std::string Number::ToString() const {
  std::string text;
  AppendTo(&text);
  return text;
}

}  // namespace hcl
