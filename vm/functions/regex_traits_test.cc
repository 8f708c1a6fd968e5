#include "hclvm/vm/functions/regex_traits.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

std::string Print(const RegexTraits& traits) {
  std::string out = "size " + std::to_string(traits.size);
  if (traits.groups > 0) out += " groups " + std::to_string(traits.groups);
  if (traits.has_choice) out += " choice";
  if (traits.is_local) out += " local";
  if (traits.is_calm) out += " calm";
  if (traits.has_any_byte) out += " any-byte";
  return out;
}

TEST(RegexTraitsTest, WhatIsPlainToSee) {
  const char* const kRows[][2] = {
      {"", "size 0 local calm"},
      {"foobarbaz", "size 9 local calm"},
      {"foo|bar|baz", "size 9 choice local calm"},
      {"[a-z]+", "size 1 choice local calm"},
      {"\\d+", "size 1 choice local calm"},
      {"\\w+@\\w+\\.\\w+", "size 5 choice local calm"},
      {"\"[^\"]*\"", "size 3 choice local calm"},
      {"(\\w+)\\s*=\\s*(\\S+)", "size 7 groups 2 choice local calm"},
      {"\\b\\w+\\b", "size 3 choice local calm"},
      {"\\w+$", "size 2 choice local calm"},
      {"\\d{4}-\\d{2}-\\d{2}", "size 10 local"},
      {"(?:a|b)", "size 3 choice local calm"},
      {"a+|b+", "size 2 choice local calm"},
      {"[\\d.]+x?", "size 2 choice local calm"},
      {"[]a]+b", "size 2 choice local calm"},
      {"[^]a]+a", "size 2 choice local calm"},
      // What goes on with the repetition may also end it, or there is something behind a repetition that may be
      // missing.
      {"a.*b", "size 3 choice calm"},
      {"x.*y|x", "size 4 choice calm"},
      {"x(.*y)?", "size 4 groups 1 choice calm"},
      {"x?[^y]*y", "size 3 choice calm"},
      {"\\w+a", "size 2 choice calm"},
      {"[[:alpha:]]+1", "size 2 choice calm"},
      {"[^\\x00]+1", "size 2 choice calm"},
      {"\\w+\\B", "size 2 choice calm"},
      {"\\D+\\b", "size 2 choice calm"},
      {"(?i)K+\\x{212a}", "size 2 choice calm"},
      {"(?i)k+[^a-zA-Z]", "size 2 choice calm"},
      {"(?i)a+B", "size 2 choice local calm"},
      {"(?i)a+A", "size 2 choice calm"},
      {"(?:a|b)*a(?:a|b){12}", "size 29 choice"},
      {"(ab)*c", "size 4 groups 1 choice calm"},
      // Repetitions multiply.
      {"a{3}", "size 3 local calm"},
      {"((a{0,30}){0,30})", "size 902 groups 2 choice local"},
      {"(?:a{1000}){1000}{1000}", "size 1000000000 local"},
      {"a{2,}", "size 3 choice local calm"},
      {"a{,2}b{x}c{", "size 11 local calm"},
      {"\\pL\\p{Greek}", "size 62 local"},
      // Groups of all forms.
      {"(a)(?:b)(?P<n>c)(?<m>d)(?i)e(?i:f)", "size 11 groups 3 local calm"},
      {"\\(a\\)[(]", "size 4 local calm"},
      // A backslash before a backslash is a character.
      {"\\C", "size 1 local calm any-byte"},
      {"a[b]\\\\\\C", "size 4 local calm any-byte"},
      {"\\\\C", "size 2 local calm"},
      {"\\\\\\\\C", "size 3 local calm"},
      {"\\Q\\C\\E\\d", "size 3 local calm"},
      {"[\\\\C]", "size 1 local calm"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Print(ReadRegexTraits(row[0])), row[1]) << row[0];
}

// Every text is gone through to its end, whatever is missing in it.
TEST(RegexTraitsTest, AnyText) {
  const std::string alphabet = "\\([{?|*+)]}Q1,pxPC:^a<";
  uint32_t state = 1;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (uint32_t n = 0; n < 8; ++n) {
      state = state * 1664525 + 1013904223;
      text += alphabet[(state >> 16) % alphabet.size()];
    }
    EXPECT_LE(ReadRegexTraits(text).size, kMaxRegexSize) << text;
  }
  EXPECT_EQ(ReadRegexTraits(std::string(10'000, '(') + "\xff").groups, 10'000u);
}

}  // namespace
}  // namespace hcl::internal
