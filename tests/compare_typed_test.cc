#include "hclvm/tests/compare_typed.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/tests/json_tree.h"

namespace hcl {
namespace {

std::string Typed(const std::string& type, const std::string& value) {
  return "{\"type\": " + type + ", \"value\": " + value + "}";
}

bool Same(const std::string& got, const std::string& want, bool accept_known = false) {
  JsonTree got_tree;
  JsonTree want_tree;
  EXPECT_TRUE(ParseJsonTree(got, &got_tree)) << got;
  EXPECT_TRUE(ParseJsonTree(want, &want_tree)) << want;
  CompareOptions options;
  options.accept_known = accept_known;
  return SameTypedTree(got_tree, want_tree, options);
}

bool SameNumber(const std::string& got, const std::string& want) {
  return Same(Typed("\"number\"", got), Typed("\"number\"", want));
}

TEST(CompareTypedTest, Numbers) {
  EXPECT_TRUE(SameNumber("12", "12"));
  EXPECT_TRUE(SameNumber("1.50", "1.5"));
  EXPECT_FALSE(SameNumber("123456789012345678901234567890", "123456789012345678901234567891"));
  EXPECT_TRUE(SameNumber("0.3333333333333333333333", "0.33333333333333333"));
  EXPECT_FALSE(SameNumber("0.3333333", "0.33333333333333333"));
  EXPECT_TRUE(SameNumber("0.00000000000000006", "6e-17"));
  EXPECT_FALSE(SameNumber("null", "0"));
  EXPECT_TRUE(SameNumber(R"({"$number": "+Inf"})", R"({"$number": "+Inf"})"));
  EXPECT_FALSE(SameNumber(R"({"$number": "-Inf"})", R"({"$number": "+Inf"})"));
}

TEST(CompareTypedTest, RoundedDecimals) {
  const struct {
    const char* text;
    const char* want;  // to three digits
  } kRows[] = {
      {"0", "0"},           {"-0.00", "0"},     {"1", "1e1"},       {"120", "12e3"},          {"-0.0125", "-125e-1"},
      {"1.2345", "123e1"},  {"0.9996", "1e1"},  {"999.5", "1e4"},   {"0.1235", "124e0"},      {"1e3", "1e4"},
      {"12.5e-2", "125e0"}, {"1000000", "1e7"}, {"-99950", "-1e6"}, {"0.00012344", "123e-3"},
  };
  for (const auto& row : kRows) EXPECT_EQ(RoundedDecimal(row.text, 3), row.want) << row.text;
}

TEST(CompareTypedTest, NumbersOfSomeDigits) {
  CompareOptions options;
  options.digits = 5;
  const auto same = [&](const char* got, const char* want) {
    JsonTree got_tree;
    JsonTree want_tree;
    return ParseJsonTree(got, &got_tree) && ParseJsonTree(want, &want_tree) &&
           SameResultTree(got_tree, want_tree, options);
  };
  EXPECT_TRUE(same(R"({"type": "number", "value": 0.33333333})", R"({"type": "number", "value": 0.333333})"));
  EXPECT_FALSE(same(R"({"type": "number", "value": 0.333})", R"({"type": "number", "value": 0.333333})"));
  EXPECT_TRUE(same("{\"a\": [1e3]}", "{\"a\": [1000]}"));
  EXPECT_FALSE(same("{\"a\": [1e3]}", "{\"a\": [1001]}"));
  EXPECT_FALSE(same("{\"a\": []}", "{\"b\": []}"));
}

TEST(CompareTypedTest, TypesDecide) {
  EXPECT_FALSE(Same(Typed("\"string\"", "null"), Typed("\"number\"", "null")));
  EXPECT_FALSE(Same(Typed(R"(["list", "string"])", "[]"), Typed(R"(["list", "number"])", "[]")));
  EXPECT_TRUE(Same(Typed(R"(["object", {"a": "string", "b": "bool"}])", R"({"a": "x", "b": true})"),
                   Typed(R"(["object", {"b": "bool", "a": "string"}])", R"({"b": true, "a": "x"})")));
  EXPECT_TRUE(Same(Typed(R"(["tuple", []])", "null"), Typed(R"(["tuple", null])", "null")));
  EXPECT_FALSE(Same(Typed(R"(["tuple", ["string"]])", R"(["x"])"), Typed(R"(["tuple", ["string"]])", R"(["y"])")));
}

TEST(CompareTypedTest, SetsHaveNoOrder) {
  const std::string type = R"(["set", "number"])";
  EXPECT_TRUE(Same(Typed(type, "[1, 2, 10]"), Typed(type, "[1, 10, 2]")));
  EXPECT_FALSE(Same(Typed(type, "[1, 1, 2]"), Typed(type, "[1, 2, 2]")));
}

TEST(CompareTypedTest, Unknowns) {
  const std::string unknown = Typed("\"number\"", R"({"$unknown": "number"})");
  EXPECT_TRUE(Same(unknown, Typed("\"number\"", R"({"$unknown": "number", "refinement": "not null"})")));
  EXPECT_FALSE(Same(unknown, Typed("\"number\"", "1")));
  EXPECT_FALSE(Same(Typed("\"number\"", "1"), unknown));
  EXPECT_TRUE(Same(Typed("\"number\"", "1"), unknown, true));
  EXPECT_FALSE(Same(Typed("\"string\"", "\"1\""), unknown, true));
  EXPECT_TRUE(Same(Typed("\"string\"", "\"1\""), Typed("\"dynamic\"", R"({"$unknown": "dynamic"})"), true));
}

}  // namespace
}  // namespace hcl
