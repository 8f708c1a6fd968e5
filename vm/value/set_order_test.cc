// Tests of the order of sets.

#include "hclvm/vm/value/set_order.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::FindSetElement;
namespace {

class SetOrderTest : public ::testing::Test {
 protected:
  Value Num(const char* text) {
    NumberError error;
    return Value::FromNumber(Number::Parse(text, NumberSyntax::kReference, Limits(), &arena_, &error));
  }
  Value Text(const char* text) { return Value::StringView(text); }
  Value Tuple(const std::vector<Value>& elements) { return MakeTuple(elements, &arena_); }

  // The set of the wanted elements, given in any order and twice, iterates as wanted.
  void ExpectOrder(Type element, const std::vector<Value>& want) {
    std::mt19937 engine(1);
    for (int i = 0; i < 20; ++i) {
      std::vector<Value> given = want;
      for (const Value& value : want) {
        if (value.is_wholly_known()) given.push_back(value);
      }
      std::shuffle(given.begin(), given.end(), engine);
      Value set = MakeSet(element, given, &arena_);
      ASSERT_EQ(set.size(), want.size());
      for (size_t j = 0; j < want.size(); ++j) EXPECT_TRUE(Identical(set.elements()[j], want[j])) << j;
      for (size_t j = 0; j < want.size(); ++j) {
        if (!want[j].is_wholly_known()) continue;
        EXPECT_EQ(FindSetElement(set, want[j]), static_cast<int64_t>(j));
      }
    }
  }

  Arena arena_;
  TypeTable types_;
};

TEST_F(SetOrderTest, PrimitiveElements) {
  Value null = Value::Null(Type::String());
  Value unknown = Value::Unknown(Type::String());
  ExpectOrder(Type::String(), {Text(""), Text("B"), Text("a"), Text("a string longer than inline"), Text("b"),
                               Text("\xc3\xa9"), unknown, null});
  ExpectOrder(Type::Bool(), {Value::Bool(false), Value::Bool(true)});
  ExpectOrder(Type::Number(), {Num("-1e30"), Num("-2"), Num("0"), Num("0.5"), Num("9"), Num("10"), Num("1e30")});
}

TEST_F(SetOrderTest, OtherElementsGoByTheirText) {
  Type pair = types_.Tuple({Type::Number(), Type::String()});
  // "10" is before "9" in a text, and a large number has an exponent.
  ExpectOrder(pair, {Tuple({Num("123456789012"), Text("")}) /* 1.23456789e+11 */, Tuple({Num("1.5"), Text("x")}),
                     Tuple({Num("10"), Text("a\nb")}), Tuple({Num("10"), Text("ab")}),
                     Tuple({Num("0.00001"), Text("x")}) /* 1e-05 */, Tuple({Num("9"), Text("x")})});
  ExpectOrder(pair, {Tuple({Value::Unknown(Type::Number()), Text("x")}), Value::Null(pair)});
  // The same ten digits: by value.
  ExpectOrder(types_.Tuple({Type::Number()}), {Tuple({Num("12345678901.1")}), Tuple({Num("12345678901.2")})});
}

TEST_F(SetOrderTest, UnknownElementsAreNotMerged) {
  Value unknown = Value::Unknown(Type::Number());
  EXPECT_EQ(MakeSet(Type::Number(), {unknown, unknown, Num("1"), Num("1")}, &arena_).size(), 3u);
  Value holder = Tuple({unknown});
  EXPECT_EQ(MakeSet(types_.Tuple({Type::Number()}), {holder, holder}, &arena_).size(), 2u);
}

TEST_F(SetOrderTest, FindsNothingWhereNothingIs) {
  Value set = MakeSet(Type::Number(), {Num("1"), Num("3")}, &arena_);
  EXPECT_EQ(FindSetElement(set, Num("2")), -1);
  EXPECT_EQ(FindSetElement(set, Num("4")), -1);
  EXPECT_EQ(FindSetElement(MakeSet(Type::Number(), {}, &arena_), Num("4")), -1);
}

}  // namespace
}  // namespace hcl
