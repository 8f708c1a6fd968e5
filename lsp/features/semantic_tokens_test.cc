#include "hclvm/lsp/features/semantic_tokens.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

// "line:character+length type" of each token, with "!" behind a declaration.
std::string Written(const Json& tokens) {
  const Json legend = SemanticTokensLegend();
  std::string text;
  int64_t line = 0, character = 0;
  const Json& data = tokens["data"];
  for (size_t n = 0; n + 5 <= data.size(); n += 5) {
    const int64_t delta = data[n].get<int64_t>();
    line += delta;
    character = (delta == 0 ? character : 0) + data[n + 1].get<int64_t>();
    absl::StrAppend(&text, text.empty() ? "" : " ", line, ":", character, "+", data[n + 2].get<int64_t>(), " ",
                    legend["tokenTypes"][data[n + 3].get<size_t>()].get<std::string>(),
                    (data[n + 4].get<int64_t>() & 1) != 0 ? "!" : "");
  }
  return text;
}

TEST(SemanticTokensTest, TellsWhatWordsAre) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"variable \"u\" {}\n", "0:0+8 class 0:9+1 string 0:10+1 string 0:11+1 string"},
      {"locals {\n  a = 1\n}\n", "0:0+6 class 1:2+1 variable! 1:6+1 number"},
      {"x = local.a + var.b\n",
       "0:0+1 property! 0:4+5 keyword 0:10+1 variable 0:12+1 operator 0:14+3 keyword 0:18+1 variable"},
      {"x = f(u.name)\n", "0:0+1 property! 0:4+1 function 0:6+1 variable 0:8+4 property"},
      {"x = [for v in m : v]\n",
       "0:0+1 property! 0:5+3 keyword 0:9+1 parameter! 0:11+2 keyword 0:14+1 variable 0:18+1 parameter"},
      {"x = { a = true }\n", "0:0+1 property! 0:6+1 property 0:10+4 keyword"},
      {"/* a\nb */ x = 1\n", "0:0+4 comment 1:0+4 comment 1:5+1 property! 1:9+1 number"},
      {"x = <<E\na${b}\nE\n", "0:0+1 property! 0:4+3 string 1:0+1 string 1:3+1 variable 2:0+1 string"},
      {"x = \"\xF0\x9F\x98\x80\"\n", "0:0+1 property! 0:4+1 string 0:5+2 string 0:7+1 string"},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("a.hcl", c.text);
    EXPECT_EQ(Written(client.Ask("textDocument/semanticTokens/full", "a.hcl")), c.expected) << c.text;
  }
}

TEST(SemanticTokensTest, TellsOfARange) {
  Replay client;
  client.Open("a.hcl", "x = 1\ny = 2\nz = 3\n");
  const Json range = {{"start", {{"line", 1}, {"character", 0}}}, {"end", {{"line", 2}, {"character", 0}}}};
  EXPECT_EQ(Written(client.Ask("textDocument/semanticTokens/range", "a.hcl", {{"range", range}})),
            "1:0+1 property! 1:4+1 number");
}

}  // namespace
}  // namespace hcl::lsp
