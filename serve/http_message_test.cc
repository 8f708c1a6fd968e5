// Parts of HTTP messages.

#include "hclvm/serve/http_message.h"

#include <string_view>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

TEST(HttpMessageTest, FindsHeaders) {
  HttpRequest request;
  request.headers = {{"Host", "a"}, {"X-A", "1"}, {"x-a", "2"}};
  ASSERT_NE(request.Find("host"), nullptr);
  EXPECT_EQ(*request.Find("host"), "a");
  EXPECT_EQ(request.Find("x-a"), nullptr);
  EXPECT_EQ(request.Count("x-a"), 2u);
  EXPECT_EQ(request.Find("x-b"), nullptr);
}

TEST(HttpMessageTest, KnowsHeaders) {
  EXPECT_TRUE(IsHeaderName("X-A_1"));
  for (const char* wrong : {"", "a b", "a:", "a\n", "\xc3\xa9"}) EXPECT_FALSE(IsHeaderName(wrong)) << wrong;
  EXPECT_TRUE(IsHeaderValue("a b\tc \xc3\xa9"));
  EXPECT_TRUE(IsHeaderValue(""));
  for (const char* wrong : {"a\r", "a\nb", "\x01", "\x7f"}) EXPECT_FALSE(IsHeaderValue(wrong)) << wrong;
  EXPECT_FALSE(IsHeaderValue(std::string_view("a\0b", 3)));
  EXPECT_EQ(LowerCase("X-Ab\xc3\x89"), "x-ab\xc3\x89");
}

}  // namespace
}  // namespace hcl::serve
