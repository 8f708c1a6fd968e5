// Tests of reading parts of JSON texts.

#include "hclvm/vm/json/json_projection.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// Of paths as "user.name,user.tags.*.id": "*" stands for all items.
JsonProjection Needs(std::string_view paths) {
  JsonProjection needed;
  for (const absl::string_view path : absl::StrSplit(absl::string_view(paths.data(), paths.size()), ',')) {
    JsonProjection one;
    JsonProjection* at = &one;
    for (const absl::string_view step : absl::StrSplit(path, '.')) {
      if (step.empty()) continue;
      at = step == "*" ? at->NeedItems() : at->Need(std::string_view(step.data(), step.size()));
    }
    at->NeedAll();
    needed.Add(one);
  }
  return needed;
}

// What is read, as JSON; or "SUMMARY at OFFSET".
std::string ReadText(std::string_view paths, const std::string& text, const Limits& limits = Limits()) {
  Heap heap(nullptr, Dialect::kSpec, limits);
  JsonReader reader;
  std::string first;
  for (int round = 0; round < 2; ++round) {  // the second one knows the keys
    Value value;
    JsonError error;
    std::string out;
    if (!reader.Read(text, Needs(paths), &heap, &value, &error)) {
      out = absl::StrCat(error.summary, " at ", error.offset);
    } else if (std::string reason; !AppendJson(value, &out, &reason)) {
      out = reason;
    }
    if (round == 0) first = out;
    EXPECT_EQ(out, first) << text;
  }
  return first;
}

TEST(JsonProjectionTest, Needs) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"a", "{a}"},
      {"a.b,a.c,d", "{a{b, c}, d}"},
      {"a.b,a", "{a}"},
      {"a,a.b", "{a}"},
      {"a.*.b,a.*.c", "{a[*]{b, c}}"},
      {"a.*.b,a.c", "{a}"},
      {"a.c,a.*.b", "{a}"},
      {"a.*", "{a[*]}"},
      {"a.b.c.d", "{a{b{c{d}}}}"},
  };
  for (const auto& [paths, want] : rows) EXPECT_EQ(Needs(paths).ToText(), want) << paths;
}

TEST(JsonProjectionTest, FindsEachOfManyNames) {
  JsonProjection needed;
  const auto name = [](int n) { return std::string(static_cast<size_t>(n % 20), 'x') + std::to_string(n); };
  for (int n = 0; n < 10'000; ++n) needed.Need(name(n))->Need(absl::StrCat("in", n));
  for (int n = 0; n < 10'000; ++n) {
    ASSERT_NE(needed.Find(name(n)), nullptr);
    EXPECT_NE(needed.Find(name(n))->Find(absl::StrCat("in", n)), nullptr);
    EXPECT_EQ(needed.Find(name(n) + "?"), nullptr);
  }
  EXPECT_EQ(needed.Find(""), nullptr);
  EXPECT_EQ(JsonProjection().Find("a"), nullptr);
}

TEST(JsonProjectionTest, ReadsWhatIsNeeded) {
  struct Row {
    std::string_view paths;
    const char* text;
    const char* want;
  };
  const Row rows[] = {
      {"a", R"({"a": 1, "b": 2})", R"({"a":1})"},
      {"b,a", R"({"c": [1, {"a": 3}], "b": "x", "a": {"q": [1]}})", R"({"a":{"q":[1]},"b":"x"})"},
      {"a.b", R"({"a": {"x": "{", "b": 1, "y": [[]]}, "b": 2})", R"({"a":{"b":1}})"},
      {"a.b", R"({"a": {"x": 1}})", R"({"a":{}})"},
      {"a.b", R"({})", R"({})"},
      {"a.b", R"({"a": [{"b": 1, "c": 2}]})", R"({"a":[{"b":1,"c":2}]})"},
      {"a.b", R"({"a": null})", R"({"a":null})"},
      {"a.b", R"({"a": "b"})", R"({"a":"b"})"},
      {"a.b", R"([{"a": 1}])", R"([{"a":1}])"},
      {"a.*.b", R"({"a": [{"b": 1, "c": 2}, {"c": 3}, 4, [5]]})", R"({"a":[{"b":1},{},4,[5]]})"},
      {"a.*.b", R"({"a": {"x": {"b": 1, "c": 2}, "y": {"c": 3}}})", R"({"a":{"x":{"b":1},"y":{}}})"},
      {"a.*.*.b", R"({"a": [[{"b": 1, "c": 2}]]})", R"({"a":[[{"b":1}]]})"},
      // Names as they are meant.
      {"a", R"({"\u0061": 1, "\u0062": 2})", R"({"a":1})"},
      {"\u00e9", "{\"e\u0301\": 1, \"e\u0300\": 2}", "{\"\u00e9\":1}"},
      {"a name that is longer than a block", R"({"a name that is longer than a block": 1, "a name that is longer": 2})",
       R"({"a name that is longer than a block":1})"},
      // What is skipped may be wrong in these ways, and in no others.
      {"a", R"({"b": 01, "a": 1})", R"({"a":1})"},
      {"a", R"({"b": nul, "a": 1})", R"({"a":1})"},
      {"a", R"({"b": [1 2, {3}, ], "a": 1})", R"({"a":1})"},
      {"a", R"({"b": "\x", "a": 1})", R"({"a":1})"},
      {"a", R"({"b": 1, "b": 2, "a": 1})", R"({"a":1})"},
      {"a", R"({"b": {"a": 1, "a": 1}, "a": 1})", R"({"a":1})"},
      {"a", R"({"b":1,"c":2,"d":3,"e":4,"f":"a","g":{"a":1},"a":7,"h":8})", R"({"a":7})"},
      {"a", R"({"b":1,"c":2,"d":3,"e":4,"f":"\u0061","g":["a"],"\u0061":7})", R"({"a":7})"},
      {"a", "{\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"\xc3\xa9\":5,\"f\":6,\"a\" : 7 }", R"({"a":7})"},
      {"a.z", R"({"b":1,"c":2,"d":3,"e":4,"a":{"b":1,"c":2,"d":3,"e":4,"f":5},"z":1})", R"({"a":{}})"},
      {"a.*.z", R"({"a":[{"b":1,"c":2,"d":3,"e":4,"f":5,"z":6},{"b":1,"c":2,"d":3,"e":4,"z":5}]})",
       R"({"a":[{"z":6},{"z":5}]})"},
      {"a", R"({"b":1,"b":1,"b":1,"b":1,"b" 1 "b":[1}],"a":1})", "Invalid JSON at 29"},
      {"a", R"({"b":1,"b":1,"b":1,"b":1,"b" 1 "b":01,"a":1})", R"({"a":1})"},
      {"a", R"({"a":1,"b":1,"c":2,"d":3,"e":4,"f":5,"a":2})", "Duplicate property at 37"},
      {"a", R"({"a":1,"b":1,"c":2,"d":3,"e":4,"f":5,"\u0061":2})", "Duplicate property at 37"},
      {"a", R"({"b":1,"c":2,"d":3,"e":4,"f":5)", "Invalid JSON at 30"},
      {"a", R"({"b":1,"c":2,"d":3,"e":4,"f":5]})", "Invalid JSON at 30"},
      {"a", R"({"a": 1, "\u0061": 2})", "Duplicate property at 9"},
      {"a.b", R"({"a": {"b": 1, "c": 2, "b": 3}})", "Duplicate property at 23"},
      {"a.*.b", R"({"a": {"x": 1, "x": 2}})", "Duplicate property at 15"},
      {"a", R"({"b": "x)", "Invalid JSON at 8"},
      {"a", R"({"b": [1, "a": 1})", "Invalid JSON at 13"},
      {"a", R"({"b": [1}, "a": 1})", "Invalid JSON at 8"},
      {"a", "{\"b\": \"\xff\"}", "Invalid JSON at 7"},
      {"a", "{\"b\xff\": 1}", "Invalid JSON at 3"},
      {"a", "{\"b\": \"\n\"}", "Invalid JSON at 7"},
      {"a", R"({"b" 1, "a": 1})", "Invalid JSON at 5"},
      {"a", R"({"b":, "a": 1})", "Invalid JSON at 5"},
      {"a", R"({"b":)", "Invalid JSON at 5"},
      {"a", R"({"b": 1 "a": 1})", "Invalid JSON at 8"},
      {"a", R"({"b": 1 2, "a": 1})", "Invalid JSON at 8"},
      {"a", R"({"b": 1, })", "Invalid JSON at 9"},
      {"a", R"({b: 1})", "Invalid JSON at 1"},
      {"a", R"({"a": 1} x)", "Invalid JSON at 9"},
      {"a", R"({"a": 01})", "Invalid JSON at 6"},
      {"a", "", "Invalid JSON at 0"},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadText(row.paths, row.text), row.want) << row.text;
}

TEST(JsonProjectionTest, DepthIsThatOfTheText) {
  Limits limits;
  limits.max_nesting_depth = 3;
  EXPECT_EQ(ReadText("a", R"({"a": 1, "b": [[]]})", limits), R"({"a":1})");
  EXPECT_EQ(ReadText("a", R"({"a": 1, "b": [[[]]]})", limits), "Value too deep at 16");
  EXPECT_EQ(ReadText("a.b.c", R"({"a": {"b": {"c": {}}}})", limits), "Value too deep at 18");
  EXPECT_EQ(ReadText("a.*.*.*", R"({"a": [[[1]]]})", limits), "Value too deep at 8");
}

// What is skipped takes no memory: the value has room, and the whole text has none.
TEST(JsonProjectionTest, WhatIsSkippedTakesNoMemory) {
  std::string text = R"({"a": 1, "b": [0)";
  for (int n = 0; n < 100'000; ++n) text += ",0";
  text += "]}";
  Limits limits;
  limits.max_result_bytes = 100'000;
  EXPECT_EQ(ReadText("a", text, limits), R"({"a":1})");
  EXPECT_EQ(ReadText("b", text, limits).substr(0, 15), "Value too large");
}

// Texts that are read whole and in parts by one reader, in turns.
TEST(JsonProjectionTest, OneReaderForBoth) {
  Heap heap(nullptr, Dialect::kSpec);
  JsonReader reader;
  const JsonProjection needed = Needs("a,d");
  for (int round = 0; round < 100; ++round) {
    const std::string text = absl::StrCat(R"({"d": 4, "b)", round, R"(": 1, "a": )", round, "}");
    Value value;
    JsonError error;
    std::string out;
    std::string reason;
    ASSERT_TRUE(round % 3 == 0 ? reader.Read(text, &heap, &value, &error)
                               : reader.Read(text, needed, &heap, &value, &error));
    ASSERT_TRUE(AppendJson(value, &out, &reason));
    EXPECT_EQ(out, round % 3 == 0 ? absl::StrCat(R"({"a":)", round, R"(,"b)", round, R"(":1,"d":4})")
                                  : absl::StrCat(R"({"a":)", round, R"(,"d":4})"));
  }
}

}  // namespace
}  // namespace hcl
