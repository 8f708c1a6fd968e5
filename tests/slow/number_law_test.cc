// Arithmetic of numbers beside Boost's, which computes the same in another way.

#include <cstdint>
#include <ios>
#include <iterator>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "boost/multiprecision/cpp_dec_float.hpp"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/number_boost.h"

namespace hcl {
namespace {

// Holds every sum and product of two numbers whose exponents are small, and enough of a quotient to round it.
using WideNumber = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<2 * kBigDigits + 80, int64_t>,
                                                 boost::multiprecision::et_off>;

// Operands of arithmetic: integers and decimals of any length, what policies divide by, and quotients.
class BesideBoost : public testing::Test {
 protected:
  Number Read(const std::string& text) {
    NumberError error;
    const Number number = Number::Parse(text, NumberSyntax::kReference, Limits(), &arena_, &error);
    EXPECT_EQ(error, NumberError::kNone) << text;
    return number;
  }
  std::string RandomText() {
    std::string text = random_() % 2 == 0 ? "-" : "";
    for (uint64_t n = random_() % (kBigDigits / 2) + 1; n > 0; --n) {
      text.push_back(static_cast<char>('0' + random_() % 10));
    }
    return absl::StrCat(text, "e", static_cast<int>(random_() % 81) - 40);
  }
  Number RandomOperand() {
    switch (random_() % 8) {
      case 0:
        return Number(kDivisors[random_() % std::size(kDivisors)]);
      case 1:
      case 2:
        return Read(absl::StrCat(RandomInteger(), "e-", random_() % 30));
      case 3:
        return Read(RandomText());
      case 4: {
        NumberError error;
        return Divide(Number(RandomInteger()), Number(kDivisors[random_() % std::size(kDivisors)]), &arena_, &error);
      }
      default:
        return Number(RandomInteger());
    }
  }
  int64_t RandomInteger() {
    const auto magnitude = static_cast<int64_t>(random_() >> (1 + random_() % 63));
    return random_() % 2 == 0 ? magnitude : -magnitude;
  }

  // The number nearest to what Boost has computed. Its digits are read as a text, which rounds once. The last ones of a
  // quotient are not right, and could hide a tie.
  Number Nearest(const WideNumber& value) { return Read(value.str(2 * kBigDigits + 50, std::ios_base::scientific)); }

  // Boost truncates, so that a whole quotient may come out a little less than whole.
  static WideNumber Remainder(const WideNumber& x, const WideNumber& y) {
    const WideNumber rest = x - trunc(x / y) * y;
    if (abs(rest) < abs(y)) return rest;
    return x < 0 ? WideNumber(rest + abs(y)) : WideNumber(rest - abs(y));
  }

  // Both are the same in their canonical form.
  static bool Same(const Number& a, const Number& b) {
    return a.is_inline() == b.is_inline() && Equal(a, b) && a.Hash() == b.Hash();
  }

  static constexpr int64_t kDivisors[] = {3, 7, 9, 12, 24, 60, 100, 365, 1000, 1440, 3600, 86400, 1'000'000'007};
  Arena arena_;
  std::mt19937_64 random_{testing_support::TestSeed()};
};

TEST_F(BesideBoost, QuotientsAreTheNearest) {
  const uint64_t count = testing_support::TestPrograms(100'000);
  for (uint64_t n = 0; n < count; ++n) {
    const int64_t x = RandomInteger();
    const int64_t y = n % 2 == 0 ? RandomInteger() : kDivisors[random_() % std::size(kDivisors)];
    if (y == 0) continue;
    NumberError error;
    const Number quotient = Divide(Number(x), Number(y), &arena_, &error);
    ASSERT_EQ(error, NumberError::kNone);
    ASSERT_TRUE(Same(quotient, Nearest(WideNumber(x) / y))) << x << " / " << y << " = " << quotient.ToString();
    arena_.Reset();
  }
}

TEST_F(BesideBoost, AllOperationsAreExactOrTheNearest) {
  const uint64_t count = testing_support::TestPrograms(100'000) / 10;
  for (uint64_t n = 0; n < count; ++n) {
    const Number a = RandomOperand();
    const Number b = RandomOperand();
    const WideNumber x(ToBoost(a));
    const WideNumber y(ToBoost(b));
    const std::string both = absl::StrCat(a.ToString(), " and ", b.ToString());
    NumberError error;
    ASSERT_TRUE(Same(Add(a, b, &arena_, &error), Nearest(x + y))) << both;
    ASSERT_TRUE(Same(Subtract(a, b, &arena_, &error), Nearest(x - y))) << both;
    ASSERT_TRUE(Same(Multiply(a, b, &arena_, &error), Nearest(x * y))) << both;
    ASSERT_EQ(Compare(a, b), (x > y) - (x < y)) << both;
    ASSERT_TRUE(Same(Truncate(a, &arena_), Nearest(trunc(x)))) << both;
    if (!y.is_zero()) {
      ASSERT_TRUE(Same(Divide(a, b, &arena_, &error), Nearest(x / y))) << both;
      const Number remainder = Modulo(a, b, &arena_, &error);
      ASSERT_TRUE(Same(remainder, Nearest(Remainder(x, y)))) << both;
    }
    arena_.Reset();
  }
}

}  // namespace
}  // namespace hcl
