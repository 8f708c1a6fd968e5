#include "hclvm/lsp/protocol/file_uri.h"

#include <string_view>

#include "gtest/gtest.h"

namespace hcl::lsp {
namespace {

TEST(FileUriTest, GoesBothWays) {
  struct Case {
    std::string_view uri, path;
  };
  const Case cases[] = {
      {"file:///a/b.hcl", "/a/b.hcl"},
      {"file:///a/b%20c%25.hcl", "/a/b c%.hcl"},
      {"file:///%C3%A4.hcl", "/\xC3\xA4.hcl"},
      {"untitled:Untitled-1", "untitled:Untitled-1"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(PathOf(c.uri), c.path);
    EXPECT_EQ(UriOf(c.path), c.uri);
  }
}

TEST(FileUriTest, TakesOtherSpellings) {
  EXPECT_EQ(PathOf("file://localhost/a"), "/a");
  EXPECT_EQ(PathOf("file:///a%3ab"), "/a:b");
  EXPECT_EQ(PathOf("file:///a%"), "/a%");
  EXPECT_EQ(PathOf("file:///a%zz"), "/a%zz");
  EXPECT_EQ(PathOf("file://"), "");
}

}  // namespace
}  // namespace hcl::lsp
