// Approximations against exact numbers: whatever is told is what exact numbers say.

#include "hclvm/vm/value/approximation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

Value Parsed(const std::string& text, Arena* arena) {
  NumberError error = NumberError::kNone;
  const Value value = Value::FromNumber(Number::Parse(text, NumberSyntax::kReference, Limits(), arena, &error));
  EXPECT_EQ(error, NumberError::kNone) << text;
  return value;
}

Number Exact(BinaryOp op, const Number& x, const Number& y, Arena* arena) {
  NumberError error = NumberError::kNone;
  switch (op) {
    case BinaryOp::kAdd:
      return Add(x, y, arena, &error);
    case BinaryOp::kSubtract:
      return Subtract(x, y, arena, &error);
    case BinaryOp::kMultiply:
      return Multiply(x, y, arena, &error);
    default:
      return Divide(x, y, arena, &error);
  }
}

TEST(Approximation, TellsWhatIsCertain) {
  Arena arena;
  Value third;
  ASSERT_TRUE(Approximate(BinaryOp::kDivide, Value::Int(1), Value::Int(3), &third));
  EXPECT_TRUE(IsApproximation(third));
  EXPECT_FALSE(IsApproximation(Value::Int(3)));
  int order = 0;
  ASSERT_TRUE(OrderOf(third, Parsed("0.333333333333", &arena), &order));
  EXPECT_EQ(order, 1);
  ASSERT_TRUE(OrderOf(Parsed("0.333333333334", &arena), third, &order));
  EXPECT_EQ(order, 1);
  ASSERT_TRUE(OrderOf(third, Parsed("0.333333333334", &arena), &order));
  EXPECT_EQ(order, -1);
  // 17 digits are more than a double has.
  EXPECT_FALSE(OrderOf(third, Parsed("0.33333333333333333", &arena), &order));
  EXPECT_FALSE(OrderOf(third, third, &order));
  // Three thirds are one or a little less.
  Value one;
  ASSERT_TRUE(Approximate(BinaryOp::kMultiply, third, Value::Int(3), &one));
  Value whole;
  EXPECT_FALSE(WholePart(one, /*up=*/false, &whole));
  EXPECT_FALSE(OrderOf(one, Value::Int(1), &order));
}

TEST(Approximation, OfNoNumbersThereIsNone) {
  Arena arena;
  Value result;
  int order;
  const Value near_zero = [] {
    Value value;
    EXPECT_TRUE(Approximate(BinaryOp::kSubtract, Value::Int(1), Value::Int(1), &value));
    return value;
  }();
  EXPECT_FALSE(Approximate(BinaryOp::kDivide, Value::Int(1), Value::Int(0), &result));
  EXPECT_FALSE(Approximate(BinaryOp::kDivide, Value::Int(1), near_zero, &result));
  EXPECT_FALSE(Approximate(BinaryOp::kModulo, Value::Int(1), Value::Int(3), &result));
  EXPECT_FALSE(Approximate(BinaryOp::kAdd, Value::Int(1), Value::StringView("2"), &result));
  EXPECT_FALSE(Approximate(BinaryOp::kAdd, Value::Null(), Value::Int(1), &result));
  EXPECT_FALSE(Approximate(BinaryOp::kMultiply, Value::Int(1), Parsed("1e40", &arena), &result));
  EXPECT_FALSE(OrderOf(Value::Bool(true), Value::Int(1), &order));
  EXPECT_FALSE(WholePart(Value::StringView("1.5"), true, &result));
  EXPECT_FALSE(WholePart(Parsed("1e40", &arena), true, &result));
}

TEST(Approximation, WholePartsOfNumbers) {
  const struct {
    const char* number;
    int64_t floor;
    int64_t ceil;
  } kCases[] = {
      {"0", 0, 0},
      {"7", 7, 7},
      {"-7", -7, -7},
      {"1.5", 1, 2},
      {"-1.5", -2, -1},
      {"0.001", 0, 1},
      {"-0.001", -1, 0},
      {"922337203685477580.7", 922337203685477580, 922337203685477581},
      {"-922337203685477580.7", -922337203685477581, -922337203685477580},
  };
  Arena arena;
  for (const auto& c : kCases) {
    Value value;
    ASSERT_TRUE(WholePart(Parsed(c.number, &arena), /*up=*/false, &value)) << c.number;
    EXPECT_EQ(value.AsInt(), c.floor) << c.number;
    ASSERT_TRUE(WholePart(Parsed(c.number, &arena), /*up=*/true, &value)) << c.number;
    EXPECT_EQ(value.AsInt(), c.ceil) << c.number;
  }
}

TEST(Approximation, FractionsEndForSmallFactors) {
  Arena arena;
  const char* const kEnd[] = {"1",   "2",   "4",    "5",      "8",   "10",  "64",
                              "100", "125", "1000", "100000", "0.5", "2.5", "0.01"};
  const char* const kGoOn[] = {"3", "6", "7", "12", "60", "99", "0", "-2", "1e40", "0.3", "1.2", "365"};
  for (const char* number : kEnd) EXPECT_TRUE(EndsFractions(Parsed(number, &arena))) << number;
  for (const char* number : kGoOn) EXPECT_FALSE(EndsFractions(Parsed(number, &arena))) << number;
  EXPECT_FALSE(EndsFractions(Value::StringView("2")));
}

// Chains of random steps, beside the same of exact numbers. Numbers are close to each other, so that many are on the
// edge of what can be told.
TEST(Approximation, NeverTellsOtherThanExactNumbers) {
  std::mt19937_64 random(7);
  const auto roll = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  const auto number = [&](Arena* arena) {
    std::string text = roll(10) < 3 ? "-" : "";
    const uint32_t kind = roll(6);
    absl::StrAppend(&text, roll(kind < 3 ? 10 : kind < 5 ? 1000 : 2'000'000'000));
    if (roll(10) < 4) absl::StrAppend(&text, ".", roll(kind < 4 ? 10 : 1'000'000));
    return Parsed(text, arena);
  };
  constexpr BinaryOp kSteps[] = {BinaryOp::kAdd, BinaryOp::kSubtract, BinaryOp::kMultiply, BinaryOp::kDivide};
  int told = 0;
  int whole_parts = 0;
  for (int round = 0; round < 20'000; ++round) {
    Arena arena;
    const Value a = number(&arena);
    const Value b = number(&arena);
    Value near;
    if (b.AsNumber().Sign() == 0 || !Approximate(BinaryOp::kDivide, a, b, &near)) continue;
    Number exact = Exact(BinaryOp::kDivide, a.AsNumber(), b.AsNumber(), &arena);
    for (uint32_t steps = roll(4); steps > 0; --steps) {
      const BinaryOp op = kSteps[roll(4)];
      const Value other = number(&arena);
      const bool turned = roll(10) < 3;
      Value next;
      if (!Approximate(op, turned ? other : near, turned ? near : other, &next)) break;
      near = next;
      exact = turned ? Exact(op, other.AsNumber(), exact, &arena) : Exact(op, exact, other.AsNumber(), &arena);
    }
    // Beside a number, and beside what it nearly is.
    std::string digits = exact.ToString();
    digits.resize(std::min<size_t>(digits.size(), 1 + roll(24)));
    if (digits.back() == '.' || digits == "-") digits += "0";
    for (const Value& other : {number(&arena), Parsed(digits, &arena)}) {
      int order = 0;
      if (!OrderOf(near, other, &order)) continue;
      ++told;
      ASSERT_EQ(order, Compare(exact, other.AsNumber())) << exact.ToString() << " and " << other.AsNumber().ToString();
    }
    for (const bool up : {false, true}) {
      Value whole;
      if (!WholePart(near, up, &whole)) continue;
      ++whole_parts;
      const Number below = whole.AsNumber();
      NumberError error = NumberError::kNone;
      const Number beyond = Add(below, Number(up ? -1 : 1), &arena, &error);
      ASSERT_TRUE(up ? Compare(below, exact) >= 0 && Compare(beyond, exact) < 0
                     : Compare(below, exact) <= 0 && Compare(beyond, exact) > 0)
          << exact.ToString() << " and " << below.ToString();
    }
  }
  EXPECT_GT(told, 15'000);
  EXPECT_GT(whole_parts, 15'000);
}

}  // namespace
}  // namespace hcl::internal
