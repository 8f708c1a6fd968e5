#include "hclvm/hcl/parser.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
using internal::DumpOptions;
namespace {

// The dump of an expression, with the diagnostics' places and summaries behind it.
std::string ParseText(const std::string& text, bool ranges = false) {
  const Source source("test", text);
  Diagnostics diagnostics;
  DumpOptions options;
  options.ranges = ranges;
  std::string dump = DumpExpr(*ParseExpression(source, {}, &diagnostics)->expr, options);
  for (const Diagnostic& diagnostic : diagnostics.kept()) dump += " !" + diagnostic.summary;
  return dump;
}

std::string Errors(const Diagnostics& diagnostics) {
  std::string errors;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!errors.empty()) errors += "; ";
    if (diagnostic.subject.has_value()) {
      errors += std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " ";
    }
    errors += diagnostic.summary;
  }
  return errors;
}

struct Case {
  const char* text;
  const char* want;
};

TEST(ParserTest, Terms) {
  const Case cases[] = {
      {"1", "1"},
      {"1.50e+3", "1.50e+3"},
      {"true", "true"},
      {"null", "null"},
      {"a", "(var a)"},
      {"\u00e9", "(var \u00e9)"},
      {"for", "(var for)"},
      {"\n a \n", "(var a)"},
      {"(a)", "(paren (var a))"},
      {"(\n a\n)", "(paren (var a))"},
      {"\"\"", "(template)"},
      {"\"x\"", "(template \"x\")"},
      {"-1", "(- 1)"},
      {"!-a.b", "(! (- (traverse (var a) .b)))"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text), test.want) << test.text;
}

TEST(ParserTest, Operators) {
  const Case cases[] = {
      {"1 + 2 * 3", "(+ 1 (* 2 3))"},
      {"1 * 2 + 3", "(+ (* 1 2) 3)"},
      {"1 - 2 - 3", "(- (- 1 2) 3)"},
      {"1 / 2 % 3 * 4", "(* (% (/ 1 2) 3) 4)"},
      {"a || b && c", "(|| (var a) (&& (var b) (var c)))"},
      {"a && b || c", "(|| (&& (var a) (var b)) (var c))"},
      {"a == b != c", "(!= (== (var a) (var b)) (var c))"},
      {"a < b == c >= d", "(== (< (var a) (var b)) (>= (var c) (var d)))"},
      {"a + 1 <= b - 1 && !c", "(&& (<= (+ (var a) 1) (- (var b) 1)) (! (var c)))"},
      {"-1 + -2", "(+ (- 1) (- 2))"},
      {"a ? b : c", "(? (var a) (var b) (var c))"},
      {"a ? b : c ? d : e", "(? (var a) (var b) (? (var c) (var d) (var e)))"},
      {"a ? b ? c : d : e", "(? (var a) (? (var b) (var c) (var d)) (var e))"},
      {"a || b ? 1 + 1 : 2", "(? (|| (var a) (var b)) (+ 1 1) 2)"},
      {"a -1", "(- (var a) 1)"},
      {"a-1", "(var a-1)"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text), test.want) << test.text;
}

TEST(ParserTest, Collections) {
  const Case cases[] = {
      {"[]", "(tuple)"},
      {"[1, a]", "(tuple 1 (var a))"},
      {"[\n1,\n2,\n]", "(tuple 1 2)"},
      {"[(for), x]", "(tuple (paren (var for)) (var x))"},
      {"{}", "(object)"},
      {"{\n}", "(object)"},
      {"{a = 1, b : 2}", "(object (a 1) (b 2))"},
      {"{a = 1\nb = 2,\n\nc = 3}", "(object (a 1) (b 2) (c 3))"},
      {"{(a) = 1, \"b\" = 2, 3 = 4}", "(object ((paren (var a)) 1) ((template \"b\") 2) (3 4))"},
      {"{true = 1, null = 2}", "(object (true 1) (null 2))"},
      {"{a.b = 1}", "(object ((traverse (var a) .b) 1))"},
      {"{a = (1\n+ 2)}", "(object (a (paren (+ 1 2))))"},
      {"{baz: 2, for: 1}", "(object (baz 2) (for 1))"},
      {"{ # c\n a = 1 // c\n /* c */ b = 2\n}", "(object (a 1) (b 2))"},
      {"[for v in a : v]", "(for-tuple v (var a) (var v))"},
      {"[for k, v in a : k if v]", "(for-tuple k,v (var a) (var k) if (var v))"},
      {"{for v in a : v => 1}", "(for-object v (var a) (var v) 1)"},
      {"{\n for k, v in a :\n k => v...\n if k\n}", "(for-object k,v (var a) (var k) (var v) ... if (var k))"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text), test.want) << test.text;
}

TEST(ParserTest, Calls) {
  const Case cases[] = {
      {"f()", "(call f)"},
      {"f(1)", "(call f 1)"},
      {"f(1, a,)", "(call f 1 (var a))"},
      {"f(\n1,\na...\n)", "(call f 1 (var a) ...)"},
      {"a::b::c(1)", "(call a::b::c 1)"},
      {"a :: b(1)", "(call a::b 1)"},
      {"f(g(x)[0])", "(call f (traverse (call g (var x)) [0]))"},
      {"true(1)", "(call true 1)"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text), test.want) << test.text;
}

TEST(ParserTest, Traversals) {
  const Case cases[] = {
      {"a.b.c", "(traverse (var a) .b .c)"},
      {"a[0]", "(traverse (var a) [0])"},
      {"a[\"k\"].c", "(traverse (var a) [\"k\"] .c)"},
      {"a[\"\"]", "(traverse (var a) [\"\"])"},
      {"a[\"\\u00e9\"]", "(traverse (var a) [\"\u00e9\"])"},
      {"a[true][null]", "(traverse (var a) [true] [null])"},
      {"a[-1]", "(index (var a) (- 1))"},
      {"a[(0)]", "(index (var a) (paren 0))"},
      {"a[\n0\n]", "(traverse (var a) [0])"},
      {"a[b].c[0]", "(traverse (index (var a) (var b)) .c [0])"},
      {"a[b][c]", "(index (index (var a) (var b)) (var c))"},
      {"a[\"${b}\"]", "(index (var a) (wrap (var b)))"},
      {"a.b[c.d].e", "(traverse (index (traverse (var a) .b) (traverse (var c) .d)) .e)"},
      {"(a.b).c", "(traverse (paren (traverse (var a) .b)) .c)"},
      {"f(x).y", "(traverse (call f (var x)) .y)"},
      {"true.1", "(traverse true .[1])"},
      {"a.0.b", "(traverse (var a) .[0] .b)"},
      {"{a = 1}.a", "(traverse (object (a 1)) .a)"},
      {"a.*", "(splat.* (var a) item)"},
      {"a.*.b.c", "(splat.* (var a) (traverse item .b .c))"},
      {"a.*.b[0].c", "(traverse (splat.* (var a) (traverse item .b)) [0] .c)"},
      {"a.*.0.b", "(splat.* (var a) (traverse item .[0] .b))"},
      {"a[*]", "(splat[*] (var a) item)"},
      {"a[*].b[0]", "(splat[*] (var a) (traverse item .b [0]))"},
      {"a[*][*].b", "(splat[*] (var a) (splat[*] item (traverse item .b)))"},
      {"a[*].b[c].d", "(splat[*] (var a) (traverse (index (traverse item .b) (var c)) .d))"},
      {"a.b.*.c[*]", "(splat[*] (splat.* (traverse (var a) .b) (traverse item .c)) item)"},
      {"-a[0]", "(- (traverse (var a) [0]))"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text), test.want) << test.text;
}

TEST(ParserTest, Ranges) {
  const Case cases[] = {
      {" a + 1", "(+ (var a)@1-2 1@5-6)@1-6"},
      {"(a) + 1", "(+ (paren (var a)@1-2)@0-3 1@6-7)@0-7"},
      {"a.b[0]", "(traverse (var a)@0-1 .b@1-3 [0]@3-6)@0-6"},
      {"a[b].c", "(traverse (index (var a)@0-1 (var b)@2-3)@0-4 .c@4-6)@0-6"},
      {"a.*.b", "(splat.* (var a)@0-1 (traverse item@1-3 .b@3-5)@1-5)@0-5"},
      {"a[*].b", "(splat[*] (var a)@0-1 (traverse item@1-4 .b@4-6)@1-6)@0-6"},
      {"f( 1 )", "(call f 1@3-4)@0-6"},
      {"!a", "(! (var a)@1-2)@0-2"},
      {"a?b:c", "(? (var a)@0-1 (var b)@2-3 (var c)@4-5)@0-5"},
      {"{ a = 1 }", "(object (a@2-3 1@6-7))@0-9"},
      {"[ 1 ]", "(tuple 1@2-3)@0-5"},
      {"[for v in a: v]", "(for-tuple v (var a)@10-11 (var v)@13-14)@0-15"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseText(test.text, true), test.want) << test.text;
}

TEST(ParserTest, ExpressionErrors) {
  const Case cases[] = {
      {"", "0-0 Missing expression"},
      {"a b", "2-3 Extra characters after expression"},
      {"+", "0-1 Invalid expression"},
      {"1 +", "3-3 Missing expression"},
      {"(1", "2-2 Unbalanced parentheses"},
      {"(1 2)", "3-4 Unbalanced parentheses"},
      {"a ? b", "5-5 Missing false expression in conditional"},
      {"[1 2]", "3-4 Missing item separator"},
      {"[1", "0-1 Unterminated tuple"},
      {"{a}", "2-3 Missing key/value separator"},
      {"{a, b}", "2-3 Missing attribute value"},
      {"{a\n}", "2-3 Missing attribute value"},
      {"{a b}", "3-4 Missing key/value separator"},
      {"{a = 1 b = 2}", "7-8 Missing attribute separator"},
      {"{a = 1", "0-1 Unterminated object"},
      {"{a = \n1}", "5-6 Invalid expression"},
      {"f(1 2)", "4-5 Missing argument separator"},
      {"f(1", "0-2 Unterminated function call"},
      {"f(1... , 2)", "3-6 Missing closing parenthesis"},
      {"a::(1)", "3-4 Missing function name"},
      {"a::b", "4-4 Missing open parenthesis"},
      {"a.", "2-2 Invalid attribute name"},
      {"a..b", "2-3 Invalid attribute name"},
      {"a.0.1", "2-5 Invalid legacy index syntax"},
      {"a.*.*", "4-5 Nested splat expression not allowed"},
      {"a[*", "3-3 Missing close bracket on splat index"},
      {"a[1 2]", "4-5 Missing close bracket on index"},
      {"[for, a]", "4-5 Invalid 'for' expression"},
      {"{for: 1}", "4-5 Invalid 'for' expression"},
      {"[for a, 1 in b : c]", "8-9 Invalid 'for' expression"},
      {"[for a of b : c]", "7-9 Invalid 'for' expression"},
      {"[for a in b c]", "12-13 Invalid 'for' expression"},
      {"[for a in b : c d]", "16-17 Invalid 'for' expression"},
      {"[for a in b : a => c]", "14-15 Invalid 'for' expression"},
      {"[for a in b : c...]", "15-18 Invalid 'for' expression"},
      {"{for a in b : c}", "14-15 Invalid 'for' expression"},
      {"1.5.6", "0-5 Invalid number literal"},
      {"1.e5", "0-4 Invalid number literal"},
      {"1..2 + 1e5e6", "0-4 Invalid number literal; 7-12 Invalid number literal"},
      {"a & b", "2-3 Unsupported operator"},
      {"a ** b", "3-4 Invalid expression"},
      {"'a'", "0-1 Invalid character"},
      {"a $ b @", "2-3 Invalid character; 6-7 Invalid character"},
      {"\"a\\xb\\yc\"", "2-4 Invalid escape sequence; 5-7 Invalid escape sequence"},
      {"\"a\nb\"", "2-3 Invalid multi-line string"},
      {"\ufeffa", "0-3 Byte order mark"},
      {"a + \xff", "4-5 Invalid character encoding"},
      {"/* a", "0-2 Unclosed comment"},
  };
  for (const Case& test : cases) {
    const Source source("test", test.text);
    Diagnostics diagnostics;
    ParseExpression(source, {}, &diagnostics);
    EXPECT_EQ(Errors(diagnostics), test.want) << test.text;
  }
}

std::string ParseBodyText(const std::string& text) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const std::string dump = DumpBody(*ParseConfig(source, {}, &diagnostics)->body);
  return diagnostics.empty() ? dump : dump + "!" + Errors(diagnostics);
}

TEST(ParserTest, Bodies) {
  const Case cases[] = {
      {"", ""},
      {"\n# c\n", ""},
      {"a = 1", "a = 1\n"},
      {"a = 1\r\nb = 2 # c\n\nc = 3 // c", "a = 1\nb = 2\nc = 3\n"},
      {"a=[\n1,\n2\n]\n", "a = (tuple 1 2)\n"},
      {"b {}", "b {\n}\n"},
      {"b {\n}\n", "b {\n}\n"},
      {"b { a = 1 }\n", "b {\n  a = 1\n}\n"},
      {"b \"x y\" z \"\\u00e9$${\" {\n a = 1\n c {}\n}\n", "b \"x y\" \"z\" \"\u00e9${\" {\n  a = 1\n  c {\n  }\n}\n"},
      {"a = <<E\nx\nE\nb = 1\n", "a = (template \"x\\n\")\nb = 1\n"},
      {"b { a = <<E\nx\nE\n}\n", "b {\n  a = (template \"x\\n\")\n}\n!15-16 Invalid one-line block"},
      {"for = 1\nif {\n}\n", "for = 1\nif {\n}\n"},
      {"/* a */ a /* b */ = /* c\n */ 1\n", "a = 1\n"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseBodyText(test.text), test.want) << test.text;
}

TEST(ParserTest, BodyErrorsAndRecovery) {
  const Case cases[] = {
      {"a", "!0-1 Attribute or block required"},
      {"a\nb = 1\n", "b = 1\n!0-1 Attribute or block required"},
      {"\"a\" = 1\nb = 1\n", "b = 1\n!0-1 Invalid attribute name"},
      {"1 = 2\nb = 1\n", "b = 1\n!0-1 Attribute or block required"},
      {"a = 1, b = 2\nc = 3\n", "a = 1\nc = 3\n!5-6 Unexpected comma after attribute"},
      {"a = 1 2\nc = 3\n", "a = 1\nc = 3\n!6-7 Missing newline after attribute"},
      {"a = \nc = 3\n", "a = (error)\nc = 3\n!4-5 Invalid expression"},
      {"a = [1 2\n]\nb = (3\n 4)\nc = 5\n",
       "a = (error)\nb = (error)\nc = 5\n!7-8 Missing item separator; 19-20 Unbalanced parentheses"},
      {"a = \"${b c}\"\nd = *\n",
       "a = (error)\nd = (error)\n!9-10 Extra characters after interpolation expression; "
       "17-18 Invalid expression"},
      {"a = \"x\nb = 1\n", "a = (error)\nb = 1\n!6-7 Invalid multi-line string"},
      {"a = 1\na = 2\na = 3\n", "a = 1\n!6-7 Attribute redefined; 12-13 Attribute redefined"},
      {"b {\n a = 1 2\n c = 3\n}\nd = 4\n", "b {\n  a = 1\n  c = 3\n}\nd = 4\n!11-12 Missing newline after attribute"},
      {"b {\n a = 1 2 }\nd = 4\n", "b {\n  a = 1\n}\nd = 4\n!11-12 Missing newline after attribute"},
      {"b {\n a = 1\n", "b {\n  a = 1\n}\n!2-3 Unclosed block"},
      {"b {\n a = (1\n", "b {\n  a = (error)\n}\n!12-12 Unbalanced parentheses"},
      {"b { a = 1\n}\n", "b {\n  a = 1\n}\n!9-10 Invalid one-line block"},
      {"b { a = 1, c = 2 }\nd = 1\n", "b {\n  a = 1\n}\nd = 1\n!9-10 Invalid one-line block"},
      {"b { a = 1", "b {\n  a = 1\n}\n!2-3 Unclosed block"},
      {"b { c {} }\nd = 1\n", "b {\n}\nd = 1\n!4-7 Attribute required"},
      {"b { 1 }\nd = 1\n", "b {\n}\nd = 1\n!4-5 Attribute or block required"},
      {"b {} c {}\nd = 1\n", "b {\n}\nd = 1\n!5-6 Missing newline after block"},
      {"b \"x\" = {\n}\nd = 1\n", "d = 1\n!6-7 Invalid block"},
      {"b c\n{\n}\n", "b \"c\" {\n}\n!3-4 Invalid block"},
      {"b\n{\n c = 1\n}\na = 1\n", "b {\n  c = 1\n}\na = 1\n!0-1 Attribute or block required"},
      // What follows a line that broke off is a part of it, unless it looks like an item.
      {"a = 1 +\n  2\nb = 1\n", "a = (error)\nb = 1\n!7-8 Invalid expression"},
      {"a = 1 2\n  + 3\nb = 1\n", "a = 1\nb = 1\n!6-7 Missing newline after attribute"},
      {"a =\nb = 1\n", "a = (error)\nb = 1\n!3-4 Invalid expression"},
      {"b \"${x}\" {\n}\nd = 1\n", "d = 1\n!3-5 Invalid string literal"},
      {"b \"x", "!4-4 Unterminated string literal"},
      {"a = f(1, [2\nb = *\nc = 3\n",
       "a = (error)\nb = (error)\nc = 3\n!12-13 Missing item separator; 16-17 Invalid expression"},
      {"b {\n  a = [1\n}\nc = (2\nd {\n}\n",
       "b {\n  a = (error)\n}\nc = (error)\nd {\n}\n!13-14 Missing item separator; 22-23 Unbalanced parentheses"},
      {"a = [1\n  b = 2\n]\nc = 3\n", "a = (error)\nc = 3\n!9-10 Missing item separator"},
      {"}\na = 1\n", "a = 1\n!0-1 Attribute or block required"},
      {"a = 1 & 2\nb = @\nc = 3\n", "a = 1\nb = (error)\nc = 3\n!6-7 Unsupported operator; 14-15 Invalid character"},
      {"a = <<E\nx\n", "a = (error)\n!4-7 Unterminated template string"},
  };
  for (const Case& test : cases) EXPECT_EQ(ParseBodyText(test.text), test.want) << test.text;
}

// Each as if it were the first, whatever came before.
TEST(ParserTest, ManyFilesInOnesMemory) {
  const std::string large = "b \"x\" {\n" + std::string(2000, 'a') + " = [1, 2]\n}\n";
  ParsedFile file;
  for (const std::string& text : {std::string("a = 1\n"), large, std::string("c = \n"), std::string(), large,
                                  std::string("\xff"), std::string("d = \"${x}\"\n")}) {
    const Source source("test", text);
    Diagnostics diagnostics;
    ParseConfigInto(source, {}, &file, &diagnostics);
    EXPECT_EQ(file.source, &source);
    const std::string dump = DumpBody(*file.body);
    EXPECT_EQ(diagnostics.empty() ? dump : dump + "!" + Errors(diagnostics), ParseBodyText(text)) << text;
  }
}

TEST(ParserTest, BodyRanges) {
  const Source source("test", "a = 1 # c\nb \"x\" y { # c\n  c = 2\n}\nd { e = 3 }\n");
  Diagnostics diagnostics;
  const auto file = ParseConfig(source, {}, &diagnostics);
  ASSERT_TRUE(diagnostics.empty());
  const Body& body = *file->body;
  EXPECT_EQ(body.range, (SourceRange{0, 46}));
  const Attribute& a = body.attributes[0];
  EXPECT_EQ(a.name_range, (SourceRange{0, 1}));
  EXPECT_EQ(a.equals, (SourceRange{2, 3}));
  EXPECT_EQ(a.range, (SourceRange{0, 5}));
  const Block& b = body.blocks[0];
  EXPECT_EQ(b.type_range, (SourceRange{10, 11}));
  EXPECT_EQ(b.labels[0].range, (SourceRange{12, 15}));
  EXPECT_EQ(b.header(), (SourceRange{10, 17}));
  EXPECT_EQ(b.open, (SourceRange{18, 19}));
  EXPECT_EQ(b.close, (SourceRange{32, 33}));
  EXPECT_EQ(b.range, (SourceRange{10, 33}));
  EXPECT_EQ(b.body->range, (SourceRange{19, 32}));
  EXPECT_EQ(b.body->end, (SourceRange{18, 18}));
  const Block& d = body.blocks[1];
  EXPECT_EQ(d.body->range, (SourceRange{37, 44}));
  EXPECT_EQ(d.range, (SourceRange{34, 45}));
  EXPECT_EQ(d.body->attributes[0].range, (SourceRange{38, 43}));
}

TEST(ParserTest, AbsoluteTraversals) {
  const Case cases[] = {
      {"a", "(var a)"},
      {"true.b", "(traverse (var true) .b)"},
      {"a.b[\"c\"][0]\n", "(traverse (var a) .b [\"c\"] [0])"},
      {"a[1.5]", "(traverse (var a) [1.5])"},
      {"1", "(error)!0-1 Variable name required"},
      {"a.*", "(var a)!2-3 Attribute name required"},
      {"a.0", "(var a)!2-3 Attribute name required"},
      {"a[*]", "(var a)!2-3 Attribute name required"},
      {"a[b]", "(var a)!2-3 Index value required"},
      {"a.b[-1]", "(traverse (var a) .b)!4-5 Index value required"},
      {"a[\"${b}\"]", "(var a)!3-5 Invalid string literal"},
      {"a[0", "(var a)!3-3 Unclosed index brackets"},
      {"a b", "(var a)!2-3 Invalid character"},
      {"a()", "(var a)!1-2 Invalid character"},
  };
  for (const Case& test : cases) {
    const Source source("test", test.text);
    Diagnostics diagnostics;
    std::string dump = DumpExpr(*ParseTraversal(source, {}, &diagnostics)->expr);
    if (!diagnostics.empty()) dump += "!" + Errors(diagnostics);
    EXPECT_EQ(dump, test.want) << test.text;
  }
}

TEST(ParserTest, DetailsSayWhatWasExpectedAndFound) {
  const Case cases[] = {
      {"[1 2]", "Expected \",\" or \"]\" after an element, but found \"2\". Perhaps a comma is missing before it."},
      {"(1",
       "Expected \")\" after the expression in parentheses, but found the end of the text. The \"(\" on line "
       "1 is not closed."},
      {"{a = 1 \"b\"", "Expected a newline or \",\" before the next attribute, but found the start of a string."},
      {"[1,\n(2]",
       "Expected \")\" after the expression in parentheses, but found \"]\". The \"(\" on line 2 is not "
       "closed before it."},
      {"1)", "Expected the end of the expression, but found \")\". No \"(\" is open that it could close."},
      {"1 +\n", "Expected an expression, but found the end of the text."},
  };
  for (const Case& test : cases) {
    const Source source("test", test.text);
    Diagnostics diagnostics;
    ParseExpression(source, {}, &diagnostics);
    ASSERT_EQ(diagnostics.count(), 1u) << test.text;
    EXPECT_EQ(diagnostics.kept()[0].detail, test.want) << test.text;
  }
}

TEST(ParserTest, TextsThatNeedNoChangePointIntoTheSource) {
  const Source source("test", "\"abc\"");
  Diagnostics diagnostics;
  const auto file = ParseExpression(source, {}, &diagnostics);
  const auto& part = As<TemplateTextExpr>(*As<TemplateExpr>(*file->expr).parts[0]);
  EXPECT_EQ(part.text.data(), source.text().data() + 1);
}

}  // namespace
}  // namespace hcl
