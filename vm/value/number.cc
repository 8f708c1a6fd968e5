// BigNumber over Boost's cpp_dec_float.
//
// cpp_dec_float computes with guard digits and truncates. To round correctly all the same, each operation runs at more
// than twice kBigDigits: sums and products of two numbers of kBigDigits are exact there, and a quotient is near enough
// to tell a tie from its neighbors (two such quotients differ by more than 10^-(2 * kBigDigits + 1) of their size).
// The result is then rounded limb by limb. Boost gives access to the limbs through its serialization hook only.
//
// The only source that includes Boost (vm/value/number_boost.h is for hosts). Tested by vm/value/number_test.cc.

#include "hclvm/vm/value/number.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "boost/multiprecision/cpp_dec_float.hpp"
#include "boost/multiprecision/cpp_int.hpp"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/hash.h"

namespace hcl {
namespace {

namespace mp = boost::multiprecision;

constexpr int kWideDigits = 2 * kBigDigits + 24;
// Digits of a wide quotient that are right: two limbs of the last ones may be off.
constexpr int kQuotientDigits = 2 * kBigDigits + 8;

using Narrow = mp::number<mp::cpp_dec_float<kBigDigits, int64_t>, mp::et_off>;
using Wide = mp::number<mp::cpp_dec_float<kWideDigits, int64_t>, mp::et_off>;
using Integer = mp::number<mp::cpp_int_backend<>, mp::et_off>;

constexpr int kLimbDigits = 8;
constexpr uint32_t kLimbBase = 100'000'000;

constexpr int LimbCount(int digits) { return (digits + kLimbDigits - 1) / kLimbDigits + 3; }
constexpr int kWideLimbs = LimbCount(kWideDigits);
static_assert(std::numeric_limits<Wide>::max_digits10 == kWideLimbs * kLimbDigits, "limbs are as Boost's");
static_assert(std::numeric_limits<Narrow>::max_digits10 >= kBigDigits + 2 * kLimbDigits, "guard limbs");

// A finite number: limb[0] * 10^exponent + limb[1] * 10^(exponent - 8) + ...; limb[0] is not zero unless all are, and
// the exponent is a multiple of 8.
struct Limbs {
  std::array<uint32_t, kWideLimbs> limb = {};
  int64_t exponent = 0;
  bool negative = false;

  bool is_zero() const { return limb[0] == 0; }
};

// Takes the limbs out of a cpp_dec_float. Its hook presents the limbs in order, then exponent, sign, class and
// precision, each as the value() of a wrapper; the class is always "finite" here, and the precision the full one.
// Reading limbs and not a decimal text keeps rounding cheap: a text would be made and read for each operation.
class LimbReader {
 public:
  explicit LimbReader(Limbs* limbs) : limbs_(limbs) {}
  template <typename Wrapper>
  LimbReader& operator&(const Wrapper& wrapper) {
    Read(wrapper.value());
    return *this;
  }

 private:
  void Read(uint32_t limb) { limbs_->limb[next_++] = limb; }
  void Read(int64_t exponent) { limbs_->exponent = exponent; }
  void Read(bool negative) { limbs_->negative = negative; }
  // Class and precision. A template, so that no other type is converted to one of the types above.
  template <typename T>
  void Read(T) {}

  Limbs* limbs_;
  size_t next_ = 0;
};

// Puts the limbs into a cpp_dec_float that has just been constructed.
class LimbWriter {
 public:
  explicit LimbWriter(const Limbs& limbs) : limbs_(limbs) {}
  template <typename Wrapper>
  LimbWriter& operator&(const Wrapper& wrapper) {
    Write(&wrapper.value());
    return *this;
  }

 private:
  void Write(uint32_t* limb) { *limb = limbs_.limb[next_++]; }
  void Write(int64_t* exponent) { *exponent = limbs_.exponent; }
  void Write(bool* negative) { *negative = limbs_.negative; }
  // Class and precision, which are right already.
  template <typename T>
  void Write(T*) {}

  const Limbs& limbs_;
  size_t next_ = 0;
};

template <typename Float>
Limbs ToLimbs(const Float& value) {
  Limbs limbs;
  LimbReader reader(&limbs);
  // The hook serves reading and writing, so that it is not const.
  const_cast<Float&>(value).backend().serialize(reader, 0);
  return limbs;
}

template <typename Float>
Float FromLimbs(const Limbs& limbs) {
  Float value;
  LimbWriter writer(limbs);
  value.backend().serialize(writer, 0);
  return value;
}

// At most eight rounds, so that no logarithm is needed.
int DigitsOf(uint32_t limb) {
  int digits = 1;
  while (limb >= 10) {
    limb /= 10;
    ++digits;
  }
  return digits;
}

uint32_t SmallPower(int exponent) { return static_cast<uint32_t>(internal::kPowersOfTen[exponent]); }

// Index of the last limb that is not zero.
int LastLimb(const Limbs& limbs) {
  int last = kWideLimbs - 1;
  while (last > 0 && limbs.limb[last] == 0) --last;
  return last;
}

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

// Rounds to `digits` significant digits, half to even. `sticky`: the exact value lies a little above the limbs. Works
// on limbs in place: at most one limb is cut inside, and the limbs behind it only tell whether there is more. "Half" is
// exact, because `sticky` stands for all that was not even computed.
void Round(Limbs* limbs, int digits, bool sticky = false) {
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

// Limbs of `coefficient` * 10^exponent. Built from the last limb on, and turned around at the end.
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

Limbs LimbsOfInline(const Number& number) {
  int64_t coefficient = number.coefficient();
  uint64_t magnitude = coefficient < 0 ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  return LimbsOfWide(coefficient < 0, magnitude, -static_cast<int64_t>(number.scale()));
}

}  // namespace

struct BigNumber {
  Narrow value;  // rounded to kBigDigits; unused for an infinity
  bool infinite;
  bool negative;  // of an infinity
};

namespace {

// The one way in which a big number comes to be, so that the form is canonical: rounded, inline where that is possible,
// zero below the smallest exponent, an error above the largest.
Number Canonical(Limbs limbs, Arena* arena, NumberError* error, bool sticky = false) {
  *error = NumberError::kNone;
  if (limbs.is_zero()) return Number();
  Round(&limbs, kBigDigits, sticky);
  Number number;
  if (ToInline(limbs, &number)) return number;
  int64_t first_digit = limbs.exponent + DigitsOf(limbs.limb[0]) - 1;
  if (first_digit < -internal::kMaxExponent) return Number();
  if (first_digit > internal::kMaxExponent) {
    *error = NumberError::kOverflow;
    return Number();
  }
  BigNumber* big = arena->New<BigNumber>(BigNumber{FromLimbs<Narrow>(limbs), false, false});
  return Number::Big(big);
}

Wide ToWide(const Number& number) {
  if (number.is_inline()) return FromLimbs<Wide>(LimbsOfInline(number));
  return Wide(number.big()->value);
}

Integer ToInteger(const internal::BigText& text) {
  return Integer(text.digits.empty() ? std::string("0") : text.digits);
}

// Zeros at the end go into the exponent, so that the text of 10^1000 has one digit.
internal::BigText TextOf(const Limbs& limbs) {
  internal::BigText text{limbs.negative, 0, ""};
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

internal::BigText TextOf(const Number& number) {
  return TextOf(number.is_inline() ? LimbsOfInline(number) : ToLimbs(number.big()->value));
}

// x mod y with the sign of x, exactly: on integers, after taking out a common power of ten. A division of wide numbers
// would lose the remainder as soon as the quotient has more digits than they hold. Where the dividend's exponent is
// larger by far, powm() keeps every intermediate below the divisor: 10^(646 million) is never made.
Number Remainder(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  internal::BigText x = TextOf(a);
  internal::BigText y = TextOf(b);
  Integer m = ToInteger(x);
  Integer n = ToInteger(y);
  int64_t exponent = std::min(x.exponent, y.exponent);
  if (y.exponent > x.exponent) {
    // A divisor with more digits than this is larger than the dividend.
    int64_t shift = y.exponent - x.exponent;
    if (shift > kBigDigits) return a;
    n *= mp::pow(Integer(10), static_cast<unsigned>(shift));
    m %= n;
  } else {
    int64_t shift = x.exponent - y.exponent;
    m = (m % n) * mp::powm(Integer(10), Integer(shift), n) % n;
  }
  return internal::NumberFromDigits(x.negative, m.str(), exponent, arena, error);
}

}  // namespace

namespace internal {

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

// Wide numbers hold sums, differences and products of canonical numbers exactly; only quotients are inexact there, and
// are first cut to the digits that are sure (see the head of this file). Canonical() then rounds once, so that the
// result is correctly rounded. Exponents far apart make a sum inexact only where it rounds to the larger operand
// anyway.
Number BigArithmetic(BinaryOp operation, const Number& a, const Number& b, Arena* arena, NumberError* error) {
  if (operation == BinaryOp::kModulo) return Remainder(a, b, arena, error);
  Wide x = ToWide(a);
  Wide y = ToWide(b);
  switch (operation) {
    case BinaryOp::kAdd:
      x += y;
      break;
    case BinaryOp::kSubtract:
      x -= y;
      break;
    case BinaryOp::kMultiply:
      x *= y;
      break;
    default: {
      x /= y;
      Limbs quotient = ToLimbs(x);
      if (!quotient.is_zero()) Round(&quotient, kQuotientDigits);
      return Canonical(quotient, arena, error);
    }
  }
  return Canonical(ToLimbs(x), arena, error);
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

// Both are taken as wide numbers, which hold either form exactly.
int BigCompare(const Number& a, const Number& b) { return ToWide(a).compare(ToWide(b)); }

BigText BigToText(const BigNumber& big) { return TextOf(ToLimbs(big.value)); }

// Counts digits without making their text, for callers that ask how long that would be.
BigShape DescribeBig(const BigNumber& big) {
  if (big.infinite) return {big.negative, true, 0, 0};
  Limbs limbs = ToLimbs(big.value);
  int last = LastLimb(limbs);
  int zeros = 0;
  for (uint32_t limb = limbs.limb[last]; limb % 10 == 0; limb /= 10) ++zeros;
  int digits = DigitsOf(limbs.limb[0]) + last * kLimbDigits - zeros;
  int64_t exponent = limbs.exponent - static_cast<int64_t>(last) * kLimbDigits + zeros;
  return {limbs.negative, false, exponent, static_cast<uint32_t>(digits)};
}

Number BigNegate(const BigNumber& big, Arena* arena) {
  if (big.infinite) return Number::Big(BigInfinity(!big.negative));
  Limbs limbs = ToLimbs(big.value);
  limbs.negative = !limbs.negative;
  NumberError error;
  return Canonical(limbs, arena, &error);
}

const BigNumber* BigClone(const BigNumber& big, Arena* arena) {
  return big.infinite ? BigInfinity(big.negative) : arena->New<BigNumber>(big);
}

// The limbs are canonical, so that equal numbers have equal limbs.
uint64_t BigHash(const BigNumber& big) {
  if (big.infinite) return MixHash(1, big.negative ? 1 : 2);
  Limbs limbs = ToLimbs(big.value);
  uint64_t hash = MixHash(static_cast<uint64_t>(limbs.exponent), limbs.negative ? 1 : 2);
  int last = LastLimb(limbs);
  for (int i = 0; i <= last; ++i) hash = MixHash(hash, limbs.limb[i]);
  return hash;
}

// Infinities are static, because Number::Infinity() has no arena.
const BigNumber* BigInfinity(bool negative) {
  static const BigNumber kInfinities[] = {{Narrow(), true, false}, {Narrow(), true, true}};
  return &kInfinities[negative ? 1 : 0];
}

}  // namespace internal
}  // namespace hcl
