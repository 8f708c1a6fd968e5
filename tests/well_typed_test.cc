// What is wrong with values that no evaluation should make.

#include "hclvm/tests/well_typed.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class WellTypedTest : public testing::Test {
 protected:
  Value List(Type element, std::vector<Value> items) { return MakeList(element, items, heap_.arena()); }
  Value Tuple(std::vector<Value> items) { return MakeTuple(items, heap_.arena()); }
  std::string Wrong(const Value& value) { return WhatIsWrong(value, heap_.types()); }

  Heap heap_;
};

TEST_F(WellTypedTest, FineValues) {
  const Value text = Value::StringView("x");
  for (const Value& value :
       {Value::Int(1), Value::Null(), Value::Dynamic(), UnknownNotNull(Type::Bool()), Tuple({text, Value::Int(1)}),
        List(Type::String(), {text, Value::Null(Type::String()), Value::Unknown(Type::String())}),
        List(Type::Dynamic(), {Tuple({text}), Tuple({})}),
        Mark(Tuple({Mark(text, 1, heap_.arena())}), 2, heap_.arena()),
        MakeSet(Type::Number(), std::vector<Value>{Value::Int(2), Value::Int(1)}, heap_.arena())}) {
    EXPECT_EQ(Wrong(value), "");
  }
}

TEST_F(WellTypedTest, IllTypedElements) {
  const Type strings = heap_.types()->Tuple({Type::String()});
  const Value text = Value::StringView("x");
  EXPECT_EQ(Wrong(List(strings, {Tuple({text}), Tuple({})})), "[1]: tuple([]) among elements of tuple([string])");
  EXPECT_EQ(Wrong(Tuple({List(Type::Number(), {text})})), "[0]: [0]: string among elements of number");
  EXPECT_EQ(Wrong(List(Type::Number(), {Value::Null()})), "[0]: any among elements of number");
  const KeyValue pair[] = {{Value::StringView("k"), text}};
  EXPECT_EQ(Wrong(MakeMap(Type::Bool(), pair, heap_.arena())), ".k: string among elements of bool");
}

TEST_F(WellTypedTest, Texts) {
  EXPECT_EQ(Wrong(Value::StringView("e\xCC\x81")).substr(0, 27), "a text that is not in NFC: ");
}

TEST_F(WellTypedTest, Refinements) {
  Refinement range;
  range.type = Type::Number();
  range.min = NumberBound{Value::Int(2).AsNumber(), true};
  range.max = NumberBound{Value::Int(2).AsNumber(), true};
  EXPECT_EQ(Wrong(RefinedUnknown(range, heap_.arena())), "");
  range.max->inclusive = false;
  EXPECT_EQ(Wrong(RefinedUnknown(range, heap_.arena())), "a range that is empty");
  range.type = Type::String();
  EXPECT_EQ(Wrong(RefinedUnknown(range, heap_.arena())), "a range of no number");
  Refinement length;
  length.type = heap_.types()->List(Type::Bool());
  length.min_length = 2;
  length.max_length = 1;
  EXPECT_EQ(Wrong(RefinedUnknown(length, heap_.arena())), "a length that there is not");
}

}  // namespace
}  // namespace hcl
