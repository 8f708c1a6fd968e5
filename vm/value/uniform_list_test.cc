#include "hclvm/vm/value/uniform_list.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

class UniformListTest : public testing::Test {
 protected:
  // The values that are taken for the type. What is made of them is what a conversion makes.
  std::string Taken(Type type, const std::vector<std::pair<std::string, Value>>& samples) {
    std::string names;
    for (const auto& [name, sample] : samples) {
      Value value = sample;
      uint64_t cost = 0;
      if (!TakeUniformList(type, &heap_, &value, &cost)) {
        EXPECT_TRUE(value.SameBits(sample) && cost == 0) << name;
        continue;
      }
      names += (names.empty() ? "" : " ") + name;
      Value converted;
      ConversionError error;
      EXPECT_TRUE(Convert(sample, type, &heap_, &converted, &error)) << name;
      EXPECT_EQ(Typed(value), Typed(converted)) << name;
      const bool is_made = type.kind() == TypeKind::kSet && !sample.is_set();
      const bool is_text = type == heap_.types()->List(Type::String()) && sample.is_tuple();
      if (is_made || is_text) {
        EXPECT_EQ(cost, sample.weight() / 4 + ConversionCost(sample, type)) << name;
      }
    }
    return names;
  }

  std::string Typed(const Value& value) {
    std::string text;
    AppendTypedJson(value, heap_.types(), &text);
    return text;
  }

  Heap heap_;
};

TEST_F(UniformListTest, TakesWhatAConversionWouldMakeNothingElseOf) {
  Arena* const arena = heap_.arena();
  TypeTable* const types = heap_.types();
  const Value text = Value::StringView("a");
  const Value strings[] = {text, Value::StringView("longer than what fits inline")};
  const Value bools[] = {Value::Bool(true), Value::Bool(false)};
  const auto object = [&](const Value& a) {
    KeyValue pair{Value::StringView("a"), a};
    return MakeObject(absl::MakeSpan(&pair, 1), arena);
  };
  const Value objects[] = {object(text), object(strings[1])};
  const Value others[] = {object(text), object(Value::Int(1))};
  const Value nulls[] = {object(Value::Null()), object(Value::Null())};
  const Value unknown[] = {object(Value::Unknown(Type::String())), object(text)};
  const Value numbers[] = {Value::Int(2), Value::Int(1), Value::Int(2)};
  const auto with = [&](const Value& other) {
    const Value items[] = {text, other};
    return MakeTuple(items, arena);
  };
  const std::vector<std::pair<std::string, Value>> samples = {
      {"bool", Value::Bool(true)},
      {"[]", MakeTuple({}, arena)},
      {"[bool]", MakeTuple(bools, arena)},
      {"[string]", MakeTuple(strings, arena)},
      {"[number]", MakeTuple(numbers, arena)},
      {"[object]", MakeTuple(objects, arena)},
      {"[objects]", MakeTuple(others, arena)},
      {"[{null}]", MakeTuple(nulls, arena)},
      {"[{unknown}]", MakeTuple(unknown, arena)},
      {"[mixed]", with(Value::Bool(true))},
      {"[null]", with(Value::Null(Type::String()))},
      {"[untyped null]", with(Value::Null())},
      {"[null list]", with(Value::Null(types->List(Type::Bool())))},
      {"[decimal]", with(Value::FromNumber(Number::Inline(-125, 2)))},
      {"[tiny]", with(Value::FromNumber(Number::Inline(1, 21)))},
      {"[least]", with(Value::Int(INT64_MIN))},
      {"[infinite]", with(Value::FromNumber(Number::Infinity(false)))},
      {"[unknown]", with(Value::Unknown(Type::String()))},
      {"[marked]", with(Mark(text, 1, arena))},
      {"[many]", MakeTuple(std::vector<Value>(1'000, Value::Int(1)), arena)},
      {"list", MakeList(Type::String(), strings, arena)},
      {"list()", MakeList(Type::Number(), {}, arena)},
      {"list(null)", MakeList(Type::Number(), {Value::Null(Type::Number())}, arena)},
      {"set", MakeSet(Type::String(), strings, arena)},
      {"object", MakeObject({}, arena)},
      {"null", Value::Null()},
      {"unknown", Value::Unknown(Type::String())},
      {"marked", Mark(with(text), 1, arena)},
  };
  EXPECT_EQ(Taken(types->List(Type::Dynamic()), samples), "[bool] [string] [number] [object] list set");
  EXPECT_EQ(Taken(types->Set(Type::Dynamic()), samples), "[bool] [string] [number] list set");
  EXPECT_EQ(Taken(types->Set(Type::String()), samples), "[string] list set");
  EXPECT_EQ(Taken(types->List(Type::Number()), samples), "[number]");
  EXPECT_EQ(Taken(types->List(Type::String()), samples),
            "[bool] [string] [number] [mixed] [null] [untyped null] [decimal] [least] list set");
  EXPECT_EQ(Taken(types->Map(Type::Dynamic()), samples), "");
  EXPECT_EQ(Taken(Type::Dynamic(), samples), "");
}

// The list of objects is the one that a conversion makes, whatever their attributes are.
TEST_F(UniformListTest, AlignsObjectsWhoseTuplesDifferInLength) {
  const char* const kValues[] = {"1",
                                 "2.5",
                                 "\"a\"",
                                 "\"a text of more than fourteen bytes\"",
                                 "true",
                                 "[]",
                                 "[1]",
                                 "[2, 3]",
                                 "[\"a\"]",
                                 "[\"a\", \"b\", \"c\"]",
                                 "[false, true]",
                                 "null",
                                 "[null]",
                                 "[1, \"a\"]",
                                 "{}",
                                 "[[1]]"};
  const struct {
    size_t begin, end;  // of kValues, for one attribute
  } kRanges[] = {{0, 2}, {2, 4}, {4, 5}, {5, 8}, {8, 10}, {5, 6}, {7, 8}, {10, 11}, {0, 16}, {5, 11}, {8, 12}};
  uint32_t random = 1;
  const auto draw = [&random](size_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % below;
  };
  const Type any = heap_.types()->List(Type::Dynamic());
  size_t aligned = 0;
  for (int round = 0; round < 4000; ++round) {
    // Attributes beyond those that are aligned are rare, so that many objects are.
    const size_t kinds = round % 4 == 0 ? std::size(kRanges) : 8;
    size_t ranges[3];
    for (size_t& range : ranges) range = draw(kinds);
    std::string json = "[";
    for (size_t n = draw(5); n > 0; --n) {
      std::string object;
      for (size_t at = 0; at < 3; ++at) {
        const auto& range = kRanges[ranges[at]];
        const size_t value = range.begin + draw(range.end - range.begin);
        object += absl::StrCat(at == 0 ? "" : ", ", "\"k", at, "\": ", kValues[value]);
      }
      if (draw(30) == 0) object += ", \"more\": 1";
      json += absl::StrCat(json.size() == 1 ? "" : ", ", "{", object, "}");
    }
    Value tuple, list, converted;
    JsonError json_error;
    ASSERT_TRUE(JsonReader().Read(json + "]", &heap_, &tuple, &json_error)) << json;
    if (!AlignObjects(tuple, &heap_, &list)) continue;
    ++aligned;
    ConversionError error;
    ASSERT_TRUE(Convert(tuple, any, &heap_, &converted, &error)) << json;
    ASSERT_EQ(Typed(list), Typed(converted)) << json;
    ASSERT_EQ(list.weight(), converted.weight()) << json;
    ASSERT_EQ(list.depth(), converted.depth()) << json;
    ASSERT_EQ(list.element_type(), converted.element_type()) << json;
    ASSERT_TRUE(list.is_wholly_known() && !list.has_marks()) << json;
  }
  EXPECT_GT(aligned, 800u);
}

TEST_F(UniformListTest, AlignsNothingElse) {
  const auto aligns = [&](const std::string& json) {
    Value tuple, list;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(json, &heap_, &tuple, &error)) << json;
    return AlignObjects(tuple, &heap_, &list);
  };
  EXPECT_TRUE(aligns(R"([{"a": [1], "b": 1}, {"a": [1, 2], "b": 2}])"));
  EXPECT_TRUE(aligns(R"([{"a": []}, {"a": ["x"]}])"));
  for (const char* json :
       {R"([])", R"([{"a": [1]}])", R"([{"a": [1]}, {"a": [2]}])", R"([{"a": [1]}, {"a": ["x", "y"]}])",
        R"([{"a": [1]}, {"a": [1, 2], "b": 1}])", R"([{"a": [1]}, {"a": [1, null]}])", R"([{"a": [1]}, {"a": null}])",
        R"([{"a": [1], "b": 1}, {"a": [1, 2], "b": "1"}])", R"([{"a": [1], "b": {}}, {"a": [1, 2], "b": {}}])",
        R"([{"a": [[1]]}, {"a": []}])", R"([1, 2])", R"([{"a": [1]}, 1])"}) {
    EXPECT_FALSE(aligns(json)) << json;
  }
}

TEST_F(UniformListTest, TypesOfScalars) {
  const auto type_of = [&](const char* text) {
    Value value;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(text, &heap_, &value, &error)) << text;
    uint64_t cost = 0;
    return UniformElementType(value, &cost);
  };
  EXPECT_EQ(type_of("[1, 2.5]"), Type::Number());
  EXPECT_EQ(type_of("[\"a\"]"), Type::String());
  EXPECT_EQ(type_of("[true, false]"), Type::Bool());
  for (const char* text : {"[]", "1", "{\"a\": 1}", "[1, \"a\"]", "[null]", "[{\"a\": 1}]", "[[1]]"}) {
    EXPECT_EQ(type_of(text), Type::Dynamic()) << text;
  }
  const Value items[] = {Value::Int(1), Mark(Value::Int(1), 1, heap_.arena())};
  uint64_t cost = 0;
  EXPECT_EQ(UniformElementType(MakeTuple(items, heap_.arena()), &cost), Type::Dynamic());
}

// What is told of tuples is what unifying their types tells.
TEST_F(UniformListTest, UnifiesTuplesOfDifferentLengths) {
  const char* const kTuples[] = {
      "[]",
      "[1]",
      "[2, 3]",
      "[\"a\"]",
      "[\"a\", \"b\"]",
      "[true]",
      "[1, \"a\"]",
      "[null]",
      "[{\"a\": 1}]",
      "[{\"b\": 1}]",
      "[{\"a\": \"x\"}]",
      "[[1]]",
      "[{\"a\": 1}, {\"a\": 2}]",
      "[{\"a\": null}]",
      "null",
      "{}",
      "1",
  };
  int told = 0;
  for (const char* first : kTuples) {
    for (const char* second : kTuples) {
      Value values[2];
      JsonError error;
      ASSERT_TRUE(JsonReader().Read(first, &heap_, &values[0], &error));
      ASSERT_TRUE(JsonReader().Read(second, &heap_, &values[1], &error));
      const Type type = UnifyUniformTuples(values, &heap_);
      if (type.is_dynamic()) continue;
      ++told;
      const Type types[] = {TypeOf(values[0], heap_.types()), TypeOf(values[1], heap_.types())};
      Type unified;
      ASSERT_TRUE(Unify(types, &heap_, &unified)) << first << " " << second;
      EXPECT_EQ(type, unified) << first << " " << second;
    }
  }
  // No elements beside each of nine, and one beside two of its type, both ways.
  EXPECT_EQ(told, 2 * (9 + 3));
}

}  // namespace
}  // namespace hcl::internal
