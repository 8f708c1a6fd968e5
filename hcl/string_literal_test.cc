#include "hclvm/hcl/string_literal.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace internal {
namespace {

std::string Decode(const std::string& text, TextKind kind, Diagnostics* diagnostics) {
  Arena arena;
  // The text stands between other bytes, which must not be touched.
  const std::string source = "ab" + text + "cd";
  return std::string(
      DecodeTemplateText(source, {2, static_cast<uint32_t>(2 + text.size())}, kind, &arena, diagnostics));
}

TEST(StringLiteralTest, Decodes) {
  const struct {
    const char* text;
    TextKind kind;
    const char* decoded;
  } cases[] = {
      {"", TextKind::kQuoted, ""},
      {"plain", TextKind::kQuoted, "plain"},
      {"\\n\\r\\t\\\"\\\\", TextKind::kQuoted, "\n\r\t\"\\"},
      {"\\u00e9\\u4E16", TextKind::kQuoted, "\u00e9\u4e16"},
      {"\\U0001F600", TextKind::kQuoted, "\U0001F600"},
      {"\\u00e9a", TextKind::kQuoted, "\u00e9a"},
      {"$${x}%%{y}", TextKind::kQuoted, "${x}%{y}"},
      {"$$${x} $% %$", TextKind::kQuoted, "$${x} $% %$"},
      {"\\n\\u00e9$${", TextKind::kUnquoted, "\\n\\u00e9${"},
      {"$$", TextKind::kUnquoted, "$$"},
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Decode(test.text, test.kind, &diagnostics), test.decoded) << test.text;
    EXPECT_TRUE(diagnostics.empty()) << test.text;
  }
}

TEST(StringLiteralTest, ReportsEachBadEscapeOnce) {
  const struct {
    const char* text;
    const char* decoded;
    std::vector<SourceRange> places;
  } cases[] = {
      {"\\x", "x", {{2, 4}}},
      {"a\\\u00e9b", "a\u00e9b", {{3, 6}}},
      {"\\u12\\u123g", "\\u12\\u123g", {{2, 6}, {6, 11}}},
      {"\\U0001F60", "\\U0001F60", {{2, 11}}},
      {"\\uD800", "\\uD800", {{2, 8}}},
      {"\\U00110000", "\\U00110000", {{2, 12}}},
      {"\\UFFFFFFFF", "\\UFFFFFFFF", {{2, 12}}},
      {"\\$${", "$${", {{2, 4}}},
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Decode(test.text, TextKind::kQuoted, &diagnostics), test.decoded) << test.text;
    ASSERT_EQ(diagnostics.count(), test.places.size()) << test.text;
    for (size_t i = 0; i < test.places.size(); ++i) {
      EXPECT_EQ(diagnostics.kept()[i].subject, test.places[i]) << test.text;
    }
  }
}

}  // namespace
}  // namespace internal
}  // namespace hcl
