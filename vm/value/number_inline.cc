// Numbers: the inline fast paths, and the way to vm/value/big_number.h beyond them.
//
// Tested by vm/value/number_test.cc.

#include <numeric>

#include "hclvm/base/operators.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/number.h"

namespace hcl {

using internal::MixHash;

using internal::BigArithmetic;
using internal::kMaxPowerOfTen;
using internal::kPowersOfTen;

namespace {

using Int128 = __int128;
using Uint128 = unsigned __int128;

uint64_t Magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// The inline form of coefficient * 10^-scale, whose scale may not be minimal; scale is at most kMaxInlineScale.
Number InlineMinimal(int64_t coefficient, uint32_t scale) {
  while (scale > 0 && coefficient % 10 == 0) {
    coefficient /= 10;
    --scale;
  }
  // A zero runs down to scale 0 like all others.
  return Number::Inline(coefficient, scale);
}

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

// a + sign * b. The common scale is reached by multiplying one of both up, in 128 bits: a 64-bit coefficient times
// 10^18 is below 2^124, so that neither product nor sum overflows.
Number AddInline(const Number& a, const Number& b, int sign, Arena* arena, NumberError* error) {
  if (a.scale() == b.scale()) {
    int64_t sum;
    bool overflow = sign > 0 ? __builtin_add_overflow(a.coefficient(), b.coefficient(), &sum)
                             : __builtin_sub_overflow(a.coefficient(), b.coefficient(), &sum);
    if (!overflow) return a.scale() == 0 ? Number(sum) : InlineMinimal(sum, a.scale());
    return Canonical128(static_cast<Int128>(a.coefficient()) + static_cast<Int128>(b.coefficient()) * sign, a.scale(),
                        arena, error);
  }
  uint32_t scale = a.scale() > b.scale() ? a.scale() : b.scale();
  uint32_t raise_a = scale - a.scale();
  uint32_t raise_b = scale - b.scale();
  if (raise_a > kMaxPowerOfTen || raise_b > kMaxPowerOfTen) {
    BinaryOp operation = sign > 0 ? BinaryOp::kAdd : BinaryOp::kSubtract;
    return BigArithmetic(operation, a, b, arena, error);
  }
  Int128 x = static_cast<Int128>(a.coefficient()) * kPowersOfTen[raise_a];
  Int128 y = static_cast<Int128>(b.coefficient()) * kPowersOfTen[raise_b];
  return Canonical128(sign > 0 ? x + y : x - y, scale, arena, error);
}

// Never makes a big number: where the product with a power of ten does not fit 64 bits, that alone decides.
int CompareInline(const Number& a, const Number& b) {
  if (a.scale() == b.scale()) {
    return a.coefficient() < b.coefficient() ? -1 : a.coefficient() > b.coefficient() ? 1 : 0;
  }
  if (a.scale() > b.scale()) return -CompareInline(b, a);
  const uint32_t raise = b.scale() - a.scale();
  int64_t raised;
  if (raise <= kMaxPowerOfTen && !__builtin_mul_overflow(a.coefficient(), kPowersOfTen[raise], &raised)) {
    return raised < b.coefficient() ? -1 : raised > b.coefficient() ? 1 : 0;
  }
  // Beyond 64 bits, `a` exceeds every coefficient, unless it is zero.
  return a.coefficient() != 0 ? a.Sign() : -b.Sign();
}

// Divides out all factors of five, and counts them.
int RemoveFives(uint64_t* value) {
  int fives = 0;
  while (*value % 5 == 0) {
    *value /= 5;
    ++fives;
  }
  return fives;
}

// Long division of small integers, for quotients with few decimals. 32-bit divisions, few of them: quotients such as
// 7/2 are exact after a digit or two. Operands below 2^28 keep `rest * 10` within 32 bits.
bool DivideSmall(uint64_t x, uint64_t y, uint64_t* coefficient, uint32_t* scale) {
  constexpr uint32_t kMaxDecimals = 6;
  if (((x | y) >> 28) != 0) return false;
  const uint32_t divisor = static_cast<uint32_t>(y);
  uint32_t rest = static_cast<uint32_t>(x) % divisor;
  *coefficient = static_cast<uint32_t>(x) / divisor;
  for (*scale = 0; rest != 0; ++*scale) {
    if (*scale == kMaxDecimals) return false;
    rest *= 10;
    *coefficient = *coefficient * 10 + rest / divisor;
    rest %= divisor;
  }
  return true;
}

// The quotient of inline numbers. Exact where the reduced divisor has no prime factors but two and five. Such a
// quotient is x * 10^digits / y, where `digits` is the larger of both powers. Other quotients are periodic: they are
// computed to kBigDigits digits and rounded. The gcd first, so that 3/6 counts as 1/2.
Number DivideInline(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  if (a.coefficient() == 0) return Number();
  bool negative = (a.coefficient() < 0) != (b.coefficient() < 0);
  uint64_t x = Magnitude(a.coefficient());
  uint64_t y = Magnitude(b.coefficient());
  uint64_t small_quotient = 0;
  uint32_t scale = 0;
  if (a.scale() == 0 && b.scale() == 0 && DivideSmall(x, y, &small_quotient, &scale)) {
    const int64_t quotient = static_cast<int64_t>(small_quotient);
    return Number::Inline(negative ? -quotient : quotient, scale);
  }
  int64_t exponent = static_cast<int64_t>(b.scale()) - static_cast<int64_t>(a.scale());
  uint64_t common = std::gcd(x, y);
  x /= common;
  y /= common;
  int twos = __builtin_ctzll(y);
  uint64_t rest = y >> twos;
  int fives = RemoveFives(&rest);
  int digits = twos > fives ? twos : fives;
  if (rest != 1) return internal::DivideWide(negative, x, y, exponent, arena, error);
  if (digits > kMaxPowerOfTen) return BigArithmetic(BinaryOp::kDivide, a, b, arena, error);
  Int128 quotient = static_cast<Int128>(x) * (static_cast<uint64_t>(kPowersOfTen[digits]) / y);
  return Canonical128(negative ? -quotient : quotient, digits - exponent, arena, error);
}

Number Fail(NumberError reason, NumberError* error) {
  *error = reason;
  return Number();
}

// The remainder of integers; `b` is not zero.
Number ModuloInteger(int64_t a, int64_t b) {
  // INT64_MIN % -1 traps on some machines; everything is a multiple of -1.
  return Number(b == -1 ? 0 : a % b);
}

}  // namespace

Number Number::FromUint64(uint64_t value, Arena* arena) {
  if (value <= static_cast<uint64_t>(INT64_MAX)) return Number(static_cast<int64_t>(value));
  NumberError error;
  return internal::NumberFromWide(false, value, 0, arena, &error);
}

Number Number::Infinity(bool negative) { return Big(internal::BigInfinity(negative)); }

bool Number::IsInfinite() const { return !is_inline() && internal::DescribeBig(*big_).infinite; }

bool Number::IsInteger() const {
  if (is_inline()) return scale_ == 0;
  internal::BigShape shape = internal::DescribeBig(*big_);
  return !shape.infinite && shape.exponent >= 0;
}

int Number::Sign() const {
  if (is_inline()) return coefficient_ < 0 ? -1 : coefficient_ > 0 ? 1 : 0;
  return internal::DescribeBig(*big_).negative ? -1 : 1;
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
    uint64_t digits = 1;
    for (uint64_t rest = Magnitude(coefficient_) / 10; rest != 0; rest /= 10) ++digits;
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
  if (a.is_inline() && b.is_inline()) return AddInline(a, b, 1, arena, error);
  if (a.IsInfinite() && b.IsInfinite() && a.Sign() != b.Sign()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return a;
  if (b.IsInfinite()) return b;
  return BigArithmetic(BinaryOp::kAdd, a, b, arena, error);
}

Number Subtract(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (a.is_inline() && b.is_inline()) return AddInline(a, b, -1, arena, error);
  if (a.IsInfinite() && b.IsInfinite() && a.Sign() == b.Sign()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return a;
  if (b.IsInfinite()) return Number::Infinity(b.Sign() > 0);
  return BigArithmetic(BinaryOp::kSubtract, a, b, arena, error);
}

// A zero times an infinity has no value, and a zero times any other big number needs no big arithmetic.
Number Multiply(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (a.is_inline() && b.is_inline()) {
    int64_t product;
    bool overflow = __builtin_mul_overflow(a.coefficient(), b.coefficient(), &product);
    if (!overflow && a.scale() == 0 && b.scale() == 0) return Number(product);
    return Canonical128(static_cast<Int128>(a.coefficient()) * b.coefficient(),
                        static_cast<int64_t>(a.scale()) + b.scale(), arena, error);
  }
  if (a.IsInfinite() || b.IsInfinite()) {
    if (a.Sign() == 0 || b.Sign() == 0) return Fail(NumberError::kNotANumber, error);
    return Number::Infinity(a.Sign() != b.Sign());
  }
  if (a.Sign() == 0 || b.Sign() == 0) return Number();
  return BigArithmetic(BinaryOp::kMultiply, a, b, arena, error);
}

// x / 0 is an infinity, as in the reference; 0 / 0 has no value. A finite number divided by an infinity is zero.
Number Divide(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (b.Sign() == 0) {
    if (a.Sign() == 0) return Fail(NumberError::kDivideByZero, error);
    return Number::Infinity(a.Sign() < 0);
  }
  if (a.is_inline() && b.is_inline()) return DivideInline(a, b, arena, error);
  if (a.IsInfinite() && b.IsInfinite()) return Fail(NumberError::kNotANumber, error);
  if (a.IsInfinite()) return Number::Infinity(a.Sign() != b.Sign());
  if (b.IsInfinite() || a.Sign() == 0) return Number();
  return BigArithmetic(BinaryOp::kDivide, a, b, arena, error);
}

// Both operands are brought to one scale, where the remainder of the coefficients is that of the numbers. It has the
// sign of the dividend, as C++ and the reference have it.
Number Modulo(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  if (b.Sign() == 0) return Fail(NumberError::kDivideByZero, error);
  if (a.is_inline() && b.is_inline()) {
    if (a.scale() == 0 && b.scale() == 0) return ModuloInteger(a.coefficient(), b.coefficient());
    uint32_t scale = a.scale() > b.scale() ? a.scale() : b.scale();
    if (scale - a.scale() <= kMaxPowerOfTen && scale - b.scale() <= kMaxPowerOfTen) {
      Int128 x = static_cast<Int128>(a.coefficient()) * kPowersOfTen[scale - a.scale()];
      Int128 y = static_cast<Int128>(b.coefficient()) * kPowersOfTen[scale - b.scale()];
      return Canonical128(x % y, scale, arena, error);
    }
  }
  if (a.IsInfinite() || b.IsInfinite()) return Fail(NumberError::kNotANumber, error);
  return BigArithmetic(BinaryOp::kModulo, a, b, arena, error);
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
  if (a.is_inline() && b.is_inline()) return CompareInline(a, b);
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
