#include "hclvm/vm/value/refinement.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/operators.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

TEST(RefinementTest, SafePrefixes) {
  const struct {
    std::string text, want;
  } kRows[] = {
      {"", ""},
      {"arn:", "arn:"},
      {"a-1", "a-1"},
      {"abc", "ab"},
      {"a<", "a"},
      {"x\xC3\xA9", "x"},      // an accented letter
      {"x\xE4\xB8\x96", "x"},  // an ideograph
      {"a", ""},
      {std::string(200, '1'), std::string(128, '1')},
      {std::string(127, '1') + "\xC3\xA9-", std::string(127, '1')},
  };
  for (const auto& row : kRows) EXPECT_EQ(SafePrefix(row.text), row.want) << row.text;
}

class FactsTest : public testing::Test {
 protected:
  Value Between(int64_t min, int64_t max, bool inclusive = true) {
    Refinement r;
    r.type = Type::Number();
    r.not_null = true;
    r.min = NumberBound{Number(min), inclusive};
    r.max = NumberBound{Number(max), inclusive};
    return RefinedUnknown(r, &arena_);
  }
  Arena arena_;
};

TEST_F(FactsTest, ContradictedByValuesOutsideTheRange) {
  const Value value = Between(1, 5);
  EXPECT_FALSE(Contradicts(value, Value::Int(1)));
  EXPECT_FALSE(Contradicts(value, Value::Int(5)));
  EXPECT_TRUE(Contradicts(value, Value::Int(0)));
  EXPECT_TRUE(Contradicts(value, Value::Int(6)));
  EXPECT_TRUE(Contradicts(value, Value::Null()));
  EXPECT_TRUE(Contradicts(Between(1, 5, false), Value::Int(1)));
  EXPECT_FALSE(Contradicts(Value::Unknown(Type::Number()), Value::Null()));
}

// Exhaustive over small ranges: a derived range holds every result, and a decided comparison is right.
TEST_F(FactsTest, DerivedFactsHoldForEveryValue) {
  for (int64_t a = -3; a <= 3; ++a) {
    for (int64_t b = -3; b <= 3; ++b) {
      const Value x = Between(a, a + 2), y = Between(b, b + 1);
      for (BinaryOp op : {BinaryOp::kAdd, BinaryOp::kSubtract, BinaryOp::kMultiply}) {
        const Value result = internal::UnknownArithmetic(op, x, y, &arena_);
        for (int64_t p = a; p <= a + 2; ++p) {
          for (int64_t q = b; q <= b + 1; ++q) {
            const int64_t exact = op == BinaryOp::kAdd ? p + q : op == BinaryOp::kSubtract ? p - q : p * q;
            EXPECT_FALSE(Contradicts(result, Value::Int(exact))) << a << " " << b << " " << p << " " << q;
          }
        }
      }
      const Value less = internal::UnknownComparison(BinaryOp::kLess, x, y);
      const Value at_least = internal::UnknownComparison(BinaryOp::kGreaterEqual, x, y);
      for (int64_t p = a; p <= a + 2; ++p) {
        for (int64_t q = b; q <= b + 1; ++q) {
          EXPECT_TRUE(!less.is_bool() || less.is_true() == (p < q));
          EXPECT_TRUE(!at_least.is_bool() || at_least.is_true() == (p >= q));
        }
      }
    }
  }
}

TEST_F(FactsTest, ADynamicTypeHasNoFacts) {
  Refinement r;
  r.not_null = true;
  EXPECT_TRUE(RefinedUnknown(r, &arena_).is_dynamic_value());
}

TEST_F(FactsTest, CopiesKeepThem) {
  const Value value = Between(1, 5);
  Arena other;
  TypeTable types;
  const Value copy = Clone(value, &other, &types);
  ASSERT_NE(copy.refinement(), nullptr);
  EXPECT_TRUE(Contradicts(copy, Value::Int(9)));
  EXPECT_EQ(copy.null_or_unknown_type(), Type::Number());
}

}  // namespace
}  // namespace hcl
