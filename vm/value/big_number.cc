// Numbers beyond the inline form: making, rounding, describing.
//
// Tested by vm/value/number_test.cc.

#include "hclvm/vm/value/big_number.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/limbs.h"
#include "hclvm/vm/value/number.h"

namespace hcl {

// limb[0] * 10^exponent + limb[1] * 10^(exponent - 8) + ..., rounded to kBigDigits; neither the first limb nor the last
// is zero. Only the limbs that there are take memory: `1e99` has one.
struct BigNumber {
  int32_t exponent;  // a multiple of kLimbDigits
  uint8_t size;      // limbs; none for an infinity
  bool infinite;
  bool negative;

  const uint32_t* limbs() const { return reinterpret_cast<const uint32_t*>(this + 1); }
};

namespace internal {
namespace {

// Adds one at the digit of weight `unit` in limb `index`. The carry runs on as long as limbs overflow; only the first
// limb cannot hand it on.
void AddUnit(Limbs* limbs, int index, uint32_t unit) {
  limbs->limb[index] += unit;
  while (index > 0 && limbs->limb[index] >= kLimbBase) {
    limbs->limb[index] -= kLimbBase;
    ++limbs->limb[--index];
  }
  if (limbs->limb[0] < kLimbBase) return;
  // All nines before: what is left is a one and zeros.
  limbs->limb.fill(0);
  limbs->limb[0] = 1;
  limbs->exponent += kLimbDigits;
}

// The limbs as coefficient * 10^-scale, if that is an inline number. Four limbs hold 32 digits, more than any inline
// coefficient, so that 128 bits suffice.
bool ToInline(const Limbs& limbs, Number* number) {
  int last = LastLimb(limbs);
  if (last > 3) return false;
  unsigned __int128 coefficient = 0;
  for (int i = 0; i <= last; ++i) coefficient = coefficient * kLimbBase + limbs.limb[i];
  int64_t exponent = limbs.exponent - static_cast<int64_t>(last) * kLimbDigits;
  if (exponent > kLimbDigits * 3) return false;
  for (; exponent > 0; --exponent) {
    if (coefficient >> 64 != 0) return false;
    coefficient *= 10;
  }
  while (exponent < 0 && coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
  uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (limbs.negative ? 1 : 0);
  if (coefficient > limit || -exponent > kMaxInlineScale) return false;
  uint64_t magnitude = static_cast<uint64_t>(coefficient);
  *number = Number::Inline(static_cast<int64_t>(limbs.negative ? 0 - magnitude : magnitude),
                           static_cast<uint32_t>(-exponent));
  return true;
}

Limbs LimbsOfInline(const Number& number) {
  int64_t coefficient = number.coefficient();
  uint64_t magnitude = coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  return LimbsOfWide(coefficient < 0, magnitude, -static_cast<int64_t>(number.scale()));
}

Limbs LimbsOf(const BigNumber& big) {
  Limbs limbs;
  std::memcpy(limbs.limb.data(), big.limbs(), big.size * sizeof(uint32_t));
  limbs.exponent = big.exponent;
  limbs.negative = big.negative;
  return limbs;
}

// The memory is as long as there are limbs: a text of a few bytes that is full of exponents takes little more than they
// do.
Number NewBig(bool negative, const uint32_t* limbs, int size, int64_t exponent, Arena* arena) {
  HCL_DCHECK(size > 0 && limbs[0] != 0 && limbs[size - 1] != 0 && exponent % kLimbDigits == 0);
  const size_t bytes = static_cast<size_t>(size) * sizeof(uint32_t);
  void* memory = arena->Allocate(sizeof(BigNumber) + bytes, alignof(BigNumber));
  auto* big = new (memory) BigNumber{static_cast<int32_t>(exponent), static_cast<uint8_t>(size), false, negative};
  std::memcpy(big + 1, limbs, bytes);
  return Number::Big(big);
}

}  // namespace

// At most eight rounds, so that no logarithm is needed.
int DigitsOf(uint32_t limb) {
  int digits = 1;
  while (limb >= 10) {
    limb /= 10;
    ++digits;
  }
  return digits;
}

int LastLimb(const Limbs& limbs) {
  int last = kWideLimbs - 1;
  while (last > 0 && limbs.limb[last] == 0) --last;
  return last;
}

// Works on limbs in place: at most one limb is cut inside, and the limbs behind it only tell whether there is more.
// "Half" is exact, because `sticky` stands for all that was not even computed.
void Round(Limbs* limbs, int digits, bool sticky) {
  int kept_after_first = digits - DigitsOf(limbs->limb[0]);
  int index = 1 + kept_after_first / kLimbDigits;  // the limb in which, or before which, the cut is
  int kept = kept_after_first % kLimbDigits;       // digits kept of it
  if (index >= kWideLimbs) return;
  uint32_t unit = SmallPower(kLimbDigits - kept);  // kLimbBase when none is kept
  uint32_t cut = limbs->limb[index] % unit;
  bool more = sticky;
  for (int i = index + 1; i < kWideLimbs; ++i) {
    more = more || limbs->limb[i] != 0;
    limbs->limb[i] = 0;
  }
  limbs->limb[index] -= cut;
  uint32_t last_kept = kept > 0 ? limbs->limb[index] / unit : limbs->limb[index - 1];
  bool up = cut > unit / 2 || (cut == unit / 2 && (more || last_kept % 2 == 1));
  if (!up) return;
  if (kept > 0) return AddUnit(limbs, index, unit);
  AddUnit(limbs, index - 1, 1);
}

// Built from the last limb on, and turned around at the end.
Limbs LimbsOfWide(bool negative, unsigned __int128 coefficient, int64_t exponent) {
  Limbs limbs;
  if (coefficient == 0) return limbs;
  // The exponent of the last limb is a multiple of the limb's digits, at or below `exponent`.
  int shift = static_cast<int>(((exponent % kLimbDigits) + kLimbDigits) % kLimbDigits);
  std::array<uint32_t, 8> reversed = {};
  int count = 0;
  uint64_t carry = 0;
  uint32_t factor = SmallPower(shift);
  while (coefficient != 0 || carry != 0) {
    uint64_t product = static_cast<uint64_t>(coefficient % kLimbBase) * factor + carry;
    reversed[count++] = static_cast<uint32_t>(product % kLimbBase);
    carry = product / kLimbBase;
    coefficient /= kLimbBase;
  }
  for (int i = 0; i < count; ++i) limbs.limb[i] = reversed[count - 1 - i];
  limbs.exponent = exponent - shift + static_cast<int64_t>(count - 1) * kLimbDigits;
  limbs.negative = negative;
  return limbs;
}

Limbs LimbsOf(const Number& number) { return number.is_inline() ? LimbsOfInline(number) : LimbsOf(*number.big()); }

// Rounded, inline where that is possible, zero below the smallest exponent, an error above the largest.
Number Canonical(Limbs limbs, Arena* arena, NumberError* error, bool sticky) {
  *error = NumberError::kNone;
  if (limbs.is_zero()) return Number();
  Round(&limbs, kBigDigits, sticky);
  Number number;
  if (ToInline(limbs, &number)) return number;
  int64_t first_digit = limbs.exponent + DigitsOf(limbs.limb[0]) - 1;
  if (first_digit < -kMaxExponent) return Number();
  if (first_digit > kMaxExponent) {
    *error = NumberError::kOverflow;
    return Number();
  }
  return NewBig(limbs.negative, limbs.limb.data(), LastLimb(limbs) + 1, limbs.exponent, arena);
}

Number NumberFromWide(bool negative, unsigned __int128 coefficient, int64_t exponent, Arena* arena,
                      NumberError* error) {
  return Canonical(LimbsOfWide(negative, coefficient, exponent), arena, error);
}

// Digits are put into limbs directly, without a text for Boost's reader. Only kMost of them are looked at; as the last
// digit is not zero, all others together count as `sticky`.
Number NumberFromDigits(bool negative, std::string_view digits, int64_t exponent, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  size_t begin = std::min(digits.find_first_not_of('0'), digits.size());
  digits.remove_prefix(begin);
  size_t end = digits.find_last_not_of('0');
  if (end == std::string_view::npos) return Number();
  exponent += static_cast<int64_t>(digits.size() - (end + 1));
  digits = digits.substr(0, end + 1);
  // What lies beyond the wide number can only break a tie.
  constexpr size_t kMost = kBigDigits + 2 * kLimbDigits;
  bool sticky = digits.size() > kMost;
  if (sticky) {
    exponent += static_cast<int64_t>(digits.size() - kMost);
    digits = digits.substr(0, kMost);
  }
  // Digits in the first limb, so that the exponent of the last limb is a multiple of the limb's digits.
  int64_t shift = ((exponent % kLimbDigits) + kLimbDigits) % kLimbDigits;
  int64_t size = static_cast<int64_t>(digits.size()) + shift;
  int64_t position = -(((size + kLimbDigits - 1) / kLimbDigits) * kLimbDigits - size);
  Limbs limbs;
  limbs.negative = negative;
  int index = 0;
  for (; position < size; ++index) {
    uint32_t limb = 0;
    for (int i = 0; i < kLimbDigits; ++i, ++position) {
      bool given = position >= 0 && position < static_cast<int64_t>(digits.size());
      limb = limb * 10 + static_cast<uint32_t>(given ? digits[static_cast<size_t>(position)] - '0' : 0);
    }
    limbs.limb[index] = limb;
  }
  limbs.exponent = exponent - shift + static_cast<int64_t>(index - 1) * kLimbDigits;
  return Canonical(limbs, arena, error, sticky);
}

// Where Canonical() would go over all limbs of a wide number, three or four are all that there are.
Number NumberFromShort(bool negative, uint64_t coefficient, int64_t exponent, Arena* arena) {
  HCL_DCHECK(coefficient % 10 != 0 && coefficient < static_cast<uint64_t>(kPowersOfTen[kMaxPowerOfTen]));
  const auto shift = static_cast<int>(((exponent % kLimbDigits) + kLimbDigits) % kLimbDigits);
  const uint32_t factor = SmallPower(shift);
  uint32_t limbs[4];  // filled from the end: 18 digits and 7 zeros
  int first = 4;
  for (uint64_t carry = 0; coefficient != 0 || carry != 0; coefficient /= kLimbBase) {
    carry += coefficient % kLimbBase * factor;
    limbs[--first] = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  return NewBig(negative, limbs + first, 4 - first, exponent - shift + (3 - first) * kLimbDigits, arena);
}

// Long division by a 64-bit divisor, a limb at a time in 128 bits, where Boost's division is a Newton iteration at full
// width. It ends when nothing is left, or when there are digits enough to round, and then the rest is what `sticky`
// needs.
Number DivideWide(bool negative, uint64_t a, uint64_t b, int64_t exponent, Arena* arena, NumberError* error) {
  // Move the exponent into the dividend, so that limbs fall on multiples of their digits.
  int64_t shift = ((exponent % kLimbDigits) + kLimbDigits) % kLimbDigits;
  unsigned __int128 dividend = static_cast<unsigned __int128>(a) * SmallPower(static_cast<int>(shift));
  unsigned __int128 rest = dividend % b;
  Limbs limbs = LimbsOfWide(negative, dividend / b, exponent - shift);
  int next = 0;  // the limb to be filled
  if (limbs.is_zero()) {
    limbs.negative = negative;
    limbs.exponent = exponent - shift - kLimbDigits;
  } else {
    next = static_cast<int>((limbs.exponent - (exponent - shift)) / kLimbDigits) + 1;
  }
  constexpr int kLimbsNeeded = kBigDigits / kLimbDigits + 3;
  while (next < kLimbsNeeded && rest != 0) {
    rest *= kLimbBase;
    limbs.limb[next] = static_cast<uint32_t>(rest / b);
    rest %= b;
    if (limbs.is_zero()) {
      limbs.exponent -= kLimbDigits;
    } else {
      ++next;
    }
  }
  return Canonical(limbs, arena, error, rest != 0);
}

// Zeros at the end go into the exponent, so that the text of 10^1000 has one digit.
BigText TextOf(const Limbs& limbs) {
  BigText text{limbs.negative, 0, ""};
  if (limbs.is_zero()) return text;
  int last = LastLimb(limbs);
  text.digits = std::to_string(limbs.limb[0]);
  for (int i = 1; i <= last; ++i) {
    std::string limb = std::to_string(limbs.limb[i]);
    text.digits.append(kLimbDigits - limb.size(), '0').append(limb);
  }
  size_t significant = text.digits.find_last_not_of('0') + 1;
  text.exponent = limbs.exponent - static_cast<int64_t>(last) * kLimbDigits;
  text.exponent += static_cast<int64_t>(text.digits.size() - significant);
  text.digits.resize(significant);
  return text;
}

BigText BigToText(const BigNumber& big) { return TextOf(LimbsOf(big)); }

// Counts digits without making their text, for callers that ask how long that would be.
BigShape DescribeBig(const BigNumber& big) {
  if (big.infinite) return {big.negative, true, 0, 0};
  const int last = big.size - 1;
  int zeros = 0;
  for (uint32_t limb = big.limbs()[last]; limb % 10 == 0; limb /= 10) ++zeros;
  const int digits = DigitsOf(big.limbs()[0]) + last * kLimbDigits - zeros;
  const int64_t exponent = big.exponent - static_cast<int64_t>(last) * kLimbDigits + zeros;
  return {big.negative, false, exponent, static_cast<uint32_t>(digits)};
}

Number BigNegate(const BigNumber& big, Arena* arena) {
  if (big.infinite) return Number::Big(BigInfinity(!big.negative));
  Limbs limbs = LimbsOf(big);
  limbs.negative = !limbs.negative;
  NumberError error;
  return Canonical(limbs, arena, &error);
}

const BigNumber* BigClone(const BigNumber& big, Arena* arena) {
  if (big.infinite) return BigInfinity(big.negative);
  return NewBig(big.negative, big.limbs(), big.size, big.exponent, arena).big();
}

// The limbs are canonical, so that equal numbers have equal limbs.
uint64_t BigHash(const BigNumber& big) {
  if (big.infinite) return MixHash(1, big.negative ? 1 : 2);
  uint64_t hash = MixHash(static_cast<uint64_t>(big.exponent), big.negative ? 1 : 2);
  for (int i = 0; i < big.size; ++i) hash = MixHash(hash, big.limbs()[i]);
  return hash;
}

// Infinities are static, because Number::Infinity() has no arena.
const BigNumber* BigInfinity(bool negative) {
  static constexpr BigNumber kInfinities[] = {{0, 0, true, false}, {0, 0, true, true}};
  return &kInfinities[negative ? 1 : 0];
}

}  // namespace internal
}  // namespace hcl
