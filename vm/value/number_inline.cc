// Numbers: the inline fast paths, and the way to vm/value/big_number.h beyond them.
//
// Tested by vm/value/number_test.cc.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/decimal.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/number.h"

namespace hcl {

using internal::Decimal;
using internal::kMaxPowerOfTen;
using internal::kPowersOfTen;
using internal::MixHash;
using internal::TakeFive;

namespace {

using Int128 = __int128;
using Uint128 = unsigned __int128;

uint64_t Magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// The number with this magnitude, which fits.
int64_t Signed(bool negative, uint64_t magnitude) { return static_cast<int64_t>(negative ? 0 - magnitude : magnitude); }

Decimal Parts(const Number& n) { return {n.coefficient(), n.scale()}; }
Number Inline(const Decimal& d) { return Number::Inline(d.coefficient, d.scale); }

// The inline form of coefficient * 10^-scale, whose scale may not be minimal; scale is at most kMaxInlineScale.
Number InlineMinimal(int64_t coefficient, uint32_t scale) { return Inline(internal::Minimal(coefficient, scale)); }

// The canonical form of value * 10^-scale. There are three ways: it fits as it is, it fits after multiplying a negative
// scale away, or NumberFromWide() has to look, which takes zeros off the end before it makes a big number.
Number Canonical128(Int128 value, int64_t scale, Arena* arena, NumberError* error) {
  if (value == static_cast<int64_t>(value) && scale >= 0 && scale <= kMaxInlineScale) {
    return InlineMinimal(static_cast<int64_t>(value), static_cast<uint32_t>(scale));
  }
  if (scale < 0 && -scale <= kMaxPowerOfTen) {
    Int128 raised;
    if (!__builtin_mul_overflow(value, static_cast<Int128>(kPowersOfTen[-scale]), &raised) &&
        raised == static_cast<int64_t>(raised)) {
      return Number(static_cast<int64_t>(raised));
    }
  }
  bool negative = value < 0;
  Uint128 magnitude = negative ? 0 - static_cast<Uint128>(value) : static_cast<Uint128>(value);
  return internal::NumberFromWide(negative, magnitude, -scale, arena, error);
}

// In 64 bits.
bool Align(const Number& a, const Number& b, int64_t* x, int64_t* y) {
  return internal::Align(Parts(a), Parts(b), x, y);
}

// a + sign * b beyond 64 bits. The common scale is reached in 128 bits: a 64-bit coefficient times 10^18 is below
// 2^124, so that neither product nor sum overflows.
Number AddWide(const Number& a, const Number& b, int sign, Arena* arena, NumberError* error) {
  const uint32_t scale = a.scale() > b.scale() ? a.scale() : b.scale();
  const uint32_t raise_a = scale - a.scale();
  const uint32_t raise_b = scale - b.scale();
  if (raise_a > kMaxPowerOfTen || raise_b > kMaxPowerOfTen) return internal::BigAdd(a, b, sign < 0, arena, error);
  const Int128 x = static_cast<Int128>(a.coefficient()) * kPowersOfTen[raise_a];
  const Int128 y = static_cast<Int128>(b.coefficient()) * kPowersOfTen[raise_b];
  return Canonical128(sign > 0 ? x + y : x - y, scale, arena, error);
}

// Compares inline numbers of two scales. Never makes a big number: where the product with a power of ten does not fit
// 64 bits, that alone decides.
int CompareScales(const Number& a, const Number& b) {
  int64_t x = 0;
  int64_t y = 0;
  if (Align(a, b, &x, &y)) return (x > y) - (x < y);
  // Beyond 64 bits, the number of the smaller scale exceeds every coefficient, unless it is zero.
  if (a.scale() > b.scale()) return b.coefficient() != 0 ? -b.Sign() : a.Sign();
  return a.coefficient() != 0 ? a.Sign() : -b.Sign();
}

constexpr int kMaxPowerOfFive = 27;

constexpr std::array<uint64_t, kMaxPowerOfFive + 1> MakePowersOfFive() {
  std::array<uint64_t, kMaxPowerOfFive + 1> powers{};
  powers[0] = 1;
  for (int i = 1; i <= kMaxPowerOfFive; ++i) powers[i] = powers[i - 1] * 5;
  return powers;
}
constexpr std::array<uint64_t, kMaxPowerOfFive + 1> kPowersOfFive = MakePowersOfFive();

// The quotient of inline numbers. The divisor is taken apart into twos, fives and a rest. Where the rest divides the
// dividend, the quotient is a decimal, which takes multiplications only: 1 / (2^t * 5^f) is 5^(t-f) / 10^t, or
// 2^(f-t) / 10^f. Other quotients are periodic: they are computed to kBigDigits digits and rounded.
Number DivideInline(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  if (a.coefficient() == 0) return Number();
  const bool negative = (a.coefficient() < 0) != (b.coefficient() < 0);
  const int64_t exponent = static_cast<int64_t>(b.scale()) - static_cast<int64_t>(a.scale());
  uint64_t x = Magnitude(a.coefficient());
  uint64_t y = Magnitude(b.coefficient());
  const int twos = __builtin_ctzll(y);
  uint64_t rest = y >> twos;
  int fives = 0;
  while (TakeFive(&rest)) ++fives;
  const bool is_decimal = rest == 1 || x % rest == 0;
  if (!is_decimal || twos - fives > kMaxPowerOfFive)
    return internal::DivideWide(negative, x, y, exponent, arena, error);
  if (rest != 1) x /= rest;
  const int digits = twos > fives ? twos : fives;
  const uint64_t factor = twos > fives ? kPowersOfFive[twos - fives] : uint64_t{1} << (fives - twos);
  const int64_t scale = digits - exponent;
  uint64_t coefficient = 0;
  const bool fits = !__builtin_mul_overflow(x, factor, &coefficient) && coefficient <= INT64_MAX;
  if (fits && scale >= 0 && scale <= kMaxInlineScale) {
    return InlineMinimal(Signed(negative, coefficient), static_cast<uint32_t>(scale));
  }
  const Int128 quotient = static_cast<Int128>(x) * factor;
  return Canonical128(negative ? -quotient : quotient, scale, arena, error);
}

Number Fail(NumberError reason, NumberError* error) {
  *error = reason;
  return Number();
}

// The remainder of coefficients with one scale; `b` is not zero.
Number ModuloAligned(int64_t a, int64_t b, uint32_t scale) {
  // INT64_MIN % -1 traps on some machines; everything is a multiple of -1.
  const int64_t remainder = b == -1 ? 0 : a % b;
  return scale == 0 ? Number(remainder) : InlineMinimal(remainder, scale);
}

// The remainder of inline numbers of two scales; `b` is not zero.
Number ModuloScales(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  int64_t x = 0;
  int64_t y = 0;
  const uint32_t scale = a.scale() > b.scale() ? a.scale() : b.scale();
  if (Align(a, b, &x, &y)) return ModuloAligned(x, y, scale);
  const uint32_t raise_a = scale - a.scale();
  const uint32_t raise_b = scale - b.scale();
  if (raise_a > kMaxPowerOfTen || raise_b > kMaxPowerOfTen) return internal::BigModulo(a, b, arena, error);
  const Int128 wide_x = static_cast<Int128>(a.coefficient()) * kPowersOfTen[raise_a];
  const Int128 wide_y = static_cast<Int128>(b.coefficient()) * kPowersOfTen[raise_b];
  return Canonical128(wide_x % wide_y, scale, arena, error);
}

}  // namespace

Number Number::FromUint64(uint64_t value, Arena* arena) {
  if (value <= static_cast<uint64_t>(INT64_MAX)) return Number(static_cast<int64_t>(value));
  NumberError error;
  return internal::NumberFromWide(false, value, 0, arena, &error);
}

Number Number::Infinity(bool negative) { return Big(internal::BigInfinity(negative)); }

bool Number::IsInfinite() const { return !is_inline() && internal::BigIsInfinite(*big_); }

bool Number::IsInteger() const {
  if (is_inline()) return scale_ == 0;
  return internal::BigIsInteger(*big_);
}

int Number::Sign() const {
  if (is_inline()) return coefficient_ < 0 ? -1 : coefficient_ > 0 ? 1 : 0;
  return internal::BigIsNegative(*big_) ? -1 : 1;
}

std::optional<int64_t> Number::ToInt64() const {
  // Whatever fits 64 bits is inline.
  if (!is_inline() || scale_ != 0) return std::nullopt;
  return coefficient_;
}

// Numbers from 2^63 on are big, and rare: by way of their text, whose 20 digits fit 128 bits.
std::optional<uint64_t> Number::ToUint64() const {
  if (is_inline()) {
    if (scale_ != 0 || coefficient_ < 0) return std::nullopt;
    return static_cast<uint64_t>(coefficient_);
  }
  if (!IsInteger() || Sign() < 0 || DigitCount() > 20) return std::nullopt;
  Uint128 value = 0;
  for (char digit : ToString()) value = value * 10 + static_cast<uint64_t>(digit - '0');
  if (value >> 64 != 0) return std::nullopt;
  return static_cast<uint64_t>(value);
}

// The number of digits is worked out from the exponent, because writing the number out to count them could take the
// very memory that callers want to refuse.
uint64_t Number::DigitCount() const {
  if (is_inline()) {
    // As for PowerOfTen(). Of 64 bits is the least integer alone, which has 19 digits.
    const uint64_t magnitude = Magnitude(coefficient_);
    const int bits = 64 - __builtin_clzll(magnitude | 1);
    const int zeros = bits * 1233 >> 12;
    const bool more = zeros <= kMaxPowerOfTen && magnitude >= static_cast<uint64_t>(kPowersOfTen[zeros]);
    const uint64_t digits = magnitude == 0 ? 1 : static_cast<uint64_t>(zeros) + (more ? 1 : 0);
    return digits > scale_ ? digits : scale_ + 1;
  }
  internal::BigShape shape = internal::DescribeBig(*big_);
  if (shape.infinite) return 0;
  if (shape.exponent >= 0) return shape.digits + static_cast<uint64_t>(shape.exponent);
  uint64_t fraction = static_cast<uint64_t>(-shape.exponent);
  return shape.digits > fraction ? shape.digits : fraction + 1;
}

uint64_t Number::Hash() const {
  return is_inline() ? MixHash(static_cast<uint64_t>(coefficient_), scale_) : internal::BigHash(*big_);
}

Number Number::Clone(Arena* arena) const { return is_inline() ? *this : Big(internal::BigClone(*big_, arena)); }

// Infinities: information-model.md, "Primitive Types", which has no NaN; what would be one is an error.
Number Add(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (a.is_inline() && b.is_inline()) {
    Decimal sum;
    if (internal::AddDecimals</*kSubtract=*/false>(Parts(a), Parts(b), &sum)) return Inline(sum);
    return AddWide(a, b, 1, arena, error);
  }
  if (a.IsInfinite() && b.IsInfinite() && a.Sign() != b.Sign()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return a;
  if (b.IsInfinite()) return b;
  return internal::BigAdd(a, b, false, arena, error);
}

Number Subtract(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (a.is_inline() && b.is_inline()) {
    Decimal difference;
    if (internal::AddDecimals</*kSubtract=*/true>(Parts(a), Parts(b), &difference)) return Inline(difference);
    return AddWide(a, b, -1, arena, error);
  }
  if (a.IsInfinite() && b.IsInfinite() && a.Sign() == b.Sign()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return a;
  if (b.IsInfinite()) return Number::Infinity(b.Sign() > 0);
  return internal::BigAdd(a, b, true, arena, error);
}

// A zero times an infinity has no value, and a zero times any other big number needs no big arithmetic.
Number Multiply(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (a.is_inline() && b.is_inline()) {
    Decimal product;
    if (internal::MultiplyDecimals(Parts(a), Parts(b), &product)) return Inline(product);
    return Canonical128(static_cast<Int128>(a.coefficient()) * b.coefficient(), a.scale() + b.scale(), arena, error);
  }
  if (a.IsInfinite() || b.IsInfinite()) {
    if (a.Sign() == 0 || b.Sign() == 0) return Fail(NumberError::kNotANumber, error);
    return Number::Infinity(a.Sign() != b.Sign());
  }
  if (a.Sign() == 0 || b.Sign() == 0) return Number();
  return internal::BigMultiply(a, b, arena, error);
}

// x / 0 is an infinity, as in the reference; 0 / 0 has no value. A finite number divided by an infinity is zero.
Number Divide(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (b.Sign() == 0) {
    if (a.Sign() == 0) return Fail(NumberError::kDivideByZero, error);
    return Number::Infinity(a.Sign() < 0);
  }
  if (a.is_inline() && b.is_inline()) {
    Decimal quotient;
    if (internal::DivideDecimals(Parts(a), Parts(b), &quotient)) return Inline(quotient);
    return DivideInline(a, b, arena, error);
  }
  if (a.IsInfinite() && b.IsInfinite()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return Number::Infinity(a.Sign() != b.Sign());
  if (b.IsInfinite() || a.Sign() == 0) return Number();
  return internal::BigDivide(a, b, arena, error);
}

// Both operands are brought to one scale, where the remainder of the coefficients is that of the numbers. It has the
// sign of the dividend, as C++ and the reference have it. An infinity goes no time into what is finite, all of which
// remains.
Number Modulo(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (b.is_inline() && b.coefficient() == 0) return Fail(NumberError::kDivideByZero, error);
  if (a.is_inline() && b.is_inline()) {
    if (a.scale() != b.scale()) return ModuloScales(a, b, arena, error);
    return ModuloAligned(a.coefficient(), b.coefficient(), a.scale());
  }
  if (a.IsInfinite()) return Fail(NumberError::kNotANumber, error);
  if (b.IsInfinite()) return a;
  return internal::BigModulo(a, b, arena, error);
}

Number Truncate(const Number& a, Arena* arena) {
  if (a.IsInfinite()) return a;
  if (!a.is_inline()) return internal::BigTruncate(*a.big(), arena);
  if (a.scale() == 0) return a;
  return Number(Signed(a.coefficient() < 0, internal::WholePart(Magnitude(a.coefficient()), a.scale())));
}

// All inline coefficients but INT64_MIN have an inline negative.
Number Negate(const Number& a, Arena* arena) {
  if (!a.is_inline()) return internal::BigNegate(*a.big(), arena);
  if (a.coefficient() != INT64_MIN) return Number::Inline(-a.coefficient(), a.scale());
  NumberError error;
  return internal::NumberFromWide(false, Magnitude(INT64_MIN), -static_cast<int64_t>(a.scale()), arena, &error);
}

// Signs and infinities decide without digits. An inline and a big number are compared as big ones; they are never
// equal.
int Compare(const Number& a, const Number& b) {
  if (a.is_inline() && b.is_inline()) {
    if (a.scale() != b.scale()) return CompareScales(a, b);
    return (a.coefficient() > b.coefficient()) - (a.coefficient() < b.coefficient());
  }
  int sign_a = a.Sign();
  int sign_b = b.Sign();
  if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
  if (a.IsInfinite() || b.IsInfinite()) {
    if (a.IsInfinite() && b.IsInfinite()) return 0;
    return a.IsInfinite() ? sign_a : -sign_b;
  }
  return internal::BigCompare(a, b);
}

}  // namespace hcl
