// What the automaton says is what RE2 says.

#include "hclvm/vm/functions/regex_automaton.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "re2/re2.h"

namespace hcl::internal {
namespace {

using Random = std::mt19937_64;

bool Re2Matches(const re2::RE2& pattern, const std::string& text) {
  return pattern.Match(text, 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

std::optional<RegexAutomaton> Made(std::string_view pattern) {
  uint64_t transitions;
  std::optional<RegexAutomaton> automaton = RegexAutomaton::Make(pattern, &transitions);
  // The last state is made as a whole.
  EXPECT_LE(transitions, RegexAutomaton::kMaxTable + 128);
  return automaton;
}

TEST(RegexAutomatonTest, Matches) {
  const struct {
    const char* pattern;
    const char* text;
    bool want;
  } kRows[] = {
      {"", "", true},
      {"a", "", false},
      {"a", "bab", true},
      {"^a", "ba", false},
      {"a$", "ab", false},
      {"a$", "aba", true},
      {"^$", "", true},
      {"^$", "a", false},
      {"^a*$", "aaa", true},
      {"^a*$", "aab", false},
      {"a*$", "b", true},
      {"^a|b$", "ac", true},
      {"^a|b$", "cb", true},
      {"^a|b$", "bca", false},
      {"^(?:a|b)+$", "abba", true},
      {"^.$", "\n", false},
      {"^[^a]$", "\n", true},
      {"^x{2,3}$", "x", false},
      {"^x{2,3}$", "xxx", true},
      {"^x{2,3}$", "xxxx", false},
      {"^x{2}$", "xxx", false},
      {"^x{2,}$", "xxxxx", true},
      {"^x{0,2}$", "", true},
      {"^(a?b){2}$", "bab", true},
      {"^(?P<host>[a-z]+):(?:[0-9]+)$", "web:80", true},
      {"(?i)password|SECRET", "my_PassWord", true},
      {"(?i)[^a-c]", "AbC", false},
      {"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "my-app-1", true},
      {"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "my-app-", false},
      {"^[^@ ]+@[^@ ]+\\.[a-z]+$", "ann@acme.io", true},
      {"^[^@ ]+@[^@ ]+\\.[a-z]+$", "ann@acme", false},
      {"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "2ed6657d-e927-568b-95e1-2665a8aea6a2", true},
      {"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "2ed6657d-e927-568b-95e1-2665a8aea6a", false},
      {"\\.(tf|tfvars)$", "main.tfvars", true},
      {"^v\\d+\\.\\d+\\.\\d+$", "v1.20.3", true},
      {"\\s", "a b", true},
      {"^\\W\\D\\S$", "-a+", true},
      {"^[\\w.-]+$", "a_b.c-d", true},
      {"a\\/b", "a/b", true},
  };
  for (const auto& row : kRows) {
    const std::optional<RegexAutomaton> automaton = Made(row.pattern);
    ASSERT_TRUE(automaton.has_value()) << row.pattern;
    EXPECT_EQ(automaton->Matches(row.text), row.want) << row.pattern << " " << row.text;
    EXPECT_EQ(Re2Matches(re2::RE2(row.pattern), row.text), row.want) << row.pattern << " " << row.text;
  }
}

TEST(RegexAutomatonTest, GivesUp) {
  const std::string kPatterns[] = {
      "\u00e9",
      "\\bword\\b",
      "(?m)^a",
      "(?s:.)",
      "a(?i)b",
      "(^a|b)",
      "(a$)",
      "a^b",
      "\\pL",
      "\\x41",
      "\\Qa.b\\E",
      "[[:alpha:]]",
      "[]a]",
      "[a-\\d]",
      "x{0}",
      "a{b",
      "(?i)\\W",
      "()*",
      "\\z",
      "\\101",
      std::string(65, 'a'),  // positions
      "[01]*1[01]{7}$",      // states
      "^(a{60}|[^a]b{2})",   // within both
      "((((((((((((((((((a))))))))))))))))))",
  };
  for (const std::string& pattern : kPatterns) {
    const bool is_small = pattern.rfind("^(a{60}", 0) == 0;
    EXPECT_EQ(Made(pattern).has_value(), is_small) << pattern;
  }
}

// The parts are put together at random, so that they also make patterns that RE2 refuses or that are given up.
TEST(RegexAutomatonTest, AsRe2) {
  const std::vector<std::string_view> parts = {
      "a", "b",      "-",   "[ab]",    "[^a]",  ".",   "\\d",  "\\w",     "[a-c-]", "[-b]", "[0-9.]", "(",
      ")", "|",      "(?:", "*",       "+",     "?",   "{2}",  "{1,3}",   "{0,2}",  "{2,}", "*?",     "^",
      "$", "(?P<n>", "\\.", "[\\s_-]", "[--b]", "\\-", "[^-]", "[a\\-b]", "]",      "}"};
  const std::vector<std::string_view> texts = {
      "a", "b", "c", "A", "B", "-", ".", "1", " ", "\n", "_", "ab", std::string_view("\0", 1)};
  Random random(11);
  const auto made_of = [&random](const std::vector<std::string_view>& from, size_t most) {
    std::string text;
    for (size_t n = random() % (most + 1); n > 0; --n) text += from[random() % from.size()];
    return text;
  };
  size_t made = 0, matches = 0, misses = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string pattern = random() % 8 == 0 ? "(?i)" : "";
    if (random() % 4 == 0) pattern += '^';
    pattern += made_of(parts, 7);
    if (random() % 4 == 0) pattern += '$';
    const re2::RE2 re2(pattern, re2::RE2::Quiet);
    if (!re2.ok()) continue;
    const std::optional<RegexAutomaton> automaton = Made(pattern);
    if (!automaton) continue;
    ++made;
    for (int n = 0; n < 8; ++n) {
      const std::string text = made_of(texts, 6);
      const bool want = Re2Matches(re2, text);
      ++(want ? matches : misses);
      ASSERT_EQ(automaton->Matches(text), want) << pattern << " in \"" << text << "\"";
    }
  }
  EXPECT_GT(made, 5'000u);
  EXPECT_GT(matches, 10'000u);
  EXPECT_GT(misses, 10'000u);
}

// From left to right, as RE2 finds them.
TEST(RegexAutomatonTest, Runs) {
  const struct {
    const char* pattern;
    bool finds_runs;
  } kRows[] = {
      {"[^a-z]", true},    {"[^a-z]+", true},   {"a", true},   {"\\s+", true},     {"(?:b)+", true},
      {"(?i)a{1,}", true}, {"(?:a+)+", true},   {"(a)", true}, {"[0-9]*", false},  {"a+?", false},
      {"a{2}", false},     {"a|b", false},      {"^a", false}, {"a$", false},      {"a?", false},
      {"(?:|a)", false},   {"(?:a+?)+", false}, {"", false},   {"(?:a?)+", false},
  };
  Random random(12);
  for (const auto& row : kRows) {
    const std::optional<RegexAutomaton> automaton = Made(row.pattern);
    ASSERT_TRUE(automaton.has_value()) << row.pattern;
    EXPECT_EQ(automaton->finds_runs(), row.finds_runs) << row.pattern;
    if (!automaton->finds_runs()) continue;
    const re2::RE2 re2(row.pattern);
    for (int n = 0; n < 200; ++n) {
      std::string text;
      for (size_t left = random() % 12; left > 0; --left) text += "abA1 -"[random() % 6];
      size_t at = 0, begin = 0, end = 0;
      for (re2::StringPiece match; re2.Match(text, at, text.size(), re2::RE2::UNANCHORED, &match, 1); at = end) {
        ASSERT_TRUE(automaton->FindRun(text, at, &begin, &end)) << row.pattern << " in " << text;
        ASSERT_EQ(text.data() + begin, match.data()) << row.pattern << " in " << text;
        ASSERT_EQ(end - begin, match.size()) << row.pattern << " in " << text;
      }
      ASSERT_FALSE(automaton->FindRun(text, at, &begin, &end)) << row.pattern << " in " << text;
    }
  }
}

// A pattern may ask for much more than there is room for.
TEST(RegexAutomatonTest, LargePatterns) {
  std::string nested = "a";
  for (int n = 0; n < 10; ++n) nested.insert(0, "(").append("()){1000}");
  EXPECT_FALSE(Made(nested).has_value());
  EXPECT_FALSE(Made("(" + std::string(100'000, 'a') + "){1000}").has_value());
  EXPECT_FALSE(Made(std::string(100'000, '(')).has_value());
  EXPECT_FALSE(Made("[" + std::string(100'000, 'a')).has_value());
  std::string alternatives = "a";
  for (int n = 0; n < 10'000; ++n) alternatives += "|";
  const std::optional<RegexAutomaton> automaton = Made(alternatives);
  ASSERT_TRUE(automaton.has_value());
  EXPECT_TRUE(automaton->Matches("b"));
}

}  // namespace
}  // namespace hcl::internal
