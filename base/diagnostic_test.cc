#include "hclvm/base/diagnostic.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace {

std::string Summaries(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) text += diagnostic.summary;
  return text;
}

TEST(DiagnosticsTest, CountsPastTheBound) {
  Diagnostics diagnostics(2);
  for (const char* summary : {"a", "b", "c"}) diagnostics.AddError({0, 1}, summary, "");
  EXPECT_EQ(diagnostics.count(), 3u);
  EXPECT_EQ(Summaries(diagnostics), "ab");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.has_limit());
}

TEST(DiagnosticsTest, ABoundOfZeroStillKnowsThatThereWereErrors) {
  Diagnostics diagnostics(0);
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.AddError({0, 1}, "a", "");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_TRUE(diagnostics.kept().empty());
}

TEST(DiagnosticsTest, TheFirstLimitIsKeptPastTheBound) {
  Diagnostics diagnostics(1);
  diagnostics.AddError({0, 1}, "a", "");
  diagnostics.AddLimit(std::nullopt, "L", "");
  diagnostics.AddLimit(std::nullopt, "M", "");
  EXPECT_TRUE(diagnostics.has_limit());
  EXPECT_EQ(Summaries(diagnostics), "aL");
  diagnostics.Remove(1);
  EXPECT_FALSE(diagnostics.has_limit());
  EXPECT_EQ(diagnostics.count(), 1u);
}

TEST(DiagnosticsTest, WarningsAreNoErrors) {
  Diagnostics diagnostics;
  Diagnostic warning;
  warning.severity = Severity::kWarning;
  diagnostics.Add(warning);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.empty());
}

TEST(DiagnosticsTest, IdenticalNeighboursAreKeptOnce) {
  Diagnostics diagnostics;
  for (const char* summary : {"a", "a", "a", "b", "a"}) diagnostics.AddError({0, 1}, summary, "");
  diagnostics.AddError({1, 2}, "a", "");
  EXPECT_EQ(Summaries(diagnostics), "abaa");
  EXPECT_EQ(diagnostics.count(), 6u);
}

TEST(DiagnosticsTest, Remove) {
  const struct {
    const char* added;
    size_t begin;
    size_t end;
    const char* kept;
    size_t count;
  } cases[] = {
      {"abc", 1, SIZE_MAX, "a", 1},
      {"abc", 0, 1, "bc", 2},
      {"abc", 1, 2, "ac", 2},
      {"abc", 3, SIZE_MAX, "abc", 3},
      {"abc", 2, 1, "abc", 3},
      {"aab", 0, 1, "ab", 2},
      {"aab", 1, 3, "a", 1},
      {"abbbc", 2, 3, "abc", 4},
      {"abbbc", 0, 4, "c", 1},
      {"abcde", 2, SIZE_MAX, "ab", 2},  // e is past the bound
      {"abcde", 4, SIZE_MAX, "abcd", 4},
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics(4);
    for (const char* c = test.added; *c != '\0'; ++c) diagnostics.AddError({0, 1}, std::string(1, *c), "");
    diagnostics.Remove(test.begin, test.end);
    EXPECT_EQ(Summaries(diagnostics), test.kept) << test.added;
    EXPECT_EQ(diagnostics.count(), test.count) << test.added;
    // What comes later lands behind what is left, and can be removed again.
    const size_t count = diagnostics.count();
    diagnostics.AddError({0, 1}, "z", "");
    diagnostics.Remove(count);
    EXPECT_EQ(Summaries(diagnostics), test.kept) << test.added;
  }
}

TEST(DiagnosticsTest, MoveLast) {
  const struct {
    const char* added;
    size_t begin;
    const char* kept;
  } cases[] = {
      {"abc", 0, "cab"},    {"abc", 1, "acb"},  {"abc", 2, "abc"},
      {"abc", 3, "abc"},    {"abbc", 1, "acb"}, {"abbc", 0, "cab"},  // b is kept once
      {"abbc", 2, "abcb"},                                           // between the two
      {"abcde", 1, "abcd"},                                          // e is past the bound
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics(4);
    for (const char* c = test.added; *c != '\0'; ++c) diagnostics.AddError({0, 1}, std::string(1, *c), "");
    const size_t count = diagnostics.count();
    diagnostics.MoveLast(test.begin);
    EXPECT_EQ(Summaries(diagnostics), test.kept) << test.added;
    EXPECT_EQ(diagnostics.count(), count) << test.added;
    diagnostics.Remove(0);
    EXPECT_TRUE(diagnostics.empty() && diagnostics.kept().empty()) << test.added;
  }
}

Diagnostic Example() {
  Diagnostic diagnostic;
  diagnostic.summary = "Unsupported attribute";
  diagnostic.detail = "This object has no attribute named \"nmae\".\nDid you mean \"name\"?";
  diagnostic.subject = SourceRange{18, 22};
  diagnostic.context = SourceRange{13, 22};
  return diagnostic;
}

TEST(DiagnosticTextTest, ShowsTheLineWithAMarker) {
  const Source source("policy.hcl", "a = 1\nallow = user.nmae\n");
  Diagnostic diagnostic = Example();
  diagnostic.subject = SourceRange{19, 23};
  EXPECT_EQ(ToText(diagnostic, &source),
            "Error: Unsupported attribute\n"
            "\n"
            "  on policy.hcl line 2, column 14:\n"
            "  2 | allow = user.nmae\n"
            "    |              ^^^^\n"
            "\n"
            "  This object has no attribute named \"nmae\".\n"
            "  Did you mean \"name\"?\n");
  EXPECT_EQ(ToText(diagnostic, nullptr),
            "Error: Unsupported attribute\n\n"
            "  This object has no attribute named \"nmae\".\n  Did you mean \"name\"?\n");
}

TEST(DiagnosticTextTest, MarkerLines) {
  const struct {
    const char* text;
    SourceRange subject;
    const char* marker;
  } cases[] = {
      {"ab", {2, 2}, "    |   ^"},  {"\u4e16 x", {4, 5}, "    |    ^"}, {"\u4e16 x", {0, 3}, "    | ^^"},
      {"\tx", {1, 2}, "    | \t^"}, {"abc\ndef", {1, 6}, "    |  ^^"},  {"a\r\nb", {1, 3}, "    |  ^"},
      {"a", {9, 12}, "    |  ^"},
  };
  for (const auto& test : cases) {
    const Source source("s", test.text);
    Diagnostic diagnostic;
    diagnostic.summary = "S";
    diagnostic.subject = test.subject;
    const std::string text = ToText(diagnostic, &source);
    EXPECT_NE(text.find(std::string("\n") + test.marker + "\n"), std::string::npos) << text;
  }
}

TEST(DiagnosticTextTest, ShowsValues) {
  Diagnostic diagnostic;
  diagnostic.summary = "S";
  diagnostic.detail = "D";
  diagnostic.values = {{"user.age", "5"}, {"x", "\x1b[31m"}};
  EXPECT_EQ(ToText(diagnostic, nullptr), "Error: S\n\n  where user.age is 5\n        x is  [31m\n\n  D\n");
  EXPECT_EQ(ToJson(diagnostic, nullptr), R"({"severity":"error","summary":"S","detail":"D",)"
                                         R"("values":[{"name":"user.age","value":"5"},)"
                                         R"({"name":"x","value":"\u001b[31m"}]})");
}

TEST(DiagnosticsTest, ValuesDoNotTellNeighboursApart) {
  Diagnostics diagnostics;
  for (const char* text : {"1", "2"}) {
    Diagnostic diagnostic;
    diagnostic.values = {{"x", text}};
    diagnostics.Add(diagnostic);
  }
  ASSERT_EQ(diagnostics.kept().size(), 1u);
  EXPECT_EQ(diagnostics.kept()[0].values[0].text, "1");
}

TEST(DiagnosticTextTest, ShowsWhereTheContextStarts) {
  const Source source("s", "a = [\n  1\n  2\n]\nb = 1\n\n\n\n\n]");
  Diagnostic diagnostic;
  diagnostic.summary = "S";
  diagnostic.subject = SourceRange{12, 13};
  diagnostic.context = SourceRange{6, 13};
  EXPECT_EQ(ToText(diagnostic, &source), "Error: S\n\n  on s line 3, column 3:\n  2 |   1\n  3 |   2\n    |   ^\n\n");
  diagnostic.subject = SourceRange{26, 27};
  diagnostic.context = SourceRange{4, 27};
  EXPECT_EQ(ToText(diagnostic, &source),
            "Error: S\n\n  on s line 10, column 1:\n   1 | a = [\n     | ...\n  10 | ]\n     | ^\n\n");
}

TEST(DiagnosticTextTest, AnEntryMayNameItsSource) {
  const Source one("one", "a"), two("two", "b");
  Diagnostic diagnostic;
  diagnostic.subject = SourceRange{0, 1};
  diagnostic.source = &two;
  EXPECT_NE(ToText(diagnostic, &one).find("1 | b"), std::string::npos);
  EXPECT_NE(ToJson(diagnostic, &one).find("\"filename\":\"two\""), std::string::npos);
}

TEST(DiagnosticTextTest, LongLinesAreCut) {
  const Source source("s", std::string(100000, 'x') + "HERE" + std::string(100000, 'y'));
  Diagnostic diagnostic;
  diagnostic.summary = "S";
  diagnostic.subject = SourceRange{100000, 100004};
  const std::string text = ToText(diagnostic, &source);
  EXPECT_LT(text.size(), 500u);
  const size_t line = text.find("1 | ...");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(text.find("HERE") - line, text.find("^^^^") - text.find("    | ") - 2);
}

TEST(DiagnosticTextTest, ControlCharactersDoNotReachTheTerminal) {
  const Source source("s", "a\x1b[31mb\xc2\x9b");
  Diagnostic diagnostic;
  diagnostic.subject = SourceRange{0, 1};
  EXPECT_EQ(ToText(diagnostic, &source).find('\x1b'), std::string::npos);
  EXPECT_EQ(ToText(diagnostic, &source).find("\xc2\x9b"), std::string::npos);
  TextOptions options;
  options.color = true;
  EXPECT_NE(ToText(diagnostic, &source, options).find('\x1b'), std::string::npos);
}

TEST(DiagnosticTextTest, SaysHowManyWereLeftOut) {
  Diagnostics diagnostics(1);
  for (const char* summary : {"a", "b", "c"}) diagnostics.AddError({0, 1}, summary, "");
  EXPECT_NE(ToText(diagnostics, nullptr).find("2 more were left out."), std::string::npos);
}

TEST(DiagnosticJsonTest, Shape) {
  const Source source("p.hcl", "a = 1\nallow = user.nmae\n");
  Diagnostic diagnostic = Example();
  diagnostic.detail = "D";
  EXPECT_EQ(ToJson(diagnostic, &source), R"({"severity":"error","summary":"Unsupported attribute","detail":"D",)"
                                         R"("subject":{"filename":"p.hcl","start":{"line":2,"column":13,"byte":18},)"
                                         R"("end":{"line":2,"column":17,"byte":22}},)"
                                         R"("context":{"filename":"p.hcl","start":{"line":2,"column":8,"byte":13},)"
                                         R"("end":{"line":2,"column":17,"byte":22}}})");
  EXPECT_EQ(ToJson(diagnostic, nullptr), R"({"severity":"error","summary":"Unsupported attribute","detail":"D"})");
}

TEST(DiagnosticJsonTest, Strings) {
  const struct {
    std::string text;
    const char* json;
  } cases[] = {
      {"", R"("")"},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"\n\r\t\x01", R"("\n\r\t\u0001")"},
      {"\u00e9\U0001F600", "\"\u00e9\U0001F600\""},
      {"a\xff", "\"a\uFFFD\""},
      {std::string("\0", 1), R"("\u0000")"},
  };
  for (const auto& test : cases) {
    std::string json;
    AppendJsonString(test.text, &json);
    EXPECT_EQ(json, test.json);
  }
}

TEST(NearestNameTest, Table) {
  const struct {
    const char* given;
    const char* nearest;
  } cases[] = {
      {"nmae", "name"},
      {"nam", "name"},
      {"names", "name"},
      {"contian", "contains"},
      {"contins", "contains"},
      {"contianss", "contains"},
      {"", ""},
      {"zzz", ""},
      {"x", ""},
  };
  for (const auto& test : cases)
    EXPECT_EQ(NearestName(test.given, {"name", "contains", "id"}), test.nearest) << test.given;
  EXPECT_EQ(NearestName(std::string(10000, 'a'), {"a"}), "");
}

}  // namespace
}  // namespace hcl
