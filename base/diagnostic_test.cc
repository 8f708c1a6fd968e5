#include "hclvm/base/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kUnsupportedAttribute;

std::string Details(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) text += diagnostic.detail;
  return text;
}

// Adds an entry for each letter: warnings for small ones if `warnings`, errors for the others, limits for digits.
void AddAll(std::string_view letters, bool warnings, Diagnostics* diagnostics) {
  for (const char c : letters) {
    const std::string detail(1, c);
    if (c >= '0' && c <= '9') {
      diagnostics->AddLimit(SourceRange{0, 1}, DiagnosticCode::kTooManySteps, detail);
    } else if (warnings && c >= 'a') {
      diagnostics->AddWarning({0, 1}, DiagnosticCode::kUselessDefault, detail);
    } else {
      diagnostics->AddError({0, 1}, kCode, detail);
    }
  }
}

TEST(DiagnosticsTest, CountsPastTheBound) {
  Diagnostics diagnostics(2);
  AddAll("abc", false, &diagnostics);
  EXPECT_EQ(diagnostics.count(), 3u);
  EXPECT_EQ(Details(diagnostics), "ab");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_FALSE(diagnostics.has_limit());
}

TEST(DiagnosticsTest, ABoundOfZeroStillKnowsThatThereWereErrors) {
  Diagnostics diagnostics(0);
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.AddError({0, 1}, kCode, "a");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_TRUE(diagnostics.kept().empty());
}

TEST(DiagnosticsTest, TheFirstLimitIsKeptPastTheBound) {
  Diagnostics diagnostics(1);
  diagnostics.AddError({0, 1}, kCode, "a");
  diagnostics.AddLimit(std::nullopt, DiagnosticCode::kTooManySteps, "L");
  diagnostics.AddLimit(std::nullopt, DiagnosticCode::kResultTooLarge, "M");
  EXPECT_TRUE(diagnostics.has_limit());
  EXPECT_EQ(Details(diagnostics), "aL");
  diagnostics.Remove(1);
  EXPECT_FALSE(diagnostics.has_limit());
  EXPECT_EQ(diagnostics.count(), 1u);
}

// Small letters are warnings here. Neither they nor errors take the room of the others.
TEST(DiagnosticsTest, WarningsAndErrorsHaveBoundsOfTheirOwn) {
  const struct {
    const char* added;
    const char* kept;
    bool has_errors;
    size_t count;
    size_t left_out;
  } cases[] = {
      {"", "", false, 0, 0},          {"a", "a", false, 1, 0},     {"ab", "ab", false, 2, 0},
      {"abc", "ab", false, 2, 1},     {"abcd", "ab", false, 2, 2}, {"aa", "a", false, 2, 1},
      {"abb", "ab", false, 3, 1},     {"aBb", "aBb", true, 3, 0},  {"abcB", "abB", true, 3, 1},
      {"abcBCD", "abBC", true, 5, 2}, {"BCDa", "BCa", true, 4, 1}, {"BCDabc", "BCab", true, 5, 2},
      {"abBC1", "abBC1", true, 5, 0},
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics(2);
    AddAll(test.added, true, &diagnostics);
    EXPECT_EQ(Details(diagnostics), test.kept) << test.added;
    EXPECT_EQ(diagnostics.has_errors(), test.has_errors) << test.added;
    EXPECT_EQ(diagnostics.count(), test.count) << test.added;
    EXPECT_EQ(diagnostics.error_count() > 0, test.has_errors) << test.added;
    EXPECT_EQ(diagnostics.left_out(), test.left_out) << test.added;
    diagnostics.Clear();
    EXPECT_EQ(diagnostics.left_out(), 0u);
    AddAll("cdCD", true, &diagnostics);
    EXPECT_EQ(Details(diagnostics), "cdCD") << test.added;
  }
}

TEST(DiagnosticsTest, WhatIsPastTheBoundCountsElsewhereAsWell) {
  Diagnostics some(2);
  AddAll("aabcdBBBCDE", true, &some);
  EXPECT_EQ(some.unkept_errors(), 2u);
  EXPECT_EQ(some.unkept_warnings(), 2u);
  Diagnostics all(2);
  AddAll("aB", true, &all);
  all.AddUnkept(some.unkept_errors(), some.unkept_warnings());
  EXPECT_EQ(Details(all), "aB");
  EXPECT_EQ(all.left_out(), 4u);
  EXPECT_EQ(all.error_count(), 3u);
  EXPECT_EQ(all.unkept_errors(), 2u);
  EXPECT_EQ(all.unkept_warnings(), 2u);
}

TEST(DiagnosticsTest, RemovingGivesRoomToWarnings) {
  Diagnostics diagnostics(2);
  AddAll("aBb", true, &diagnostics);
  diagnostics.MoveLast(0);
  EXPECT_EQ(Details(diagnostics), "baB");
  diagnostics.Remove(1);
  EXPECT_EQ(Details(diagnostics), "b");
  EXPECT_EQ(diagnostics.error_count(), 0u);
  AddAll("cdBCD", true, &diagnostics);
  EXPECT_EQ(Details(diagnostics), "bcBC");
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

TEST(DiagnosticsTest, TheCodeSaysWhatAnEntryIs) {
  Diagnostics diagnostics;
  diagnostics.AddError({0, 1}, DiagnosticCode::kUnknownVariable, "D", SourceRange{0, 2});
  diagnostics.AddWarning({0, 1}, DiagnosticCode::kUselessDefault, "D", SourceRange{0, 2});
  diagnostics.AddLimit(SourceRange{0, 1}, DiagnosticCode::kTooManySteps, "D");
  diagnostics.Add(Diagnostic(DiagnosticCode::kMissingLabel, {"name", "rule"}));
  std::string got;
  for (const Diagnostic& d : diagnostics.kept()) {
    got += CodeText(d.code) + (d.severity == Severity::kWarning ? " warning " : " error ") +
           (d.is_limit ? "limit " : "") + d.summary + (d.context ? " in context\n" : "\n");
  }
  EXPECT_EQ(got,
            "HCL3001 error Unknown variable in context\n"
            "HCL8101 warning Useless default block in context\n"
            "HCL9202 error limit Evaluation takes too many steps\n"
            "HCL5006 error Missing name for rule\n");
}

// Two codes may have one summary.
TEST(DiagnosticsTest, EqualityIncludesTheCode) {
  Diagnostics diagnostics;
  diagnostics.AddError({0, 1}, DiagnosticCode::kNullOperand, "D");
  diagnostics.AddError({0, 1}, DiagnosticCode::kArithmeticFailed, "D");
  EXPECT_EQ(diagnostics.kept()[0].summary, diagnostics.kept()[1].summary);
  EXPECT_FALSE(diagnostics.kept()[0] == diagnostics.kept()[1]);
}

TEST(DiagnosticsTest, IdenticalNeighboursAreKeptOnce) {
  Diagnostics diagnostics;
  AddAll("aaaba", false, &diagnostics);
  diagnostics.AddError({1, 2}, kCode, "a");
  EXPECT_EQ(Details(diagnostics), "abaa");
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
    AddAll(test.added, false, &diagnostics);
    diagnostics.Remove(test.begin, test.end);
    EXPECT_EQ(Details(diagnostics), test.kept) << test.added;
    EXPECT_EQ(diagnostics.count(), test.count) << test.added;
    // What comes later lands behind what is left, and can be removed again.
    const size_t count = diagnostics.count();
    diagnostics.AddError({0, 1}, kCode, "z");
    diagnostics.Remove(count);
    EXPECT_EQ(Details(diagnostics), test.kept) << test.added;
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
    AddAll(test.added, false, &diagnostics);
    const size_t count = diagnostics.count();
    diagnostics.MoveLast(test.begin);
    EXPECT_EQ(Details(diagnostics), test.kept) << test.added;
    EXPECT_EQ(diagnostics.count(), count) << test.added;
    diagnostics.Remove(0);
    EXPECT_TRUE(diagnostics.empty() && diagnostics.kept().empty()) << test.added;
  }
}

Diagnostic Example() {
  Diagnostic diagnostic(kCode);
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
            "Error[HCL4301]: Unsupported attribute\n"
            "\n"
            "  on policy.hcl line 2, column 14:\n"
            "  2 | allow = user.nmae\n"
            "    |              ^^^^\n"
            "\n"
            "  This object has no attribute named \"nmae\".\n"
            "  Did you mean \"name\"?\n");
  EXPECT_EQ(ToText(diagnostic, nullptr),
            "Error[HCL4301]: Unsupported attribute\n\n"
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
    Diagnostic diagnostic(kCode);
    diagnostic.subject = test.subject;
    const std::string text = ToText(diagnostic, &source);
    EXPECT_NE(text.find(std::string("\n") + test.marker + "\n"), std::string::npos) << text;
  }
}

TEST(DiagnosticTextTest, ShowsValues) {
  Diagnostic diagnostic(kCode);
  diagnostic.detail = "D";
  diagnostic.values = {{"user.age", "5"}, {"x", "\x1b[31m"}};
  EXPECT_EQ(ToText(diagnostic, nullptr),
            "Error[HCL4301]: Unsupported attribute\n\n  where user.age is 5\n        x is  [31m\n\n  D\n");
  EXPECT_EQ(ToJson(diagnostic, nullptr),
            R"({"severity":"error","code":"HCL4301","summary":"Unsupported attribute","detail":"D",)"
            R"("values":[{"name":"user.age","value":"5"},)"
            R"({"name":"x","value":"\u001b[31m"}]})");
}

TEST(DiagnosticsTest, ValuesDoNotTellNeighboursApart) {
  Diagnostics diagnostics;
  for (const char* text : {"1", "2"}) {
    Diagnostic diagnostic(kCode);
    diagnostic.values = {{"x", text}};
    diagnostics.Add(diagnostic);
  }
  ASSERT_EQ(diagnostics.kept().size(), 1u);
  EXPECT_EQ(diagnostics.kept()[0].values[0].text, "1");
}

TEST(DiagnosticTextTest, ShowsWhereTheContextStarts) {
  const Source source("s", "a = [\n  1\n  2\n]\nb = 1\n\n\n\n\n]");
  Diagnostic diagnostic(kCode);
  diagnostic.subject = SourceRange{12, 13};
  diagnostic.context = SourceRange{6, 13};
  EXPECT_EQ(ToText(diagnostic, &source),
            "Error[HCL4301]: Unsupported attribute\n\n  on s line 3, column 3:\n  2 |   1\n  3 |   2\n    |   ^\n\n");
  diagnostic.subject = SourceRange{26, 27};
  diagnostic.context = SourceRange{4, 27};
  EXPECT_EQ(ToText(diagnostic, &source),
            "Error[HCL4301]: Unsupported attribute\n\n  on s line 10, column 1:\n   1 | a = [\n     | ...\n  10 | ]\n  "
            "   | ^\n\n");
}

TEST(DiagnosticTextTest, AnEntryMayNameItsSource) {
  const Source one("one", "a"), two("two", "b");
  Diagnostic diagnostic(kCode);
  diagnostic.subject = SourceRange{0, 1};
  diagnostic.source = &two;
  EXPECT_NE(ToText(diagnostic, &one).find("1 | b"), std::string::npos);
  EXPECT_NE(ToJson(diagnostic, &one).find("\"filename\":\"two\""), std::string::npos);
}

TEST(DiagnosticTextTest, LongLinesAreCut) {
  const Source source("s", std::string(100000, 'x') + "HERE" + std::string(100000, 'y'));
  Diagnostic diagnostic(kCode);
  diagnostic.subject = SourceRange{100000, 100004};
  const std::string text = ToText(diagnostic, &source);
  EXPECT_LT(text.size(), 500u);
  const size_t line = text.find("1 | ...");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(text.find("HERE") - line, text.find("^^^^") - text.find("    | ") - 2);
}

TEST(DiagnosticTextTest, ControlCharactersDoNotReachTheTerminal) {
  const Source source("s", "a\x1b[31mb\xc2\x9b");
  Diagnostic diagnostic(kCode);
  diagnostic.subject = SourceRange{0, 1};
  EXPECT_EQ(ToText(diagnostic, &source).find('\x1b'), std::string::npos);
  EXPECT_EQ(ToText(diagnostic, &source).find("\xc2\x9b"), std::string::npos);
  TextOptions options;
  options.color = true;
  EXPECT_NE(ToText(diagnostic, &source, options).find('\x1b'), std::string::npos);
  EXPECT_EQ(ToText(diagnostic, nullptr, options),
            "\x1b[1m\x1b[31mError[HCL4301]\x1b[0m\x1b[1m: Unsupported attribute\x1b[0m\n\n");
  diagnostic.summary = "No \x1b[2J";
  diagnostic.detail = "There is no \x1b[2J here.\nNor \u202E there.";
  const std::string text = ToText(diagnostic, &source);
  EXPECT_NE(text.find("No  [2J\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  There is no  [2J here.\n  Nor   there.\n"), std::string::npos) << text;
}

TEST(DiagnosticTextTest, SaysHowManyWereLeftOut) {
  Diagnostics diagnostics(1);
  AddAll("abc", false, &diagnostics);
  EXPECT_NE(ToText(diagnostics, nullptr).find("2 more were left out."), std::string::npos);
}

TEST(DiagnosticJsonTest, Shape) {
  const Source source("p.hcl", "a = 1\nallow = user.nmae\n");
  Diagnostic diagnostic = Example();
  diagnostic.detail = "D";
  EXPECT_EQ(ToJson(diagnostic, &source),
            R"({"severity":"error","code":"HCL4301","summary":"Unsupported attribute","detail":"D",)"
            R"("subject":{"filename":"p.hcl","start":{"line":2,"column":13,"byte":18},)"
            R"("end":{"line":2,"column":17,"byte":22}},)"
            R"("context":{"filename":"p.hcl","start":{"line":2,"column":8,"byte":13},)"
            R"("end":{"line":2,"column":17,"byte":22}}})");
  EXPECT_EQ(ToJson(diagnostic, nullptr),
            R"({"severity":"error","code":"HCL4301","summary":"Unsupported attribute","detail":"D"})");
}

TEST(DiagnosticTextTest, AWarningSaysSo) {
  const Diagnostic warning(DiagnosticCode::kUselessDefault);
  EXPECT_EQ(ToText(warning, nullptr), "Warning[HCL8101]: Useless default block\n\n");
  EXPECT_EQ(ToJson(warning, nullptr),
            R"({"severity":"warning","code":"HCL8101","summary":"Useless default block","detail":""})");
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
      {"\x7f\u0085\u009b[31m", R"("\u007f\u0085\u009b[31m")"},
      {"a\u061c\u200e\u2028\u202e\u2066b\u00a0", "\"a\\u061c\\u200e\\u2028\\u202e\\u2066b\u00a0\""},
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
  // The order of the candidates does not matter.
  EXPECT_EQ(NearestName("user_ad", {"user_ac", "user_ab"}), "user_ab");
  EXPECT_EQ(NearestName("user_ad", {"user_ab", "user_ac"}), "user_ab");
  EXPECT_EQ(NearestName("a", {"b"}), "");
}

}  // namespace
}  // namespace hcl
