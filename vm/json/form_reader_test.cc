// Tests of reading properties by forms: what is declared, and what comes as it is.

#include "hclvm/vm/json/form_reader.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/type_syntax.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What became of the `n`-th property: "declared TYPED-JSON", "given TYPED-JSON" or "missing".
std::string Describe(const FormReader& reader, uint32_t n, Heap* heap) {
  if (reader.given()[n].state == FormReader::State::kMissing) return "missing";
  std::string text = reader.given()[n].state == FormReader::State::kDeclared ? "declared " : "given ";
  AppendTypedValueJson(reader.given()[n].value, heap->types(), &text);
  const Type type = TypeOf(reader.given()[n].value, heap->types());
  if (type.is_collection()) absl::StrAppend(&text, " ", ToTypeSyntax(type));
  return text;
}

struct Row {
  const char* type;
  std::vector<std::pair<std::string, std::string>> texts;  // with what becomes of them
};

// Reads the texts of each row in turn, twice: a reader learns from each.
void Check(const std::vector<Row>& rows, const TypeDefaults* defaults = nullptr, const Limits& limits = Limits()) {
  for (const Row& row : rows) {
    Heap types;
    Type type;
    TypeSyntaxError error;
    ASSERT_TRUE(ParseTypeSyntax(row.type, &types, &type, &error)) << error.message;
    const BindingPlan plan(type, defaults, &types);
    JsonProjection all;
    all.NeedAll();
    FormReader reader;
    reader.Add("v", all, &plan);
    for (int round = 0; round < 2; ++round) {
      for (const auto& [text, want] : row.texts) {
        Heap heap(nullptr, Dialect::kSpec, limits);
        EXPECT_EQ(reader.Read(text, &heap) ? Describe(reader, 0, &heap) : "fails", want) << row.type << ": " << text;
      }
    }
  }
}

TEST(FormReaderTest, Scalars) {
  Check({
      {"string",
       {{R"({"v":"a"})", R"(declared "a")"},
        {R"({"v":12.50})", R"(declared "12.5")"},
        {R"({"v":true})", R"(declared "true")"},
        {R"({"v":null})", "given null"},
        {R"({"v":[1]})", "given [1]"},
        {R"({})", "missing"},
        {R"({"w":1})", "missing"}}},
      {"number",
       {{R"({"v":"12.50"})", "declared 12.5"}, {R"({"v":"x"})", R"(given "x")"}, {R"({"v":-1})", "declared -1"}}},
      {"bool", {{R"({"v":"true"})", "declared true"}, {R"({"v":false})", "declared false"}, {R"({"v":1})", "given 1"}}},
      {"any", {{R"({"v":{"a":[null,1]}})", R"(declared {"a":[null,1]})"}, {R"({"v":null})", "given null"}}},
  });
}

TEST(FormReaderTest, Collections) {
  Check({
      {"list(string)",
       {{R"({"v":["a",1]})", R"(declared ["a","1"] list(string))"},
        {R"({"v":[]})", "declared [] list(string)"},
        {R"({"v":["a",null]})", R"(given ["a",null])"},
        {R"({"v":{"a":"b"}})", R"(given {"a":"b"})"}}},
      {"map(number)",
       {{R"({"v":{"b":1,"a":"2"}})", R"(declared {"a":2,"b":1} map(number))"},
        {R"({"v":{"a":[]}})", R"(given {"a":[]})"},
        {R"({"v":{"a":1,"a":2}})", "fails"}}},
      {"tuple([string, number])",
       {{R"({"v":["a","1"]})", R"(declared ["a",1])"},
        {R"({"v":["a"]})", R"(given ["a"])"},
        {R"({"v":["a",1,2]})", R"(given ["a",1,2])"}}},
      {"set(string)",
       {{R"({"v":["b","a",1,"b"]})", R"(declared ["1","a","b"] set(string))"},
        {R"({"v":["b",null]})", R"(given ["b",null])"},
        {R"({"v":[]})", "declared [] set(string)"}}},
      // What depends on all elements, or takes more than putting scalars in order, is left to conversion.
      {"set(list(string))", {{R"({"v":[["b"],["a"]]})", R"(given [["b"],["a"]])"}}},
      {"list(any)", {{R"({"v":["b",1]})", R"(given ["b",1])"}}},
  });
}

TEST(FormReaderTest, LargeSetsAreLeftToConversion) {
  std::string items = "0";
  while (items.size() < 2 * BindingPlan::kMaxSetSize - 1) items += ",0";
  const std::string most = absl::StrCat(R"({"v":[)", items, "]}");
  const std::string more = absl::StrCat(R"({"v":[)", items, ",0]}");
  Check({{"set(number)", {{most, "declared [0] set(number)"}, {more, absl::StrCat("given [", items, ",0]")}}}});
}

TEST(FormReaderTest, Objects) {
  TypeDefaults defaults;
  Heap heap;
  defaults.attributes["b"] = Value::Int(7);
  defaults.attributes["c"] = Value::Null();
  Check(
      {{"object({a = string, b = number, c = list(string), \"a long name, of many bytes\" = bool})",
        {{R"({"v":{"a long name, of many bytes":true,"a":1}})",
          R"(declared {"a":"1","a long name, of many bytes":true,"b":7,"c":null})"},
         // In another order, with blanks, names that are written in another way, and what is not declared.
         {R"({ "v" : { "zz" : [ {} ] , "c" : [ "x" ] , "\u0061" : "y" , "b" : null , "a long name, of many bytes" : false } } )",
          R"(declared {"a":"y","a long name, of many bytes":false,"b":7,"c":["x"]})"},
         {R"({"v":{"a":"x"}})", R"(given {"a":"x"})"},
         {R"({"v":{"a":null,"a long name, of many bytes":true}})",
          R"(given {"a":null,"a long name, of many bytes":true})"},
         {R"({"v":{"a":"x","a":"y","a long name, of many bytes":true}})", "fails"},
         {R"({"v":{"a":"x","c":[1],"a long name, of many bytes":true},"v":1})", "fails"},
         {R"({"v":{"a":"x" "b":1}})", "fails"},
         {R"({"v":{"a":"x",)", "fails"},
         {R"([{"v":1}])", "fails"}}}},
      &defaults);
}

// Shapes are those of objects that are read whole, whatever of the names is there.
TEST(FormReaderTest, WhatIsNeededOfWhatComesAsItIs) {
  JsonProjection needed;
  needed.Need("b")->NeedAll();
  needed.Need("a")->Need("x")->NeedAll();
  needed.Need("list")->NeedItems()->Need("y")->NeedAll();
  FormReader reader;
  reader.Add("v", needed, nullptr);
  Heap heap;
  const std::pair<const char*, const char*> rows[] = {
      {R"({"v":{"a":{"x":1,"y":2},"b":[3,{"c":4}],"c":5}})", R"(given {"a":{"x":1},"b":[3,{"c":4}]})"},
      {R"({"v":{"b":null,"a":[1,{"y":1}]}})", R"(given {"a":[1,{"y":1}],"b":null})"},
      {R"({"v":{"b":1}})", R"(given {"b":1})"},
      {R"({"v":{}})", "given {}"},
      {R"({"v":[{"b":1}]})", R"(given [{"b":1}])"},
      {R"({"v":"text"})", R"(given "text")"},
      {R"({"v":{"list":[{"x":1,"y":2},3,[{"y":4,"z":5}]]}})", R"(given {"list":[{"y":2},3,[{"y":4,"z":5}]]})"},
      {R"({"v":{"list":{"k":{"x":1,"y":2},"a":{"y":3}}}})", R"(given {"list":{"a":{"y":3},"k":{"y":2}}})"},
      {R"({"v":{"list":{"k":1,"k":2}}})", "fails"},
  };
  for (int round = 0; round < 2; ++round) {
    for (const auto& [text, want] : rows) {
      EXPECT_EQ(reader.Read(text, &heap) ? Describe(reader, 0, &heap) : "fails", want) << text;
    }
  }
  JsonReader whole;
  Value value;
  JsonError error;
  ASSERT_TRUE(whole.Read(R"({"b":1})", &heap, &value, &error));
  ASSERT_TRUE(reader.Read(R"({"v":{"a":1,"b":1}})", &heap));
  EXPECT_TRUE(reader.Read(R"({"v":{"c":2,"b":1}})", &heap));
  EXPECT_EQ(&reader.given()[0].value.shape(), &value.shape());
  EXPECT_EQ(reader.given()[0].value.weight(), value.weight());
  EXPECT_EQ(reader.given()[0].value.depth(), value.depth());
}

// Maps that come again and again, changed a little or a lot: each is read as by a reader that has seen none before.
TEST(FormReaderTest, LargeMapsThatRepeat) {
  Heap types;
  Type type;
  TypeSyntaxError error;
  ASSERT_TRUE(ParseTypeSyntax("map(map(number))", &types, &type, &error)) << error.message;
  const BindingPlan plan(type, nullptr, &types);
  JsonProjection all;
  all.NeedAll();
  const auto text_of = [](const std::vector<std::string>& keys, const std::string& item) {
    std::string text;
    for (const std::string& key : keys) absl::StrAppend(&text, text.empty() ? "{\"" : ",\"", key, "\" : ", item);
    return text + (keys.empty() ? "{}" : "}");
  };
  std::mt19937 random(1);
  for (const int count : {3, 64, 65, 66, 300}) {
    std::vector<std::string> usual;
    for (int n = 0; n < count; ++n) usual.push_back(absl::StrCat(n % 3 == 0 ? "a key that is rather long, " : "k", n));
    FormReader reader;
    reader.Add("v", all, &plan);
    Heap heap;
    for (int round = 0; round < 60; ++round) {
      std::vector<std::string> keys = usual;
      const size_t at = random() % keys.size();
      switch (round < 5 ? 0 : random() % 9) {
        case 1:
          keys[at] = absl::StrCat("other", random() % 3);
          break;
        case 2:
          keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 3:
          keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(at), "more");
          break;
        case 4:
          std::swap(keys[at], keys[random() % keys.size()]);
          break;
        case 5:
          keys.resize(at);
          break;
        case 6:
          keys.push_back(keys[at]);  // twice
          break;
        case 7:
          usual = {keys.rbegin(), keys.rend()};
          break;
        default:
          break;
      }
      if (round % 10 == 9) heap.Reset();
      const std::string inner = text_of(random() % 4 == 0 ? usual : keys, absl::StrCat(random() % 100));
      std::string text = absl::StrCat("{\"v\": ", text_of(keys, random() % 10 == 0 ? inner : "{\"x\": 7}"), "}");
      if (random() % 20 == 0) text.resize(random() % text.size());
      FormReader fresh;
      fresh.Add("v", all, &plan);
      Heap other;
      const std::string want = fresh.Read(text, &other) ? Describe(fresh, 0, &other) : "fails";
      ASSERT_EQ(reader.Read(text, &heap) ? Describe(reader, 0, &heap) : "fails", want) << text;
      if (want == "fails") continue;
      EXPECT_EQ(reader.given()[0].value.weight(), fresh.given()[0].value.weight());
      EXPECT_EQ(reader.given()[0].value.depth(), fresh.given()[0].value.depth());
    }
  }
}

// They share their shape, and with that a table to look keys up.
TEST(FormReaderTest, LargeMapsShareTheirShape) {
  Heap types;
  const BindingPlan plan(types.types()->Map(Type::Number()), nullptr, &types);
  JsonProjection all;
  all.NeedAll();
  FormReader reader;
  reader.Add("v", all, &plan);
  std::string items;
  for (int n = 999; n >= 0; --n) absl::StrAppend(&items, items.empty() ? "" : ",", "\"user", n, "\":", n);
  Heap heap;
  const Shape* shape = nullptr;
  for (int round = 0; round < 10; ++round) {
    heap.Reset();
    ASSERT_TRUE(reader.Read(absl::StrCat("{\"v\":{", items, "}}"), &heap));
    const Value& value = reader.given()[0].value;
    if (round > 5) {
      EXPECT_EQ(&value.shape(), shape);
    }
    shape = &value.shape();
    EXPECT_EQ(value.values()[static_cast<size_t>(shape->Find("user17"))].AsInt(), 17);
  }
}

TEST(FormReaderTest, LimitsAreThoseOfReading) {
  Limits limits;
  limits.max_nesting_depth = 3;
  Check({{"list(list(string))", {{R"({"v":[["a"]]})", R"(declared [["a"]] list(list(string)))"}}},
         {"list(list(list(string)))", {{R"({"v":[[["a"]]]})", "fails"}}},
         {"any", {{R"({"v":[[["a"]]]})", "fails"}, {R"({"w":[[["a"]]]})", "fails"}}}},
        nullptr, limits);
  limits.max_result_bytes = 1000;
  std::string many;
  for (int n = 0; n < 100; ++n) absl::StrAppend(&many, n > 0 ? "," : "", n);
  Check({{"list(string)",
          {{absl::StrCat(R"({"v":[)", many, "]}"), "fails"}, {R"({"v":[1]})", R"(declared ["1"] list(string))"}}}},
        nullptr, limits);
}

}  // namespace
}  // namespace hcl::internal
