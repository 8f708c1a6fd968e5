#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpExpr;
using internal::DumpOptions;
namespace {

struct Case {
  const char* text;
  const char* want;
};

std::string Result(const Expr& expr, const Diagnostics& diagnostics, bool ranges = false) {
  DumpOptions options;
  options.ranges = ranges;
  std::string dump = DumpExpr(expr, options);
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    dump += " !" + std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " " +
            diagnostic.summary;
  }
  return dump;
}

std::string ParseExpr(const std::string& text, bool ranges = false, bool strip_one_line = false) {
  const Source source("test", text);
  Diagnostics diagnostics;
  ParseOptions options;
  options.strip_one_line = strip_one_line;
  const auto file = ParseExpression(source, options, &diagnostics);
  return Result(*file->expr, diagnostics, ranges);
}

std::string ParseStandalone(const std::string& text) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const auto file = ParseTemplate(source, {}, &diagnostics);
  return Result(*file->expr, diagnostics);
}

TEST(TemplateParserTest, Quoted) {
  const Case cases[] = {
      {"\"a${b}c\"", "(template \"a\" (var b) \"c\")"},
      {"\"${b}\"", "(wrap (var b))"},
      {"\"${b}${c}\"", "(template (var b) (var c))"},
      {"\"$${b} %%{c} \\n\"", "(template \"${b} %{c} \\n\")"},
      {"\"${\"${b}\"}\"", "(wrap (wrap (var b)))"},
      {"\"${{a = 1}.a}\"", "(wrap (traverse (object (a 1)) .a))"},
      {"\"${\nb\n}\"", "(wrap (var b))"},
      {"\" ${~ b} \"", "(template (var b) \" \")"},
      {"\" ${b ~} \"", "(template \" \" (var b))"},
      {"\"a  ${~ b ~}  c\"", "(template \"a\" (var b) \"c\")"},
      {"\"a\u00a0\u3000${~ b}\"", "(template \"a\" (var b))"},
      {"\"a ${b ~}${c} d\"", "(template \"a \" (var b) (var c) \" d\")"},
      {"\"\\n ${~ b}\"", "(template (var b))"},
      {"\"%{ if a }x%{ endif }\"", "(template (%if (var a) (template \"x\")))"},
      {"\"%{ if a }x%{ else }%{ endif }\"", "(template (%if (var a) (template \"x\") (template)))"},
      {"\"%{ if a ~} x %{~ else ~} y %{~ endif }\"", "(template (%if (var a) (template \"x\") (template \"y\")))"},
      {"\"%{ for v in a }${v},%{ endfor }\"", "(template (%for v (var a) (template (var v) \",\")))"},
      {"\"%{ for k, v in a }%{ if k }${v}%{ endif }%{ endfor }z\"",
       "(template (%for k,v (var a) (template (%if (var k) (template (var v))))) \"z\")"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseExpr(test.text), test.want) << test.text;
}

TEST(TemplateParserTest, Heredocs) {
  const Case cases[] = {
      {"<<E\nE\n", "(template)"},
      {"<<E\na\n b\nE\n", "(template \"a\\n b\\n\")"},
      {"<<E\n${a}\nE\n", "(template (var a) \"\\n\")"},
      {"<<E\na\\n\"$${b}\r\nE\n", "(template \"a\\\\n\\\"${b}\\r\\n\")"},
      {"<<E\n  a\n  E\n", "(template \"  a\\n\")"},
      {"<<E\nE x\nxE\n E \nE\n", "(template \"E x\\nxE\\n\") !15-16 Extra characters after expression"},
      {"<<-E\n  a\n    b\n  E\n", "(template \"a\\n  b\\n\")"},
      {"<<-E\n  a\n\n   \n  b\nE\n", "(template \"a\\n\\n   \\nb\\n\")"},
      {"<<-E\n\ta\n\t\tb\nE\n", "(template \"a\\n\\tb\\n\")"},
      {"<<-E\n  a\n${b}\nE\n", "(template \"  a\\n\" (var b) \"\\n\")"},
      {"<<-E\n  a ${b}\n    c\nE\n", "(template \"a \" (var b) \"\\n  c\\n\")"},
      {"<<-E\n  ${b}\n    c\nE\n", "(template (var b) \"\\n  c\\n\")"},
      {"<<E\na\rb\nE\n", "(template \"a\\rb\\n\")"},
      {"[<<E\na\nE\n, <<-E\n b\nE\n]", "(tuple (template \"a\\n\") (template \"b\\n\"))"},
      {"\"${<<E\na\nE\n}\"", "(wrap (template \"a\\n\"))"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseExpr(test.text), test.want) << test.text;
}

// White space beside a marker goes, over lines; indentation is that of the lines as they are written. The reference
// looks at one line, and at indentation afterwards.
TEST(TemplateParserTest, StripMarkersInHeredocs) {
  struct {
    const char* text;
    const char* want;
    const char* want_of_reference;
  } const cases[] = {
      {"<<-E\n  %{ if a ~}\n    b\n  %{ endif ~}\n  E\n", "(template (%if (var a) (template \"b\\n\")))",
       "(template (%if (var a) (template \"    b\\n\")))"},
      {"<<E\n%{ if a ~}\n  b\n%{ endif ~}\nE\n", "(template (%if (var a) (template \"b\\n\")))",
       "(template (%if (var a) (template \"  b\\n\")))"},
      {"<<E\nx ${a ~}\n\n \t\n   y\n z\nE\n", "(template \"x \" (var a) \"y\\n z\\n\")",
       "(template \"x \" (var a) \"\\n \\t\\n   y\\n z\\n\")"},
      {"<<E\nx\n\n  ${~ a }\nE\n", "(template \"x\" (var a) \"\\n\")", "(template \"x\\n\\n\" (var a) \"\\n\")"},
      {"<<E\n\n  ${~ a ~}\n\nE\n", "(template (var a))", "(template \"\\n\" (var a) \"\\n\")"},
      {"<<E\n ${a ~}\n ${~ b}\nE\n", "(template \" \" (var a) (var b) \"\\n\")",
       "(template \" \" (var a) (var b) \"\\n\")"},
      {"<<E\n${a ~}\n\n${~ b}\nE\n", "(template (var a) (var b) \"\\n\")", "(template (var a) (var b) \"\\n\")"},
      {"<<E\n${a ~}\n\n\n${~ b}\nE\n", "(template (var a) (var b) \"\\n\")",
       "(template (var a) \"\\n\" (var b) \"\\n\")"},
      {"<<E\n${a ~}\u2003\u2028\n\u00a0y\nE\n", "(template (var a) \"y\\n\")", "(template (var a) \"\u00a0y\\n\")"},
      {"<<-E\n    a\n      ${~ b }\n    c\n  E\n", "(template \"a\" (var b) \"\\nc\\n\")",
       "(template \"    a\\n\" (var b) \"\\n    c\\n\")"},
      {"<<-E\n  a ${b ~}\n    c\n  E\n", "(template \"a \" (var b) \"c\\n\")",
       "(template \"a \" (var b) \"    c\\n\")"},
      {"<<-E\n  a\n  ${b ~}\n  c\n  E\n", "(template \"a\\n\" (var b) \"c\\n\")",
       "(template \"a\\n\" (var b) \"  c\\n\")"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(ParseExpr(test.text), test.want) << test.text;
    EXPECT_EQ(ParseExpr(test.text, false, /*strip_one_line=*/true), test.want_of_reference) << test.text;
  }
}

TEST(TemplateParserTest, Standalone) {
  const Case cases[] = {
      {"", "(template)"},
      {"a", "(template \"a\")"},
      {"a\n\"b\" \\n", "(template \"a\\n\\\"b\\\" \\\\n\")"},
      {"${a}", "(wrap (var a))"},
      {"${a}\n", "(template (var a) \"\\n\")"},
      {"a ${~ b ~} \n c", "(template \"a\" (var b) \"c\")"},
      {"$${a}%%{b}", "(template \"${a}%{b}\")"},
      {"$", "(template \"$\")"},
      {"%{ if a }b%{ endif }", "(template (%if (var a) (template \"b\")))"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseStandalone(test.text), test.want) << test.text;
}

TEST(TemplateParserTest, Ranges) {
  const Case cases[] = {
      {"\"a${b}c\"", "(template \"a\"@1-2 (var b)@4-5 \"c\"@6-7)@0-8"},
      {"\"${b}\"", "(wrap (var b)@3-4)@0-6"},
      {"\"%{ if a }x%{ endif }\"", "(template (%if (var a)@7-8 (template \"x\"@10-11)@10-11)@1-21)@0-22"},
      {"\"%{ if a }%{ endif }\"", "(template (%if (var a)@7-8 (template)@10-10)@1-20)@0-21"},
      {"<<E\na\nb\nE\n", "(template \"a\\nb\\n\"@4-8)@0-9"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseExpr(test.text, true), test.want) << test.text;
}

TEST(TemplateParserTest, Errors) {
  const Case cases[] = {
      {"\"a", "(error) !2-2 Unterminated template string"},
      {"\"${", "(error) !3-3 Missing expression"},
      {"\"${a", "(error) !1-3 Unclosed template interpolation sequence"},
      {"\"${a\"", "(error) !1-3 Unclosed template interpolation sequence"},
      {"\"${a b}\"", "(error) !5-6 Extra characters after interpolation expression"},
      {"\"${a:b}\"", "(error) !4-5 Extra characters after interpolation expression"},
      {"\"${}\"", "(error) !3-4 Invalid expression"},
      {"\"%{ }\"", "(error) !4-5 Invalid template directive"},
      {"\"%{ iff a }\"", "(error) !4-7 Invalid template control keyword"},
      {"\"%{ if a b }%{ endif }\"", "(error) !9-10 Extra characters in if marker"},
      {"\"%{ if a }\"", "(error) !10-11 Unexpected end of template"},
      {"\"%{ endif }\"", "(error) !1-11 Unexpected endif directive"},
      {"\"%{ else }\"", "(error) !1-10 Unexpected else directive"},
      {"\"%{ if a }%{ else }%{ else }%{ endif }\"", "(error) !19-28 Unexpected else directive"},
      {"\"%{ if a }%{ endfor }\"", "(error) !10-21 Unexpected endfor directive"},
      {"\"%{ for v in a }%{ else }%{ endfor }\"", "(error) !16-25 Unexpected else directive"},
      {"\"%{ for 1 in a }\"", "(error) !8-9 Invalid 'for' directive"},
      {"\"%{ for k, 1 in a }\"", "(error) !11-12 Invalid 'for' directive"},
      {"\"%{ for v of a }\"", "(error) !10-12 Invalid 'for' directive"},
      {"<<E\na\nE", "(error) !0-3 Unterminated template string"},
      {"<<E\n${a b}\nE\n", "(error) !8-9 Extra characters after interpolation expression"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseExpr(test.text), test.want) << test.text;
}

}  // namespace
}  // namespace hcl
