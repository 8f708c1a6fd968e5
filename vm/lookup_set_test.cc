#include "hclvm/vm/lookup_set.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"

namespace hcl {

using internal::LookupSet;
namespace {

class LookupSetTest : public testing::Test {
 protected:
  // A set of `count` short strings, `count` long ones and `count` numbers.
  LookupSet Make(int count) {
    std::vector<Value> members;
    for (int n = 0; n < count; ++n) {
      members.push_back(Value::String("s" + std::to_string(n), &arena_));
      members.push_back(Value::String("a string of over 14 bytes " + std::to_string(n), &arena_));
      members.push_back(Value::Int(n));
    }
    return LookupSet(MakeTuple(members, &arena_), &arena_);
  }
  Arena arena_;
};

TEST_F(LookupSetTest, FindsMembersOfAnySize) {
  for (int count : {0, 1, 2, 3, 10, 1000}) {
    const LookupSet set = Make(count);
    for (int n = 0; n < 2 * count + 1; ++n) {
      const bool is_member = n < count;
      EXPECT_EQ(set.Has(Value::String("s" + std::to_string(n), &arena_)), is_member) << n;
      EXPECT_EQ(set.Has(Value::String("a string of over 14 bytes " + std::to_string(n), &arena_)), is_member) << n;
      EXPECT_EQ(set.Has(Value::Int(n)), is_member) << n;
    }
    EXPECT_FALSE(set.Has(Value::Bool(true)));
    EXPECT_FALSE(set.Has(Value::StringView("0")));  // not the number
  }
}

TEST_F(LookupSetTest, BigNumbersAndBools) {
  NumberError error;
  const Value big = Value::FromNumber(
      Number::Parse("123456789012345678901234567890", NumberSyntax::kLiteral, Limits(), &arena_, &error));
  const Value same = Value::FromNumber(
      Number::Parse("123456789012345678901234567890", NumberSyntax::kLiteral, Limits(), &arena_, &error));
  const Value members[] = {big, Value::Bool(false)};
  const LookupSet set(MakeTuple(members, &arena_), &arena_);
  EXPECT_TRUE(set.Has(same));
  EXPECT_TRUE(set.Has(Value::Bool(false)));
  EXPECT_FALSE(set.Has(Value::Bool(true)));
}

TEST_F(LookupSetTest, HoldsScalarsOnly) {
  EXPECT_TRUE(LookupSet::CanHold({}));
  const Value scalars[] = {Value::Int(1), Value::Bool(true), Value::StringView("x")};
  EXPECT_TRUE(LookupSet::CanHold(scalars));
  for (const Value& other : {Value::Null(), Value::Dynamic(), MakeTuple({}, &arena_)}) {
    EXPECT_FALSE(LookupSet::CanHold({other}));
  }
}

}  // namespace
}  // namespace hcl
