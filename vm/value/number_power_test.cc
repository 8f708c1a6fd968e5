// Whole powers: those of whole numbers are what multiplying them one by one gives, and there are none beyond 160
// digits.

#include "hclvm/vm/value/number_power.h"

#include <cstdint>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

Number Parsed(const std::string& text, Arena* arena) {
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(text, NumberSyntax::kReference, Limits(), arena, &error);
  EXPECT_EQ(error, NumberError::kNone) << text;
  return number;
}

std::string Power(const std::string& base, int64_t power) {
  Arena arena;
  const std::optional<Number> result = ExactPower(Parsed(base, &arena), power, &arena);
  return result ? result->ToString() : "none";
}

std::string Digits(uint64_t count, char digit) { return std::string(count, digit); }

TEST(NumberPowerTest, GivesDecimals) {
  EXPECT_EQ(Power("2", 0), "1");
  EXPECT_EQ(Power("2", 1), "2");
  EXPECT_EQ(Power("2", 10), "1024");
  EXPECT_EQ(Power("2", 100), "1267650600228229401496703205376");
  EXPECT_EQ(Power("-3", 3), "-27");
  EXPECT_EQ(Power("-3", 40), "12157665459056928801");
  EXPECT_EQ(Power("1.1", 2), "1.21");
  EXPECT_EQ(Power("0.5", 3), "0.125");
  EXPECT_EQ(Power("2", -3), "0.125");
  EXPECT_EQ(Power("-2", -3), "-0.125");
  EXPECT_EQ(Power("0.2", -2), "25");
  EXPECT_EQ(Power("500", -2), "0.000004");
  EXPECT_EQ(Power("1.25", -2), "0.64");
  EXPECT_EQ(Power("1", INT64_MIN), "1");
  EXPECT_EQ(Power("-1", INT64_MAX), "-1");
  EXPECT_EQ(Power("10", 30), "1" + Digits(30, '0'));
  EXPECT_EQ(Power("10", -3), "0.001");
  EXPECT_EQ(Power("20", 3), "8000");
}

TEST(NumberPowerTest, HasNoneThatWouldBeRounded) {
  EXPECT_EQ(Power("3", -1), "none");
  EXPECT_EQ(Power("6", -1), "none");
  EXPECT_EQ(Power("0.7", -3), "none");
  EXPECT_EQ(Power("2", INT64_MAX), "none");
  EXPECT_EQ(Power("10", INT64_MAX), "none");
  EXPECT_EQ(Power("10", INT64_MIN), "none");
  // 2^528 has 159 digits, 2^531 160, 2^532 161.
  EXPECT_EQ(Power("2", 531).size(), 160u);
  EXPECT_EQ(Power("2", 532), "none");
  // 5^228 has 160 digits, 5^229 161.
  EXPECT_EQ(Power("2", -228).size(), 230u);
  EXPECT_EQ(Power("2", -229), "none");
  EXPECT_NE(Power("5", -531), "none");
  EXPECT_EQ(Power("5", -532), "none");
}

// digits * factor, for decimal digits with the lowest first.
std::string Times(const std::string& digits, uint32_t factor) {
  std::string product;
  uint32_t carry = 0;
  for (const char digit : digits) {
    carry += static_cast<uint32_t>(digit - '0') * factor;
    product += static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry > 0; carry /= 10) product += static_cast<char>('0' + carry % 10);
  return product;
}

// Beside digits that are multiplied as at school.
TEST(NumberPowerTest, IsTheProduct) {
  for (uint32_t base = 2; base <= 40; ++base) {
    std::string digits = "1";
    for (int64_t power = 1; power <= 540; ++power) {
      digits = Times(digits, base);
      const size_t zeros = digits.find_first_not_of('0');
      const std::string text(digits.rbegin(), digits.rend());
      const std::string want = digits.size() - zeros <= static_cast<size_t>(kBigDigits) ? text : "none";
      ASSERT_EQ(Power(std::to_string(base), power), want) << base << "^" << power;
      // With the point elsewhere the digits are the same.
      Arena arena;
      const std::optional<Number> tenth = ExactPower(Parsed(std::to_string(base) + "e-1", &arena), power, &arena);
      ASSERT_EQ(tenth.has_value(), want != "none") << base << "^" << power;
      if (!tenth) continue;
      NumberError error = NumberError::kNone;
      EXPECT_EQ(Multiply(*tenth, Parsed("1e" + std::to_string(power), &arena), &arena, &error).ToString(), want);
    }
  }
}

}  // namespace
}  // namespace hcl::internal
