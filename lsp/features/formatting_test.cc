#include "hclvm/lsp/features/formatting.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kText[] = "a=1\nbc   = \"\xC3\xA4\"+2\nb {\nx=[1,2]\n}\n";

TEST(FormattingTest, ChangesLinesThatAreLaidOutOtherwise) {
  Replay client;
  client.Open("a.hcl", kText);
  const Json edits = client.Ask("textDocument/formatting", "a.hcl");
  EXPECT_EQ(client.Edited("a.hcl", edits), "a  = 1\nbc = \"\xC3\xA4\" + 2\nb {\n  x = [1, 2]\n}\n");
  EXPECT_EQ(edits.size(), 3u);
  client.Edit("a.hcl", client.Edited("a.hcl", edits));
  EXPECT_EQ(client.Ask("textDocument/formatting", "a.hcl"), Json::array());
}

TEST(FormattingTest, KeepsOtherLines) {
  struct Case {
    std::string range;
    std::string expected;
  };
  const Case cases[] = {
      {R"({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}})",
       "a  = 1\nbc   = \"\xC3\xA4\"+2\nb {\nx=[1,2]\n}\n"},
      {R"({"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 1}})",
       "a=1\nbc   = \"\xC3\xA4\"+2\nb {\n  x = [1, 2]\n}\n"},
      {R"({"start": {"line": 99, "character": 0}, "end": {"line": 99, "character": 1}})", kText},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("a.hcl", kText);
    const Json edits = client.Ask("textDocument/rangeFormatting", "a.hcl", {{"range", Json::parse(c.range)}});
    EXPECT_EQ(client.Edited("a.hcl", edits), c.expected) << c.range;
  }
}

TEST(FormattingTest, FollowsTyping) {
  struct Case {
    std::string text;
    std::string typed;
    std::string expected;
  };
  const Case cases[] = {
      {"a=1\n|\nb=2\n", "\n", "a = 1\n\nb=2\n"},
      {"a=1\nb {\nx=1\n}|\n", "}", "a=1\nb {\n  x = 1\n}\n"},
      {"a=1\nx=[\n1,\n]|\n", "]", "a=1\nx = [\n  1,\n]\n"},
      {"|a=1\n", "\n", "a=1\n"},
      {"a=1 }|\n", "}", "a=1 }\n"},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("a.hcl", c.text);
    const Json edits = client.Ask("textDocument/onTypeFormatting", "a.hcl", {{"ch", c.typed}});
    EXPECT_EQ(client.Edited("a.hcl", edits), c.expected) << c.text;
  }
}

TEST(FormattingTest, LeavesJsonAlone) {
  Replay client;
  client.Open("a.json", "{ }");
  EXPECT_EQ(client.Ask("textDocument/formatting", "a.json"), Json::array());
}

}  // namespace
}  // namespace hcl::lsp
