#include "hclvm/hcl/static_analysis.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpExpr;
using internal::ToAbsl;
namespace {

struct Parsed {
  explicit Parsed(std::string text) : source("test", std::move(text)) {
    Diagnostics diagnostics;
    file = ParseExpression(source, {}, &diagnostics);
    view = ViewOf(*file->expr, source);
  }
  Source source;
  std::unique_ptr<ParsedFile> file;
  ExprView view;
};

std::string Dump(const ExprView& expr) { return DumpExpr(*NativeExpr(expr)); }

std::string Print(const StaticTraversal& traversal) {
  std::string out(traversal.root);
  for (const TraversalStep& step : traversal.steps) {
    const absl::string_view text = ToAbsl(step.text.view());
    switch (step.kind) {
      case TraversalStep::Kind::kAttribute:
        absl::StrAppend(&out, ".", text);
        break;
      case TraversalStep::Kind::kIndexString:
        absl::StrAppend(&out, "['", text, "']");
        break;
      default:
        absl::StrAppend(&out, "[", text, "]");
    }
  }
  return out;
}

std::string Print(const std::vector<StaticTraversal>& traversals) {
  std::string out;
  for (const StaticTraversal& traversal : traversals) {
    EXPECT_NE(traversal.source, nullptr);
    absl::StrAppend(&out, out.empty() ? "" : " ", Print(traversal));
  }
  return out;
}

TEST(StaticAnalysisTest, List) {
  const Parsed parsed("[1, a, f(x)]");
  const auto list = AsStaticList(parsed.view, nullptr);
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ(Dump((*list)[2]), "(call f (var x))");
  EXPECT_EQ(AsStaticList(Parsed("[]").view, nullptr)->size(), 0u);
}

TEST(StaticAnalysisTest, Map) {
  const Parsed parsed("{a = 1, (b) = 2, c.d = 3, [1] = 4}");
  const auto map = AsStaticMap(parsed.view, nullptr);
  ASSERT_TRUE(map.has_value());
  ASSERT_EQ(map->size(), 4u);
  EXPECT_EQ(AsKeyword((*map)[0].key), "a");
  EXPECT_EQ(AsKeyword((*map)[1].key), "");
  EXPECT_EQ(Print(*AsStaticTraversal((*map)[2].key, nullptr)), "c.d");
  EXPECT_EQ(Dump((*map)[3].key), "(tuple 1)");
  EXPECT_EQ(Dump((*map)[3].value), "4");
}

TEST(StaticAnalysisTest, Call) {
  const Parsed parsed("a::b(1, c...)");
  const auto call = AsStaticCall(parsed.view, nullptr);
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->name, "a::b");
  EXPECT_EQ(parsed.source.Slice(call->name_range), "a::b");
  EXPECT_EQ(parsed.source.Slice(call->arguments_range), "(1, c...)");
  EXPECT_EQ(call->arguments.size(), 2u);
  EXPECT_TRUE(call->expand_last);
}

TEST(StaticAnalysisTest, Traversals) {
  const struct {
    const char* text;
    const char* absolute;  // null: none
  } cases[] = {
      {"a", "a"},
      {"a.b[\"c\"][0].1", "a.b['c'][0][1]"},
      {"true", "true"},
      {"false.x", "false.x"},
      {"null[\"y\"]", "null['y']"},
      {"1", nullptr},
      {"1.a", nullptr},
      {"(a)", nullptr},
      {"(a).b", nullptr},
      {"a[b]", nullptr},
      {"a[b].c", nullptr},
      {"a[*].b", nullptr},
      {"f(a)", nullptr},
      {"\"${a}\"", nullptr},
      {"a + 1", nullptr},
  };
  for (const auto& test : cases) {
    const Parsed parsed(test.text);
    Diagnostics diagnostics;
    const auto traversal = AsStaticTraversal(parsed.view, &diagnostics);
    EXPECT_EQ(traversal.has_value(), diagnostics.empty()) << test.text;
    if (test.absolute == nullptr) {
      EXPECT_FALSE(traversal.has_value()) << test.text;
      EXPECT_EQ(diagnostics.kept()[0].summary, "Invalid expression");
      EXPECT_FALSE(AsRelativeTraversal(parsed.view, nullptr).has_value());
      continue;
    }
    ASSERT_TRUE(traversal.has_value()) << test.text;
    EXPECT_EQ(Print(*traversal), test.absolute);
    EXPECT_EQ(parsed.source.Slice(traversal->range), test.text);
    EXPECT_EQ(parsed.source.Slice(traversal->root_range), traversal->root);
    const auto relative = AsRelativeTraversal(parsed.view, nullptr);
    EXPECT_TRUE(relative->is_relative());
    EXPECT_EQ(Print(*relative), "." + std::string(test.absolute));
  }
}

TEST(StaticAnalysisTest, Keyword) {
  EXPECT_EQ(AsKeyword(Parsed("string").view), "string");
  EXPECT_EQ(AsKeyword(Parsed("null").view), "null");
  EXPECT_EQ(AsKeyword(Parsed("true").view), "true");
  for (const char* text : {"a.b", "1", "\"a\"", "(a)", "f()", "!a"}) EXPECT_EQ(AsKeyword(Parsed(text).view), "");
}

TEST(StaticAnalysisTest, WhatIsRequiredAndWhatIsThere) {
  const struct {
    const char* text;
    const char* is;
  } cases[] = {
      {"1", "a number"},
      {"true", "a bool"},
      {"null", "null"},
      {"a", "a reference"},
      {"a.b", "a reference"},
      {"a[b]", "an index that is calculated"},
      {"a[*]", "a splat expression"},
      {"{}", "an object in braces"},
      {"[for v in a : v]", "a 'for' expression"},
      {"-a", "an operation"},
      {"a + 1", "an operation"},
      {"a ? b : c", "a conditional"},
      {"(a)", "an expression in parentheses"},
      {"\"a\"", "a string"},
      {"\"${a}\"", "a template"},
      {"f()", "a function call"},
      {"@", "no valid expression"},
  };
  for (const auto& test : cases) {
    const Parsed parsed(test.text);
    Diagnostics diagnostics;
    EXPECT_FALSE(AsStaticList(parsed.view, &diagnostics).has_value());
    ASSERT_EQ(diagnostics.count(), 1u);
    EXPECT_EQ(diagnostics.kept()[0].detail,
              absl::StrCat("A static list expression, written out in brackets, is required here, but this is ", test.is,
                           "."));
    EXPECT_EQ(diagnostics.kept()[0].subject, parsed.file->expr->range);
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(AsStaticMap(Parsed("[]").view, &diagnostics).has_value());
  EXPECT_FALSE(AsStaticCall(Parsed("[]").view, &diagnostics).has_value());
  ASSERT_EQ(diagnostics.count(), 2u);
  EXPECT_EQ(diagnostics.kept()[0].detail,
            "A static map expression, written out in braces, is required here, but this is a list in brackets.");
  EXPECT_EQ(diagnostics.kept()[1].detail, "A static function call is required here, but this is a list in brackets.");
}

TEST(StaticAnalysisTest, Variables) {
  const struct {
    const char* text;
    const char* variables;
  } cases[] = {
      {"1", ""},
      {"true", ""},
      {"a", "a"},
      {"a.b[0][\"c\"]", "a.b[0]['c']"},
      {"a.b[c.d].e", "a.b c.d"},
      {"(a).b", "a"},
      {"a + a", "a a"},
      {"a ? b : c", "a b c"},
      {"f(a, [b, {c = d, (e) = f, g.h = i}])", "a b d e f g.h i"},
      {"\"x ${a} %{ if b }${c}%{ else }${d}%{ endif }\"", "a b c d"},
      {"a.b[*].c[d]", "a.b d"},
      {"a.*.b", "a"},
      {"-!a", "a"},
      {"true.b", ""},
      // A loop's variables are its own, but its collection is outside.
      {"[for v in v : v.x]", "v"},
      {"[for k, v in a : k + v + w if k != u]", "a w u"},
      {"{for k, v in a : k => [for k in v.b : x[k]]...}", "a x"},
      {"[for v in a : [for w in v : v + w + u]] + w", "a u w"},
      {"\"%{ for k, v in a }${k}${v}${w}%{ endfor }${v}\"", "a w v"},
      {"[for k, v in a : v][k]", "a k"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Print(Variables(Parsed(test.text).view)), test.variables) << test.text;
  }
}

TEST(StaticAnalysisTest, LongChains) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += " + a";
  EXPECT_EQ(Variables(Parsed(text).view).size(), 100'001u);
}

TEST(StaticAnalysisTest, VariablesOfBodies) {
  const Source source("test", "y = b\nx = a\ns \"l\" {\n  p = c\n  q = d\n  t { r = e }\n}\nu { v = f }\n");
  Diagnostics diagnostics;
  const auto file = ParseConfig(source, {}, &diagnostics);
  EXPECT_EQ(Print(Variables(*file->body, source)), "b a c d e f");

  SchemaTree tree, inner;
  ASSERT_TRUE(inner.schema.AddAttribute("p").ok());
  ASSERT_TRUE(inner.schema.AddBlock("t").ok());
  ASSERT_TRUE(tree.schema.AddAttribute("x").ok());
  ASSERT_TRUE(tree.schema.AddAttribute("y").ok());
  ASSERT_TRUE(tree.schema.AddAttribute("missing", true).ok());
  ASSERT_TRUE(tree.schema.AddBlock("s", {"name"}).ok());
  ASSERT_TRUE(tree.schema.AddBlock("u", {"name"}).ok());  // does not fit
  tree.blocks = {inner};
  EXPECT_EQ(Print(Variables(*ViewOf(*file->body, source), tree)), "a b c");
}

}  // namespace
}  // namespace hcl
