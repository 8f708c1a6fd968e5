#include "hclvm/hcl/json/convert.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/schema.h"

namespace hcl {
namespace {

// The converted text, or the codes and lines of what is reported: "6201@2".
std::string Convert(bool to_json, std::string_view text, const ConvertOptions& options = {}) {
  const Source source("test", std::string(text));
  Diagnostics diagnostics;
  const auto result =
      to_json ? ConvertToJson(source, options, &diagnostics) : ConvertToNative(source, options, &diagnostics);
  EXPECT_EQ(result.has_value(), !diagnostics.has_errors()) << text;
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    out += std::to_string(static_cast<int>(diagnostic.code));
    if (diagnostic.subject) out += "@" + std::to_string(source.LineAt(diagnostic.subject->begin));
    out += "\n";
  }
  return out + result.value_or("");
}

// Service blocks with a name, which hold checks without a label; the type of a check is static, as its names are.
ConvertOptions WithShape() {
  auto check = std::make_shared<BodyShape>();
  check->static_attributes = {"type", "names"};
  auto service = std::make_shared<BodyShape>();
  service->schema.AddBlock("check").IgnoreError();
  service->schema.AddAttribute("port").IgnoreError();
  service->blocks = {check};
  service->has_other_attributes = false;
  ConvertOptions options;
  options.shape.schema.AddBlock("service", {"name"}).IgnoreError();
  options.shape.blocks = {service};
  return options;
}

TEST(Convert, WritesJson) {
  struct Case {
    const char* native;
    const char* json;
  };
  const Case kCases[] = {
      {"", "{}\n"},
      {"a = 1", "{\n  \"a\": 1\n}\n"},
      {"a = -1.50e+3", "{\n  \"a\": -1.50e+3\n}\n"},
      {"a = 007", "{\n  \"a\": 7\n}\n"},
      {"a = [true, null, \"x\", b]", "{\n  \"a\": [true, null, \"x\", \"${b}\"]\n}\n"},
      {"a = (1)", "{\n  \"a\": 1\n}\n"},
      {"a = b + 1", "{\n  \"a\": \"${b + 1}\"\n}\n"},
      {"a = -b", "{\n  \"a\": \"${-b}\"\n}\n"},
      {"a = \"x${b}y\"", "{\n  \"a\": \"x${b}y\"\n}\n"},
      {"a = \"${b}\"", "{\n  \"a\": \"${b}\"\n}\n"},
      {"a = \"${[1]}\"", "{\n  \"a\": [1]\n}\n"},
      {"a = \"$${b} %%{c}\"", "{\n  \"a\": \"$${b} %%{c}\"\n}\n"},
      {"a = \"\\n\\\"\\\\\"", "{\n  \"a\": \"\\n\\\"\\\\\"\n}\n"},
      {"a = f(\"x\")", "{\n  \"a\": \"${f(\\\"x\\\")}\"\n}\n"},
      {"a = <<E\nx ${b}\ny\nE\n", "{\n  \"a\": \"x ${b}\\ny\\n\"\n}\n"},
      {"a = {}", "{\n  \"a\": {}\n}\n"},
      {"a = {b = 1, \"c d\" = x}", "{\n  \"a\": {\n    \"b\": 1,\n    \"c d\": \"${x}\"\n  }\n}\n"},
      // Objects that JSON has none of: a key twice, a calculated one, one that the reference reads as a template.
      {"a = {b = 1, b = 2}", "{\n  \"a\": \"${{ b = 1, b = 2 }}\"\n}\n"},
      {"a = {(b) = 1}", "{\n  \"a\": \"${{ (b) = 1 }}\"\n}\n"},
      {"a = {\"$${b}\" = 1}", "{\n  \"a\": \"${{ \\\"$${b}\\\" = 1 }}\"\n}\n"},
      {"a = [{b = 1}]", "{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}\n"},
      // A byte order mark would be skipped at the start of a template.
      {"a = \"\\ufeffb\"",
       "{\n  \"a\": \"${\\\"\xEF\xBB\xBF"
       "b\\\"}\"\n}\n"},
      {"s {\n}\n", "{\n  \"s\": [\n    {}\n  ]\n}\n"},
      {"s \"x\" y {\n a = 1\n}\nb = 2\n",
       "{\n  \"s\": {\n    \"x\": {\n      \"y\": [\n        {\n          \"a\": 1\n        }\n      ]\n    }\n  },\n"
       "  \"b\": 2\n}\n"},
      {"s \"x\" {\n}\ns \"x\" {\n}\n", "{\n  \"s\": {\n    \"x\": [\n      {},\n      {}\n    ]\n  }\n}\n"},
      // Warnings: comments, and blocks in another order.
      {"# one\na = 1 // two\n/* three\n   four */\n",
       "8016@1\n{\n  \"//\": [\n    \"one\",\n    \"two\",\n    \"three\",\n    \"  four\"\n  ],\n  \"a\": 1\n}\n"},
      {"#one\n", "8016@1\n{\n  \"//\": \"one\"\n}\n"},
      {"s \"x\" {\n}\ns \"y\" {\n}\ns \"x\" {\n}\n",
       "8016@5\n{\n  \"s\": {\n    \"x\": [\n      {},\n      {}\n    ],\n    \"y\": [\n      {}\n    ]\n  }\n}\n"},
      // Errors.
      {"a = 1\na {\n}\n", "6201@2\n"},
      {"a {\n}\na \"x\" {\n}\n", "6201@3\n"},
      {"a = \n", "1202@1\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Convert(true, c.native), c.json) << c.native;
}

TEST(Convert, WritesNative) {
  struct Case {
    const char* json;
    const char* native;
  };
  const Case kCases[] = {
      {"{}", ""},
      {R"({"a": -1.5e3, "bcd": [true, null, "x"]})", "a   = -1.5e3\nbcd = [true, null, \"x\"]\n"},
      {R"({"a": "${b + 1}", "c": "x${d}", "e": "$${f}"})", "a = b + 1\nc = \"x${d}\"\ne = \"$${f}\"\n"},
      {R"({"a": {"b": 1, "c d": {"for": 2}}})", "a = {\n  b = 1\n  \"c d\" = {\n    \"for\" = 2\n  }\n}\n"},
      {R"({"a": [{"b": 1}, [2]]})", "a = [\n  {\n    b = 1\n  },\n  [2]\n]\n"},
      {R"({"a": {"${b}": 1}})", "a = {\n  \"$${b}\" = 1\n}\n"},
      {R"({"//": "one\ntwo", "a": 1})", "# one\n# two\n\na = 1\n"},
      {R"({"//": ["one", 2, "\u001b"]})", "# one\n# 2\n# \\u001b\n"},
      {R"({"a": {"//": 1}})", "a = {\n  \"//\" = 1\n}\n"},
      {"{\n\"a b\": 1}", "6201@2\n"},
      {R"({"a": 1, "a": 2})", "5012@1\n"},
      {R"({"a": "${"})", "1201@1\n"},
      {R"([])", "2006@1\n"},
      {R"({"a")", "2011@1\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Convert(false, c.json), c.native) << c.json;
}

TEST(Convert, ShapeSaysWhatIsABlock) {
  constexpr std::string_view kJson =
      R"j({"service": {"web": {"//": "note", "port": 80, "check": [{"type": "list(string)"}, {}]}, "db": []},
          "other": {"x": 1}})j";
  EXPECT_EQ(Convert(false, kJson, WithShape()),
            "# note\n\nservice \"web\" {\n  port = 80\n\n  check {\n    type = list(string)\n  }\n\n  check {}\n}\n\n"
            "other = {\n  x = 1\n}\n");
  EXPECT_EQ(Convert(false, "{\"service\": {\"web\": {\n\"prot\": 80}}}", WithShape()), "5011@2\n");
  EXPECT_EQ(Convert(false, R"({"service": 1})", WithShape()), "5013@1\n");
  EXPECT_EQ(Convert(false, R"({"service": {"web": {"check": {"type": "list("}}}})", WithShape()), "1201@1\n");
}

TEST(Convert, StaticAttributesAreText) {
  const std::string native = "service \"web\" {\n  check {\n    type  = list(string)\n    names = [a, b]\n  }\n}\n";
  const std::string json = Convert(true, native, WithShape());
  EXPECT_NE(json.find("\"type\": \"list(string)\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"a\",\n"), std::string::npos) << json;
  EXPECT_EQ(Convert(false, json, WithShape()), native);
}

TEST(Convert, FollowsTheReferenceWhereAsked) {
  ConvertOptions options;
  options.rules = JsonRules::kReference;
  EXPECT_EQ(Convert(false, R"({"a": {"${b}": 1}})", options), "8016@1\na = {\n  \"${b}\" = 1\n}\n");
  EXPECT_EQ(Convert(true,
                    "\xEF\xBB\xBF"
                    "a = 1",
                    options),
            "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(Convert(true,
                    "\xEF\xBB\xBF"
                    "a = 1"),
            "1002@1\n");
}

// The text of the other syntax may be nested more deeply, or larger.
TEST(Convert, LimitsHoldForTheResult) {
  ConvertOptions options;
  options.limits.max_nesting_depth = 2;
  EXPECT_EQ(Convert(true, "a = [[x]]", options), "9004\n");
  options.limits.max_nesting_depth = 3;
  EXPECT_EQ(Convert(true, "a = [[1]]", options).substr(0, 2), "{\n");
  options.limits.max_source_bytes = 14;
  EXPECT_EQ(Convert(true, "a=[1,[2]]", options), "9002\n");
  options.limits.max_nesting_depth = 100;
  EXPECT_EQ(Convert(false, R"({"a":{"b":1}})", options), "9002\n");
}

// What stands in many brackets is not indented without a bound.
TEST(Convert, IndentationIsBounded) {
  std::string native = "a = ";
  std::string json = "{\"a\": ";
  for (int i = 0; i < 400; ++i) native += "[", json += "[";
  for (int i = 0; i < 1'000; ++i) native += "{},", json += "{\"b\": 1},";
  native += "{}";
  json += "{}";
  for (int i = 0; i < 400; ++i) native += "]", json += "]";
  EXPECT_LT(Convert(true, native).size(), 100'000);
  ConvertOptions options;
  options.limits.max_source_bytes = 400'000;
  EXPECT_EQ(Convert(false, json + "}", options), "9002\n");
  options.limits.max_source_bytes = 4'000'000;
  EXPECT_EQ(Convert(false, json + "}", options).substr(0, 5), "a = [");
}

}  // namespace
}  // namespace hcl
