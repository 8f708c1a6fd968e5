// The digits of numbers beyond the inline form, eight to a limb: how they are kept, rounded and computed with.
//
// Internal to the sources of numbers. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_LIMBS_H_
#define HCLVM_VM_VALUE_LIMBS_H_

#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {

inline constexpr int kLimbDigits = 8;
inline constexpr uint32_t kLimbBase = 100'000'000;

// Two limbs at once, which is what long division computes in a step.
inline constexpr uint64_t kPairBase = uint64_t{kLimbBase} * kLimbBase;

// The most limbs of a number: the first may hold a single digit, and the last one seven.
inline constexpr int kNumberLimbs = 1 + (kBigDigits - 1 + kLimbDigits - 1) / kLimbDigits;

// The most limbs of a 64-bit coefficient whose exponent is not a multiple of kLimbDigits: 20 digits and 7 zeros.
inline constexpr int kInlineLimbs = 4;

// The limbs of a finite number, in whoever's memory: limb[0] * 10^exponent + limb[1] * 10^(exponent - 8) + ...; the
// exponent is a multiple of kLimbDigits.
struct LimbView {
  const uint32_t* limb;
  int size;  // zero has none
  int64_t exponent;
  bool negative;
};

// What an operation has computed, in memory that Round() and Canonical() may change. Limbs at either end may be zero.
struct LimbSpan {
  uint32_t* limb;
  int size;
  int64_t exponent;
  bool negative;
};

// The limbs of a finite big number, where it has them.
LimbView ViewOf(const BigNumber& big);

// The limbs of a finite number as an operand. Those of an inline number are in here, those of a big one are where the
// number has them; so it must not outlive the number, and cannot be copied.
class Operand {
 public:
  explicit Operand(const Number& number);
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  const LimbView& view() const { return view_; }

 private:
  uint32_t own_[kInlineLimbs];
  LimbView view_;
};

inline uint32_t SmallPower(int exponent) { return static_cast<uint32_t>(kPowersOfTen[exponent]); }

// How far the exponent is above a multiple of kLimbDigits: 0 to 7, also for negative ones.
inline int LimbShift(int64_t exponent) { return static_cast<int>(static_cast<uint64_t>(exponent) % kLimbDigits); }
static_assert((kLimbDigits & (kLimbDigits - 1)) == 0, "LimbShift() takes the lowest bits");

// Digits of the limb; those of zero are one.
inline int DigitsOf(uint32_t limb) {
  return 1 + (limb >= 10) + (limb >= 100) + (limb >= 1'000) + (limb >= 10'000) + (limb >= 100'000) +
         (limb >= 1'000'000) + (limb >= 10'000'000);
}

// Writes the limbs of coefficient * 10^shift so that they end before `end`, and returns how many there are; the first
// one is not zero. At most kInlineLimbs; `shift` is less than kLimbDigits.
int WriteLimbs(uint64_t coefficient, int shift, uint32_t* end);

// Rounds to `digits` significant digits, half to even. The first limb is not zero. `sticky`: the exact value lies a
// little above the limbs.
void Round(LimbSpan* limbs, int digits, bool sticky);

// The number of these limbs in its canonical form: rounded to kBigDigits, inline where that is possible, zero below the
// smallest exponent, an error above the largest. Which way a big number comes to be, it is this one, or
// NumberFromShort().
Number Canonical(LimbSpan limbs, Arena* arena, NumberError* error, bool sticky = false);

// Three-way comparison of magnitudes: -1, 0, 1. Neither first limb is zero, nor is either last one.
int CompareMagnitudes(const LimbView& a, const LimbView& b);

// x * y, whose limbs are written one after the other: x.size + 1, or x.size + y.size. The first one may be zero.
void MultiplyByLimb(const LimbView& x, uint32_t y, uint32_t* product);
void MultiplyLimbs(const LimbView& x, const LimbView& y, uint32_t* product);

// The digits without zeros at either end.
BigText TextOf(const LimbView& limbs);

// x / y and the remainder of x / y, where y is a number of many limbs: rounded as Canonical() does, and exact. Neither
// is zero; x is not less than y where the remainder is asked for.
Number LongQuotient(const LimbView& x, const LimbView& y, Arena* arena, NumberError* error);
Number LongRemainder(const LimbView& x, const LimbView& y, Arena* arena, NumberError* error);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_LIMBS_H_
