// ExactPower: by squaring. Tested by vm/value/number_power_test.cc.

#include "hclvm/vm/value/number_power.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/big_number.h"

namespace hcl::internal {
namespace {

// The exponent of ten of the last digit of a finite number that is not a zero.
int64_t LastExponent(const Number& number) {
  if (!number.is_inline()) return DescribeBig(*number.big()).exponent;
  if (number.scale() > 0) return -static_cast<int64_t>(number.scale());
  int64_t zeros = 0;
  for (int64_t left = number.coefficient(); left % 10 == 0; left /= 10) ++zeros;
  return zeros;
}

std::optional<Number> PowerOfTen(int64_t exponent, Arena* arena) {
  NumberError error = NumberError::kNone;
  const Number power = NumberFromWide(false, 1, exponent, arena, &error);
  return error == NumberError::kNone && power.Sign() != 0 ? std::make_optional(power) : std::nullopt;
}

// a * b for powers of one number. The product of their digits has no zero at its end, as its factors are those of one
// coefficient, which has no two and five together. So digits were rounded away where the last digit has moved.
std::optional<Number> MultiplyExactly(const Number& a, const Number& b, Arena* arena) {
  NumberError error = NumberError::kNone;
  const Number product = Multiply(a, b, arena, &error);
  if (error != NumberError::kNone || product.Sign() == 0) return std::nullopt;
  return LastExponent(product) == LastExponent(a) + LastExponent(b) ? std::make_optional(product) : std::nullopt;
}

std::optional<Number> PositivePower(const Number& base, uint64_t power, Arena* arena) {
  Number result(1);
  Number square = base;
  for (uint64_t rest = power; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) {
      const std::optional<Number> product = MultiplyExactly(result, square, arena);
      if (!product) return std::nullopt;
      result = *product;
    }
    if (rest == 1) break;
    const std::optional<Number> next = MultiplyExactly(square, square, arena);
    if (!next) return std::nullopt;
    square = *next;
  }
  return result;
}

// 1 / number, which is a decimal only where the digits of `number` are a power of two or of five. The candidates are
// told by a logarithm, and compared exactly.
std::optional<Number> ExactReciprocal(const Number& number, Arena* arena) {
  const int64_t exponent = LastExponent(number);
  const std::optional<Number> shift = PowerOfTen(-exponent, arena);
  if (!shift) return std::nullopt;
  NumberError error = NumberError::kNone;
  Number digits = Multiply(number, *shift, arena, &error);
  HCL_DCHECK(error == NumberError::kNone && digits.IsInteger());
  const bool is_negative = digits.Sign() < 0;
  if (is_negative) digits = Negate(digits, arena);
  for (const int64_t factor : {2, 5}) {
    const auto count =
        static_cast<uint64_t>(std::llround(std::log(digits.ToDouble()) / std::log(static_cast<double>(factor))));
    const std::optional<Number> same = PositivePower(Number(factor), count, arena);
    if (!same || !Equal(*same, digits)) continue;
    const std::optional<Number> inverse = PositivePower(Number(10 / factor), count, arena);
    const std::optional<Number> scale = PowerOfTen(-exponent - static_cast<int64_t>(count), arena);
    if (!inverse || !scale) return std::nullopt;
    const Number reciprocal = Multiply(*inverse, *scale, arena, &error);
    if (error != NumberError::kNone) return std::nullopt;
    return is_negative ? Negate(reciprocal, arena) : reciprocal;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Number> ExactPower(const Number& base, int64_t power, Arena* arena) {
  HCL_DCHECK(!base.IsInfinite() && base.Sign() != 0);
  if (power >= 0) return PositivePower(base, static_cast<uint64_t>(power), arena);
  const std::optional<Number> reciprocal = ExactReciprocal(base, arena);
  if (!reciprocal) return std::nullopt;
  return PositivePower(*reciprocal, 0 - static_cast<uint64_t>(power), arena);
}

}  // namespace hcl::internal
