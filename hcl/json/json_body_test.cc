// JSON bodies opened with schemas.

#include "hclvm/hcl/json/json_body.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/merged_body.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/static_analysis.h"

namespace hcl {

using internal::ToAbsl;
namespace {

struct File {
  explicit File(std::string text, JsonRules rules = JsonRules::kSpec) : source("test", std::move(text)) {
    JsonOptions options;
    options.rules = rules;
    file = ParseJson(source, options, &errors);
    view = ViewOf(*file);
  }
  Source source;
  Diagnostics errors;
  std::unique_ptr<JsonFile> file;
  BodyViewPtr view;
};

// "x" an attribute, "x!" a required one, "b{}" a block, "b{name,other}" one with labels.
BodySchema Schema(const std::vector<std::string>& items) {
  BodySchema schema;
  for (const std::string& item : items) {
    const size_t brace = item.find('{');
    if (brace == std::string::npos) {
      const bool required = item.back() == '!';
      EXPECT_TRUE(schema.AddAttribute(item.substr(0, item.size() - (required ? 1 : 0)), required).ok());
      continue;
    }
    std::vector<std::string> labels;
    for (size_t begin = brace + 1; begin + 1 < item.size();) {
      const size_t end = item.find_first_of(",}", begin);
      labels.push_back(item.substr(begin, end - begin));
      begin = end + 1;
    }
    EXPECT_TRUE(schema.AddBlock(item.substr(0, brace), labels).ok());
  }
  return schema;
}

std::string Print(const AttributeMap& attributes) {
  std::string out;
  for (const AttributeView& attribute : attributes) {
    absl::StrAppend(&out, ToAbsl(attribute.name), "=", ToAbsl(attribute.expr.source()->Slice(attribute.expr.range())),
                    " ");
  }
  return out;
}

std::string Print(const BodyContent& content) {
  std::string out = Print(content.attributes);
  for (const BlockView& block : content.blocks) {
    absl::StrAppend(&out, ToAbsl(block.type), "(");
    for (const BlockLabel& label : block.labels) absl::StrAppend(&out, ToAbsl(label.text), " ");
    Diagnostics ignored;
    absl::StrAppend(&out, "){ ", Print(block.body->JustAttributes(&ignored)), "} ");
  }
  return out;
}

std::string Print(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    EXPECT_NE(diagnostic.source, nullptr);
    absl::StrAppend(&out, "\n", diagnostic.subject->begin, "-", diagnostic.subject->end, " ", diagnostic.summary, ": ",
                    diagnostic.detail);
  }
  return out;
}

// The content, and a line for each message.
std::string Open(const std::string& text, const std::vector<std::string>& schema, JsonRules rules = JsonRules::kSpec) {
  const File file(text, rules);
  EXPECT_TRUE(file.errors.empty()) << text;
  Diagnostics diagnostics;
  const std::string content = Print(file.view->Content(Schema(schema), &diagnostics));
  return content + Print(diagnostics);
}

TEST(JsonBody, Attributes) {
  EXPECT_EQ(Open(R"({"b": [1], "a": "${x}", "//": 1})", {"a", "b!", "c"}), "a=\"${x}\" b=[1] ");
  EXPECT_EQ(Open(R"({"//": {}, "//": 1})", {"a!"}),
            "\n18-19 Missing required argument: The argument \"a\" is required here, but it is not set.");
  EXPECT_EQ(Open("{\"a\": 1,\n\"a\": 2}", {"a"}),
            "a=1 \n9-12 Duplicate argument: The argument \"a\" is set already, on line 1.");
  EXPECT_EQ(
      Open(R"({"nmae": 1, "zzz": 2})", {"name", "b{}"}),
      "\n1-7 Extraneous JSON object property: Neither an argument nor a block type is named \"nmae\" here. Did you "
      "mean \"name\"?\n12-17 Extraneous JSON object property: Neither an argument nor a block type is named \"zzz\" "
      "here.");
}

TEST(JsonBody, BlocksWithoutLabels) {
  EXPECT_EQ(Open(R"({"b": {"x": 1}})", {"b{}"}), "b(){ x=1 } ");
  EXPECT_EQ(Open(R"({"b": [{"x": 1}, {"x": 2}]})", {"b{}"}), "b(){ x=1 } b(){ x=2 } ");
  EXPECT_EQ(Open(R"({"b": []})", {"b{}"}), "");
  EXPECT_EQ(Open(R"({"b": null})", {"b{}"}), "");
  EXPECT_EQ(Open(R"({"b": {"x": 1}, "a": 0, "b": {"x": 2}})", {"a", "b{}"}), "a=0 b(){ x=1 } b(){ x=2 } ");
  EXPECT_EQ(
      Open(R"({"b": 1})", {"b{}"}),
      "\n6-7 Incorrect JSON value type: \"b\" is a block type here, not an argument: either an object is required, "
      "the body of one block, or an array of objects, the bodies of several.");
}

TEST(JsonBody, BlocksWithLabels) {
  EXPECT_EQ(Open(R"({"b": {"k": {"x": 1}, "//": [{"x": 2}, {}]}})", {"b{key}"}),
            "b(k ){ x=1 } b(// ){ x=2 } b(// ){ } ");
  EXPECT_EQ(Open(R"({"b": {"k": {"l": {"x": 1}, "m": [{}]}, "n": {"o": {}}}})", {"b{key,name}"}),
            "b(k l ){ x=1 } b(k m ){ } b(n o ){ } ");
  EXPECT_EQ(
      Open(R"({"b": {}})", {"b{key}"}),
      "\n6-7 Missing block label: At least one property is required here, whose name is the key of a \"b\" block.");
  EXPECT_EQ(
      Open(R"({"b": {"k": 1, "l": {}}})", {"b{key,name}"}),
      "\n12-13 Incorrect JSON value type: An object is required here, whose property names are the name labels of "
      "\"b\" blocks.\n20-21 Missing block label: At least one property is required here, whose name is the name of "
      "a \"b\" block.");
}

TEST(JsonBody, ArraysAtTheLevelOfLabels) {
  const std::string text = R"({"b": [{"k": {"x": 1}}, {"l": {"x": 2}}]})";
  EXPECT_EQ(Open(text, {"b{key}"}, JsonRules::kReference), "b(k ){ x=1 } b(l ){ x=2 } ");
  EXPECT_EQ(
      Open(text, {"b{key}"}),
      "\n6-7 Incorrect JSON value type: An object is required here, whose property names are the key labels of \"b\" "
      "blocks. An array may only stand around the bodies of several blocks, behind the last label.");
  EXPECT_EQ(
      Open(R"({"b": [1, {"k": {}}]})", {"b{key}"}, JsonRules::kReference),
      "b(k ){ } \n7-8 Incorrect JSON value type: An object is required here, whose property names are the key labels "
      "of \"b\" blocks.");
}

TEST(JsonBody, ArraysAroundABody) {
  EXPECT_EQ(Open(R"([{"a": 1}, {"b": 2}, {"a": 3}])", {"a", "b"}, JsonRules::kReference),
            "a=1 b=2 \n22-25 Duplicate argument: The argument \"a\" is set already, on line 1.");
  EXPECT_EQ(Open(R"([{"a": 1}, 2])", {"a"}, JsonRules::kReference),
            "a=1 \n11-12 Incorrect JSON value type: An object is required here, to set arguments and define blocks.");
}

TEST(JsonBody, CommentsAreTheSchemasAffairInTheReference) {
  EXPECT_EQ(Open(R"({"//": 1})", {"//"}), "");
  EXPECT_EQ(Open(R"({"//": 1})", {"//"}, JsonRules::kReference), "//=1 ");
  EXPECT_EQ(Open(R"({"//": 1})", {}, JsonRules::kReference), "");
}

TEST(JsonBody, ABodyThatIsNoneIsReportedWhenItIsOpened) {
  const File file(R"({"b": [1, {"c": []}]})");
  Diagnostics diagnostics;
  const BodyContent content = file.view->Content(Schema({"b{}"}), &diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(content.blocks.size(), 2u);
  content.blocks[0].body->Content(Schema({}), &diagnostics);
  EXPECT_EQ(Print(diagnostics),
            "\n7-8 Incorrect JSON value type: An object is required here, to set arguments and define blocks.");
  diagnostics.Clear();
  content.blocks[0].body->JustAttributes(&diagnostics);
  EXPECT_EQ(Print(diagnostics),
            "\n7-8 Incorrect JSON value type: An object is required here, whose properties set the "
            "arguments.");
}

TEST(JsonBody, PartialContent) {
  const File file(R"({"a": 1, "b": {}, "c": 2, "b": 3, "d": 4, "//": 5})");
  Diagnostics diagnostics;
  const PartialBodyContent part = file.view->PartialContent(Schema({"a", "x", "b{}"}), &diagnostics);
  EXPECT_EQ(Print(part.content), "a=1 b(){ } ");
  EXPECT_EQ(diagnostics.count(), 1u);
  diagnostics.Clear();
  const PartialBodyContent rest = part.remaining->PartialContent(Schema({"a", "c", "x"}), &diagnostics);
  EXPECT_EQ(Print(rest.content), "c=2 ");
  EXPECT_EQ(Print(rest.remaining->JustAttributes(&diagnostics)), "d=4 ");
  EXPECT_EQ(Print(rest.remaining->Content(Schema({"d", "a"}), &diagnostics)), "d=4 ");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(JsonBody, JustAttributes) {
  const File file("{\"a\": 1, \"//\": 2, \"b\": {},\n\"a\": 3}");
  Diagnostics diagnostics;
  EXPECT_EQ(Print(file.view->JustAttributes(&diagnostics)), "a=1 b={} ");
  EXPECT_EQ(Print(diagnostics),
            "\n27-30 Duplicate attribute definition: The argument \"a\" is set already, on line 1.");
}

TEST(JsonBody, Ranges) {
  const File file(R"({"b": {"k": {"x": 1}}, "a": 2})");
  EXPECT_EQ(file.view->MissingItemRange(), (SourceRange{29, 30}));
  Diagnostics diagnostics;
  const BodyContent content = file.view->Content(Schema({"a", "b{key}"}), &diagnostics);
  const BlockView& block = content.blocks[0];
  EXPECT_EQ(block.type_range, (SourceRange{1, 4}));
  EXPECT_EQ(block.labels[0].range, (SourceRange{7, 10}));
  EXPECT_EQ(block.header, (SourceRange{12, 13}));
  EXPECT_EQ(block.range, (SourceRange{12, 20}));
  const AttributeView& attribute = *content.attributes.Find("a");
  EXPECT_EQ(attribute.name_range, (SourceRange{23, 26}));
  EXPECT_EQ(attribute.range, (SourceRange{23, 29}));
}

TEST(JsonBody, WhatTheParserHasReportedIsNotReportedAgain) {
  for (const char* text : {"1", "tru", "[", "{\"a\": tru}"}) {
    const File file(text);
    EXPECT_FALSE(file.errors.empty());
    Diagnostics diagnostics;
    file.view->Content(Schema({"a"}), &diagnostics);
    file.view->Content(Schema({"a{}"}), &diagnostics);
    file.view->JustAttributes(&diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << text << Print(diagnostics);
  }
}

TEST(JsonBody, MergesWithNativeBodies) {
  const Source source("native", "a = x\nb \"k\" {\n  x = 1\n}\n");
  Diagnostics diagnostics;
  const auto native = ParseConfig(source, {}, &diagnostics);
  const File json(R"({"c": "${y.z}", "b": {"l": {"x": "${z}"}}})");
  const BodyViewPtr merged = MergeBodies({ViewOf(*native->body, source), json.view});
  EXPECT_EQ(Print(merged->Content(Schema({"a", "c", "b{key}"}), &diagnostics)),
            "a=x c=\"${y.z}\" b(k ){ x=1 } b(l ){ x=\"${z}\" } ");
  EXPECT_TRUE(diagnostics.empty());
  SchemaTree schema{Schema({"a", "c", "b{key}"}), {SchemaTree{Schema({"x"}), {}}}};
  std::string names;
  for (const StaticTraversal& variable : Variables(*merged, schema))
    absl::StrAppend(&names, ToAbsl(variable.root), " ");
  EXPECT_EQ(names, "x y z ");
}

TEST(JsonBody, ExpressionsOfBothSyntaxesBecomeNativeOnes) {
  const Source source("native", "a = x\n");
  Diagnostics diagnostics;
  const auto native = ParseConfig(source, {}, &diagnostics);
  const File json(R"({"a": "${y}", "b": "${"})");
  Arena arena;
  const ExprView from_native = ViewOf(*native->body, source)->JustAttributes(&diagnostics).Find("a")->expr;
  EXPECT_EQ(ToNativeExpr(from_native, EvaluationMode::kFull, &arena, &diagnostics), native->body->attributes[0].expr);
  const AttributeMap attributes = json.view->JustAttributes(&diagnostics);
  const Expr* expr = ToNativeExpr(attributes.Find("a")->expr, EvaluationMode::kFull, &arena, &diagnostics);
  EXPECT_EQ(expr->kind, ExprKind::kTemplateWrap);
  EXPECT_TRUE(diagnostics.empty());
  ToNativeExpr(attributes.Find("b")->expr, EvaluationMode::kFull, &arena, &diagnostics);
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.kept()[0].source, &json.source);
}

}  // namespace
}  // namespace hcl
