#include "hclvm/lsp/features/rename.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] = "variable \"user\" {\n  type = object({ name = string })\n}\n";
constexpr char kTests[] = "variables {\n  user = { name = \"a\" }\n}\ntest \"t\" {\n  without = [\"user.name\"]\n}\n";

TEST(RenameTest, ChangesAllFiles) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("a.test.hcl", kTests);
  client.Open("a.hcl", "x = us|er.name\ny = [for user in [1] : user]\n");
  EXPECT_EQ(TextOfRange(client.Ask("textDocument/prepareRename", "a.hcl")), "0:4-0:8");
  const Json changes = client.Ask("textDocument/rename", "a.hcl", {{"newName", "person"}})["changes"];
  EXPECT_EQ(client.Edited("a.hcl", changes[Replay::UriOf("a.hcl")]), "x = person.name\ny = [for user in [1] : user]\n");
  EXPECT_EQ(client.Edited("v.hcl", changes[Replay::UriOf("v.hcl")]),
            "variable \"person\" {\n  type = object({ name = string })\n}\n");
  EXPECT_EQ(client.Edited("a.test.hcl", changes[Replay::UriOf("a.test.hcl")]),
            "variables {\n  person = { name = \"a\" }\n}\ntest \"t\" {\n  without = [\"person.name\"]\n}\n");
}

TEST(RenameTest, TakesNoNameThatChangesAMeaning) {
  struct Case {
    std::string text;
    const char* name;
    std::string message;
  };
  const std::string locals = "locals {\n  a = 1\n  b = 2\n}\n";
  const Case cases[] = {
      {"x = us|er\n", "a b",
       "\"a b\" is no name: a name has letters, digits, \"_\" and \"-\", and begins with a letter."},
      {"x = us|er\n", "", "\"\" is no name: a name has letters, digits, \"_\" and \"-\", and begins with a letter."},
      {"x = us|er\n", "var", "A variable cannot have the name \"var\"."},
      {"x = us|er\n", "true", "With the name \"true\", a.hcl line 1 would mean something else."},
      {"x = [for v in [1] : us|er]\n", "v", "With the name \"v\", a.hcl line 1 would mean something else."},
      {"x = [for v| in [1] : [user, v]]\n", "user", "With the name \"user\", a.hcl line 1 would mean something else."},
      {"x = [for k, v| in [1] : [k, v]]\n", "k", "With the name \"k\", a.hcl line 1 would mean something else."},
      {locals + "x = local.a|\n", "b", "The name \"b\" is there already: a.hcl line 3."},
      {"x = us|er + other\n", "other", "The name \"other\" is there already: a.hcl line 1."},
      {"function \"f|\" {\n  params = []\n  result = 1\n}\n", "upper", "There is a function \"upper\" already."},
      {"x = upp|er(\"\")\n", "y", "Here is no name that a file of the module declares."},
      {"x| = 1\n", "y", "Here is no name that a file of the module declares."},
      {"|\n", "y", "Here is no name that a file of the module declares."},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("v.hcl", kVariables);
    client.Open("a.hcl", c.text);
    EXPECT_EQ(TextAt(client.Ask("textDocument/rename", "a.hcl", {{"newName", c.name}}), "message"), c.message)
        << c.text;
  }
}

TEST(RenameTest, NamesInJsonStay) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("j.hcl.json", "{\"locals\": {\"q\": \"${user.name}\", \"r\": \"superuser\"}}");
  client.Open("a.hcl", "x = us|er.name\n");
  EXPECT_EQ(TextAt(client.Ask("textDocument/rename", "a.hcl", {{"newName", "person"}}), "message"),
            "j.hcl.json has the word \"user\", and names in the JSON syntax cannot be renamed here.");
  client.Edit("j.hcl.json", "{\"locals\": {\"r\": \"superuser\"}}");
  EXPECT_EQ(client.Ask("textDocument/rename", "a.hcl", {{"newName", "person"}})["changes"].size(), 2);
}

TEST(RenameTest, PreparesDeclaredNamesOnly) {
  for (const char* const text : {"x = upp|er(\"\")\n", "x| = 1\n", "x = nosu|ch\n", "|\n"}) {
    Replay client;
    client.Open("a.hcl", text);
    EXPECT_TRUE(client.Ask("textDocument/prepareRename", "a.hcl").is_null()) << text;
  }
}

TEST(RenameTest, LocalsOfTestsAreApart) {
  Replay client;
  client.Open("a.hcl", "locals {\n  a = 1\n}\nx = local.a\n");
  client.Open(
      "a.test.hcl",
      "locals {\n  a = 2\n}\ntest \"t\" {\n  expect = { x = local.a| }\n  assert {\n    condition = local.a == 1\n"
      "  }\n}\n");
  const Json changes = client.Ask("textDocument/rename", "a.test.hcl", {{"newName", "b"}})["changes"];
  EXPECT_EQ(changes.size(), 1);
  EXPECT_EQ(client.Edited("a.test.hcl", changes[Replay::UriOf("a.test.hcl")]),
            "locals {\n  b = 2\n}\ntest \"t\" {\n  expect = { x = local.b }\n  assert {\n    condition = local.a == 1\n"
            "  }\n}\n");
}

}  // namespace
}  // namespace hcl::lsp
