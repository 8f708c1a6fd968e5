#include "hclvm/lsp/features/names.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] = "variable \"user\" {\n  type = object({ name = string })\n}\n";
constexpr char kTests[] = "variables {\n  user = { name = \"a\" }\n}\ntest \"t\" {\n  without = [\"user.name\"]\n}\n";

// "name range" of each location.
std::string Written(const Json& locations) {
  std::string text;
  for (const Json& one : locations.is_array() ? locations : Json::array({locations})) {
    const std::string uri = TextAt(one, "uri");
    absl::StrAppend(&text, text.empty() ? "" : " ", uri.substr(uri.rfind('/') + 1), " ", TextOfRange(one["range"]));
  }
  return text;
}

TEST(NamesTest, FindsDefinitionsAndReferences) {
  struct Case {
    std::string text;
    std::string definition;
    std::string references;
  };
  const Case cases[] = {
      {"x = us|er.name\n", "v.hcl 0:10-0:14", "a.hcl 0:4-0:8 v.hcl 0:10-0:14 a.test.hcl 1:2-1:6 a.test.hcl 4:14-4:18"},
      {"locals {\n  a = 1\n}\nx = local.|a + local.a\n", "a.hcl 1:2-1:3",
       "a.hcl 1:2-1:3 a.hcl 3:10-3:11 a.hcl 3:20-3:21"},
      {"x = [for v in m : v|]\ny = v\n", "a.hcl 0:9-0:10", "a.hcl 0:9-0:10 a.hcl 0:18-0:19"},
      {"function \"f\" {\n  params = [a]\n  result = a\n}\nx = f|(1)\n", "a.hcl 0:10-0:11",
       "a.hcl 0:10-0:11 a.hcl 4:4-4:5"},
      {"function \"f\" {\n  params = [a]\n  result = a|\n}\n", "a.hcl 1:12-1:13", "a.hcl 1:12-1:13 a.hcl 2:11-2:12"},
  };
  for (const Case& c : cases) {
    Replay client;
    client.Open("v.hcl", kVariables);
    client.Open("a.test.hcl", kTests);
    client.Open("a.hcl", c.text);
    EXPECT_EQ(Written(client.Ask("textDocument/definition", "a.hcl")), c.definition) << c.text;
    EXPECT_EQ(Written(client.Ask("textDocument/references", "a.hcl", {{"context", {{"includeDeclaration", true}}}})),
              c.references)
        << c.text;
  }
}

TEST(NamesTest, FindsNothingForOthers) {
  for (const char* const text : {"x = upp|er(\"\")\n", "x| = 1\n", "x = nosu|ch\n", "|\n"}) {
    Replay client;
    client.Open("a.hcl", text);
    EXPECT_TRUE(client.Ask("textDocument/definition", "a.hcl").is_null()) << text;
  }
}

TEST(NamesTest, Highlights) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("a.hcl", "x = us|er.name + user.name\n");
  std::string found;
  for (const Json& one : client.Ask("textDocument/documentHighlight", "a.hcl")) {
    absl::StrAppend(&found, TextOfRange(one["range"]), " ");
  }
  EXPECT_EQ(found, "0:4-0:8 0:16-0:20 ");
}

TEST(NamesTest, FindsSymbolsOfTheWorkspace) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("m/a.hcl", "locals {\n  user_name = 1\n}\nfunction \"other\" {\n  params = []\n  result = 1\n}\n");
  const auto find = [&](const char* query) {
    std::string names;
    for (const Json& one : client.Request("workspace/symbol", {{"query", query}})) names += TextAt(one, "name") + " ";
    return names;
  };
  EXPECT_EQ(find(""), "user_name other user ");
  EXPECT_EQ(find("Usr"), "user_name user ");
  EXPECT_EQ(find("usn"), "user_name ");
}

TEST(NamesTest, FindsSymbolsInAllFoldersOfTheWorkspace) {
  const std::string top = testing::TempDir() + "/symbols";
  for (const char* const folder : {"/a", "/a/b", "/a/b/c", "/.d", "/e"}) {
    std::filesystem::create_directories(top + folder);
    std::ofstream(top + folder + "/m.hcl")
        << "locals {\n  in" << (folder + 1)[std::string(folder).size() - 2] << " = 1\n}\n";
  }
  Replay client;
  const auto change = [&](const char* added, const char* removed) {
    const auto folders = [&](const char* name) {
      return *name == 0 ? Json::array() : Json::array({{{"uri", "file://" + top + name}}});
    };
    client.Notify("workspace/didChangeWorkspaceFolders",
                  {{"event", {{"added", folders(added)}, {"removed", folders(removed)}}}});
    std::string names;
    for (const Json& one : client.Request("workspace/symbol", {{"query", ""}})) names += TextAt(one, "name") + " ";
    return names;
  };
  EXPECT_EQ(change("/a", ""), "inc inb ina ");
  EXPECT_EQ(change("/e/", ""), "inc inb ina ine ");
  EXPECT_EQ(change("", "/a"), "ine ");
}

}  // namespace
}  // namespace hcl::lsp
