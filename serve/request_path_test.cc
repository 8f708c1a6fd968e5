// Paths and queries, as policies get them.

#include "hclvm/serve/request_path.h"

#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

std::string Segments(std::string_view path, EncodedSlash encoded_slash = EncodedSlash::kRefuse) {
  const auto segments = PathSegments(path, encoded_slash);
  if (!segments) return "refused";
  std::string text;
  for (const std::string& segment : *segments) text += "[" + segment + "]";
  return text;
}

TEST(RequestPathTest, NormalizesPaths) {
  const struct {
    std::string_view path;
    std::string_view want;
  } kCases[] = {
      {"/", ""},
      {"/a/b", "[a][b]"},
      {"/a/b/", "[a][b]"},
      {"//a///b", "[a][b]"},
      {"/a/./b", "[a][b]"},
      {"/a/%2e/b", "[a][b]"},
      {"/a/../b", "[b]"},
      {"/a/%2e%2E/b", "[b]"},
      {"/a/.%2e", ""},
      {"/a/b/../../c", "[c]"},
      {"/a%20b", "[a b]"},
      {"/caf%C3%A9", "[caf\xc3\xa9]"},
      {"/cafe%CC%81", "[caf\xc3\xa9]"},  // NFC
      {"/a%252fb", "[a%2fb]"},           // decoded once
      {"/...", "[...]"},
      {"/a;x=1/b", "[a;x=1][b]"},
      {"/a/...;x", "[a][...;x]"},
      {"/a/..;x/b", "refused"},  // a parent, to servers that take parameters off parts
      {"/a/%2e.%3Bx", "refused"},
      {"/a/.;/b", "refused"},
      {"", "refused"},
      {"a", "refused"},
      {"*", "refused"},
      {"/..", "refused"},
      {"/a/../..", "refused"},
      {"/%2e%2e", "refused"},
      {"/a%2fb", "refused"},
      {"/a%5Cb", "refused"},
      {"/a\\b", "refused"},
      {"/a%00", "refused"},
      {"/a%0a", "refused"},
      {"/a%7f", "refused"},
      {"/a%c2%80", "refused"},
      {"/a%c2%9fb", "refused"},
      {"/a\xc2\x9b", "refused"},
      {"/a%", "refused"},
      {"/a%2", "refused"},
      {"/a%zz", "refused"},
      {"/%ff", "refused"},
      {"/%c0%af", "refused"},  // an overlong "/"
      {std::string_view("/a\0b", 4), "refused"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Segments(test.path), test.want) << test.path;
}

TEST(RequestPathTest, KeepsEncodedSlashes) {
  EXPECT_EQ(Segments("/a%2fb/c", EncodedSlash::kKeep), "[a%2Fb][c]");
  EXPECT_EQ(Segments("/a%5cb", EncodedSlash::kKeep), "[a%5Cb]");
  EXPECT_EQ(Segments("/..%2f..", EncodedSlash::kKeep), "[..%2F..]");
  EXPECT_EQ(Segments("/a\\b", EncodedSlash::kKeep), "refused");
}

TEST(RequestPathTest, SplitsTargets) {
  using Parts = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(SplitTarget("/a?b"), Parts("/a", "b"));
  EXPECT_EQ(SplitTarget("/a?b?c#d"), Parts("/a", "b?c"));
  EXPECT_EQ(SplitTarget("/a"), Parts("/a", ""));
  EXPECT_EQ(SplitTarget(""), Parts("", ""));
}

TEST(RequestPathTest, ReadsQueries) {
  const auto text = [](std::string_view query) {
    std::string out;
    const auto parameters = QueryParameters(query);
    if (!parameters) return std::string("refused");
    for (const auto& [name, value] : *parameters) out.append(name).append("=").append(value).append(";");
    return out;
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("a=1&b&c=&a=2&&=x"), "a=1;b=;c=;a=2;=x;");
  EXPECT_EQ(text("a%20b=c+d%3d"), "a b=c d=;");
  EXPECT_EQ(text("a=100%&b=%zz"), "a=100%;b=%zz;");
  EXPECT_EQ(text("a=%ff"), "a=\xef\xbf\xbd;");
  std::string many;
  for (int n = 0; n < 1000; ++n) many += "a&";
  EXPECT_NE(text(many), "refused");
  EXPECT_EQ(text(many + "a"), "refused");
  EXPECT_FALSE(HasTooManyParameters(many + "&&"));
  EXPECT_TRUE(HasTooManyParameters(many + "a"));
  EXPECT_TRUE(HasTooManyParameters(many + "&="));
  EXPECT_FALSE(HasTooManyParameters(""));
}

}  // namespace
}  // namespace hcl::serve
