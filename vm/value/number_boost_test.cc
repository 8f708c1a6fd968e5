// Numbers to and from the types of C++ and Boost: nothing is lost, and what does not fit is refused.

#include "hclvm/vm/value/number_boost.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"

namespace hcl {
namespace {

class NumberBoostTest : public testing::Test {
 protected:
  Number Read(const std::string& text) {
    NumberError error;
    const Number number = Number::Parse(text, NumberSyntax::kReference, Limits(), &arena_, &error);
    EXPECT_EQ(error, NumberError::kNone) << text;
    return number;
  }

  // A number of up to `digits` digits, with an exponent of up to `exponent`.
  std::string RandomText(uint32_t digits, int exponent) {
    std::string text = random_() % 2 == 0 ? "-" : "";
    for (uint64_t n = random_() % digits + 1; n > 0; --n) text.push_back(static_cast<char>('0' + random_() % 10));
    const int64_t range = 2 * exponent + 1;
    return text + "e" + std::to_string(static_cast<int64_t>(random_() % static_cast<uint64_t>(range)) - exponent);
  }

  Arena arena_;
  std::mt19937_64 random_{20240616};
};

TEST_F(NumberBoostTest, EveryNumberComesBack) {
  const char* kTexts[] = {"0",   "-0",  "1",    "-1.5", "1e8",  "1e-8", "1e255", "1e-255", "9223372036854775807",
                          "1e9", "1e7", "1e99", "0.1",  "1e16", "1e-9", "inf",   "-inf",   "-9223372036854775808"};
  for (const char* text : kTexts) {
    const Number number = Read(text);
    const std::optional<Number> back = FromBoost(ToBoost(number), &arena_);
    ASSERT_TRUE(back.has_value()) << text;
    EXPECT_TRUE(Equal(*back, number)) << text << " became " << back->ToString();
    EXPECT_EQ(back->is_inline(), number.is_inline()) << text;
  }
  for (int n = 0; n < 20'000; ++n) {
    const std::string text = RandomText(n % 2 == 0 ? 20 : kBigDigits, n % 3 == 0 ? 3000 : 30);
    const Number number = Read(text);
    const std::optional<Number> back = FromBoost(ToBoost(number), &arena_);
    ASSERT_TRUE(back.has_value()) << text;
    ASSERT_TRUE(Equal(*back, number)) << text;
    arena_.Reset();
  }
}

TEST_F(NumberBoostTest, MeansTheSameNumber) {
  EXPECT_EQ(ToBoost(Read("0.1")), BoostNumber("0.1"));
  EXPECT_EQ(ToBoost(Read("-12.5")), BoostNumber(-12.5));
  EXPECT_EQ(ToBoost(Read("123456789012345678901234567890")), BoostNumber("123456789012345678901234567890"));
  EXPECT_EQ(ToBoost(Read("1e-90000")), BoostNumber("1e-90000"));
  for (int n = 0; n < 2000; ++n) {
    const Number a = Read(RandomText(60, 20));
    const Number b = Read(RandomText(60, 20));
    NumberError error;
    EXPECT_EQ(ToBoost(Add(a, b, &arena_, &error)), ToBoost(a) + ToBoost(b));
    EXPECT_EQ(ToBoost(Multiply(a, b, &arena_, &error)), ToBoost(a) * ToBoost(b));
    EXPECT_EQ(Compare(a, b), (ToBoost(a).compare(ToBoost(b)) > 0) - (ToBoost(a).compare(ToBoost(b)) < 0));
  }
}

TEST_F(NumberBoostTest, RoundsWhatIsTooPrecise) {
  const BoostNumber unit = BoostNumber("1e-159");  // of the last digit of a number between 1 and 10
  auto round = [&](const BoostNumber& value) { return ToBoost(*FromBoost(value, &arena_)); };
  EXPECT_EQ(round(1 + unit), 1 + unit);
  EXPECT_EQ(round(1 + unit / 2), 1);
  EXPECT_EQ(round(1 + unit * 3 / 2), 1 + 2 * unit);
  EXPECT_EQ(round(1 + unit / 2 + unit / 1000), 1 + unit);
  EXPECT_EQ(round(-1 - unit * 3 / 4), -1 - unit);
  EXPECT_EQ(FromBoost(BoostNumber(1) / 3, &arena_)->ToString(), "0." + std::string(kBigDigits, '3'));
}

TEST_F(NumberBoostTest, RefusesWhatIsNoNumber) {
  EXPECT_FALSE(FromBoost(std::numeric_limits<BoostNumber>::quiet_NaN(), &arena_).has_value());
  EXPECT_FALSE(FromBoost(BoostNumber("1e700000000"), &arena_).has_value());
  EXPECT_FALSE(FromBoost(BoostNumber("-1e700000000"), &arena_).has_value());
  EXPECT_TRUE(Equal(*FromBoost(BoostNumber("1e-700000000"), &arena_), Number()));
  EXPECT_TRUE(FromBoost(BoostNumber("1e646456992"), &arena_).has_value());
  // By way of other widths.
  const boost::multiprecision::cpp_dec_float_50 half("0.5");
  EXPECT_EQ(FromBoost(BoostNumber(half), &arena_)->ToString(), "0.5");
}

TEST_F(NumberBoostTest, DoublesComeBack) {
  for (int n = 0; n < 50'000; ++n) {
    const uint64_t bits = random_();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isnan(value)) continue;
    const std::optional<Number> number = Number::FromDouble(value, &arena_);
    ASSERT_TRUE(number.has_value()) << value;
    ASSERT_EQ(number->ToDouble(), value);
    arena_.Reset();
  }
}

TEST_F(NumberBoostTest, ToDoubleIsTheNearest) {
  for (int n = 0; n < 50'000; ++n) {
    const std::string text = RandomText(n % 4 == 0 ? 40 : 19, n % 3 == 0 ? 330 : 25);
    ASSERT_EQ(Read(text).ToDouble(), std::strtod(text.c_str(), nullptr)) << text;
    arena_.Reset();
  }
  EXPECT_EQ(Read("9007199254740993").ToDouble(), 9007199254740992.0);
  EXPECT_EQ(Read("9007199254740993.00000000000000000001").ToDouble(), 9007199254740994.0);
  EXPECT_EQ(Read("1e309").ToDouble(), HUGE_VAL);
  EXPECT_EQ(Read("-1e309").ToDouble(), -HUGE_VAL);
  EXPECT_EQ(Read("1e-400").ToDouble(), 0.0);
}

TEST_F(NumberBoostTest, IntegersComeBack) {
  for (int n = 0; n < 50'000; ++n) {
    const uint64_t value = random_() >> (random_() % 64);
    const Number number = Number::FromUint64(value, &arena_);
    ASSERT_EQ(number.ToUint64(), value);
    ASSERT_EQ(number.ToString(), std::to_string(value));
    ASSERT_TRUE(Equal(number, Read(std::to_string(value))));
    const int64_t negated = static_cast<int64_t>(0 - value);
    ASSERT_EQ(Number(negated).ToInt64(), negated);
    ASSERT_TRUE(Equal(Number(negated), Read(std::to_string(negated))));
    ASSERT_EQ(Number(negated).ToUint64(), negated < 0 ? std::nullopt : std::optional<uint64_t>(negated));
    arena_.Reset();
  }
  for (const char* text : {"0.5", "-0.5", "1e20", "-1", "1e-300", "inf", "-inf", "18446744073709551616"}) {
    EXPECT_EQ(Read(text).ToUint64(), std::nullopt) << text;
  }
  for (const char* text : {"0.5", "1e19", "-9223372036854775809", "9223372036854775808", "inf", "-inf"}) {
    EXPECT_EQ(Read(text).ToInt64(), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hcl
