// Print, also as a property: printing a tree and parsing the text gives the same tree, for random trees and for the
// sources of the conformance cases, whose files are the arguments.

#include "hclvm/hcl/print.h"

#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/ast_generator.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"
#include "simdjson.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
namespace {

using Parse = std::unique_ptr<ParsedFile> (*)(const Source&, const ParseOptions&, Diagnostics*);

std::vector<std::string>* case_files = new std::vector<std::string>;

std::string Dump(const ParsedFile& file) { return file.body != nullptr ? DumpBody(*file.body) : DumpExpr(*file.expr); }

std::string Print(Parse parse, const ParsedFile& file) {
  if (file.body != nullptr) return PrintBody(*file.body);
  return parse == ParseTemplate ? PrintTemplate(*file.expr) : PrintExpr(*file.expr);
}

// Dump of what `text` parses to, or the errors.
std::string Reparsed(Parse parse, std::string_view text) {
  const Source source("printed", std::string(text));
  Diagnostics diagnostics;
  const auto file = parse(source, {}, &diagnostics);
  return diagnostics.empty() ? Dump(*file) : ToText(diagnostics, &source);
}

TEST(PrintTest, Expressions) {
  const struct {
    const char* text;
    const char* want;
  } cases[] = {
      {"1.50e+3", "1.50e+3"},
      {"a+b*c", "a + b * c"},
      {"(a+b)*c", "(a + b) * c"},
      {"a -(b -c) -d", "a - (b - c) - d"},
      {"! a&&-b", "!a && -b"},
      {"a?b:c?d:e", "a ? b : c ? d : e"},
      {"a . b [ 0 ] [\"x\"] .1 .e5", "a.b[0][\"x\"].1 .e5"},
      {"a.0 .1", "a.0 .1"},
      {"1 .e5", "1 .e5"},
      {"a[*].b.*.c[d][0]", "a[*].b.*.c[d][0]"},
      {"f ( 1,\n2 ... )", "f(1, 2...)"},
      {"a :: b()", "a::b()"},
      {"[1,2,]", "[1, 2]"},
      {"{a:1,\"b\":{(c)=2}}", "{ a = 1, \"b\" = { (c) = 2 } }"},
      {"{}", "{}"},
      {"[for k,v in m:v if k]", "[for k, v in m : v if k]"},
      {"{for v in m:v=>1...}", "{for v in m : v => 1...}"},
      {"\"a${b}$${c}\\n\\\"%{if d}e%{else}%{endif}\"", "\"a${b}$${c}\\n\\\"%{ if d }e%{ else }%{ endif }\""},
      {"\"${a}\"", "\"${a}\""},
      {"\" ${~a}\"", "\" ${~ a}\""},
      {"\"$\\u0024${a}\"", "\"$\\u0024${a}\""},
      {"<<E\nx \"y\"\n${a}\nE\n", "\"x \\\"y\\\"\\n${a}\\n\""},
  };
  for (const auto& test : cases) {
    const Source source("test", test.text);
    Diagnostics diagnostics;
    const auto file = ParseExpression(source, {}, &diagnostics);
    ASSERT_TRUE(diagnostics.empty()) << ToText(diagnostics, &source);
    EXPECT_EQ(PrintExpr(*file->expr), test.want) << test.text;
  }
}

TEST(PrintTest, Body) {
  const Source source(
      "test", "a=1\nb x \"y z\" {\nc={d=[{e=1}],\nf={}, g={h=2}}\n}\ni = <<E\nj\nE\nk{}\nl{m=1}\nn=2 # comment\n");
  Diagnostics diagnostics;
  EXPECT_EQ(
      PrintBody(*ParseConfig(source, {}, &diagnostics)->body),
      "a = 1\n\nb \"x\" \"y z\" {\n  c = {\n    d = [\n      {\n        e = 1\n      }\n    ]\n    f = {}\n    g = {\n"
      "      h = 2\n    }\n  }\n}\n"
      "\ni = \"j\\n\"\n\nk {}\n\nl {\n  m = 1\n}\n\nn = 2\n");
}

// Trees that no parse gives keep their meaning.
TEST(PrintTest, ParenthesesWhereTheTreeNeedsThem) {
  Arena arena;
  const SourceRange none;
  const Expr* a = arena.New<VariableExpr>(none, "a");
  const Expr* sum = arena.New<BinaryExpr>(none, BinaryOp::kAdd, a, a);
  EXPECT_EQ(PrintExpr(*arena.New<BinaryExpr>(none, BinaryOp::kMultiply, sum, sum)), "(a + a) * (a + a)");
  EXPECT_EQ(PrintExpr(*arena.New<BinaryExpr>(none, BinaryOp::kSubtract, sum, sum)), "a + a - (a + a)");
  EXPECT_EQ(PrintExpr(*arena.New<UnaryExpr>(none, UnaryOp::kNot, sum)), "!(a + a)");
  EXPECT_EQ(PrintExpr(*arena.New<IndexExpr>(none, sum, a, none)), "(a + a)[a]");
  const Expr* loop_name = arena.New<VariableExpr>(none, "for");
  EXPECT_EQ(PrintExpr(*arena.New<TupleExpr>(none, absl::Span<const Expr* const>(&loop_name, 1))), "[(for)]");
  const Expr* loop_call = arena.New<CallExpr>(none, "for", none, absl::Span<const Expr* const>(), false, none, none);
  EXPECT_EQ(PrintExpr(*arena.New<TupleExpr>(none, absl::Span<const Expr* const>(&loop_call, 1))), "[(for())]");
  const Expr* item = arena.New<SplatItemExpr>(none);
  const Expr* splat = arena.New<SplatExpr>(none, a, item, none, true);
  EXPECT_EQ(PrintExpr(*arena.New<IndexExpr>(none, splat, a, none)), "(a[*])[a]");
}

// What is printed of a tree with errors has errors as well, wherever they were.
TEST(PrintTest, BrokenTrees) {
  for (const char* text : {"${}", "${", "a${}b", "%{ if a }", "%{ if }b%{ endif }", "%{ endif }",
                           "%{ for v in }%{ endfor }", "${\"${}\"}", "%{ if a }${}%{ endif }", "%{ else }"}) {
    for (const Parse parse : {ParseTemplate, ParseExpression, ParseConfig}) {
      const std::string whole = parse == ParseTemplate     ? text
                                : parse == ParseExpression ? "\"" + std::string(text) + "\""
                                                           : "a = \"" + std::string(text) + "\"\n";
      const Source source("test", whole);
      Diagnostics diagnostics;
      const auto file = parse(source, {}, &diagnostics);
      ASSERT_TRUE(diagnostics.has_errors()) << whole;
      const Source printed("printed", Print(parse, *file));
      diagnostics.Clear();
      parse(printed, {}, &diagnostics);
      EXPECT_TRUE(diagnostics.has_errors()) << whole << "\n" << printed.text();
    }
  }
}

TEST(PrintTest, LongLeftSpines) {
  for (const char* link : {" + a", ".a", "[b]", "[b].c", " && a"}) {
    std::string text = "a";
    for (int i = 0; i < 100'000; ++i) text += link;
    const Source source("test", text);
    Diagnostics diagnostics;
    EXPECT_EQ(PrintExpr(*ParseExpression(source, {}, &diagnostics)->expr), text);
  }
}

TEST(PrintPropertyTest, RandomTrees) {
  for (uint32_t seed = 0; seed < 20'000; ++seed) {
    Arena arena;
    internal::AstGenerator generator(seed, &arena);
    const Expr* expr = generator.Expression(5);
    ASSERT_EQ(Reparsed(ParseExpression, PrintExpr(*expr)), DumpExpr(*expr)) << PrintExpr(*expr);
    const Expr* standalone = generator.Template(4);
    ASSERT_EQ(Reparsed(ParseTemplate, PrintTemplate(*standalone)), DumpExpr(*standalone)) << PrintTemplate(*standalone);
    const Body* body = generator.GenerateBody(2);
    ASSERT_EQ(Reparsed(ParseConfig, PrintBody(*body)), DumpBody(*body)) << PrintBody(*body);
  }
}

TEST(PrintPropertyTest, ConformanceCases) {
  ASSERT_FALSE(case_files->empty());
  int count = 0;
  simdjson::ondemand::parser parser;
  for (const std::string& path : *case_files) {
    std::ifstream lines(path);
    ASSERT_TRUE(lines) << path;
    for (std::string line; std::getline(lines, line);) {
      const simdjson::padded_string padded(line);
      simdjson::ondemand::document test;
      ASSERT_FALSE(parser.iterate(padded).get(test)) << path;
      std::string_view kind, text;
      if (test["kind"].get(kind) || test["source"].get(text)) continue;
      const Parse parse = kind == "expr"        ? ParseExpression
                          : kind == "template"  ? ParseTemplate
                          : kind == "body"      ? ParseConfig
                          : kind == "traversal" ? ParseTraversal
                                                : nullptr;
      if (parse == nullptr) continue;
      const Source source("case", std::string(text));
      Diagnostics diagnostics;
      const auto file = parse(source, {}, &diagnostics);
      if (!diagnostics.empty()) continue;
      ++count;
      const std::string printed = Print(parse, *file);
      EXPECT_EQ(Reparsed(parse, printed), Dump(*file)) << text << "\n" << printed;
    }
  }
  std::cout << count << " sources\n";
  EXPECT_GT(count, 2000);
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hcl::case_files->assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}
