// Quotients and remainders of numbers beyond the inline form.
//
// A divisor of 64 bits takes long division, two limbs at a time. For longer ones there are LongQuotient() and
// LongRemainder(). Tested by vm/value/number_test.cc and tests/slow/number_law_test.cc.

#include <algorithm>
#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/limbs.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

using Uint128 = unsigned __int128;

// Limbs that are enough to round a quotient whose first limb may be zero. An even number, since they come in pairs.
constexpr int kQuotientLimbs = (kNumberLimbs + 2) / 2 * 2;

// Divides rest * kPairBase by a divisor, again and again: the next 16 digits of a quotient.
//
// With kPairBase = whole * divisor + part, the quotient is rest * whole + rest * part / divisor. The second term is
// estimated by a multiplication with part * 2^64 / divisor, rounded down, which is too low by one at the most. So what
// one step hands to the next takes two multiplications and a comparison, and no division.
class PairDivider {
 public:
  // The divisor is at most 2^63, so that twice a remainder fits 64 bits.
  explicit PairDivider(uint64_t divisor) : divisor_(divisor), whole_(kPairBase / divisor), part_(kPairBase % divisor) {
    HCL_DCHECK(divisor != 0 && divisor <= uint64_t{1} << 63);
    inverse_ = static_cast<uint64_t>((static_cast<Uint128>(part_) << 64) / divisor);
  }

  // Returns the 16 digits, and makes *rest, which is less than the divisor, the next remainder.
  uint64_t Next(uint64_t* rest) const {
    uint64_t quotient = static_cast<uint64_t>((static_cast<Uint128>(*rest) * inverse_) >> 64);
    uint64_t left = *rest * part_ - quotient * divisor_;
    const bool low = left >= divisor_;
    left -= low ? divisor_ : 0;
    quotient += *rest * whole_ + (low ? 1 : 0);
    *rest = left;
    return quotient;
  }

 private:
  uint64_t divisor_;
  uint64_t whole_;
  uint64_t part_;
  uint64_t inverse_;
};

void WritePair(uint64_t pair, uint32_t* limbs) {
  limbs[0] = static_cast<uint32_t>(pair / kLimbBase);
  limbs[1] = static_cast<uint32_t>(pair % kLimbBase);
}

// The magnitude of an inline number as divisor * 10^exponent with a multiple of kLimbDigits; false when the divisor
// does not fit 64 bits.
bool ShortDivisor(const Number& number, uint64_t* divisor, int64_t* exponent) {
  const int64_t coefficient = number.coefficient();
  const uint64_t magnitude =
      coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  const int shift = LimbShift(-static_cast<int64_t>(number.scale()));
  *exponent = -static_cast<int64_t>(number.scale()) - shift;
  return !__builtin_mul_overflow(magnitude, static_cast<uint64_t>(SmallPower(shift)), divisor);
}

// x / (divisor * 10^exponent).
Number ShortQuotient(const LimbView& x, bool negative, uint64_t divisor, int64_t exponent, Arena* arena,
                     NumberError* error) {
  // A divisor of 20 digits makes the first limbs of the quotient zero.
  constexpr int kMost = kQuotientLimbs + 4;
  uint32_t quotient[kMost];
  uint64_t rest = 0;
  int size = 0;
  for (; size < kMost && (size < x.size || rest != 0); size += 2) {
    const uint64_t high = size < x.size ? x.limb[size] : 0;
    const uint64_t low = size + 1 < x.size ? x.limb[size + 1] : 0;
    const Uint128 dividend = static_cast<Uint128>(rest) * kPairBase + (high * kLimbBase + low);
    const auto pair = static_cast<uint64_t>(dividend / divisor);
    rest = static_cast<uint64_t>(dividend) - pair * divisor;
    WritePair(pair, quotient + size);
  }
  return Canonical({quotient, size, x.exponent - exponent, negative}, arena, error, rest != 0);
}

// 10^power mod modulus, by squaring.
uint64_t PowerOfTenModulo(int64_t power, uint64_t modulus) {
  Uint128 result = 1 % modulus;
  Uint128 square = 10 % modulus;
  for (; power != 0; power >>= 1) {
    if ((power & 1) != 0) result = result * square % modulus;
    square = square * square % modulus;
  }
  return static_cast<uint64_t>(result);
}

// The remainder of x / (divisor * 10^exponent), which has the sign of x. Only limbs of x at that exponent and above
// count as the dividend; the ones below belong to the remainder as they are. So it has no more digits than x, and is
// exact.
Number ShortRemainder(const LimbView& x, uint64_t divisor, int64_t exponent, Arena* arena, NumberError* error) {
  if (x.exponent < exponent) {
    uint32_t all[kNumberLimbs];
    std::copy_n(x.limb, x.size, all);
    return Canonical({all, x.size, x.exponent, x.negative}, arena, error);
  }
  const int64_t above = (x.exponent - exponent) / kLimbDigits + 1;
  const int given = static_cast<int>(std::min<int64_t>(above, x.size));
  uint64_t rest = 0;
  for (int i = 0; i < given; ++i) {
    // Small divisors are the usual ones, and spare the 128-bit division.
    rest = divisor <= UINT64_MAX / kLimbBase
               ? (rest * kLimbBase + x.limb[i]) % divisor
               : static_cast<uint64_t>((static_cast<Uint128>(rest) * kLimbBase + x.limb[i]) % divisor);
  }
  if (above > given) {
    const uint64_t power = PowerOfTenModulo((above - given) * kLimbDigits, divisor);
    rest = static_cast<uint64_t>(static_cast<Uint128>(rest) * power % divisor);
  }
  uint32_t buffer[kInlineLimbs + kNumberLimbs];
  const int size = rest == 0 ? 0 : WriteLimbs(rest, 0, buffer + kInlineLimbs);
  uint32_t* first = buffer + kInlineLimbs - size;
  std::copy(x.limb + given, x.limb + x.size, buffer + kInlineLimbs);
  return Canonical({first, size + x.size - given, exponent + (size - 1) * kLimbDigits, x.negative}, arena, error);
}

}  // namespace

// It ends when nothing is left, or when there are digits enough to round, and then the rest is what `sticky` needs.
Number DivideWide(bool negative, uint64_t a, uint64_t b, int64_t exponent, Arena* arena, NumberError* error) {
  // The exponent goes into the dividend, so that limbs fall on multiples of their digits.
  const int shift = LimbShift(exponent);
  constexpr int kWhole = kInlineLimbs;  // limbs of the whole part at the most
  uint32_t limbs[kWhole + kQuotientLimbs + 4];
  uint64_t whole = a / b;
  uint64_t rest = a % b;
  int size = 0;  // limbs of the whole part, which end before limbs + kWhole
  if (shift == 0) {
    for (; whole != 0; whole /= kLimbBase) limbs[kWhole - ++size] = static_cast<uint32_t>(whole % kLimbBase);
  } else {
    // (whole + rest / b) * power; the second term is less than a limb, and may be carried into the first.
    const uint64_t power = SmallPower(shift);
    const Uint128 more = static_cast<Uint128>(rest) * power;
    uint64_t carry = static_cast<uint64_t>(more / b);
    rest = static_cast<uint64_t>(more % b);
    for (; whole != 0 || carry != 0; whole /= kLimbBase) {
      carry += whole % kLimbBase * power;
      limbs[kWhole - ++size] = static_cast<uint32_t>(carry % kLimbBase);
      carry /= kLimbBase;
    }
  }
  LimbSpan quotient{limbs + kWhole - size, size, exponent - shift + (size - 1) * kLimbDigits, negative};
  if (rest != 0) {
    const PairDivider divider(b);
    uint32_t* end = limbs + kWhole;
    // Zeros before the first digit do not count.
    for (; quotient.limb == end; end += 2) {
      WritePair(divider.Next(&rest), end);
      for (; quotient.limb != end + 2 && *quotient.limb == 0; ++quotient.limb) quotient.exponent -= kLimbDigits;
    }
    for (; rest != 0 && end - quotient.limb < kNumberLimbs; end += 2) WritePair(divider.Next(&rest), end);
    quotient.size = static_cast<int>(end - quotient.limb);
  }
  return Canonical(quotient, arena, error, rest != 0);
}

Number BigDivide(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  const Operand x(a);
  uint64_t divisor = 0;
  int64_t exponent = 0;
  if (b.is_inline() && ShortDivisor(b, &divisor, &exponent)) {
    return ShortQuotient(x.view(), x.view().negative != (b.coefficient() < 0), divisor, exponent, arena, error);
  }
  const Operand y(b);
  return LongQuotient(x.view(), y.view(), arena, error);
}

Number BigModulo(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  const Operand x(a);
  if (x.view().size == 0) return Number();
  uint64_t divisor = 0;
  int64_t exponent = 0;
  if (b.is_inline() && ShortDivisor(b, &divisor, &exponent)) {
    return ShortRemainder(x.view(), divisor, exponent, arena, error);
  }
  const Operand y(b);
  if (CompareMagnitudes(x.view(), y.view()) < 0) return a.Clone(arena);
  return LongRemainder(x.view(), y.view(), arena, error);
}

}  // namespace hcl::internal
