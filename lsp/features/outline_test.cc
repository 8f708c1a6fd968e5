#include "hclvm/lsp/features/outline.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

// "name(kind) range [children]" of each symbol.
std::string Written(const Json& symbols) {
  std::string text;
  for (const Json& symbol : symbols) {
    absl::StrAppend(&text, text.empty() ? "" : " ", TextAt(symbol, "name"), "(", NumberAt(symbol, "kind"), ") ",
                    TextOfRange(symbol["range"]));
    if (symbol.contains("children")) absl::StrAppend(&text, " [", Written(symbol["children"]), "]");
  }
  return text;
}

TEST(OutlineTest, ListsSymbols) {
  Replay client;
  client.Open("a.hcl",
              "variable \"user\" {\n  type = any\n}\nlocals {\n  a = 1\n}\nx = 1\nb \"c\" d {\n  y = 2\n  e {}\n}\n");
  EXPECT_EQ(Written(client.Ask("textDocument/documentSymbol", "a.hcl")),
            "variable user(13) 0:0-2:1 [type(7) 1:2-1:12] locals(2) 3:0-5:1 [a(14) 4:2-4:7] x(7) 6:0-6:5 "
            "b c d(5) 7:0-10:1 [y(7) 8:2-8:7 e(5) 9:2-9:6]");
}

TEST(OutlineTest, ListsSymbolsOfBrokenTexts) {
  Replay client;
  client.Open("a.hcl", "x = 1\ny = (\nb {\n  z = 1\n");
  EXPECT_NE(Written(client.Ask("textDocument/documentSymbol", "a.hcl")).find("x(7) 0:0-0:5"), std::string::npos);
}

TEST(OutlineTest, Folds) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"a = 1\n", ""},
      {"b {\n  x = 1\n}\n", "0-1"},
      {"b {\n}\n", ""},
      {"x = [\n  1,\n  {\n    a = 1\n  },\n]\n", "0-4 2-3"},
      {"# a\n# b\nx = 1\n# c\n", "0-1 comment"},
      {"/*\n\n*/\nx = 1\n", "0-2 comment"},
      {"x = <<E\na\nb\nE\n", "0-2"},
      {"b {\n  x = 1\n", ""},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("a.hcl", c.text);
    std::string found;
    for (const Json& range : client.Ask("textDocument/foldingRange", "a.hcl")) {
      absl::StrAppend(&found, found.empty() ? "" : " ", NumberAt(range, "startLine"), "-", NumberAt(range, "endLine"),
                      range.contains("kind") ? " " + TextAt(range, "kind") : "");
    }
    EXPECT_EQ(found, c.expected) << c.text;
  }
}

TEST(OutlineTest, GrowsSelections) {
  Replay client;
  client.Open("a.hcl", "b {\n  x = f(a + 1)\n}\n");
  const Json position = {{"line", 1}, {"character", 8}};
  const Json ranges = client.Ask("textDocument/selectionRange", "a.hcl", {{"positions", Json::array({position, 7})}});
  ASSERT_EQ(ranges.size(), 2u);
  std::string chain;
  for (const Json* at = &ranges[0]; at != nullptr; at = Member(*at, {"parent"})) {
    absl::StrAppend(&chain, chain.empty() ? "" : " ", TextOfRange((*at)["range"]));
  }
  EXPECT_EQ(chain, "1:8-1:9 1:8-1:13 1:6-1:14 1:2-1:14 0:3-2:0 0:0-2:1 0:0-3:0");
}

}  // namespace
}  // namespace hcl::lsp
