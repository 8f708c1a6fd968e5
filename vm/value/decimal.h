// Arithmetic of decimals that fit a coefficient of 64 bits and a scale, as long as the results do: what nearly all
// numbers are.
//
// Inline, for the functions of vm/value/number.h and for the dispatch loop. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_DECIMAL_H_
#define HCLVM_VM_VALUE_DECIMAL_H_

#include <array>
#include <cstdint>

#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {

// coefficient * 10^-scale. Canonical, and then the parts of an inline Number: the scale is 0, or at most
// kMaxInlineScale where the coefficient is no multiple of ten.
struct Decimal {
  int64_t coefficient;
  uint32_t scale;
};

// Takes zeros off the end of a fraction; scale is at most kMaxInlineScale.
inline Decimal Minimal(int64_t coefficient, uint32_t scale) {
  if (coefficient == 0) return {0, 0};
  const bool negative = coefficient < 0;
  uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  while (scale > 0 && TakeTen(&magnitude)) --scale;
  return {static_cast<int64_t>(negative ? 0 - magnitude : magnitude), scale};
}

// Brings the coefficients of two numbers to the larger one of their scales. False when one does not fit. Written out
// for both sides, so that neither coefficient goes through memory.
inline bool Align(const Decimal& a, const Decimal& b, int64_t* x, int64_t* y) {
  *x = a.coefficient;
  *y = b.coefficient;
  if (a.scale == b.scale) return true;
  if (a.scale < b.scale) {
    const uint32_t raise = b.scale - a.scale;
    return raise <= kMaxPowerOfTen && !__builtin_mul_overflow(a.coefficient, kPowersOfTen[raise], x);
  }
  const uint32_t raise = a.scale - b.scale;
  return raise <= kMaxPowerOfTen && !__builtin_mul_overflow(b.coefficient, kPowersOfTen[raise], y);
}

// The following take canonical decimals and give one; false, and nothing, where it does not fit.

inline bool MultiplyDecimals(const Decimal& a, const Decimal& b, Decimal* product) {
  int64_t coefficient;
  const uint32_t scale = a.scale + b.scale;
  if (__builtin_mul_overflow(a.coefficient, b.coefficient, &coefficient) || scale > kMaxInlineScale) return false;
  *product = Minimal(coefficient, scale);
  return true;
}

// a + b, or a - b. Zeros at the end can only come of numbers with one scale: of two scales, the coefficient with the
// larger one does not end in a zero, and the other one does when it is raised, so that their sum does not.
template <bool kSubtract>
inline bool AddDecimals(const Decimal& a, const Decimal& b, Decimal* sum) {
  int64_t x;
  int64_t y;
  if (!Align(a, b, &x, &y)) return false;
  int64_t coefficient;
  if (kSubtract ? __builtin_sub_overflow(x, y, &coefficient) : __builtin_add_overflow(x, y, &coefficient)) return false;
  *sum =
      a.scale == b.scale ? Minimal(coefficient, a.scale) : Decimal{coefficient, a.scale > b.scale ? a.scale : b.scale};
  return true;
}

// How to divide 64 bits by 10^scale: shift the twos out, multiply by a fixed point inverse of 5^scale, take the high
// word, and shift that.
//
// The inverse is 2^(64 + shift) / 5^scale, rounded up, with the largest shift that keeps it within 64 bits: that is
// 2^shift < 5^scale < 2^(shift + 1). Rounding up adds less than one to the inverse, hence less than
// dividend / 2^(64 + shift) to the quotient. The dividend has 64 - scale bits at the most, so that this is less than
// 1 / 5^scale, by which a quotient lies below the next whole number at the least.
struct PowerInverse {
  uint64_t multiplier;
  int shift;
};

constexpr std::array<PowerInverse, kMaxPowerOfTen + 1> MakePowerInverses() {
  std::array<PowerInverse, kMaxPowerOfTen + 1> inverses{};
  uint64_t divisor = 1;
  for (int scale = 1; scale <= kMaxPowerOfTen; ++scale) {
    divisor *= 5;
    int shift = 0;
    while (divisor >> shift > 1) ++shift;
    const unsigned __int128 power = static_cast<unsigned __int128>(1) << (64 + shift);
    inverses[scale] = {static_cast<uint64_t>((power + divisor - 1) / divisor), shift};
  }
  return inverses;
}
inline constexpr std::array<PowerInverse, kMaxPowerOfTen + 1> kPowerInverses = MakePowerInverses();

// The whole part of magnitude * 10^-scale; scale is not zero. From 10^19 on, no coefficient has one.
inline uint64_t WholePart(uint64_t magnitude, uint32_t scale) {
  if (scale > kMaxPowerOfTen) return 0;
  const PowerInverse& inverse = kPowerInverses[scale];
  const unsigned __int128 product = static_cast<unsigned __int128>(magnitude >> scale) * inverse.multiplier;
  return static_cast<uint64_t>(product >> 64) >> inverse.shift;
}

// How many zeros a power of ten has; -1 for other numbers. A power of ten has 1 + floor(zeros * log2(10)) bits, and
// log10(2) is about 1233 / 4096.
inline int PowerOfTen(int64_t value) {
  if (value <= 0) return -1;
  const int bits = 64 - __builtin_clzll(static_cast<uint64_t>(value));
  const int zeros = bits * 1233 >> 12;
  return zeros <= kMaxPowerOfTen && kPowersOfTen[zeros] == value ? zeros : -1;
}

// a / b for what prices and rates are divided by: powers of ten.
inline bool DivideDecimals(const Decimal& a, const Decimal& b, Decimal* quotient) {
  if (b.scale != 0) return false;
  const int zeros = PowerOfTen(b.coefficient);
  if (zeros < 0 || a.scale + static_cast<uint32_t>(zeros) > kMaxInlineScale) return false;
  *quotient = Minimal(a.coefficient, a.scale + static_cast<uint32_t>(zeros));
  return true;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_DECIMAL_H_
