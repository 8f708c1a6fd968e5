#include "hclvm/lsp/features/completion.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] =
    "variable \"user\" {\n  type = object({ name = string, team = object({ size = number }) })\n}\n"
    "variable \"limit\" {\n  type = number\n}\nallow = limit > 1\n";
constexpr char kSpec[] =
    "object {\n"
    "  attr \"port\" {\n    type = number\n    required = true\n  }\n"
    "  block_map \"listen\" {\n    block_type = \"listen\"\n    labels = [\"name\"]\n"
    "    object {\n      attr \"address\" {\n        type = string\n      }\n    }\n  }\n"
    "}\n";

// The labels that are offered at the mark.
std::string Labels(const std::string& text, const std::string& name = "a.hcl") {
  Replay client(Json{{"specs", Json::array({{{"files", "*.svc.hcl"}, {"spec", "svc.hcldec"}}})}});
  client.Open("v.hcl", kVariables);
  client.Open("svc.hcldec", kSpec);
  client.Open(name, text);
  std::string labels;
  const Json list = client.Ask("textDocument/completion", name);
  for (const Json& item : list["items"]) {
    absl::StrAppend(&labels, labels.empty() ? "" : " ", TextAt(item, "label"));
  }
  return labels;
}

TEST(CompletionTest, OffersWhatMayBeThere) {
  struct Case {
    std::string text;
    std::string expected;
    std::string name = "a.hcl";
  };
  const Case cases[] = {
      {"x = user.|\n", "name team"},
      {"x = user.te|am\n", "name team"},
      {"x = user.team.|\ny = 1\n", "size"},
      {"x = 1 + user.team.| > 2 ? 1 : 2\n", "size"},
      {"x = local.|\nlocals {\n  a = 1\n  b = 2\n}\n", "a b"},
      {"x = var.|\n", "user limit"},
      {"|", "variable locals function"},
      {"x = 1\nva|\n", "variable locals function"},
      {"variable \"n\" {\n  |\n}\n",
       "type default nullable sensitive ephemeral deprecated const description validation"},
      {"variable \"n\" {\n  validation {\n    c|\n  }\n}\n", "condition error_message"},
      {"variable \"n\" {\n  type = |\n}\n", "any bool number string list set map tuple object optional"},
      {"b {\n  |\n}\n", ""},
      {"x = \"a|\"\n", ""},
      {"# a|\n", ""},
      {"x = 1|\n", ""},
      {"|\n", "test variables locals function", "a.test.hcl"},
      {"test \"t\" {\n  |\n}\n", "with without expect expect_part fails cases requests answers assert", "a.test.hcl"},
      {"variables {\n  |\n}\n", "user limit", "a.test.hcl"},
      {"variables {\n  user = { | }\n}\n", "name team", "a.test.hcl"},
      {"test \"t\" {\n  with = { | }\n}\n", "user limit", "a.test.hcl"},
      {"test \"t\" {\n  with = { limit = 1, user = { name = \"\", team = { s| } } }\n}\n", "size", "a.test.hcl"},
      {"test \"t\" {\n  cases = {\n    a = { with = { user = {\n      |\n    } } }\n  }\n}\n", "name team",
       "a.test.hcl"},
      {"test \"t\" {\n  expect = { | }\n}\n", "allow", "a.test.hcl"},
      {"test \"t\" {\n  cases = { a = { expect = { | } } }\n}\n", "allow", "a.test.hcl"},
      {"locals {\n  a = 1\n}\ntest \"t\" {\n  expect = { allow = local.| }\n}\n", "a", "a.test.hcl"},
      {"locals {\n  a = 1\n}\ntest \"t\" {\n  assert {\n    condition = local.|\n  }\n}\n", "", "a.test.hcl"},
      {"locals {\n  a = 1\n  b = local.|\n}\n", "a"},
      {"x = 1 |\n", ""},
      {"x = a |\n", ""},
      {"x = { | }\n", ""},
      {"x = [for | in user.team : 1]\n", ""},
      {"variable \"n\" {\n  type = any\n  d|\n}\n",
       "default nullable sensitive ephemeral deprecated const description validation"},
      {"|\n", "listen port", "a.svc.hcl"},
      {"listen \"a\" {\n  |\n}\n", "address", "a.svc.hcl"},
      {"|", "object array attr block block_list block_tuple block_set block_map block_attrs default literal transform",
       "b.hcldec"},
      {"attr {\n  |\n}\n", "name type required", "b.hcldec"},
  };
  for (const Case& c : cases) EXPECT_EQ(Labels(c.text, c.name), c.expected) << c.text;
}

TEST(CompletionTest, OffersNamesInExpressions) {
  const std::string labels = " " + Labels("locals {\n  a = 1\n}\nx = [for v, w in [1] : |]\n") + " ";
  for (const char* const name : {"v", "w", "user", "limit", "local.a", "upper", "join", "true", "null", "for"}) {
    EXPECT_NE(labels.find(absl::StrCat(" ", name, " ")), std::string::npos) << name << " in " << labels;
  }
  EXPECT_EQ(labels.find("hclvm_name_in_place"), std::string::npos);
}

TEST(CompletionTest, OffersNoNamesThatCannotBeRead) {
  for (const char* const text : {"function \"f\" {\n  params = [p]\n  result = |\n}\nlocals {\n  a = 1\n}\n",
                                 "variable \"v\" {\n  default = |\n}\nlocals {\n  a = 1\n}\n"}) {
    const std::string labels = " " + Labels(text) + " ";
    EXPECT_NE(labels.find(" upper "), std::string::npos) << text;
    for (const char* const name : {"user", "limit", "v", "local.a"}) {
      EXPECT_EQ(labels.find(absl::StrCat(" ", name, " ")), std::string::npos) << text << name;
    }
  }
}

TEST(CompletionTest, OffersFunctionsAfterCore) {
  const std::string file = "x = core::up|(\"a\")\nfunction \"mine\" {\n  params = []\n  result = 1\n}\n";
  const std::string labels = " " + Labels(file) + " ";
  for (const char* const name : {"upper", "join"}) {
    EXPECT_NE(labels.find(absl::StrCat(" ", name, " ")), std::string::npos) << name << " in " << labels;
  }
  for (const char* const name : {"mine", "user", "true"}) {
    EXPECT_EQ(labels.find(absl::StrCat(" ", name, " ")), std::string::npos) << name << " in " << labels;
  }
}

TEST(CompletionTest, WritesCallsAndBlocks) {
  Replay client;
  client.Open("a.hcl", "x = repl|\n");
  const Json list = client.Ask("textDocument/completion", "a.hcl");
  for (const Json& item : list["items"]) {
    if (item["label"] != "replace") continue;
    EXPECT_EQ(item["textEdit"]["newText"], "replace(${1:str}, ${2:substr}, ${3:replace})");
    EXPECT_EQ(TextOfRange(item["textEdit"]["range"]), "0:4-0:8");
    EXPECT_EQ(item["insertTextFormat"], 2);
    EXPECT_NE(TextAt(item["documentation"], "value"), "");
    return;
  }
  FAIL() << "replace is not offered";
}

}  // namespace
}  // namespace hcl::lsp
