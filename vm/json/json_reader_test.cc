// Tests of reading JSON: values, errors with their places, limits, and that a loop of reads stays flat in memory.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// The value read, typed; or "SUMMARY at OFFSET: DETAIL".
std::string ReadText(const std::string& text, const Limits& limits = Limits()) {
  Heap heap(nullptr, Dialect::kSpec, limits);
  JsonReader reader;
  Value value;
  JsonError error;
  if (!reader.Read(text, &heap, &value, &error)) {
    return error.summary + " at " + std::to_string(error.offset) + ": " + error.detail;
  }
  std::string out;
  AppendTypedJson(value, heap.types(), &out);
  return out;
}

TEST(JsonReaderTest, Values) {
  const std::pair<const char*, const char*> rows[] = {
      {"null", R"({"type":"dynamic","value":null})"},
      {" true ", R"({"type":"bool","value":true})"},
      {"\t\r\n false", R"({"type":"bool","value":false})"},
      {"-0", R"({"type":"number","value":0})"},
      {"-12.50", R"({"type":"number","value":-12.5})"},
      {"1E+2", R"({"type":"number","value":100})"},
      {"123456789012345678901234567890.5", R"({"type":"number","value":123456789012345678901234567890.5})"},
      {"999999999999999999", R"({"type":"number","value":999999999999999999})"},
      {"9223372036854775808", R"({"type":"number","value":9223372036854775808})"},
      {R"("")", R"({"type":"string","value":""})"},
      {R"("a string that is not inline")", R"({"type":"string","value":"a string that is not inline"})"},
      {R"("\"\\\/\b\f\n\r\t")", R"({"type":"string","value":"\"\\/\u0008\u000c\n\r\t"})"},
      {R"("\u00e9\ud83d\ude00")", "{\"type\":\"string\",\"value\":\"\xc3\xa9\xf0\x9f\x98\x80\"}"},
      {R"("\ud83d!")", "{\"type\":\"string\",\"value\":\"\xef\xbf\xbd!\"}"},
      {"\"e\xcc\x81\"", "{\"type\":\"string\",\"value\":\"\xc3\xa9\"}"},
      {R"("e\u0301")", "{\"type\":\"string\",\"value\":\"\xc3\xa9\"}"},
      {"[]", R"({"type":["tuple",[]],"value":[]})"},
      {"[1, [2], \"x\"]", R"({"type":["tuple",["number",["tuple",["number"]],"string"]],"value":[1,[2],"x"]})"},
      {"{}", R"({"type":["object",{}],"value":{}})"},
      {R"({"b": 1, "a": {"": null}})",
       R"({"type":["object",{"a":["object",{"":"dynamic"}],"b":"number"}],"value":{"a":{"":null},"b":1}})"},
  };
  for (const auto& [text, want] : rows) EXPECT_EQ(ReadText(text), want);
}

TEST(JsonReaderTest, ErrorsSayWhere) {
  struct Row {
    std::string text;
    const char* want;
  };
  const Row rows[] = {
      {"", "Invalid JSON at 0: Expected a value, but found the end of the text."},
      {"  ", "Invalid JSON at 2: Expected a value, but found the end of the text."},
      {"nul", "Invalid JSON at 0: Expected a value, but found \"n\"."},
      {"nullx", "Invalid JSON at 4: Expected the end of the text after the value, but found \"x\"."},
      {"1 2", "Invalid JSON at 2: Expected the end of the text after the value, but found \"2\"."},
      {std::string("1\0", 2),
       "Invalid JSON at 1: Expected the end of the text after the value, but found the byte 0x00."},
      {"\xef\xbb\xbf{}", "Invalid JSON at 0: The text begins with a byte order mark, which JSON does not allow."},
      {"'a'", "Invalid JSON at 0: Expected a value, but found \"'\"."},
      {"\xc3\xa9", "Invalid JSON at 0: Expected a value, but found the byte 0xc3."},
      {"01", "Invalid JSON at 0: This is not a number as JSON writes it."},
      {"[1.]", "Invalid JSON at 1: This is not a number as JSON writes it."},
      {"-", "Invalid JSON at 0: This is not a number as JSON writes it."},
      {"1e", "Invalid JSON at 0: This is not a number as JSON writes it."},
      {".5", "Invalid JSON at 0: Expected a value, but found \".\"."},
      {"1x", "Invalid JSON at 1: Expected the end of the text after the value, but found \"x\"."},
      {"\"abc", "Invalid JSON at 4: The text ends inside of a string."},
      {"\"abc\\", "Invalid JSON at 5: The text ends inside of a string."},
      {"\"a\\x\"", "Invalid JSON at 2: A backslash must be followed by one of \" \\ / b f n r t u, not by \"x\"."},
      {"\"\\u12g4\"", "Invalid JSON at 5: \"\\u\" must be followed by four hexadecimal digits; found \"g\"."},
      {"\"\\u12", "Invalid JSON at 5: \"\\u\" must be followed by four hexadecimal digits; found the end of the text."},
      {"\"a long string\nwith a line end\"",
       "Invalid JSON at 14: Found the byte 0x0a in a string; control characters must be written as escapes."},
      {"\"ab\xff\"", "Invalid JSON at 3: The string is not valid UTF-8 from here on."},
      {"\"\\n a long one ab\xed\xa0\x80\"", "Invalid JSON at 17: The string is not valid UTF-8 from here on."},
      {"{\"\xc3\": 1}", "Invalid JSON at 2: The string is not valid UTF-8 from here on."},
      {"[1,]", "Invalid JSON at 3: Expected a value, but found \"]\"."},
      {"[1 2]", "Invalid JSON at 3: Expected \",\" or \"]\" after an element, but found \"2\"."},
      {"[1", "Invalid JSON at 2: Expected \",\" or \"]\" after an element, but found the end of the text."},
      {"{,}", "Invalid JSON at 1: Expected a property name in quotes, but found \",\"."},
      {"{\"a\" 1}", "Invalid JSON at 5: Expected \":\" after the property name, but found \"1\"."},
      {"{\"a\": 1,}", "Invalid JSON at 8: Expected a property name in quotes, but found \"}\"."},
      {"{\"a\": 1 \"b\"}", "Invalid JSON at 8: Expected \",\" or \"}\" after a property, but found \"\"\"."},
      {"{\"a\": 1]", "Invalid JSON at 7: Expected \",\" or \"}\" after a property, but found \"]\"."},
      {R"({"a": 1, "b": 2, "a": 3})", "Duplicate property at 17: The property \"a\" is given twice in one object."},
      {"{\"x\": {\"\xc3\xa9\": 1, \"e\xcc\x81\": 2}}",
       "Duplicate property at 16: The property \"\xc3\xa9\" is given twice in one object."},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadText(row.text), row.want) << row.text;
}

TEST(JsonReaderTest, EveryPrefixIsAnErrorWithinTheText) {
  std::string text =
      "{\"name\": \"a \\u00e9 \xc3\xa9 string that is long\", \"list\": [1, -2.5e3, true, null, {\"deep\": []}]}";
  EXPECT_EQ(ReadText(text).substr(0, 8), "{\"type\":");
  for (size_t size = 0; size < text.size(); ++size) {
    Heap heap;
    JsonReader reader;
    Value value;
    JsonError error;
    // A copy of exactly this size, so that a read past the end is seen by a sanitizer.
    std::vector<char> prefix(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(reader.Read(std::string_view(prefix.data(), size), &heap, &value, &error));
    EXPECT_LE(error.offset, size);
    EXPECT_FALSE(error.summary.empty());
    EXPECT_FALSE(error.is_limit);
  }
}

TEST(JsonReaderTest, LimitsHoldAtTheEdge) {
  Limits limits;
  limits.max_nesting_depth = 3;
  EXPECT_EQ(ReadText("[[[]]]", limits).substr(0, 8), "{\"type\":");
  EXPECT_EQ(ReadText("[{\"a\":[]}]", limits).substr(0, 8), "{\"type\":");
  EXPECT_EQ(ReadText("[[[[]]]]", limits),
            "Value too deep at 3: Values may be nested at most 3 levels deep (limit max_nesting_depth).");
  EXPECT_EQ(ReadText(std::string(1'000'000, '['), limits).substr(0, 14), "Value too deep");
  limits.max_number_digits = 5;
  EXPECT_EQ(ReadText("12345", limits), R"({"type":"number","value":12345})");
  EXPECT_EQ(ReadText("123456", limits).substr(0, 20), "Number too long at 0");
  EXPECT_EQ(ReadText("1e5", limits).substr(0, 20), "Number too long at 0");
  limits.max_result_bytes = 10'000;
  EXPECT_EQ(ReadText("[" + std::string(3'000, ' ') + "1]", limits), R"({"type":["tuple",["number"]],"value":[1]})");
  std::string many = "[1";
  for (int i = 0; i < 1'000; ++i) many += ",1";
  EXPECT_EQ(ReadText(many + "]", limits).substr(0, 15), "Value too large");
  EXPECT_EQ(ReadText("\"" + std::string(20'000, 'x') + "\"", limits).substr(0, 15), "Value too large");
}

TEST(JsonReaderTest, ManyKeysInAnyOrder) {
  JsonReader reader;
  for (size_t size : {1, 2, 8, 9, 64, 65, 5000}) {
    std::string text = "{";
    for (size_t i = 0; i < size; ++i) {
      if (i > 0) text += ",";
      text += "\"key number " + std::to_string(i * 7919 % size) + (i % 2 == 0 ? " with more text\":" : "\":") + "1";
    }
    for (int round = 0; round < 3; ++round) {
      Heap heap;
      Value value;
      JsonError error;
      ASSERT_TRUE(reader.Read(text + "}", &heap, &value, &error)) << error.detail;
      ASSERT_EQ(value.size(), size);
      for (size_t i = 1; i < size; ++i) {
        EXPECT_LT(value.shape().keys[i - 1].AsString(), value.shape().keys[i].AsString());
      }
      EXPECT_FALSE(reader.Read(text + ",\"key number 0 with more text\":2}", &heap, &value, &error));
      EXPECT_EQ(error.summary, "Duplicate property");
    }
  }
}

TEST(JsonReaderTest, ObjectsOfOneFormShareAShapeAcrossResets) {
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  ASSERT_TRUE(reader.Read(R"([{"b":1,"a":2},{"a":3,"b":4}])", &heap, &value, &error));
  const Shape* shape = &value.elements()[0].shape();
  EXPECT_EQ(&value.elements()[1].shape(), shape);
  heap.Reset();
  ASSERT_TRUE(reader.Read(R"({"b":5,"a":6})", &heap, &value, &error));
  EXPECT_EQ(&value.shape(), shape);
  EXPECT_EQ(value.values()[0].AsInt(), 6);
}

// The typed value read, or the error.
std::string ReadWith(JsonReader* reader, Heap* heap, const std::string& text) {
  Value value;
  JsonError error;
  if (!reader->Read(text, heap, &value, &error)) return error.summary + " at " + std::to_string(error.offset);
  std::string out;
  AppendTypedJson(value, heap->types(), &out);
  return out;
}

TEST(JsonReaderTest, WhatWasReadBeforeDoesNotShow) {
  const std::string long_key = "a key that is longer than two words";
  const std::string texts[] = {
      R"({})",
      R"({"a":1,"b":2})",
      R"({"b":2,"a":1})",
      R"({"a":1,"b":2,"c":{"a":1}})",
      R"({"a":1})",
      R"({"a":{"b":{"a":1}},"b":[{"a":1},{"a":2,"b":3}]})",
      R"( { "a" : 1 , "b" : 2 } )",
      R"({"a":1,"a":2})",
      R"({"b":[{"x":1},{"a":1}], "c":{}, "a":"", "a":2})",
      R"({"a":1,"\u0061":2})",
      R"({"\u0061":1,"b":2})",
      R"({"a":1,"b":2)",
      R"({"a":1,"b" 2})",
      R"({"a":1,"b)",
      R"({"a":1,})",
      R"({"abcdefghijklmn":"abcdefghijklmn","abcdefghijklmno":"abcdefghijklmno"})",
      "{\"" + long_key + "\":1,\"" + long_key + "!\":2}",
      "{\"" + long_key + "!\":1,\"" + long_key + "\":2}",
      "{\"e\xcc\x81\":1,\"\xc3\xa9t\":2}",
      "{\"\xc3\xa9\":1,\"e\xcc\x81\":2}",
  };
  for (const std::string& before : texts) {
    for (const std::string& text : texts) {
      JsonReader fresh, used;
      Heap heap;
      const std::string want = ReadWith(&fresh, &heap, text);
      ReadWith(&used, &heap, before);
      heap.Reset();
      EXPECT_EQ(ReadWith(&used, &heap, text), want) << before;
      EXPECT_EQ(ReadWith(&used, &heap, text), want) << before;
      Heap other;
      EXPECT_EQ(ReadWith(&used, &other, text), want) << before;
    }
  }
}

TEST(JsonReaderTest, ShapesLiveInTheHeapThatIsReadInto) {
  JsonReader reader;
  Value value;
  JsonError error;
  for (int i = 0; i < 3; ++i) {
    // In place of the last one, so that addresses are the same.
    auto heap = std::make_unique<Heap>();
    ASSERT_TRUE(reader.Read(R"({"a key that is not inline":1})", heap.get(), &value, &error));
    const std::vector<Value> keys = {Value::StringView("a key that is not inline")};
    EXPECT_EQ(&value.shape(), heap->types()->InternShape(keys));
    heap->types()->Clear();
    ASSERT_TRUE(reader.Read(R"({"a key that is not inline":1})", heap.get(), &value, &error));
    EXPECT_EQ(&value.shape(), heap->types()->InternShape(keys));
  }
}

TEST(JsonReaderTest, SummariesAreThoseOfValuesMadeOtherwise) {
  const std::string text =
      R"({"b":[1,"a string that is not inline",[[]],{}],"a":{"x":{"y":null}},"long":"another string of some length"})";
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(reader.Read(text, &heap, &value, &error));
    const Value copy = MakeObject(&value.shape(), value.values(), heap.arena());
    EXPECT_EQ(value.weight(), copy.weight());
    EXPECT_EQ(value.depth(), copy.depth());
    EXPECT_TRUE(value.is_wholly_known());
    EXPECT_FALSE(value.has_marks());
    for (const Value& item : value.values()) {
      if (!item.is_tuple()) continue;
      const Value tuple = MakeTuple(item.elements(), heap.arena());
      EXPECT_EQ(item.weight(), tuple.weight());
      EXPECT_EQ(item.depth(), tuple.depth());
    }
  }
}

TEST(JsonReaderTest, ALoopOverVaryingTextsStaysFlat) {
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  size_t most = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string number = std::to_string(i);
    std::string text =
        absl::StrCat("{\"id ", number, "\": \"user with the number ", number, "\", \"x\": [", number, "]}");
    heap.Reset();
    ASSERT_TRUE(reader.Read(text, &heap, &value, &error));
    most = std::max(most, heap.types()->bytes_used() + heap.arena()->bytes_reserved());
  }
  EXPECT_LT(most, 2u << 20);
}

std::string ReadTypedText(const std::string& text) {
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  if (!reader.ReadTyped(text, &heap, &value, &error)) {
    return error.summary + " at " + std::to_string(error.offset) + ": " + error.detail;
  }
  std::string out;
  AppendTypedJson(value, heap.types(), &out);
  return out;
}

TEST(JsonReaderTest, TypedValuesComeBackAsTheyWere) {
  const char* rows[] = {
      R"({"type":"string","value":"x"})",
      R"({"type":"dynamic","value":null})",
      R"({"type":"dynamic","value":{"$unknown":"dynamic"}})",
      R"({"type":"number","value":{"$number":"+Inf"}})",
      R"({"type":"number","value":{"$number":"-Inf"}})",
      R"({"type":"number","value":0.000000000000000000000000000000000001})",
      R"({"type":["list","number"],"value":[1,null,{"$unknown":"number"}]})",
      R"({"type":["set",["tuple",["number"]]],"value":[[1],[2]]})",
      R"({"type":["map","bool"],"value":{}})",
      R"({"type":["map",["list","bool"]],"value":{"":[true],"b":null}})",
      R"({"type":["tuple",[]],"value":[]})",
      R"({"type":["object",{"$number":"number","a":["object",{}]}],"value":{"$number":1,"a":{}}})",
      R"({"type":["object",{"a":"string"}],"value":{"$unknown":["object",{"a":"string"}]}})",
      R"({"type":["object",{"$unknown":"string"}],"value":{"$unknown":"string"}})",
      R"({"type":["object",{"$unknown":"string"}],"value":{"$unknown":["object",{"$unknown":"string"}]}})",
      R"({"type":["object",{"$unknown":["object",{"$unknown":"number"}]}],"value":{"$unknown":{"$unknown":1}}})",
      R"({"type":["object",{"$unknown":"bool"}],"value":{"$unknown":{"$unknown":"bool"}}})",
      R"({"type":["map","string"],"value":{"$unknown":"string"}})",
      R"({"type":["map","string"],"value":{"$unknown":["map","string"]}})",
  };
  for (const char* row : rows) EXPECT_EQ(ReadTypedText(row), row);
}

TEST(JsonReaderTest, TypedValuesInOtherSpellings) {
  EXPECT_EQ(ReadTypedText(R"( { "value" : [ 2, 1, 2 ], "type" : [ "set", "number" ] } )"),
            R"({"type":["set","number"],"value":[1,2]})");
  EXPECT_EQ(ReadTypedText(R"({"type":"number","value":{"$unknown":"number","refinement":{"a":[1]}}})"),
            R"({"type":"number","value":{"$unknown":"number"}})");
  EXPECT_EQ(ReadTypedText(R"({"type":["tuple",null],"value":[]})"), R"({"type":["tuple",[]],"value":[]})");
}

TEST(JsonReaderTest, RefinementsComeBack) {
  const std::pair<const char*, const char*> kSame[] = {
      {R"("bool")", R"({"not_null":true})"},
      {R"("number")", R"({"not_null":true,"min":-1.5,"min_exclusive":true,"max":100000000000000000000})"},
      {R"("number")", R"({"not_null":true,"min":{"$number":"-Inf"},"max":3,"max_exclusive":true})"},
      {R"("number")", R"({"not_null":false,"min":3,"max":3})"},
      {R"("string")", R"({"not_null":true,"prefix":"arn:\"1\" "})"},
      {R"(["list","dynamic"])", R"({"not_null":true,"min_length":2,"max_length":18446744073709551614})"},
      {R"(["set","bool"])", R"({"not_null":false,"max_length":0})"},
      {R"(["map",["tuple",["bool"]]])", R"({"not_null":true,"min_length":1})"},
      {R"(["object",{"a":"bool"}])", R"({"not_null":true})"},
  };
  for (const auto& [type, refinement] : kSame) {
    const std::string text =
        std::string(R"({"type":)") + type + R"(,"value":{"$unknown":)" + type + R"(,"refinement":)" + refinement + "}}";
    EXPECT_EQ(ReadTypedText(text), text);
  }
  const std::pair<const char*, const char*> kRows[] = {
      // What is not known here, or says nothing, is left out.
      {R"("string","refinement":{"later":[{}],"prefix":"ab","not_null":true},"x":1)",
       R"("string","refinement":{"not_null":true,"prefix":"ab"})"},
      {R"("string","refinement":{})", R"("string")"},
      {R"("dynamic","refinement":{"not_null":true})", R"("dynamic")"},
      {R"("string","refinement":{"min":1,"max_length":"?","not_null":true})",
       R"("string","refinement":{"not_null":true})"},
      {R"("number","refinement":{"max_exclusive":true,"max":1,"min_exclusive":true})",
       R"("number","refinement":{"not_null":false,"max":1,"max_exclusive":true})"},
  };
  for (const auto& [given, want] : kRows) {
    EXPECT_EQ(ReadTypedText(std::string(R"({"type":["tuple",["dynamic"]],"value":[{"$unknown":)") + given + "}]}"),
              std::string(R"({"type":["tuple",[)") + std::string(want, std::string_view(want).find('"', 1) + 1) +
                  R"(]],"value":[{"$unknown":)" + want + "}]}");
  }
}

TEST(JsonReaderTest, RefinementsThatAreWrong) {
  const std::pair<const char*, const char*> kRows[] = {
      {R"("number","refinement":1)", "Invalid JSON at 73: Expected an object of what is known, but found \"1\"."},
      {R"("number","refinement":{"min":null})", "Invalid typed value at 80: A bound is a number."},
      {R"("number","refinement":{"min":"1"})", "Invalid JSON at 80: Expected a number, but found \"\"\"."},
      {R"("number","refinement":{"not_null":null})", "Invalid JSON at 85: Expected true or false, but found \"n\"."},
      {R"("number","refinement":{"min":2,"max":1})", "Invalid typed value at 73: No value is as this refinement says."},
      {R"("number","refinement":{"min":2,"max":2,"max_exclusive":true})",
       "Invalid typed value at 73: No value is as this refinement says."},
      {R"("string","refinement":{"prefix":null})", "Invalid JSON at 83: Expected a string, but found \"n\"."},
      {R"(["list","bool"],"refinement":{"min_length":1.5})",
       "Invalid typed value at 94: A length is a whole number from 0 to 18446744073709551615."},
      {R"(["list","bool"],"refinement":{"min_length":2,"max_length":1})",
       "Invalid typed value at 80: No value is as this refinement says."},
  };
  for (const auto& [given, want] : kRows) {
    EXPECT_EQ(ReadTypedText(std::string(R"({"type":["tuple",["dynamic"]],"value":[{"$unknown":)") + given + "}]}"),
              want);
  }
}

TEST(JsonReaderTest, TypedErrorsSayWhere) {
  const std::pair<const char*, const char*> rows[] = {
      {"[]", "Invalid JSON at 0: Expected an object with the properties \"type\" and \"value\", but found \"[\"."},
      {R"({"type":"string"})", "Invalid typed value at 0: A typed value has the properties \"type\" and \"value\"."},
      {R"({"type":"string","value":"","x":1})", "Invalid typed value at 28: A typed value has no property \"x\"."},
      {R"({"type":"string","value":"","type":"string"})",
       "Duplicate property at 28: The property \"type\" is given twice in one object."},
      {R"({"type":"text","value":""})", "Invalid typed value at 8: There is no type named \"text\"."},
      {R"({"type":["vector","bool"],"value":[]})",
       "Invalid typed value at 9: There is no kind of types named \"vector\"."},
      {R"({"type":["object",{"a":"bool","a":"bool"}],"value":{}})",
       "Duplicate property at 30: The property \"a\" is given twice in one object."},
      {R"({"type":"string","value":1})", "Invalid JSON at 25: Expected a string, but found \"1\"."},
      {R"({"type":"bool","value":"x"})", "Invalid JSON at 23: Expected true or false, but found \"\"\"."},
      {R"({"type":["list","bool"],"value":[1]})", "Invalid JSON at 33: Expected true or false, but found \"1\"."},
      {R"({"type":["list","bool"],"value":{}})", "Invalid JSON at 32: Expected an array, but found \"{\"."},
      {R"({"type":["map","bool"],"value":[]})", "Invalid JSON at 31: Expected an object, but found \"[\"."},
      {R"({"type":["tuple",["bool"]],"value":[]})",
       "Invalid typed value at 35: The tuple has fewer elements than its type."},
      {R"({"type":["tuple",["bool"]],"value":[true,true]})",
       "Invalid typed value at 35: The tuple has more elements than its type."},
      {R"({"type":["object",{"a":"bool"}],"value":{}})",
       "Invalid typed value at 40: The object lacks attributes that its type has."},
      {R"({"type":["object",{}],"value":{"a":1}})",
       "Invalid typed value at 31: The object type has no attribute \"a\"."},
      {R"({"type":"bool","value":{"$unknown":"string"}})",
       "Invalid typed value at 35: The unknown value's type is not the type at this place."},
      {R"({"type":"dynamic","value":1})",
       "Invalid typed value at 26: The dynamic pseudo-type has no values but null and unknown."},
      {R"({"type":"number","value":{"$number":"NaN"}})",
       "Invalid typed value at 36: A named number is \"+Inf\" or \"-Inf\"."},
  };
  for (const auto& [text, want] : rows) EXPECT_EQ(ReadTypedText(text), want) << text;
}

// The interrupt is looked at before anything is read, and now and then behind that.
TEST(JsonReaderTest, StopsWhenTheHostWantsItTo) {
  std::atomic<bool> cancel{true};
  Limits limits;
  limits.interrupt.cancel = &cancel;
  Heap heap(nullptr, Dialect::kSpec, limits);
  JsonReader reader;
  JsonError error;
  Value value;
  EXPECT_FALSE(reader.Read("[1]", &heap, &value, &error));
  EXPECT_TRUE(error.is_limit);
  EXPECT_EQ(error.summary, "Reading interrupted");
  EXPECT_FALSE(reader.ReadTyped(R"({"type":"number","value":1})", &heap, &value, &error));
  EXPECT_EQ(error.summary, "Reading interrupted");
  cancel = false;
  std::string large = "[1";
  for (int n = 0; n < 200'000; ++n) large += n % 3 == 0 ? ",{\"a\":[]}" : ",2";
  EXPECT_TRUE(reader.Read(large + "]", &heap, &value, &error)) << error.detail;
  EXPECT_EQ(value.size(), 200'001u);
}

}  // namespace
}  // namespace hcl
