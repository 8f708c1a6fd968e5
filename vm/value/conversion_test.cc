// Tests of conversions: where the dialects differ, what errors say and where, and that no work is done for nothing.
// What both do alike is in the conformance cases (vm/value/conversion_conformance_test.cc).

#include "hclvm/vm/value/conversion.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

Value ReadValue(const std::string& text, Heap* heap) {
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().ReadTyped(text, heap, &value, &error)) << text << ": " << error.detail;
  return value;
}

Type ReadType(const std::string& text, Heap* heap) {
  Type type;
  JsonError error;
  EXPECT_TRUE(ParseTypeJson(text, heap, &type, &error)) << text << ": " << error.detail;
  return type;
}

// The converted value, typed, or "error: " with the path and the message.
std::string Converted(const std::string& type, const std::string& value, const std::string& to, Dialect dialect) {
  Heap heap(nullptr, dialect);
  Value given = ReadValue("{\"type\":" + type + ",\"value\":" + value + "}", &heap);
  Type wanted = ReadType(to, &heap);
  Value result;
  ConversionError error;
  if (!Convert(given, wanted, &heap, &result, &error)) return "error: " + error.ToString();
  bool has_parts = !result.is_null() && !result.is_unknown();
  EXPECT_TRUE(!has_parts || Matches(TypeOf(result, heap.types()), wanted));
  // In place, and under marks, which stay.
  Value marked = Mark(given, 4, heap.arena());
  EXPECT_TRUE(Convert(marked, wanted, &heap, &marked, &error));
  EXPECT_TRUE(wanted.is_dynamic() || marked.marks() == 4u);
  std::string text;
  AppendTypedJson(result, heap.types(), &text);
  return text;
}

struct Row {
  const char* type;
  const char* value;
  const char* to;
  const char* spec;
  const char* reference;
};

TEST(ConversionTest, DialectsDiffer) {
  const char* kNumberError = "error: a number is required, and this text is none";
  const Row rows[] = {
      {R"("string")", R"("1e3")", R"("number")", kNumberError, R"({"type":"number","value":1000})"},
      {R"("string")", R"("inf")", R"("number")", kNumberError, R"({"type":"number","value":{"$number":"+Inf"}})"},
      {R"("number")", R"({"$number":"+Inf"})", R"("string")", R"({"type":"string","value":"Inf"})",
       R"({"type":"string","value":"+Inf"})"},
      {R"(["list","string"])", "null", R"("number")", R"({"type":"number","value":null})",
       "error: a number is required, not a list of string"},
      {R"(["object",{"a":"number"}])", R"({"a":1})", R"(["object",{"a":"string","b":["list","bool"]}])",
       R"({"type":["object",{"a":"string","b":["list","bool"]}],"value":{"a":"1","b":null}})",
       "error: attribute \"b\" is required"},
      {R"(["map","number"])", R"({"a":1,"c":2})", R"(["object",{"a":"number"}])",
       "error: the object has no attribute \"c\"", R"({"type":["object",{"a":"number"}],"value":{"a":1}})"},
      {R"(["list","number"])", "[1,2]", R"(["tuple",["string","dynamic"]])",
       R"({"type":["tuple",["string","number"]],"value":["1",2]})", "error: a tuple is required, not a list of number"},
      {R"(["list","number"])", "[1,2]", R"(["tuple",["string"]])", "error: a tuple of 1 elements is required, not of 2",
       "error: a tuple is required, not a list of number"},
      {R"(["set","number"])", R"([1,{"$unknown":"number"}])", R"(["list","string"])",
       R"({"type":["list","string"],"value":{"$unknown":["list","string"]}})",
       R"({"type":["list","number"],"value":{"$unknown":["list","number"]}})"},
      {R"(["set",["tuple",["number"]]])", R"([[1],[{"$unknown":"number"}]])",
       R"(["tuple",[["tuple",["number","dynamic"]],["tuple",["number","dynamic"]]]])",
       "error: a tuple is required, not a set of tuple", "error: a tuple is required, not a set of tuple"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Converted(row.type, row.value, row.to, Dialect::kSpec), row.spec);
    EXPECT_EQ(Converted(row.type, row.value, row.to, Dialect::kHashiCorp), row.reference);
  }
}

TEST(ConversionTest, DialectsAgree) {
  struct AgreedRow {
    const char* type;
    const char* value;
    const char* to;
    const char* want;
  };
  const AgreedRow rows[] = {
      {R"("string")", R"("0")", R"("bool")", R"({"type":"bool","value":false})"},
      {R"("string")", R"("True")", R"("bool")", "error: a bool is required; write \"true\""},
      {R"("string")", R"("yes")", R"("bool")", "error: a bool is required: \"true\" or \"false\""},
      {R"("bool")", "true", R"("number")", "error: a number is required, not a bool"},
      {R"("dynamic")", R"({"$unknown":"dynamic"})", R"(["list","bool"])",
       R"({"type":["list","bool"],"value":{"$unknown":["list","bool"]}})"},
      {R"(["tuple",["number","string","bool"]])", R"([1,"a",true])", R"(["list","dynamic"])",
       R"({"type":["list","string"],"value":["1","a","true"]})"},
      {R"(["tuple",["number",["list","bool"]]])", "[1,[]]", R"(["list","dynamic"])",
       "error: all elements must have one type, and no type fits them all"},
      {R"(["tuple",["string","number","number"]])", R"(["1",1,2])", R"(["set","number"])",
       R"({"type":["set","number"],"value":[1,2]})"},
      {R"(["object",{"a":"bool","b":"number"}])", R"({"a":true,"b":null})", R"(["map","string"])",
       R"({"type":["map","string"],"value":{"a":"true","b":null}})"},
      {R"(["object",{"rules":["tuple",["string","string"]]}])", R"({"rules":["1","x"]})",
       R"(["object",{"rules":["list","number"]}])", "error: .rules[1]: a number is required, and this text is none"},
      {R"(["map",["list","string"]])", R"({"a b":["1","?"]})", R"(["map",["list","number"]])",
       "error: [\"a b\"][1]: a number is required, and this text is none"},
      {R"(["map","number"])", "{}", R"(["map","bool"])", "error: elements must be of type bool, not number"},
      {R"(["map","number"])", R"({"a":1})", R"(["object",{"a":"number","b":"number"}])",
       "error: the map has no element \"b\""},
  };
  for (const AgreedRow& row : rows) {
    EXPECT_EQ(Converted(row.type, row.value, row.to, Dialect::kSpec), row.want);
    EXPECT_EQ(Converted(row.type, row.value, row.to, Dialect::kHashiCorp), row.want);
  }
}

TEST(ConversionTest, WhatHasTheTypeIsReturnedAsItIs) {
  Heap heap;
  Value value = ReadValue(
      R"({"type":["tuple",["number",["list",["object",{"a":"string"}]]]],"value":[1,[{"a":"x"},{"a":"y"}]]})", &heap);
  Type same = ReadType(R"(["tuple",["number",["list",["object",{"a":"string"}]]]])", &heap);
  size_t arena_bytes = heap.arena()->bytes_used();
  size_t type_bytes = heap.types()->bytes_used();
  Value result;
  ConversionError error;
  for (Type type : {same, Type::Dynamic()}) {
    ASSERT_TRUE(Convert(value, type, &heap, &result, &error));
    EXPECT_TRUE(result.SameBits(value));
  }
  EXPECT_EQ(heap.arena()->bytes_used(), arena_bytes);
  EXPECT_EQ(heap.types()->bytes_used(), type_bytes);
}

TEST(ConversionTest, ConvertibleTypes) {
  struct SafetyRow {
    const char* from;
    const char* to;
    bool safe;
    bool unsafe;
  };
  const SafetyRow rows[] = {
      {R"("number")", R"("string")", true, true},
      {R"("string")", R"("number")", false, true},
      {R"("bool")", R"("number")", false, false},
      {R"(["set","number"])", R"(["list","string"])", true, true},
      {R"(["list","number"])", R"(["set","number"])", false, true},
      {R"(["tuple",["number","bool"]])", R"(["list","string"])", true, true},
      {R"(["tuple",["number","string"]])", R"(["list","number"])", false, true},
      {R"(["map","number"])", R"(["object",{"a":"number"}])", false, true},
      {R"(["object",{"a":"number"}])", R"(["map","string"])", true, true},
      {R"("dynamic")", R"("number")", false, true},
      {R"(["list","number"])", R"("dynamic")", true, true},
      {R"(["tuple",["number"]])", R"(["tuple",["number","number"]])", false, false},
  };
  for (const SafetyRow& row : rows) {
    for (Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
      Heap heap(nullptr, dialect);
      Type from = ReadType(row.from, &heap);
      Type to = ReadType(row.to, &heap);
      EXPECT_EQ(IsConvertible(from, to, /*unsafe=*/false, dialect), row.safe) << row.from << " to " << row.to;
      EXPECT_EQ(IsConvertible(from, to, /*unsafe=*/true, dialect), row.unsafe) << row.from << " to " << row.to;
    }
  }
}

// Marked or not, a null without a type takes the type of the other elements, and an unknown value likewise.
TEST(ConversionTest, ElementsWithoutATypeKeepTheirMarks) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Heap heap(nullptr, dialect);
    Arena* const arena = heap.arena();
    const Type any_map = heap.types()->Map(Type::Dynamic());
    const Type any_list = heap.types()->List(Type::Dynamic());
    for (const Value& last : {Value::Int(1), Value::Null()}) {
      for (const Value& bare : {Value::Null(), Value::Dynamic()}) {
        const Value items[] = {Mark(bare, 4, arena), last};
        const KeyValue pairs[] = {{Value::StringView("a"), items[0]}, {Value::StringView("b"), last}};
        Value map, list;
        ConversionError error;
        ASSERT_TRUE(Convert(MakeObject(pairs, arena), any_map, &heap, &map, &error)) << error.ToString();
        ASSERT_TRUE(Convert(MakeTuple(items, arena), any_list, &heap, &list, &error)) << error.ToString();
        for (const Value& element : {map.values()[0], list.elements()[0]}) {
          EXPECT_EQ(element.marks(), 4u);
          EXPECT_EQ(element.unmarked().is_null(), bare.is_null());
          EXPECT_EQ(element.unmarked().null_or_unknown_type(), list.element_type());
        }
      }
    }
  }
}

TEST(ConversionTest, HonoursTheLimitsOfTheHeap) {
  Limits limits;
  limits.max_number_digits = 30;
  limits.max_result_bytes = 4096;
  Heap heap(nullptr, Dialect::kSpec, limits);
  Value result;
  ConversionError error;
  std::string digits(31, '7');
  EXPECT_FALSE(Convert(Value::StringView(digits), Type::Number(), &heap, &result, &error));
  EXPECT_EQ(error.message, "the number has more digits than a number may have (limit max_number_digits)");
  EXPECT_TRUE(error.is_limit);
  EXPECT_TRUE(Convert(Value::StringView(std::string_view(digits).substr(1)), Type::Number(), &heap, &result, &error));
  Arena arena;
  Value list = MakeList(Type::Number(), std::vector<Value>(1000, Value::Int(1)), &arena);
  EXPECT_FALSE(Convert(list, heap.types()->List(Type::String()), &heap, &result, &error));
  EXPECT_EQ(error.message, "the result takes more memory than an evaluation may use (limit max_result_bytes)");
  EXPECT_TRUE(error.is_limit);
  // One number of few bytes may have many digits.
  Heap large(nullptr, Dialect::kSpec, Limits());
  NumberError number_error;
  const Value huge =
      Value::FromNumber(Number::Parse("1e5000", NumberSyntax::kLiteral, Limits(), large.arena(), &number_error));
  limits.max_number_digits = 10'000;
  Heap small(nullptr, Dialect::kSpec, limits);
  EXPECT_FALSE(Convert(huge, Type::String(), &small, &result, &error));
  EXPECT_EQ(error.message, "the result takes more memory than an evaluation may use (limit max_result_bytes)");
  EXPECT_TRUE(error.is_limit);
  EXPECT_TRUE(Convert(huge, Type::String(), &large, &result, &error));
}

}  // namespace
}  // namespace hcl
