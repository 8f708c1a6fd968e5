// Arithmetic beyond the inline form, over Boost's cpp_dec_float.
//
// cpp_dec_float computes with guard digits and truncates. To round correctly all the same, each operation runs at more
// than twice kBigDigits: sums and products of two numbers of kBigDigits are exact there, and a quotient is near enough
// to tell a tie from its neighbors (two such quotients differ by more than 10^-(2 * kBigDigits + 1) of their size).
// The result is then rounded limb by limb. Boost gives access to the limbs through its serialization hook only.
//
// The only source that includes Boost (vm/value/number_boost.h is for hosts). Tested by vm/value/number_test.cc.

#include "hclvm/vm/value/number.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "boost/multiprecision/cpp_dec_float.hpp"
#include "boost/multiprecision/cpp_int.hpp"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/limbs.h"

namespace hcl {

using internal::Canonical;
using internal::kLimbDigits;
using internal::kWideDigits;
using internal::kWideLimbs;
using internal::Limbs;
using internal::LimbsOf;

namespace {

namespace mp = boost::multiprecision;

// Digits of a wide quotient that are right: two limbs of the last ones may be off.
constexpr int kQuotientDigits = 2 * kBigDigits + 8;

using Wide = mp::number<mp::cpp_dec_float<kWideDigits, int64_t>, mp::et_off>;
using Integer = mp::number<mp::cpp_int_backend<>, mp::et_off>;

static_assert(std::numeric_limits<Wide>::max_digits10 == kWideLimbs * kLimbDigits, "limbs are as Boost's");

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

Limbs ToLimbs(const Wide& value) {
  Limbs limbs;
  LimbReader reader(&limbs);
  // The hook serves reading and writing, so that it is not const.
  const_cast<Wide&>(value).backend().serialize(reader, 0);
  return limbs;
}

Wide ToWide(const Number& number) {
  Wide value;
  const Limbs limbs = LimbsOf(number);
  LimbWriter writer(limbs);
  value.backend().serialize(writer, 0);
  return value;
}

Integer ToInteger(const internal::BigText& text) {
  return Integer(text.digits.empty() ? std::string("0") : text.digits);
}

// x mod y with the sign of x, exactly: on integers, after taking out a common power of ten. A division of wide numbers
// would lose the remainder as soon as the quotient has more digits than they hold. Where the dividend's exponent is
// larger by far, powm() keeps every intermediate below the divisor: 10^(646 million) is never made.
Number Remainder(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  internal::BigText x = TextOf(LimbsOf(a));
  internal::BigText y = TextOf(LimbsOf(b));
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

// Both are taken as wide numbers, which hold either form exactly.
int BigCompare(const Number& a, const Number& b) { return ToWide(a).compare(ToWide(b)); }

}  // namespace internal
}  // namespace hcl
