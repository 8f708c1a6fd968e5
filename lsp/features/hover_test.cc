#include "hclvm/lsp/features/hover.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] =
    "variable \"user\" {\n"
    "  description = \"Who asks.\"\n"
    "  type        = object({ name = string, team = optional(object({ size = number })) })\n"
    "}\n"
    "variable \"limit\" {\n  type = number\n  default = 7\n}\n";

std::string HoverOver(const std::string& text, const std::string& name = "a.hcl") {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("m.hcl", "function \"twice\" {\n  params = [n]\n  result = n * 2\n}\n");
  client.Open(name, text);
  const Json hover = client.Ask("textDocument/hover", name);
  return hover.is_null() ? "" : hover["contents"]["value"].get<std::string>();
}

TEST(HoverTest, ShowsTypesAndDocumentation) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::string declared = "Who asks.\n\nDeclared at v.hcl line 1.";
  const Case cases[] = {
      {"x = us|er\n",
       "```hcl\nvariable user: object({ name = string, team = optional(object({ size = number })) })\n"
       "```\n\n" +
           declared},
      {"x = user.na|me\n", "```hcl\nname: string\n```"},
      {"x = user.te|am != null ? user.team.size : 1\n", "```hcl\nteam: object({ size = number }) or null\n```"},
      {"x = user.team != null ? user.te|am.size : 1\n", "```hcl\nteam: object({ size = number })\n```"},
      {"x = li|mit + 1\n", "```hcl\nvariable limit: number\n```\n\nDefault: `7`\n\nDeclared at v.hcl line 5."},
      {"|x = limit > 1\n", "```hcl\nx: bool\n```"},
      {"locals {\n  a| = [limit]\n}\n", "```hcl\nlocal a: tuple([number])\n```\n\nDeclared at a.hcl line 2."},
      {"locals {\n  a = [limit]\n}\nx = local.a|\n",
       "```hcl\nlocal a: tuple([number])\n```\n\nDeclared at a.hcl line 2."},
      {"x = [for v in [1] : v|]\n", "```hcl\nv: number\n```"},
      {"x = twi|ce(1)\n", "```hcl\ntwice(n)\n```\n\n```hcl\nresult = n * 2\n```\n\nDefined in m.hcl."},
      {"x = up|per(\"a\")\n",
       "```hcl\nupper(str: string): string\n```\n\nThe text in upper case, by Unicode's simple "
       "mapping.\n\n`upper(\"hello\")` = `\"HELLO\"`"},
      {"x = core::up|per(\"a\")\n",
       "```hcl\nupper(str: string): string\n```\n\nThe text in upper case, by Unicode's simple "
       "mapping.\n\n`upper(\"hello\")` = `\"HELLO\"`"},
      {"x = core::twi|ce(1)\n", ""},
      {"x = nosuch|(1)\n", ""},
      {"# com|ment\n", ""},
      {"x = \"te|xt\"\n", ""},
      {"x = )\ny = us|er\n", "```hcl\nvariable user\n```\n\n" + declared},
  };
  for (const Case& c : cases) EXPECT_EQ(HoverOver(c.text), c.expected) << c.text;
}

TEST(HoverTest, KnowsVariablesInTests) {
  EXPECT_EQ(HoverOver("variables {\n  lim|it = 1\n}\n", "a.test.hcl"),
            "```hcl\nvariable limit: number\n```\n\nDefault: `7`\n\nDeclared at v.hcl line 5.");
}

TEST(HoverTest, HelpsWithSignatures) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"x = twice(|\n", "twice(n) 0"},
      {"x = join(\",\", |)\n", "join(separator: string, lists...: list(string)) 1"},
      {"x = join(\",\", [1, 2], [|])\n", ""},
      {"x = join(\",\", [1, 2], a|)\n", "join(separator: string, lists...: list(string)) 1"},
      {"x = upper(join(\",\", a), |)\n", "upper(str: string) 1"},
      {"x = (|)\n", ""},
      {"x = 1|\n", ""},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("m.hcl", "function \"twice\" {\n  params = [n]\n  result = n * 2\n}\nlocals {}\n");
    client.Open("a.hcl", c.text);
    const Json help = client.Ask("textDocument/signatureHelp", "a.hcl");
    EXPECT_EQ(help.is_null() ? ""
                             : absl::StrCat(help["signatures"][0]["label"].get<std::string>(), " ",
                                            help["activeParameter"].get<int>()),
              c.expected)
        << c.text;
  }
}

}  // namespace
}  // namespace hcl::lsp
