// Text for terminals.

#include "hclvm/base/printable.h"

#include <string_view>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(PrintableTest, HasNoControls) {
  EXPECT_EQ(Printable("a\x1b[31mb\r\n\tc\x7f"), "a [31mb  \tc ");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "2J"),
            " 2J");  // the same command in one character
  EXPECT_EQ(Printable("\xc3\xa9\xf0\x9f\x98\x80"), "\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(Printable("a\u202Eb\u2066c\u200Fd\u2028e\u061C"), "a b c d e ");  // turn the text around, or end a line
  EXPECT_EQ(Printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(Printable(std::string_view("\0x", 2)), " x");
  EXPECT_EQ(Printable(""), "");
}

TEST(PrintableTest, LinesStayWhereThereAreSome) { EXPECT_EQ(PrintableLines("a\n\x1b\rb\n"), "a\n  b\n"); }

}  // namespace
}  // namespace hcl::internal
