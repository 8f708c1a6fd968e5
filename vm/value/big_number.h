// Numbers beyond the inline form.
//
// Internal to the sources of numbers, and to number_boost.cc. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_BIG_NUMBER_H_
#define HCLVM_VM_VALUE_BIG_NUMBER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace internal {

// Largest magnitude of the decimal exponent of a number's first digit, as far as the reference's numbers go. Beyond it
// is kOverflow; below its negative is zero.
inline constexpr int64_t kMaxExponent = 646456992;

// The canonical number coefficient * 10^exponent, rounded to kBigDigits.
Number NumberFromWide(bool negative, unsigned __int128 coefficient, int64_t exponent, Arena* arena, NumberError* error);

// The canonical number digits * 10^exponent, rounded to kBigDigits. `digits` are decimal digits, not empty.
Number NumberFromDigits(bool negative, std::string_view digits, int64_t exponent, Arena* arena, NumberError* error);

// The number coefficient * 10^exponent, which must be one beyond the inline form and within kMaxExponent. The
// coefficient has at most kMaxPowerOfTen digits, and its last one is not zero.
Number NumberFromShort(bool negative, uint64_t coefficient, int64_t exponent, Arena* arena);

// Operations on finite numbers of any form. Results are in their canonical form, rounded once.

// a + b, or a - b where `negate_b`; not both are zero.
Number BigAdd(const Number& a, const Number& b, bool negate_b, Arena* arena, NumberError* error);
// Neither factor is zero.
Number BigMultiply(const Number& a, const Number& b, Arena* arena, NumberError* error);
// Neither number is zero.
Number BigDivide(const Number& a, const Number& b, Arena* arena, NumberError* error);
// The remainder that has the sign of `a`; b is not zero.
Number BigModulo(const Number& a, const Number& b, Arena* arena, NumberError* error);
// Three-way comparison of numbers of one sign, which are not zero.
int BigCompare(const Number& a, const Number& b);

// a / b * 10^exponent; b is at most 2^63 and not zero.
Number DivideWide(bool negative, uint64_t a, uint64_t b, int64_t exponent, Arena* arena, NumberError* error);

// A finite number without its fraction.
Number BigTruncate(const BigNumber& big, Arena* arena);

// The significant digits of a finite big number, without zeros at either end: it is +-digits * 10^exponent.
struct BigText {
  bool negative;
  int64_t exponent;
  std::string digits;
};
BigText BigToText(const BigNumber& big);

bool BigIsInfinite(const BigNumber& big);
bool BigIsNegative(const BigNumber& big);  // also of infinities
bool BigIsInteger(const BigNumber& big);   // false for infinities

// What BigToText gives, without the digits.
struct BigShape {
  bool negative;
  bool infinite;
  int64_t exponent;  // of the last digit
  uint32_t digits;   // significant ones
};
BigShape DescribeBig(const BigNumber& big);

Number BigNegate(const BigNumber& big, Arena* arena);
const BigNumber* BigClone(const BigNumber& big, Arena* arena);
uint64_t BigHash(const BigNumber& big);
const BigNumber* BigInfinity(bool negative);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_BIG_NUMBER_H_
