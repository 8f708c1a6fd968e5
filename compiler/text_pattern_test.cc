// Patterns that name nothing but texts: which those are.

#include "hclvm/compiler/text_pattern.h"

#include <string>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

std::string Print(const TextPattern& pattern) {
  using Place = TextPattern::Place;
  std::string out = pattern.place == Place::kNone        ? "none"
                    : pattern.place == Place::kAnywhere  ? "anywhere"
                    : pattern.place == Place::kBeginning ? "beginning"
                    : pattern.place == Place::kEnd       ? "end"
                                                         : "whole";
  for (const std::string& text : pattern.texts) out += " <" + text + ">";
  return out;
}

TEST(TextPatternTest, Reads) {
  struct Row {
    const char* pattern;
    const char* want;
  };
  const Row kRows[] = {
      {"v1", "anywhere <v1>"},
      {"^api/", "beginning <api/>"},
      {"users$", "end <users>"},
      {"^admin$", "whole <admin>"},
      {"^(read|write)$", "whole <read> <write>"},
      {"^(?:read|write|a\\.b)$", "whole <read> <write> <a.b>"},
      {"^(read)$", "whole <read>"},
      {"\\.example\\.com$", "end <.example.com>"},
      {"^a\\-b\\/c d_e:f,@g$", "whole <a-b/c d_e:f,@g>"},
      {"\\\\", "anywhere <\\>"},
      {"\\$$", "end <$>"},
      // What matches no text, or asks for more.
      {"", "none"},
      {"^", "none"},
      {"$", "none"},
      {"^$", "none"},
      {"a.c", "none"},
      {"a*", "none"},
      {"a{2}", "none"},
      {"[ab]", "none"},
      {"^^a", "none"},
      {"a$b", "none"},
      {"a$$", "none"},
      {"a|b", "none"},
      {"^a|b$", "none"},
      {"(a)", "none"},
      {"^(a|b)", "none"},
      {"(a|b)$", "none"},
      {"^(a|)$", "none"},
      {"^()$", "none"},
      {"^(a|b)c$", "none"},
      {"^(a|b))$", "none"},
      {"^(a|(b))$", "none"},
      {"^(?i:a)$", "none"},
      {"(?i)a", "none"},
      {"\\d", "none"},
      {"\\bx", "none"},
      {"a\\", "none"},
      {"\\Qa\\E", "none"},
      {"\xc3\xa9", "none"},
      {"a\tb", "none"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Print(ReadTextPattern(row.pattern)), row.want) << row.pattern;
  EXPECT_EQ(Print(ReadTextPattern(std::string(257, 'a'))), "none");
}

}  // namespace
}  // namespace hcl::internal
