// Arithmetic of inline numbers beside the general operations of vm/value/number.h.

#include "hclvm/vm/value/decimal_values.h"

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/decimal.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/number_boost.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

using Operation = bool (*)(const Value&, const Value&, Value*);
using General = Number (*)(const Number&, const Number&, Arena*, NumberError*);

Value Canonical(int64_t coefficient, uint32_t scale) {
  const Decimal decimal = Minimal(coefficient, scale);
  return Value::FromNumber(Number::Inline(decimal.coefficient, decimal.scale));
}

// Numbers of all lengths and scales; short ones, as policies have them, most often.
std::vector<Value> SomeNumbers() {
  std::vector<Value> numbers;
  for (const uint32_t scale : {0U, 1U, 2U, 17U, 18U, 19U, 128U, 255U}) {
    for (const int64_t c : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{5}, INT64_MAX, INT64_MIN, INT64_MIN + 1,
                            INT64_MAX / 10 * 10, INT64_MIN / 10 * 10, int64_t{1'000'000'000'000'000'000}}) {
      numbers.push_back(Canonical(c, scale));
    }
  }
  std::mt19937_64 random(20);
  for (int i = 0; i < 400; ++i) {
    const int64_t coefficient = static_cast<int64_t>(random()) >> (random() % 64);
    numbers.push_back(Canonical(coefficient, static_cast<uint32_t>(random() % (i % 4 == 0 ? 256 : 5))));
  }
  return numbers;
}

// Where the result is inline, it is that of the general operation to the bit; where it is not, nothing is done. What
// fits is not refused, but for sums that a larger scale brings beyond 64 bits on the way.
void ExpectSame(const Value& x, const Value& y, Operation operation, General general, bool may_refuse) {
  Arena arena;
  NumberError error;
  const Number want = general(x.AsNumber(), y.AsNumber(), &arena, &error);
  const bool is_inline = error == NumberError::kNone && want.is_inline();
  Value result = Value::Bool(true);
  if (operation(x, y, &result)) {
    ASSERT_TRUE(is_inline);
    ASSERT_TRUE(result.SameBits(Value::FromNumber(want)))
        << x.AsNumber().ToString() << " and " << y.AsNumber().ToString() << " give " << result.AsNumber().ToString()
        << " instead of " << want.ToString();
    Value in_place = x;
    ASSERT_TRUE(operation(in_place, y, &in_place));
    ASSERT_TRUE(in_place.SameBits(result));
  } else {
    ASSERT_TRUE(may_refuse || !is_inline) << x.AsNumber().ToString() << " and " << y.AsNumber().ToString();
    ASSERT_TRUE(result.is_true());
  }
}

TEST(DecimalValues, SumsDifferencesAndProductsAreTheGeneralOnes) {
  const std::vector<Value> numbers = SomeNumbers();
  for (const Value& x : numbers) {
    for (const Value& y : numbers) {
      const bool is_short = x.AsNumber().DigitCount() < 9 && y.AsNumber().DigitCount() < 9;
      ExpectSame(x, y, DecimalAdd, Add, !is_short);
      ExpectSame(x, y, DecimalSubtract, Subtract, !is_short);
      ExpectSame(x, y, DecimalMultiply, Multiply, !is_short);
    }
  }
}

TEST(DecimalValues, RemaindersAreTheGeneralOnes) {
  const std::vector<Value> numbers = SomeNumbers();
  for (const Value& x : numbers) {
    for (const Value& y : numbers) {
      const Number a = x.AsNumber(), b = y.AsNumber();
      const bool is_short = a.DigitCount() < 9 && b.DigitCount() < 9;
      Value result;
      if (b.Sign() == 0) {
        ASSERT_FALSE(DecimalModulo(x, y, &result));
      } else {
        ExpectSame(x, y, DecimalModulo, Modulo, !is_short);
      }
    }
  }
}

TEST(DecimalValues, QuotientsByPowersOfTenAreTheGeneralOnes) {
  Value result;
  for (const Value& x : SomeNumbers()) {
    for (int zeros = 0; zeros <= kMaxPowerOfTen; ++zeros) {
      ExpectSame(x, Value::Int(kPowersOfTen[zeros]), DecimalDivide, Divide, x.AsNumber().scale() > 100);
    }
    for (const int64_t other : {int64_t{0}, int64_t{3}, int64_t{-10}, int64_t{99}, int64_t{129}, INT64_MIN}) {
      ASSERT_FALSE(DecimalDivide(x, Value::Int(other), &result));
    }
    ASSERT_FALSE(DecimalDivide(x, Canonical(1, 1), &result));
  }
}

// A quotient that is inexact has many digits, and is none of them.
TEST(DecimalValues, QuotientsBySmallNumbersAreTheGeneralOnes) {
  int exact = 0;
  for (int64_t divisor = 1; divisor <= 130; ++divisor) {
    int64_t rest = divisor;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 5 == 0) rest /= 5;
    exact += rest == 1 ? 1 : 0;
    for (const Value& x : SomeNumbers()) {
      const bool is_short = x.AsNumber().DigitCount() < 12 && x.AsNumber().scale() < 100;
      ExpectSame(x, Value::Int(divisor), DecimalDivide, Divide, rest != 1 || !is_short);
      Value result;
      ASSERT_FALSE(rest != 1 && DecimalDivide(x, Value::Int(divisor), &result));
    }
  }
  EXPECT_EQ(exact, 17);
}

TEST(DecimalValues, TheOrderIsTheGeneralOne) {
  const std::vector<Value> numbers = SomeNumbers();
  for (const Value& x : numbers) {
    for (const Value& y : numbers) {
      const bool is_short = x.AsNumber().DigitCount() < 9 && y.AsNumber().DigitCount() < 9;
      const int distance = static_cast<int>(x.AsNumber().scale()) - static_cast<int>(y.AsNumber().scale());
      int order = 7;
      if (!CompareInline(x, y, &order)) {
        ASSERT_TRUE(!is_short || std::abs(distance) > 9);
        continue;
      }
      const int want = Compare(x.AsNumber(), y.AsNumber());
      ASSERT_EQ(order, want < 0 ? -1 : want > 0 ? 1 : 0) << x.AsNumber().ToString() << " " << y.AsNumber().ToString();
    }
  }
}

// The order is told by the coefficients exactly where the scales are equal.
TEST(DecimalValues, NumbersOfOneScaleAreOrderedAsTheirCoefficients) {
  const std::vector<Value> numbers = SomeNumbers();
  for (const Value& x : numbers) {
    for (const Value& y : numbers) {
      ASSERT_EQ(HaveOneScale(x, y), x.AsNumber().scale() == y.AsNumber().scale());
      if (!HaveOneScale(x, y)) continue;
      const int order = Compare(x.AsNumber(), y.AsNumber());
      ASSERT_EQ(order < 0, CoefficientOf(x) < CoefficientOf(y));
      ASSERT_EQ(order == 0, CoefficientOf(x) == CoefficientOf(y));
    }
  }
}

TEST(DecimalValues, RoundedNumbersAreTheNearestWholeOnesOnTheirSide) {
  Arena arena;
  for (const Value& x : SomeNumbers()) {
    const Number truncated = Truncate(x.AsNumber(), &arena);
    const int side = Compare(x.AsNumber(), truncated);
    Value down;
    Value up;
    ASSERT_TRUE(RoundInline(x, /*up=*/false, &down));
    ASSERT_TRUE(RoundInline(x, /*up=*/true, &up));
    ASSERT_EQ(down.AsInt(), truncated.coefficient() - (side < 0 ? 1 : 0)) << x.AsNumber().ToString();
    ASSERT_EQ(up.AsInt(), truncated.coefficient() + (side > 0 ? 1 : 0)) << x.AsNumber().ToString();
  }
}

TEST(DecimalValues, MultiplesOfTen) {
  for (const int64_t middle : {int64_t{0}, int64_t{12'345'670}, INT64_MAX / 20 * 10, INT64_MIN / 20 * 10}) {
    for (int64_t value = middle - 100; value <= middle + 100; ++value) {
      ASSERT_EQ(IsMultipleOfTen(value), value % 10 == 0) << value;
    }
  }
  for (int64_t off = 0; off < 100; ++off) {
    ASSERT_EQ(IsMultipleOfTen(INT64_MAX - off), (INT64_MAX - off) % 10 == 0) << off;
    ASSERT_EQ(IsMultipleOfTen(INT64_MIN + off), (INT64_MIN + off) % 10 == 0) << off;
  }
}

TEST(DecimalValues, TenthsOfMultiplesOfTen) {
  for (const int64_t tenth :
       {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-1'234'567}, INT64_MAX / 10, INT64_MIN / 10}) {
    int64_t value = tenth * 10;
    ASSERT_TRUE(TakeSignedTen(&value));
    ASSERT_EQ(value, tenth);
  }
  int64_t value = -1'234'567;
  ASSERT_FALSE(TakeSignedTen(&value));
  ASSERT_EQ(value, -1'234'567);
}

// Prices, quantities and rates in sums of products that are rounded, beside exact decimals of another library. Factors
// of two and five are frequent, so that many results have zeros to take off.
TEST(DecimalValues, SumsOfProductsAreThoseOfBoost) {
  Arena arena;
  std::mt19937_64 random(22);
  const auto any = [&random] {
    constexpr int64_t kFactors[] = {1, 2, 4, 5, 8, 10, 12, 25, 50, 100, 125};
    const int64_t coefficient = kFactors[random() % std::size(kFactors)] * static_cast<int64_t>(random() % 100);
    return Canonical(random() % 4 == 0 ? -coefficient : coefficient, static_cast<uint32_t>(random() % 4));
  };
  const auto expect = [&arena](const Value& value, const BoostNumber& want) {
    ASSERT_TRUE(value.SameBits(Value::FromNumber(*FromBoost(want, &arena))))
        << value.AsNumber().ToString() << " instead of " << want.str();
  };
  const Value hundred = Value::Int(100);
  for (int n = 0; n < 20'000; ++n) {
    Value sum = Value::Int(0);
    BoostNumber want_sum = 0;
    for (int item = 0; item < 4; ++item) {
      const Value x = any(), y = any(), z = any();
      Value difference, product;
      ASSERT_TRUE(DecimalSubtract(x, y, &difference));
      ASSERT_TRUE(DecimalMultiply(difference, z, &product));
      ASSERT_TRUE(DecimalAdd(sum, product, &sum));
      const BoostNumber want_product = (ToBoost(x.AsNumber()) - ToBoost(y.AsNumber())) * ToBoost(z.AsNumber());
      want_sum += want_product;
      expect(product, want_product);
      expect(sum, want_sum);
    }
    Value raised, whole, quotient;
    ASSERT_TRUE(DecimalMultiply(sum, hundred, &raised));
    ASSERT_TRUE(RoundInline(raised, /*up=*/n % 2 == 0, &whole));
    ASSERT_TRUE(DecimalDivide(whole, hundred, &quotient));
    const BoostNumber want_whole = n % 2 == 0 ? ceil(want_sum * 100) : floor(want_sum * 100);
    expect(quotient, want_whole / 100);
  }
}

// Other values are left to others.
TEST(DecimalValues, WhatIsNoInlineNumberIsRefused) {
  Arena arena;
  const Value one = Value::Int(1);
  const std::vector<Value> others = {Value::StringView("1"),
                                     Value::Bool(true),
                                     Value::Null(Type::Number()),
                                     Value::Unknown(Type::Number()),
                                     Value::FromNumber(Number::Infinity(false)),
                                     Value::FromNumber(Number::FromUint64(UINT64_MAX, &arena))};
  for (const Value& other : others) {
    for (const Operation operation : {Operation{DecimalAdd}, Operation{DecimalSubtract}, Operation{DecimalMultiply},
                                      Operation{DecimalDivide}, Operation{DecimalModulo}}) {
      Value result = Value::Bool(true);
      EXPECT_FALSE(operation(one, other, &result));
      EXPECT_FALSE(operation(other, one, &result));
      EXPECT_TRUE(result.is_true());
    }
    Value result = Value::Bool(true);
    EXPECT_FALSE(RoundInline(other, /*up=*/true, &result));
    EXPECT_TRUE(result.is_true());
    EXPECT_FALSE(HaveOneScale(other, one));
    EXPECT_FALSE(HaveOneScale(other, other));
  }
}

}  // namespace
}  // namespace hcl::internal
