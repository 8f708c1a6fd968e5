// Numbers beyond the inline form.
//
// Internal to number.cc, big_number.cc, number_inline.cc, number_text.cc and number_boost.cc. Tested by
// vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_BIG_NUMBER_H_
#define HCLVM_VM_VALUE_BIG_NUMBER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace internal {

// Largest magnitude of the decimal exponent of a number's first digit, as far as the reference's numbers go. Beyond it
// is kOverflow; below its negative is zero.
inline constexpr int64_t kMaxExponent = 646456992;

inline constexpr int64_t kPowersOfTen[] = {1,
                                           10,
                                           100,
                                           1'000,
                                           10'000,
                                           100'000,
                                           1'000'000,
                                           10'000'000,
                                           100'000'000,
                                           1'000'000'000,
                                           10'000'000'000,
                                           100'000'000'000,
                                           1'000'000'000'000,
                                           10'000'000'000'000,
                                           100'000'000'000'000,
                                           1'000'000'000'000'000,
                                           10'000'000'000'000'000,
                                           100'000'000'000'000'000,
                                           1'000'000'000'000'000'000};
inline constexpr int kMaxPowerOfTen = 18;  // the largest index above

// The canonical number coefficient * 10^exponent, rounded to kBigDigits.
Number NumberFromWide(bool negative, unsigned __int128 coefficient, int64_t exponent, Arena* arena, NumberError* error);

// The canonical number digits * 10^exponent, rounded to kBigDigits. `digits` are decimal digits, not empty.
Number NumberFromDigits(bool negative, std::string_view digits, int64_t exponent, Arena* arena, NumberError* error);

// The number coefficient * 10^exponent, which must be one beyond the inline form and within kMaxExponent. The
// coefficient has at most kMaxPowerOfTen digits, and its last one is not zero.
Number NumberFromShort(bool negative, uint64_t coefficient, int64_t exponent, Arena* arena);

// The operation on finite numbers of any form; the divisor is not zero.
Number BigArithmetic(BinaryOp operation, const Number& a, const Number& b, Arena* arena, NumberError* error);

// a / b * 10^exponent rounded to kBigDigits; b is not zero.
Number DivideWide(bool negative, uint64_t a, uint64_t b, int64_t exponent, Arena* arena, NumberError* error);

// Three-way comparison of finite numbers of any form.
int BigCompare(const Number& a, const Number& b);

// The significant digits of a finite big number, without zeros at either end: it is +-digits * 10^exponent.
struct BigText {
  bool negative;
  int64_t exponent;
  std::string digits;
};
BigText BigToText(const BigNumber& big);

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
