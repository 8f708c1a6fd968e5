// Declarations that are made of requests. tests/infer_property_test.cc says what holds of all of them.

#include "hclvm/module/infer.h"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/module/seen_type.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

absl::StatusOr<std::string> Infer(std::string_view text, const Limits& limits = {}) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  std::fwrite(text.data(), 1, text.size(), file.get());
  std::rewind(file.get());
  return internal::InferVariables(file.get(), limits);
}

std::string Declared(std::string_view text, const Limits& limits = {}) {
  const absl::StatusOr<std::string> declared = Infer(text, limits);
  return declared.ok() ? *declared : declared.status().ToString();
}

// The type of the one variable, which is given with these values.
std::string TypeOf(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) absl::StrAppend(&text, "{\"v\": ", value, "}\n");
  const std::string declared = Declared(text);
  const size_t begin = declared.find("= ") + 2;
  return declared.substr(begin, declared.rfind("\n}") - begin);
}

TEST(InferTest, InfersTypes) {
  const std::string nullable = "\n  default  = null\n  nullable = true";
  std::string wide;
  for (int n = 0; n < 33; ++n) absl::StrAppend(&wide, n == 0 ? "{" : ", ", "\"k", n, "\": 1");
  std::string mixed = wide + ", \"z\": \"x\"}";
  struct Case {
    std::vector<std::string> values;
    std::string type;
  };
  for (const auto& [values, type] : std::vector<Case>{
           {{"1", "2.5"}, "number"},
           {{"true"}, "bool"},
           {{"\"5\""}, "string"},
           {{"1", "\"1\""}, "any"},
           {{"null"}, "any" + nullable},
           {{"1", "null"}, "number" + nullable},
           {{"[]"}, "list(any)"},
           {{"[]", "[1]"}, "list(number)"},
           {{"[1, \"a\"]"}, "any"},
           {{"[1, null]"}, "any"},
           {{"[[], [1]]"}, "list(list(number))"},
           {{"[[]]"}, "any"},
           {{"[1]", "{}"}, "any"},
           {{"{}"}, "any"},
           {{"{\"a\": 1}", "{\"a\": 2, \"b\": \"x\"}"}, "object({ a = number, b = optional(string) })"},
           {{"{\"a\": null}"}, "object({ a = optional(any) })"},
           {{"{\"a\": 1}", "{\"a\": []}"}, "object({ a = any })"},
           {{"[{\"a\": 1}, {\"a\": 2, \"b\": {\"c\": [true]}}]"},
            "list(object({ a = number, b = optional(object({ c = list(bool) })) }))"},
           {{"[{\"a\": 1}, {\"a\": \"x\"}]"}, "any"},
           // Maps.
           {{wide + "}"}, "map(number)"},
           {{wide + ", \"z\": 2}", "{}", "{\"y\": 3}"}, "map(number)"},
           {{mixed}, "any"},
           {{wide + ", \"z\": null}"}, "any"},
           {{"{\"a\": 1}", "{\"b\": 2}"}, "object({ a = optional(number), b = optional(number) })"},
           {{"{\"a\": 1}", "{\"b\": 2}", "{}", "{\"c\": 2, \"d\": 4}"}, "map(number)"},
           {{"{\"a\": 1}", "{\"b\": 2}", "{\"c\": 2, \"a\": 4}"},
            "object({ a = optional(number), b = optional(number), c = optional(number) })"},
           {{"{\"a\": 1}", "{\"b\": 2}", "{\"c\": \"x\"}"},
            "object({ a = optional(number), b = optional(number), c = optional(string) })"},
           {{"{\"a\": {\"x\": 1}}", "{\"b\": {\"x\": 2}}", "{\"c\": {\"x\": 3, \"y\": 4}}"},
            "map(object({ x = number, y = optional(number) }))"},
           // Names.
           {{"{\"a b\": 1}"}, "object({ \"a b\" = number })"},
           {{"{\"a\": 1, \"${b}\": 2}"}, "map(number)"},
           {{"{\"\": 1, \"b\": true}"}, "any"},
       }) {
    EXPECT_EQ(TypeOf(values), type) << absl::StrJoin(values, " ");
  }
}

TEST(InferTest, WritesDeclarations) {
  EXPECT_EQ(Declared(""), "");
  EXPECT_EQ(Declared("{}\n{}\n"), "");
  EXPECT_EQ(Declared("{\"user\": {\"name\": \"ann\", \"home\": {\"street\": \"Long Street\", \"town\": \"Farther\"},"
                     " \"groups\": [\"a\"], \"active\": true}, \"limit\": 1}\r\n"
                     "{\"user\": {\"name\": \"bob\", \"home\": null, \"groups\": [], \"active\": true}, \"a b\": 1}"),
            R"(# No variable can have the name "a b".

variable "limit" {
  type     = number
  default  = null
  nullable = true
}

variable "user" {
  type = object({
    active = bool
    groups = list(string)
    home   = optional(object({ street = string, town = string }))
    name   = string
  })
}
)");
}

TEST(InferTest, RefusesOtherLines) {
  EXPECT_EQ(Declared("{}\n[1]\n"), "INVALID_ARGUMENT: line 2: a line is a JSON object of variables");
  EXPECT_EQ(Declared("{}\n{}\n{\"a\": }").substr(0, 38), "INVALID_ARGUMENT: line 3: Invalid JSON");
  EXPECT_EQ(Declared("{}\n\n{}").substr(0, 25), "INVALID_ARGUMENT: line 2:");
  Limits limits;
  limits.max_source_bytes = 8;
  EXPECT_EQ(Declared("{\"a\": 1}\n{\"a\": 2}", limits), "variable \"a\" {\n  type = number\n}\n");
  const std::string too_long = "RESOURCE_EXHAUSTED: line 2: more than 8 bytes (limit max_source_bytes)";
  EXPECT_EQ(Declared("{\"a\": 1}\n{\"a\": 20}\n", limits), too_long);
  EXPECT_EQ(Declared("{\"a\": 1}\n{\"a\": 20}", limits), too_long);
  std::string many;
  for (int n = 0; n < 1'001; ++n) absl::StrAppend(&many, "{\"v", n, "\": 1}\n");
  EXPECT_EQ(Declared(many), "RESOURCE_EXHAUSTED: line 1001: more than 1000 variables");
}

// However many names the lines bring, and however deep they are.
TEST(InferTest, BoundsWhatItKnows) {
  std::string deep = "1";
  for (int n = 0; n < 60; ++n) deep = absl::StrCat("{\"a\": ", deep, "}");
  const std::string text = Declared(absl::StrCat("{\"v\": ", deep, "}\n"));
  EXPECT_NE(text.find("a = any"), std::string::npos);
  // Each level has 30 names, of which each has 30 others.
  std::string wide = "1";
  for (int level = 0; level < 4; ++level) {
    std::string next;
    for (int n = 0; n < 30; ++n) absl::StrAppend(&next, n == 0 ? "{" : ",", "\"k", n, "\":", wide);
    wide = next + "}";
  }
  EXPECT_LT(Declared(absl::StrCat("{\"v\": ", wide, "}\n")).size(), 100'000u * 100);
}

// With little room, an edge is near: what fits is known, and one part more makes `any` of what holds it.
TEST(InferTest, KeepsItsBounds) {
  struct Case {
    internal::SeenTypes::Bounds bounds;
    const char* value;
    const char* type;
  };
  const std::vector<Case> cases = {
      {{2, 9, 9}, "[[1]]", "list(list(number))"},
      {{1, 9, 9}, "[[1]]", "any"},
      {{9, 2, 9}, "{\"a\": 1, \"b\": 2}", "object({ a = number, b = number })"},
      {{9, 1, 9}, "{\"a\": 1, \"b\": 2}", "map(number)"},
      {{9, 9, 2}, "{\"a\": 1, \"b\": 2}", "object({ a = number, b = number })"},
      {{9, 9, 1}, "{\"a\": 1, \"b\": 2}", "any"},
      {{9, 9, 2}, "[[1, 2], [3]]", "list(list(number))"},
      {{9, 9, 1}, "[[1, 2], [3]]", "any"},
      {{9, 9, 1}, "[1, 2, 3]", "list(number)"},
      {{9, 9, 0}, "[1, 2, 3]", "any"},
      {{9, 9, 1}, "{\"a-name-of-more-than-sixty-four-bytes-counts-as-more-than-one-part-only\": 1}", "any"},
  };
  for (const Case& c : cases) {
    Heap heap;
    Value value;
    JsonError error;
    ASSERT_TRUE(JsonReader().Read(c.value, &heap, &value, &error));
    internal::SeenTypes types(c.bounds);
    internal::SeenType seen;
    types.Add(value, 0, &seen);
    const internal::InferredType type = types.TypeOf(seen, &heap);
    EXPECT_EQ(internal::TypeText(type.type, type.defaults.get(), {}), c.type) << c.value;
  }
}

}  // namespace
}  // namespace hcl
