#include "hclvm/base/source.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(SourceTest, Positions) {
  const struct {
    const char* text;
    uint32_t offset;
    uint32_t line;
    uint32_t column;
  } cases[] = {
      {"", 0, 1, 1},
      {"", 9, 1, 1},
      {"abc", 2, 1, 3},
      {"abc", 3, 1, 4},
      {"abc", 4, 1, 4},
      {"a\nb", 1, 1, 2},
      {"a\nb", 2, 2, 1},
      {"a\n", 2, 2, 1},
      {"a\n\nb", 2, 2, 1},
      {"a\r\nb", 1, 1, 2},
      {"a\r\nb", 2, 1, 2},  // inside "\r\n"
      {"a\r\nb", 3, 2, 1},
      {"a\rb", 2, 1, 3},
      {"\ta", 1, 1, 2},
      {"\u00e9a", 2, 1, 2},
      {"e\u0301a", 3, 1, 2},
      {"e\u0301a", 1, 1, 1},  // inside a cluster
      {"\U0001F600a", 4, 1, 2},
      {"x\n\u4e16 a", 6, 2, 3},
      {"\u00e9\r\nb", 3, 1, 2},
      {"\u00e9\r\nb", 4, 2, 1},
  };
  for (const auto& test : cases) {
    const Source source("test", test.text);
    const SourcePosition position = source.PositionAt(test.offset);
    EXPECT_EQ(position.line, test.line) << test.text << " at " << test.offset;
    EXPECT_EQ(position.column, test.column) << test.text << " at " << test.offset;
    EXPECT_EQ(source.LineAt(test.offset), test.line) << test.text << " at " << test.offset;
    EXPECT_EQ(position.byte, std::min<size_t>(test.offset, source.text().size()));
  }
}

// The third line is too long to be gone over for each question.
TEST(SourceTest, PositionsInALongLine) {
  std::string text = "a\nb\n";
  for (int i = 0; i < 200'000; ++i) text += "\u00e9x";
  text += "\r\nlast";
  const Source source("test", text, 10);
  for (uint32_t i = 0; i < 400'000; i += 3) {
    const uint32_t offset = 4 + i / 2 * 3 + (i % 2 == 0 ? 0 : 2);
    const SourcePosition position = source.PositionAt(offset);
    ASSERT_EQ(position.line, 12u);
    ASSERT_EQ(position.column, i + 1);
  }
  EXPECT_EQ(source.PositionAt(600'005).column, 400'001u);  // inside "\r\n"
  EXPECT_EQ(source.PositionAt(600'006).line, 13u);
  EXPECT_EQ(source.PositionAt(600'007).column, 2u);
  EXPECT_EQ(source.LineAt(600'005), 12u);
}

TEST(SourceTest, AByteOrderMarkTakesNoColumn) {
  const Source source("test", "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo");
  EXPECT_EQ(source.PositionAt(0).column, 1u);
  EXPECT_EQ(source.PositionAt(3).column, 1u);
  EXPECT_EQ(source.PositionAt(4).column, 2u);
  EXPECT_EQ(source.PositionAt(10).column, 2u);  // in the second line it is a character
}

TEST(SourceTest, LinesAndSlices) {
  const Source source("test", "one\ntwo\r\n\nlast");
  EXPECT_EQ(source.Line(0), "");
  EXPECT_EQ(source.Line(1), "one");
  EXPECT_EQ(source.Line(2), "two");
  EXPECT_EQ(source.Line(3), "");
  EXPECT_EQ(source.Line(4), "last");
  EXPECT_EQ(source.Line(5), "");
  EXPECT_EQ(source.LineStart(2), 4u);
  EXPECT_EQ(source.LineStart(9), 14u);
  EXPECT_EQ(source.Slice({4, 7}), "two");
  EXPECT_EQ(source.Slice({10, 99}), "last");
  EXPECT_EQ(source.Slice({99, 100}), "");
}

}  // namespace
}  // namespace hcl
