#include "hclvm/workbench/xml_text.h"

#include <string_view>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(XmlTextTest, HasOnlyWhatXmlCanHave) {
  struct Case {
    std::string_view text, attribute, content;
  };
  for (const Case& one : {
           Case{"", "", ""},
           Case{"a\"b'", "a&quot;b'", "a\"b'"},
           Case{"<a>&]]>", "&lt;a&gt;&amp;]]&gt;", "&lt;a&gt;&amp;]]&gt;"},
           Case{"a\nb\r\tc", "a&#10;b \tc", "a\nb \tc"},
           Case{"\x1b\x7f\x01", "   ", "   "},
           Case{std::string_view("\0", 1), " ", " "},
           Case{"\xff", "\xef\xbf\xbd", "\xef\xbf\xbd"},
           Case{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
           Case{"\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd"},
           Case{"\xf0\x9f\x98\x80\xef\xbf\xbd", "\xf0\x9f\x98\x80\xef\xbf\xbd", "\xf0\x9f\x98\x80\xef\xbf\xbd"},
       }) {
    EXPECT_EQ(XmlAttribute(one.text), one.attribute) << one.text;
    EXPECT_EQ(XmlContent(one.text), one.content) << one.text;
  }
}

}  // namespace
}  // namespace hcl::internal
