// Quotients and remainders by numbers of many limbs, over Boost's cpp_dec_float.
//
// cpp_dec_float computes with guard digits and truncates. To round correctly all the same, a quotient is computed to
// more than twice kBigDigits digits, which is near enough to tell a tie from its neighbors: two such quotients differ
// by more than 10^-(2 * kBigDigits + 1) of their size. The result is then rounded limb by limb. Boost gives access to
// the limbs through its serialization hook only.
//
// The only source that includes Boost (vm/value/number_boost.h is for hosts). Tested by vm/value/number_test.cc.

#include "hclvm/vm/value/number.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "boost/multiprecision/cpp_dec_float.hpp"
#include "boost/multiprecision/cpp_int.hpp"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/limbs.h"

namespace hcl::internal {
namespace {

namespace mp = boost::multiprecision;

constexpr int kWideDigits = 2 * kBigDigits + 24;
constexpr int kWideLimbs = (kWideDigits + kLimbDigits - 1) / kLimbDigits + 3;

// Digits of a wide quotient that are right: two limbs of the last ones may be off.
constexpr int kQuotientDigits = 2 * kBigDigits + 8;

// A number in the form of a cpp_dec_float: zeros fill the limbs that it has not.
struct Limbs {
  std::array<uint32_t, kWideLimbs> limb = {};
  int64_t exponent = 0;
  bool negative = false;
};

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

Wide ToWide(const LimbView& view) {
  Wide value;
  Limbs limbs;
  std::copy_n(view.limb, view.size, limbs.limb.begin());
  limbs.exponent = view.exponent;
  limbs.negative = view.negative;
  LimbWriter writer(limbs);
  value.backend().serialize(writer, 0);
  return value;
}

Integer ToInteger(const BigText& text) { return Integer(text.digits); }

}  // namespace

// What is not sure of the quotient is cut, and Canonical() then rounds once.
Number LongQuotient(const LimbView& x, const LimbView& y, Arena* arena, NumberError* error) {
  Wide wide = ToWide(x);
  wide /= ToWide(y);
  Limbs quotient = ToLimbs(wide);
  LimbSpan span{quotient.limb.data(), kWideLimbs, quotient.exponent, quotient.negative};
  if (span.limb[0] != 0) Round(&span, kQuotientDigits, false);
  return Canonical(span, arena, error);
}

// x mod y with the sign of x, exactly: on integers, after taking out a common power of ten. A division of wide numbers
// would lose the remainder as soon as the quotient has more digits than they hold. Where the dividend's exponent is
// larger by far, powm() keeps every intermediate below the divisor: 10^(646 million) is never made.
Number LongRemainder(const LimbView& dividend, const LimbView& divisor, Arena* arena, NumberError* error) {
  const BigText x = TextOf(dividend);
  const BigText y = TextOf(divisor);
  Integer m = ToInteger(x);
  Integer n = ToInteger(y);
  const int64_t exponent = std::min(x.exponent, y.exponent);
  if (y.exponent > x.exponent) {
    // The dividend is not less than the divisor, and has at most kBigDigits digits.
    n *= mp::pow(Integer(10), static_cast<unsigned>(y.exponent - x.exponent));
    m %= n;
  } else {
    const int64_t shift = x.exponent - y.exponent;
    m = (m % n) * mp::powm(Integer(10), Integer(shift), n) % n;
  }
  return NumberFromDigits(x.negative, m.str(), exponent, arena, error);
}

}  // namespace hcl::internal
