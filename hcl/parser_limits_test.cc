// Every limit of the parser at its edge and one past it, and inputs that are large in one direction.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
namespace {

std::string Repeat(const std::string& text, size_t count) {
  std::string repeated;
  repeated.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

struct Outcome {
  Diagnostics diagnostics;
  std::unique_ptr<Source> source;
  std::unique_ptr<ParsedFile> file;
};

Outcome ParseAs(const std::string& kind, std::string text, const ParseOptions& options = {}) {
  Outcome outcome;
  outcome.source = std::make_unique<Source>("test", std::move(text));
  const auto parse = kind == "body" ? ParseConfig : kind == "template" ? ParseTemplate : ParseExpression;
  outcome.file = parse(*outcome.source, options, &outcome.diagnostics);
  return outcome;
}

// How a construct is nested `depth` levels deep.
struct Nesting {
  const char* name;
  const char* kind;
  std::string open;
  std::string middle;
  std::string close;
  size_t levels = 1;  // each
  size_t extra = 0;   // in the innermost

  std::string Text(size_t depth) const { return Repeat(open, depth) + middle + Repeat(close, depth); }
};

const std::vector<Nesting>& Nestings() {
  static const auto* nestings = new std::vector<Nesting>{
      {"paren", "expr", "(", "1", ")"},
      {"tuple", "expr", "[", "1", "]"},
      {"object", "expr", "{a=", "1", "}"},
      {"object key", "expr", "{(", "1", ")=1}", 2},
      {"call", "expr", "f(", "1", ")"},
      {"index", "expr", "a[", "1", "]"},
      {"tuple for", "expr", "[for v in ", "a", ":v]"},
      {"object for", "expr", "{for v in a:v=>", "a", "}"},
      {"negation", "expr", "-", "1", ""},
      {"not", "expr", "!", "a", ""},
      {"condition, right", "expr", "a?b:", "c", ""},
      {"condition, middle", "expr", "a?", "b", ":c"},
      {"operation on the right", "expr", "a||b&&(", "c", ")", 2},
      {"quoted template", "expr", "\"${", "a", "}\""},
      {"template", "template", "a${\"", "", "\"}"},
      {"if directive", "template", "%{if a}", "b", "%{endif}"},
      {"else", "template", "%{if a}%{else}", "b", "%{endif}"},
      {"for directive", "template", "%{for v in a}", "b", "%{endfor}"},
      {"full splat", "expr", "", "a", "[*]"},
      {"splats of splats", "expr", "", "a", ".*[0]", 1, 1},
      {"heredoc", "expr", "<<E\n${", "a", "}\nE\n"},
      {"block", "body", "b {\n", "", "}\n"},
      {"labels", "body", " l", " {\n}\n", ""},  // the first one is the type, and the body is a level
      {"blocks with a label", "body", "b \"l\" {\n", "", "}\n", 2},
  };
  return *nestings;
}

TEST(ParserLimitsTest, NestingDepthAtTheEdge) {
  for (const Nesting& nesting : Nestings()) {
    for (const uint32_t limit : {4u, 10u, 512u}) {
      ParseOptions options;
      options.limits.max_nesting_depth = limit;
      const size_t fitting = (limit - nesting.extra) / nesting.levels;
      const Outcome at_edge = ParseAs(nesting.kind, nesting.Text(fitting), options);
      EXPECT_TRUE(at_edge.diagnostics.empty()) << nesting.name << " " << fitting;
      const Outcome past = ParseAs(nesting.kind, nesting.Text(fitting + 1), options);
      ASSERT_EQ(past.diagnostics.count(), 1u) << nesting.name << "\n" << ToText(past.diagnostics, past.source.get());
      EXPECT_TRUE(past.diagnostics.has_limit()) << nesting.name;
      EXPECT_EQ(past.diagnostics.kept()[0].summary, "Nesting too deep") << nesting.name;
      EXPECT_NE(past.diagnostics.kept()[0].detail.find("max_nesting_depth"), std::string::npos);
    }
  }
}

TEST(ParserLimitsTest, PlainExpressionsAreNoNesting) {
  ParseOptions options;
  options.limits.max_nesting_depth = 0;
  for (const char* text : {"1", "\"x\"", "a.b.c", "a * b + c == d", "<<E\nx\nE\n"}) {
    EXPECT_TRUE(ParseAs("expr", text, options).diagnostics.empty()) << text;
  }
  EXPECT_TRUE(ParseAs("expr", "a + b * c", options).diagnostics.has_limit());
  EXPECT_TRUE(ParseAs("expr", "(1)", options).diagnostics.has_limit());
}

TEST(ParserLimitsTest, AMillionLevelsOfEachKind) {
  for (const Nesting& nesting : Nestings()) {
    const Outcome outcome = ParseAs(nesting.kind, nesting.Text(1'000'000));
    EXPECT_EQ(outcome.diagnostics.count(), 1u) << nesting.name;
    EXPECT_TRUE(outcome.diagnostics.has_limit()) << nesting.name;
    const Outcome unclosed = ParseAs(nesting.kind, Repeat(nesting.open, 1'000'000));
    EXPECT_TRUE(unclosed.diagnostics.has_limit() || nesting.open.empty()) << nesting.name;
  }
}

// Where depth is allowed, a level takes little stack.
TEST(ParserLimitsTest, RaisedDepth) {
  ParseOptions options;
  options.limits.max_nesting_depth = 2'000;
  for (const Nesting& nesting : Nestings()) {
    const Outcome outcome = ParseAs(nesting.kind, nesting.Text(900), options);
    EXPECT_TRUE(outcome.diagnostics.empty()) << nesting.name;
    const ParsedFile& file = *outcome.file;
    EXPECT_FALSE((file.body != nullptr ? DumpBody(*file.body) : DumpExpr(*file.expr)).empty());
  }
}

TEST(ParserLimitsTest, LongChains) {
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"sum", "a" + Repeat("+a", 1'000'000)},
      {"mixed precedence", "a" + Repeat("+a*a-a", 300'000)},
      {"logic", "a" + Repeat("||a&&a==a", 200'000)},
      {"attributes", "a" + Repeat(".a", 1'000'000)},
      {"indices", "a" + Repeat("[0]", 1'000'000)},
      {"index expressions", "a" + Repeat("[a]", 1'000'000)},
      {"elements", "[" + Repeat("1,", 1'000'000) + "]"},
      {"items", "{" + Repeat("a=1\n", 1'000'000) + "}"},
      {"arguments", "f(" + Repeat("1,", 1'000'000) + ")"},
      {"interpolations", "\"" + Repeat("${a}b", 500'000) + "\""},
      {"heredoc lines", "<<-E\n" + Repeat("  a $ b\n", 500'000) + "E\n"},
      {"namespaces", "a" + Repeat("::a", 300'000) + "()"},
      {"newlines", Repeat("\n", 1'000'000) + "a" + Repeat(" # c\n", 1'000'000)},
      {"newlines in braces", "{" + Repeat("\n", 1'000'000) + "}"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = ParseAs("expr", test.text);
    EXPECT_TRUE(outcome.diagnostics.empty()) << test.name << ToText(outcome.diagnostics, nullptr);
  }
}

TEST(ParserLimitsTest, LargeLiterals) {
  constexpr size_t kSize = 100'000'000;
  for (const auto& [open, close] : {std::pair("\"", "\""), std::pair("<<E\n", "\nE\n"), std::pair("\"\\n", "\""),
                                    std::pair("/*", "*/ 1"), std::pair("# ", "\n1"), std::pair("", "")}) {
    const Outcome outcome = ParseAs("expr", open + std::string(kSize, 'x') + close);
    EXPECT_TRUE(outcome.diagnostics.empty()) << open;
  }
  EXPECT_TRUE(ParseAs("expr", std::string(kSize, '1')).diagnostics.empty());
}

// The first one takes the rest of the text.
TEST(ParserLimitsTest, UnclosedCommentsAreOneMistake) {
  const Outcome outcome = ParseAs("body", "b {\n" + Repeat("a = /*\n", 200'000));
  ASSERT_EQ(outcome.diagnostics.kept().size(), 1u);
  EXPECT_EQ(outcome.diagnostics.kept()[0].subject, (SourceRange{8, 10}));
}

TEST(ParserLimitsTest, ManyErrorsAreReportedOnceAndBounded) {
  const struct {
    const char* name;
    const char* kind;
    std::string text;
  } cases[] = {
      {"bad items", "body", Repeat("a = *\n", 300'000)},
      {"duplicates", "body", Repeat("a = 1\n", 300'000)},
      {"duplicates on one line", "body",
       "a = 1 /*" + std::string(1'000'000, 'x') + "*/\n" + Repeat("a = 1\n", 100'000)},
      {"invalid characters", "expr", Repeat("@", 1'000'000)},
      {"escapes", "expr", "\"" + Repeat("\\x", 500'000) + "\""},
      {"quotes", "body", Repeat("a = \"\n", 300'000)},
      {"unclosed brackets in items", "body", Repeat("a = ]]]\n", 200'000)},
      {"quotes with backslashes", "body", Repeat("a = \\\"x\\\"\n", 200'000)},
      {"unclosed heredocs", "body", Repeat("a = <<E x\n", 200'000)},
      {"numbers", "expr", "[" + Repeat("1.1.1,", 200'000) + "]"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = ParseAs(test.kind, test.text);
    const Diagnostics& diagnostics = outcome.diagnostics;
    EXPECT_EQ(diagnostics.kept().size(), 101u) << test.name;
    EXPECT_EQ(diagnostics.kept().back().summary, "Too many errors") << test.name;
    for (size_t i = 1; i < diagnostics.kept().size(); ++i) {
      EXPECT_NE(diagnostics.kept()[i].subject, diagnostics.kept()[i - 1].subject) << test.name;
    }
  }
}

TEST(ParserLimitsTest, DiagnosticsAtTheEdge) {
  ParseOptions options;
  options.limits.max_diagnostics = 3;
  EXPECT_EQ(ParseAs("body", Repeat("1\n", 3), options).diagnostics.count(), 3u);
  const Outcome outcome = ParseAs("body", Repeat("1\n", 5), options);
  EXPECT_EQ(outcome.diagnostics.count(), 4u);
  EXPECT_TRUE(outcome.diagnostics.has_limit());
  EXPECT_NE(outcome.diagnostics.kept()[3].detail.find("max_diagnostics"), std::string::npos);
  options.limits.max_diagnostics = 0;
  EXPECT_TRUE(ParseAs("body", "a = *\n", options).diagnostics.has_limit());
}

TEST(ParserLimitsTest, RecoveryTakesLinearTime) {
  const std::string brackets = Repeat("(", 300'000) + Repeat("{}", 300'000) + Repeat("[}", 300'000);
  for (const std::string& text :
       {"b {\n a = 1 1 " + brackets, "a = 1 1 " + brackets, Repeat("b {\n a = * (", 500) + brackets,
        Repeat("a = (\n", 200'000), Repeat("a = \"${", 200'000)}) {
    EXPECT_FALSE(ParseAs("body", text).diagnostics.empty());
  }
}

TEST(ParserLimitsTest, DistinctNamesAreFoundInTime) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "a" + std::to_string(i) + " = 1\n";
  text += "a777 = 2\n";
  const Outcome outcome = ParseAs("body", text);
  ASSERT_EQ(outcome.diagnostics.count(), 1u);
  EXPECT_NE(outcome.diagnostics.kept()[0].detail.find("line 778"), std::string::npos);
  EXPECT_EQ(outcome.file->body->attributes.size(), 200'000u);
}

TEST(ParserLimitsTest, SourceBytesAtTheEdge) {
  ParseOptions options;
  options.limits.max_source_bytes = 5;
  EXPECT_TRUE(ParseAs("expr", "1 + 2", options).diagnostics.empty());
  for (const char* kind : {"expr", "body", "template"}) {
    const Outcome outcome = ParseAs(kind, "a = 12", options);
    ASSERT_EQ(outcome.diagnostics.count(), 1u);
    EXPECT_TRUE(outcome.diagnostics.has_limit());
    EXPECT_NE(outcome.diagnostics.kept()[0].detail.find("max_source_bytes"), std::string::npos);
    EXPECT_TRUE(outcome.file->body != nullptr || outcome.file->expr != nullptr);
  }
}

TEST(ParserLimitsTest, AnInterruptStopsTheParse) {
  const std::atomic<bool> cancel{true};
  ParseOptions options;
  options.limits.interrupt.cancel = &cancel;
  for (const char* kind : {"body", "expression", "template"}) {
    const Outcome outcome = ParseAs(kind, kind == std::string("template") ? "${a}" : "a", options);
    ASSERT_EQ(outcome.diagnostics.kept().size(), 1u) << kind;
    EXPECT_TRUE(outcome.diagnostics.kept()[0].is_limit) << kind;
    EXPECT_EQ(outcome.diagnostics.kept()[0].summary, "Parsing interrupted") << kind;
  }
}

}  // namespace
}  // namespace hcl
