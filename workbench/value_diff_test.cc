// Differences of values: expressions as JSON, and where they differ.

#include "hclvm/workbench/value_diff.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

Value ValueOf(std::string_view json, Heap* heap) {
  JsonReader reader;
  Value value;
  JsonError error;
  EXPECT_TRUE(reader.Read(json, heap, &value, &error)) << json;
  return value;
}

// "-PATH WANTED" for what is missing, "+PATH GOT" for what is not expected, "PATH WANTED/GOT" for the rest.
std::string TextOf(const ValueDifferences& differences) {
  std::string text;
  for (const ValueDifference& one : differences.kept) {
    const char* const sign = one.kind == ValueDifference::Kind::kMissing      ? "-"
                             : one.kind == ValueDifference::Kind::kUnexpected ? "+"
                                                                              : "";
    absl::StrAppend(&text, text.empty() ? "" : "; ", sign, one.path, " ", one.wanted,
                    one.kind == ValueDifference::Kind::kDifferent ? "/" : "", one.got);
  }
  return text;
}

std::string DiffOf(std::string_view wanted, std::string_view got, bool in_part = false) {
  Heap heap;
  DiffOptions options;
  options.in_part = in_part;
  return TextOf(DiffValues(ValueOf(wanted, &heap), ValueOf(got, &heap), options, &heap));
}

TEST(ValueDiffTest, NamesThePathsThatDiffer) {
  struct Row {
    const char* wanted;
    const char* got;
    const char* differences;
  };
  const Row rows[] = {
      {"true", "true", ""},
      {"true", "false", " true/false"},
      {"null", "null", ""},
      {"null", "0", " null/0"},
      {"5", "\"5\"", " 5/\"5\""},
      {"0.10", "0.1", ""},
      {R"({"a":1,"b":2})", R"({"a":1,"b":3})", ".b 2/3"},
      {R"({"a":1,"b":2})", R"({"a":1})", "-.b 2"},
      {R"({"a":1})", R"({"a":1,"b":[2]})", "+.b [2]"},
      {R"({"a b":1})", R"({"a b":2})", R"(["a b"] 1/2)"},
      {R"({"a":{"b":[1,{"c":2}]}})", R"({"a":{"b":[1,{"c":3}]}})", ".a.b[1].c 2/3"},
      {R"({"a":1})", "[1]", R"( {"a":1}/[1])"},
      {"[]", "{}", " []/{}"},
      {"[1,2,3]", "[1,2,4]", "[2] 3/4"},
      {"[1,2,3]", "[0,1,2,3]", "+[0] 0"},
      {"[1,2,3]", "[1,3]", "-[1] 2"},
      {"[1,2]", "[]", "-[0] 1; -[1] 2"},
  };
  for (const Row& row : rows) EXPECT_EQ(row.differences, DiffOf(row.wanted, row.got)) << row.wanted << " " << row.got;
}

// On each level, the lengths differ: who compared both ways there would do so 2^200 times.
TEST(ValueDiffTest, ListsInListsTakeNoLonger) {
  std::string wanted = "1", got = "1";
  for (int n = 0; n < 200; ++n) wanted = absl::StrCat("[", wanted, ",1]"), got = absl::StrCat("[", got, "]");
  Heap heap;
  EXPECT_EQ(200u, DiffValues(ValueOf(wanted, &heap), ValueOf(got, &heap), {}, &heap).count);
}

TEST(ValueDiffTest, APartLeavesPropertiesOut) {
  EXPECT_EQ("", DiffOf(R"({"a":1})", R"({"a":1,"b":2})", /*in_part=*/true));
  EXPECT_EQ("", DiffOf(R"({"l":[{"a":1}]})", R"({"l":[{"a":1,"b":2}],"m":3})", /*in_part=*/true));
  EXPECT_EQ("-.b 1", DiffOf(R"({"b":1})", R"({"a":1})", /*in_part=*/true));
  EXPECT_EQ("+.l[1] 2", DiffOf(R"({"l":[1]})", R"({"l":[1,2]})", /*in_part=*/true));
}

TEST(ValueDiffTest, CollectionsAreWhatJsonHas) {
  Heap heap;
  const Value tuple = ValueOf(R"(["b","a"])", &heap);
  const Value elements[] = {Value::StringView("a"), Value::StringView("b")};
  const Value reversed[] = {Value::StringView("b"), Value::StringView("a")};
  EXPECT_TRUE(DiffValues(tuple, MakeList(Type::String(), reversed, heap.arena()), {}, &heap).empty());
  EXPECT_FALSE(DiffValues(tuple, MakeList(Type::String(), elements, heap.arena()), {}, &heap).empty());
  const Value set = MakeSet(Type::String(), elements, heap.arena());
  EXPECT_TRUE(DiffValues(tuple, set, {}, &heap).empty());
  EXPECT_EQ("- \"c\"; + \"b\"", TextOf(DiffValues(ValueOf(R"(["c","a"])", &heap), set, {}, &heap)));
  const KeyValue pairs[] = {{Value::StringView("k"), Value::Int(1)}};
  EXPECT_TRUE(
      DiffValues(ValueOf(R"({"k":1})", &heap), MakeMap(Type::Number(), pairs, heap.arena()), {}, &heap).empty());
}

TEST(ValueDiffTest, UnknownValuesHaveTheirType) {
  Heap heap;
  EXPECT_EQ(" true/unknown (bool)", TextOf(DiffValues(Value::Bool(true), Value::Unknown(Type::Bool()), {}, &heap)));
}

TEST(ValueDiffTest, WhatIsSensitiveIsHidden) {
  Heap heap;
  for (const MarkSet mark : {kSensitiveMark, kEphemeralMark}) {
    const Value secret = Mark(Value::StringView("key"), mark, heap.arena());
    const KeyValue pairs[] = {{Value::StringView("id"), Value::Int(1)}, {Value::StringView("token"), secret}};
    const Value got = MakeObject(pairs, heap.arena());
    EXPECT_EQ("", TextOf(DiffValues(ValueOf(R"({"id":1,"token":"key"})", &heap), got, {}, &heap)));
    const Value wanted = ValueOf(R"({"id":2,"token":"other"})", &heap);
    EXPECT_EQ(".id 2/1; .token \"other\"/(sensitive value)", TextOf(DiffValues(wanted, got, {}, &heap)));
    EXPECT_EQ("+.token (sensitive value)", TextOf(DiffValues(ValueOf(R"({"id":1})", &heap), got, {}, &heap)));
    DiffOptions shown;
    shown.show_sensitive = true;
    EXPECT_EQ(".id 2/1; .token \"other\"/\"key\"", TextOf(DiffValues(wanted, got, shown, &heap)));
  }
}

TEST(ValueDiffTest, FewAreKeptAndAllAreCounted) {
  Heap heap;
  DiffOptions options;
  options.max_differences = 2;
  const ValueDifferences found = DiffValues(ValueOf("[1,2,3]", &heap), ValueOf("[4,5,6]", &heap), options, &heap);
  EXPECT_EQ(2u, found.kept.size());
  EXPECT_EQ(3u, found.count);
}

}  // namespace
}  // namespace hcl::internal
