#include "hclvm/lsp/protocol/text_position.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/source.h"

namespace hcl::lsp {
namespace {

// Lines: "a\u00e4\U0001F600b", "", "c" and "".
constexpr std::string_view kText =
    "a\xC3\xA4\xF0\x9F\x98\x80"
    "b\r\n\rc\n";

TEST(TextPositionTest, CountsUnitsOfTheEncoding) {
  struct Case {
    PositionEncoding encoding;
    uint32_t units[5];  // before each character of the first line, and at its end
  };
  const uint32_t offsets[] = {0, 1, 3, 7, 8};
  const Case cases[] = {
      {PositionEncoding::kUtf8, {0, 1, 3, 7, 8}},
      {PositionEncoding::kUtf16, {0, 1, 2, 4, 5}},
      {PositionEncoding::kUtf32, {0, 1, 2, 3, 4}},
  };
  const LineIndex lines(kText);
  for (const Case& c : cases) {
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(lines.PositionAt(offsets[n], c.encoding), (TextPosition{0, c.units[n]}));
      EXPECT_EQ(lines.OffsetAt({0, c.units[n]}, c.encoding), offsets[n]);
    }
  }
}

TEST(TextPositionTest, CutsWhatIsOutside) {
  const LineIndex lines(kText);
  EXPECT_EQ(lines.line_count(), 4u);
  EXPECT_EQ(lines.OffsetAt({0, 99}, PositionEncoding::kUtf16), 8u);  // the end of the line
  EXPECT_EQ(lines.OffsetAt({0, 3}, PositionEncoding::kUtf16), 3u);   // within a character
  EXPECT_EQ(lines.OffsetAt({99, 0}, PositionEncoding::kUtf16), kText.size());
  EXPECT_EQ(lines.PositionAt(99, PositionEncoding::kUtf16), (TextPosition{3, 0}));
  EXPECT_EQ(lines.PositionAt(5, PositionEncoding::kUtf16), (TextPosition{0, 2}));
  EXPECT_EQ(lines.LineEnd(1), 10u);
  EXPECT_EQ(lines.LineStart(2), 11u);
}

TEST(TextPositionTest, ReadsRanges) {
  const LineIndex lines("abc\ndef");
  const auto range = [&](std::string_view text) {
    const SourceRange bytes = lines.BytesOf(Json::parse(text), PositionEncoding::kUtf16);
    return std::to_string(bytes.begin) + "-" + std::to_string(bytes.end);
  };
  EXPECT_EQ(range(R"({"start": {"line": 0, "character": 1}, "end": {"line": 1, "character": 2}})"), "1-6");
  EXPECT_EQ(range(R"({"start": {"line": 1, "character": 1}, "end": {"line": 0, "character": 0}})"), "5-5");
  EXPECT_EQ(range(R"({"start": {"line": -1, "character": "x"}, "end": {}})"), "0-0");
  EXPECT_EQ(range("3"), "0-0");
}

// Lines that are longer than what a search looks at, beside short ones.
TEST(TextPositionTest, LongLinesAreAsShortOnes) {
  std::string line;
  for (int n = 0; n < 300; ++n) line += kText.substr(0, 8);
  const std::string text = "x\n" + line + "\r\n\n" + line;
  const LineIndex lines(text);
  for (const uint32_t first : {2u, static_cast<uint32_t>(text.size() - line.size())}) {
    for (uint32_t n = 0; n <= 300; ++n) {
      const uint32_t number = first == 2 ? 1 : 3;
      const TextPosition position = {number, 5 * n};
      EXPECT_EQ(lines.PositionAt(first + 8 * n, PositionEncoding::kUtf16), position);
      EXPECT_EQ(lines.OffsetAt(position, PositionEncoding::kUtf16), first + 8 * n);
      EXPECT_EQ(lines.PositionAt(first + 8 * n, PositionEncoding::kUtf32), (TextPosition{number, 4 * n}));
      EXPECT_EQ(lines.OffsetAt({number, 8 * n}, PositionEncoding::kUtf8), first + 8 * n);
    }
    EXPECT_EQ(lines.OffsetAt({first == 2 ? 1u : 3u, UINT32_MAX}, PositionEncoding::kUtf32), first + line.size());
  }
}

TEST(TextPositionTest, TakesAnyBytes) {
  const LineIndex lines("\xff\xC3(");
  for (uint32_t at = 0; at <= 3; ++at) {
    const TextPosition position = lines.PositionAt(at, PositionEncoding::kUtf16);
    EXPECT_EQ(lines.OffsetAt(position, PositionEncoding::kUtf16), at);
  }
}

}  // namespace
}  // namespace hcl::lsp
