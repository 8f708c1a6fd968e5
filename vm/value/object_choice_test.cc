// Objects in JSON, chosen, beside what unifying their types and converting makes of them.

#include "hclvm/vm/value/object_choice.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::string Typed(const Value& value, Heap* heap) {
  std::string text;
  AppendTypedJson(value, heap->types(), &text);
  return text;
}

std::string Unified(const Value& taken, const Value& other, Heap* heap) {
  const Type types[] = {TypeOf(taken, heap->types()), TypeOf(other, heap->types())};
  Type type;
  EXPECT_TRUE(Unify(types, heap, &type));
  Value converted;
  ConversionError error;
  EXPECT_TRUE(Convert(taken, type, heap, &converted, &error));
  return Typed(converted, heap);
}

TEST(ObjectChoiceTest, OfTuplesIsAList) {
  Heap heap;
  const Value none = ParsedJson("[]", &heap);
  const Value two = ParsedJson("[1,2]", &heap);
  Value result;
  ASSERT_TRUE(ChooseStructure(none, two, &heap, &result));
  EXPECT_EQ(Typed(result, &heap), Unified(none, two, &heap));
  ASSERT_TRUE(ChooseStructure(two, none, &heap, &result));
  EXPECT_EQ(Typed(result, &heap), Unified(two, none, &heap));
  EXPECT_FALSE(ChooseStructure(none, ParsedJson(R"([1,"a"])", &heap), &heap, &result));
  const Value objects = ParsedJson(R"([{"ports":[80],"name":"a"},{"ports":[80,443],"name":"b"}])", &heap);
  ASSERT_TRUE(ChooseStructure(objects, none, &heap, &result));
  EXPECT_EQ(Typed(result, &heap), Unified(objects, none, &heap));
  EXPECT_FALSE(ChooseStructure(none, objects, &heap, &result));
  EXPECT_FALSE(ChooseStructure(objects, ParsedJson(R"([{"ports":[],"name":"c"}])", &heap), &heap, &result));
  Heap of_reference(nullptr, Dialect::kHashiCorp);
  EXPECT_FALSE(ChooseStructure(objects, none, &of_reference, &result));
}

TEST(ObjectChoiceTest, IsWhatUnifyingMakes) {
  const char* const kObjects[] = {
      R"({})",
      R"({"a":1})",
      R"({"a":2.5,"b":"x"})",
      R"({"b":"a text that is too long to be inline"})",
      R"({"b":"y","c":true,"d":1e40})",
      R"({"c":false,"z":0})",
      R"({"a":7,"c":true,"the name of an attribute":"x"})",
      R"({"a":null,"b":null,"y":null})",
      R"({"l":[],"o":{"x":1}})",
      R"({"l":["a","b"],"o":{"x":2,"y":[]}})",
      R"({"l":["c"],"o":{"x":null,"y":["z"]}})",
      R"({"l":null,"o":null})",
      R"({"n":[null],"m":{"x":null}})",
      R"({"n":[null],"m":{"x":1,"z":[1,null]}})",
      R"({"n":null,"m":null})",
  };
  Heap heap;
  for (const char* taken : kObjects) {
    for (const char* other : kObjects) {
      const Value a = ParsedJson(taken, &heap);
      const Value b = ParsedJson(other, &heap);
      Value result;
      ASSERT_TRUE(ChooseStructure(a, b, &heap, &result)) << taken << " " << other;
      EXPECT_EQ(Typed(result, &heap), Unified(a, b, &heap)) << taken << " " << other;
    }
  }
}

TEST(ObjectChoiceTest, LeavesAllElse) {
  Heap heap;
  const Value object = ParsedJson(R"({"a":1})", &heap);
  Value result;
  ASSERT_TRUE(ChooseStructure(object, Value::Null(), &heap, &result));
  EXPECT_TRUE(result.SameBits(object));
  EXPECT_FALSE(ChooseStructure(Value::Null(), object, &heap, &result));
  for (const char* other : {R"({"a":"x"})", R"({"a":[]})", "[]", R"("x")", "1"}) {
    EXPECT_FALSE(ChooseStructure(object, ParsedJson(other, &heap), &heap, &result)) << other;
    EXPECT_FALSE(ChooseStructure(ParsedJson(other, &heap), object, &heap, &result)) << other;
  }
  std::string many = R"({"x0":0)";
  for (int n = 1; n < 33; ++n) many += ",\"x" + std::to_string(n) + "\":0";
  EXPECT_FALSE(ChooseStructure(object, ParsedJson(many + "}", &heap), &heap, &result));
  EXPECT_FALSE(ChooseStructure(object, Mark(object, 1, heap.arena()), &heap, &result));
  EXPECT_FALSE(ChooseStructure(object, Value::Unknown(Type::Dynamic()), &heap, &result));
  const Value unknown[] = {Value::Unknown(Type::Number())};
  EXPECT_FALSE(ChooseStructure(MakeObject(&object.shape(), unknown, heap.arena()), object, &heap, &result));
  Heap of_reference(nullptr, Dialect::kHashiCorp);
  EXPECT_FALSE(ChooseStructure(object, object, &of_reference, &result));
  Limits limits;
  limits.max_result_bytes = 100;
  Heap small(nullptr, Dialect::kSpec, limits);
  EXPECT_FALSE(ChooseStructure(object, object, &small, &result));
}

}  // namespace
}  // namespace hcl::internal
