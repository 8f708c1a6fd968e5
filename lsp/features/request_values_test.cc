#include "hclvm/lsp/features/request_values.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] =
    "variable \"user\" {\n  type = object({ name = string })\n}\n"
    "variable \"token\" {\n  type = string\n  sensitive = true\n}\n";
constexpr char kRequests[] =
    "{\"user\":{\"name\":\"ann\"},\"token\":\"t\"}\n{\"user\":{\"name\":\"bo\"},\"token\":\"t\"}\n{}\n";

std::string ValueIn(const std::string& text, int line = 2) {
  Replay client(Json{{"request", {{"file", "r.ndjson"}, {"line", line}}}});
  client.Open("r.ndjson", kRequests);
  client.Open("v.hcl", kVariables);
  client.Open("a.hcl", text);
  const Json hover = client.Ask("textDocument/hover", "a.hcl");
  if (hover.is_null()) return "";
  const std::string all = hover["contents"]["value"].get<std::string>();
  const std::string begin = "Value for the chosen request: `";
  const size_t at = all.find(begin);
  if (at == std::string::npos) return "";
  return all.substr(at + begin.size(), all.find('`', at + begin.size()) - at - begin.size());
}

TEST(RequestValuesTest, ShowsTheValueOfTheChosenRequest) {
  struct Case {
    std::string text;
    std::string expected;
    int line = 2;
  };
  const Case cases[] = {
      {"x = user.na|me\n", "\"bo\""},
      {"x = user.na|me\n", "\"ann\"", 1},
      {"x = user.na|me\n", "", 3},
      {"x = user.na|me\n", "", 4},
      {"x| = user.name == \"bo\"\n", "true"},
      {"locals {\n  a| = upper(user.name)\n}\nx = local.a\n", "\"BO\""},
      {"x = [for n in [1, 2, 3] : n| * 2]\n", "1, 2, 3"},
      {"x = to|ken\n", "(sensitive value)"},
      {"x = upper(to|ken)\n", "(sensitive value)"},
      {"x = strlen(user.name) - 8|\n", ""},
      {"x| = strlen(user.name) - 8\n", "-6"},
      {"x = strlen(user.na|me) - 8\n", "\"bo\""},
      // A slow entry takes no value from others.
      {"x = sum([for a in range(999) : sum([for b in range(999) : a * b * strlen(user.name)])])\ny| = "
       "upper(user.name)\n",
       "\"BO\""},
      {"y = us|er == null\n", "{\"name\":\"bo\"}"},
      {"variable \"ag|e\" {\n  default = 3\n}\nx = 1\n", "3"},
      {"locals {\n  a = 1\n}\nx = [for user in [1] : us|er]\n", "1"},
      {"x = (\ny = user.na|me\n", ""},
      // An evaluation that would take too long has no value, and the answer comes all the same.
      {"x| = sum([for a in range(999) : sum([for b in range(999) : a * b * strlen(user.name)])])\n", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(ValueIn(c.text, c.line), c.expected) << c.text;
}

}  // namespace
}  // namespace hcl::lsp
