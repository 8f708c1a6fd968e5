// Numbers beyond the inline form: making, rounding, describing.
//
// Tested by vm/value/number_test.cc.

#include "hclvm/vm/value/big_number.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/digits.h"
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
void AddUnit(LimbSpan* limbs, int index, uint32_t unit) {
  uint32_t* limb = limbs->limb;
  limb[index] += unit;
  while (index > 0 && limb[index] >= kLimbBase) {
    limb[index] -= kLimbBase;
    ++limb[--index];
  }
  if (limb[0] < kLimbBase) return;
  // All nines before: what is left is a one and zeros.
  limb[0] = 1;
  limbs->size = 1;
  limbs->exponent += kLimbDigits;
}

// The limbs as coefficient * 10^-scale, if that is an inline number. Neither the first limb nor the last is zero. So
// only the last one can end in zeros that the scale does not need, and kInlineLimbs fit 128 bits.
bool ToInline(const LimbSpan& limbs, Number* number) {
  if (limbs.size > kInlineLimbs) return false;
  int64_t exponent = limbs.exponent - static_cast<int64_t>(limbs.size - 1) * kLimbDigits;
  if (exponent > kLimbDigits * 2 || exponent <= -kMaxInlineScale - kLimbDigits) return false;
  uint32_t last = limbs.limb[limbs.size - 1];
  uint32_t weight = kLimbBase;
  if (exponent < 0) {
    for (; last % 10 == 0; ++exponent, weight /= 10) last /= 10;
  }
  unsigned __int128 coefficient = 0;
  for (int i = 0; i + 1 < limbs.size; ++i) coefficient = coefficient * kLimbBase + limbs.limb[i];
  coefficient = coefficient * weight + last;
  for (; exponent > 0; exponent -= kLimbDigits) {
    if (coefficient >> 64 != 0) return false;
    coefficient *= kLimbBase;
  }
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (limbs.negative ? 1 : 0);
  if (coefficient > limit || -exponent > kMaxInlineScale) return false;
  const auto magnitude = static_cast<uint64_t>(coefficient);
  *number = Number::Inline(static_cast<int64_t>(limbs.negative ? 0 - magnitude : magnitude),
                           static_cast<uint32_t>(-exponent));
  return true;
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

// Divides the 128-bit number of four words by kLimbBase, and returns the remainder. Word by word, because the compiler
// has no multiplication for a constant 128-bit division.
uint32_t DivideByLimbBase(uint32_t (&words)[4]) {
  uint64_t rest = 0;
  for (uint32_t& word : words) {
    rest = rest << 32 | word;
    word = static_cast<uint32_t>(rest / kLimbBase);
    rest %= kLimbBase;
  }
  return static_cast<uint32_t>(rest);
}

}  // namespace

LimbView ViewOf(const BigNumber& big) { return {big.limbs(), big.size, big.exponent, big.negative}; }

Operand::Operand(const Number& number) : view_{} {
  if (!number.is_inline()) {
    view_ = ViewOf(*number.big());
    return;
  }
  const int64_t coefficient = number.coefficient();
  const int shift = LimbShift(-static_cast<int64_t>(number.scale()));
  const uint64_t magnitude =
      coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  view_.size = magnitude == 0 ? 0 : WriteLimbs(magnitude, shift, own_ + kInlineLimbs);
  view_.limb = own_ + kInlineLimbs - view_.size;
  view_.exponent = -static_cast<int64_t>(number.scale()) - shift + (view_.size - 1) * kLimbDigits;
  view_.negative = coefficient < 0;
}

int WriteLimbs(uint64_t coefficient, int shift, uint32_t* end) {
  const uint32_t factor = SmallPower(shift);
  int count = 0;
  for (uint64_t carry = 0; coefficient != 0 || carry != 0; coefficient /= kLimbBase) {
    carry += coefficient % kLimbBase * factor;
    end[-++count] = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  return count;
}

// Works on limbs in place: at most one limb is cut inside, and the limbs behind it only tell whether there is more.
// "Half" is exact, because `sticky` stands for all that was not even computed.
void Round(LimbSpan* limbs, int digits, bool sticky) {
  uint32_t* limb = limbs->limb;
  const int kept_after_first = digits - DigitsOf(limb[0]);
  const int index = 1 + kept_after_first / kLimbDigits;  // the limb in which, or before which, the cut is
  const int kept = kept_after_first % kLimbDigits;       // digits kept of it
  if (index >= limbs->size) return;
  const uint32_t unit = SmallPower(kLimbDigits - kept);  // kLimbBase when none is kept
  const uint32_t cut = limb[index] % unit;
  bool up = cut > unit / 2;
  if (cut == unit / 2) {
    bool more = sticky;
    for (int i = index + 1; i < limbs->size; ++i) more = more || limb[i] != 0;
    const uint32_t last_kept = kept > 0 ? limb[index] / unit : limb[index - 1];
    up = more || last_kept % 2 == 1;
  }
  limb[index] -= cut;
  limbs->size = kept > 0 ? index + 1 : index;
  if (up) AddUnit(limbs, limbs->size - 1, kept > 0 ? unit : 1);
}

Number Canonical(LimbSpan limbs, Arena* arena, NumberError* error, bool sticky) {
  *error = NumberError::kNone;
  for (; limbs.size > 0 && limbs.limb[0] == 0; --limbs.size, ++limbs.limb) limbs.exponent -= kLimbDigits;
  if (limbs.size == 0) return Number();
  if (limbs.size >= kNumberLimbs) Round(&limbs, kBigDigits, sticky);
  while (limbs.limb[limbs.size - 1] == 0) --limbs.size;
  Number number;
  if (ToInline(limbs, &number)) return number;
  const int64_t first_digit = limbs.exponent + DigitsOf(limbs.limb[0]) - 1;
  if (first_digit < -kMaxExponent) return Number();
  if (first_digit > kMaxExponent) {
    *error = NumberError::kOverflow;
    return Number();
  }
  return NewBig(limbs.negative, limbs.limb, limbs.size, limbs.exponent, arena);
}

// The limbs come from the last one on. The shift multiplies the coefficient by less than a limb, which is carried.
Number NumberFromWide(bool negative, unsigned __int128 coefficient, int64_t exponent, Arena* arena,
                      NumberError* error) {
  constexpr int kMost = 6;  // 39 digits and 7 zeros
  uint32_t limbs[kMost];
  const int shift = LimbShift(exponent);
  const uint32_t factor = SmallPower(shift);
  uint32_t words[4];
  for (int i = 0; i < 4; ++i) words[i] = static_cast<uint32_t>(coefficient >> (32 * (3 - i)));
  uint64_t carry = 0;
  for (int i = kMost - 1; i >= 0; --i) {
    carry += static_cast<uint64_t>(DivideByLimbBase(words)) * factor;
    limbs[i] = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  return Canonical({limbs, kMost, exponent - shift + (kMost - 1) * kLimbDigits, negative}, arena, error);
}

// Only kMost digits are looked at; as the last digit is not zero, all others together count as `sticky`.
Number NumberFromDigits(bool negative, std::string_view digits, int64_t exponent, Arena* arena, NumberError* error) {
  *error = NumberError::kNone;
  size_t begin = std::min(digits.find_first_not_of('0'), digits.size());
  digits.remove_prefix(begin);
  size_t end = digits.find_last_not_of('0');
  if (end == std::string_view::npos) return Number();
  exponent += static_cast<int64_t>(digits.size() - (end + 1));
  digits = digits.substr(0, end + 1);
  // What lies beyond the digits that decide can only break a tie.
  constexpr size_t kMost = kBigDigits + 2 * kLimbDigits;
  const bool sticky = digits.size() > kMost;
  if (sticky) {
    exponent += static_cast<int64_t>(digits.size() - kMost);
    digits = digits.substr(0, kMost);
  }
  // Zeros at both ends, so that the exponent of the last limb is a multiple of the limb's digits.
  const size_t shift = static_cast<size_t>(LimbShift(exponent));
  const size_t count = (digits.size() + shift + kLimbDigits - 1) / kLimbDigits;
  const size_t lead = count * kLimbDigits - digits.size() - shift;
  constexpr size_t kMostLimbs = kMost / kLimbDigits + 1;
  char padded[kMostLimbs * kLimbDigits];
  std::memset(padded, '0', kLimbDigits);
  std::memset(padded + (count - 1) * kLimbDigits, '0', kLimbDigits);
  std::memcpy(padded + lead, digits.data(), digits.size());
  uint32_t limbs[kMostLimbs];
  for (size_t i = 0; i < count; ++i) limbs[i] = ReadEightDigits(LoadEight(padded + i * kLimbDigits));
  const int64_t first = exponent - static_cast<int64_t>(shift) + static_cast<int64_t>(count - 1) * kLimbDigits;
  return Canonical({limbs, static_cast<int>(count), first, negative}, arena, error, sticky);
}

// Where Canonical() would find out what is known here: that the number is not inline, and its last digit not zero.
Number NumberFromShort(bool negative, uint64_t coefficient, int64_t exponent, Arena* arena) {
  HCL_DCHECK(coefficient % 10 != 0 && coefficient < static_cast<uint64_t>(kPowersOfTen[kMaxPowerOfTen]));
  const int shift = LimbShift(exponent);
  uint32_t limbs[kInlineLimbs];
  const int size = WriteLimbs(coefficient, shift, limbs + kInlineLimbs);
  return NewBig(negative, limbs + kInlineLimbs - size, size, exponent - shift + (size - 1) * kLimbDigits, arena);
}

int CompareMagnitudes(const LimbView& a, const LimbView& b) {
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  const int common = std::min(a.size, b.size);
  for (int i = 0; i < common; ++i) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
  }
  return (a.size > b.size) - (a.size < b.size);
}

// Zeros at the end go into the exponent, so that the text of 10^1000 has one digit.
BigText TextOf(const LimbView& limbs) {
  BigText text{limbs.negative, 0, ""};
  if (limbs.size == 0) return text;
  const auto size = static_cast<size_t>(limbs.size);
  text.digits.resize(size * kLimbDigits);
  for (size_t i = 0; i < size; ++i) WriteEightDigits(limbs.limb[i], &text.digits[i * kLimbDigits]);
  const size_t zeros = text.digits.find_first_not_of('0');
  const size_t significant = text.digits.find_last_not_of('0') + 1;
  text.exponent = limbs.exponent - static_cast<int64_t>(limbs.size - 1) * kLimbDigits;
  text.exponent += static_cast<int64_t>(text.digits.size() - significant);
  text.digits.resize(significant);
  text.digits.erase(0, zeros);
  return text;
}

BigText BigToText(const BigNumber& big) { return TextOf(ViewOf(big)); }

bool BigIsInfinite(const BigNumber& big) { return big.infinite; }
bool BigIsNegative(const BigNumber& big) { return big.negative; }

// A limb lies on one side of the point as a whole, and the last one is not zero.
bool BigIsInteger(const BigNumber& big) { return !big.infinite && big.exponent >= (big.size - 1) * kLimbDigits; }

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

// Only the negative of 2^63, at some scale, is inline; Canonical() knows.
Number BigNegate(const BigNumber& big, Arena* arena) {
  if (big.infinite) return Number::Big(BigInfinity(!big.negative));
  uint32_t limbs[kNumberLimbs];
  std::copy_n(big.limbs(), big.size, limbs);
  NumberError error;
  return Canonical({limbs, big.size, big.exponent, !big.negative}, arena, &error);
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
