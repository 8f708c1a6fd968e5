// The digits of numbers beyond the inline form, eight to a limb: how they are kept and rounded.
//
// Internal to number.cc and big_number.cc. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_LIMBS_H_
#define HCLVM_VM_VALUE_LIMBS_H_

#include <array>
#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace internal {

inline constexpr int kWideDigits = 2 * kBigDigits + 24;

inline constexpr int kLimbDigits = 8;
inline constexpr uint32_t kLimbBase = 100'000'000;

constexpr int LimbCount(int digits) { return (digits + kLimbDigits - 1) / kLimbDigits + 3; }
inline constexpr int kWideLimbs = LimbCount(kWideDigits);

// A finite number: limb[0] * 10^exponent + limb[1] * 10^(exponent - 8) + ...; limb[0] is not zero unless all are, and
// the exponent is a multiple of 8.
struct Limbs {
  std::array<uint32_t, kWideLimbs> limb = {};
  int64_t exponent = 0;
  bool negative = false;

  bool is_zero() const { return limb[0] == 0; }
};

inline uint32_t SmallPower(int exponent) { return static_cast<uint32_t>(kPowersOfTen[exponent]); }

// Digits of the limb; those of zero are one.
int DigitsOf(uint32_t limb);
// Index of the last limb that is not zero.
int LastLimb(const Limbs& limbs);

// Rounds to `digits` significant digits, half to even. `sticky`: the exact value lies a little above the limbs.
void Round(Limbs* limbs, int digits, bool sticky = false);

// Limbs of `coefficient` * 10^exponent.
Limbs LimbsOfWide(bool negative, unsigned __int128 coefficient, int64_t exponent);
// Limbs of a finite number.
Limbs LimbsOf(const Number& number);

// The number of these limbs in its canonical form. Which way a big number comes to be, it is this one, or
// NumberFromShort().
Number Canonical(Limbs limbs, Arena* arena, NumberError* error, bool sticky = false);

// The digits without zeros at either end.
BigText TextOf(const Limbs& limbs);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_LIMBS_H_
