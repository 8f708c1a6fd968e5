#include "hclvm/lsp/server.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kVariables[] = "variable \"user\" {\n  type = object({ name = string })\n}\n";

// What a server answers to messages, one a line.
std::string AnswersTo(const std::vector<std::string>& messages) {
  Server server;
  std::string text;
  for (const std::string& message : messages) {
    std::vector<Json> out;
    server.Take(Json::parse(message), &out);
    while (server.Settle(&out)) {
    }
    for (const Json& one : out) absl::StrAppend(&text, WriteJson(one), "\n");
  }
  return text;
}

constexpr char kInitialize[] =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-32","utf-8"]}}}})";

// Without the first line, which is the answer to initialize.
std::string AnswersAfterInitialize(std::vector<std::string> messages) {
  messages.insert(messages.begin(), kInitialize);
  const std::string all = AnswersTo(messages);
  return all.substr(all.find('\n') + 1);
}

TEST(ServerTest, AnswersMessages) {
  struct Case {
    std::vector<std::string> messages;
    std::string expected;
  };
  const Case cases[] = {
      {{R"({"id":1,"method":"shutdown"})"},
       R"({"id":1,"jsonrpc":"2.0","result":null})"
       "\n"},
      {{R"({"id":1,"method":"shutdown"})", R"({"id":2,"method":"shutdown"})"},
       R"({"id":1,"jsonrpc":"2.0","result":null})"
       "\n"
       R"({"error":{"code":-32600,"message":"The server is shut down."},"id":2,"jsonrpc":"2.0"})"
       "\n"},
      {{R"({"id":"a","method":"no/such"})"},
       R"({"error":{"code":-32601,"message":"There is no no/such."},"id":"a","jsonrpc":"2.0"})"
       "\n"},
      {{R"({"method":"no/such"})"}, ""},
      {{R"({"id":[],"method":"shutdown"})"},
       R"({"error":{"code":-32600,"message":"An id must be a text or a whole number."},"id":null,"jsonrpc":"2.0"})"
       "\n"},
      {{"[]"},
       R"({"error":{"code":-32600,"message":"A message must have a method."},"id":null,"jsonrpc":"2.0"})"
       "\n"},
      {{R"({"id":7,"result":null})"}, ""},
      {{kInitialize},
       R"({"error":{"code":-32600,"message":"The server is initialized already."},"id":0,"jsonrpc":"2.0"})"
       "\n"},
      {{R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///no/such/a.hcl","version":4,"text":"x = [\"ä\", y()]\n"}}})"},
       R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"diagnostics":[{"code":"HCL3002",)"
       R"("message":"Call to unknown function: There is no function named \"y\".","range":{"end":)"
       R"({"character":12,"line":0},"start":{"character":11,"line":0}},"severity":1,"source":"hclvm"}],"uri":)"
       R"("file:///no/such/a.hcl","version":4}})"
       "\n"},
      {{R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///x"},"contentChanges":[]}})"},
       R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"hclvm: file:///x: no document file:///x is open","type":2}})"
       "\n"},
      {{R"({"method":"workspace/didChangeConfiguration","params":{"settings":{"functions":"/no/f","request":{"file":"/no/r"},)"
        R"("specs":[{"files":"*","spec":"/no/s"}]}}})"},
       R"({"jsonrpc":"2.0","method":"window/showMessage","params":{"message":"hclvm: The file of functions, /no/f, cannot be read.","type":2}})"
       "\n"
       R"({"jsonrpc":"2.0","method":"window/showMessage","params":{"message":"hclvm: The file of a spec, /no/s, cannot be read.","type":2}})"
       "\n"
       R"({"jsonrpc":"2.0","method":"window/showMessage","params":{"message":"hclvm: The file of the chosen request, /no/r, cannot be read.","type":2}})"
       "\n"},
      {{R"({"method":"workspace/didChangeConfiguration","params":{"settings":{"hclvm":{"x":1}}}})"},
       R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"hclvm: There is no setting \"x\".","type":2}})"
       "\n"},
      {{R"({"method":"textDocument/didOpen","params":3})", R"({"method":"textDocument/didClose"})",
        R"({"method":"workspace/didChangeWatchedFiles","params":{"changes":[1]}})"},
       ""},
  };
  for (const Case& c : cases) EXPECT_EQ(AnswersAfterInitialize(c.messages), c.expected) << c.messages[0];
}

TEST(ServerTest, WantsToBeInitialized) {
  EXPECT_EQ(AnswersTo({R"({"id":1,"method":"shutdown"})", R"({"method":"initialized"})"}),
            R"({"error":{"code":-32002,"message":"The first request must be initialize."},"id":1,"jsonrpc":"2.0"})"
            "\n");
}

TEST(ServerTest, ChoosesTheEncoding) {
  struct Case {
    std::string offered;
    std::string expected;
  };
  const Case cases[] = {
      {R"(["utf-16", "utf-8"])", "utf-8"},
      {R"(["utf-32"])", "utf-32"},
      {R"(["utf-32", "utf-16"])", "utf-16"},
      {R"([])", "utf-16"},
      {R"(7)", "utf-16"},
  };
  for (const Case& c : cases) {
    Server server;
    std::vector<Json> out;
    server.Take({{"id", 1},
                 {"method", "initialize"},
                 {"params", {{"capabilities", {{"general", {{"positionEncodings", Json::parse(c.offered)}}}}}}}},
                &out);
    EXPECT_EQ(out[0]["result"]["capabilities"]["positionEncoding"], c.expected);
  }
}

TEST(ServerTest, Exits) {
  for (const bool shuts_down : {false, true}) {
    Server server;
    std::vector<Json> out;
    server.Take(Json::parse(kInitialize), &out);
    if (shuts_down) server.Take({{"id", 1}, {"method", "shutdown"}}, &out);
    EXPECT_FALSE(server.has_exited());
    server.Take({{"method", "exit"}}, &out);
    EXPECT_TRUE(server.has_exited());
    EXPECT_EQ(server.exit_status(), shuts_down ? 0 : 1);
  }
}

TEST(ServerTest, AsksForSettings) {
  Server server;
  std::vector<Json> out;
  server.Take(
      Json::parse(R"({"id":1,"method":"initialize","params":{"capabilities":{"workspace":{"configuration":true}}}})"),
      &out);
  out.clear();
  server.Take({{"method", "initialized"}}, &out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0]["method"], "workspace/configuration");
  const Json id = out[0]["id"];
  out.clear();
  server.Take({{"id", id}, {"result", Json::array({{{"strct", true}}})}}, &out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0]["params"]["message"], "hclvm: There is no setting \"strct\".");
}

TEST(ServerTest, TellsOfAllFilesOfAModule) {
  Replay client;
  client.Open("v.hcl", kVariables);
  EXPECT_EQ(client.DiagnosticsOf("v.hcl"), "HCL8005 0:9-0:15");
  client.Open("a.hcl", "x = user.nme\ny = nosuch()\n");
  EXPECT_EQ(client.DiagnosticsOf("v.hcl"), "");
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "HCL3002 1:4-1:10 HCL3201 0:8-0:12");
  client.Edit("v.hcl", "variable \"user\" {\n  type = object({ nme = string })\n}\n");
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "HCL3002 1:4-1:10");
  client.Edit("a.hcl", "x = user.nme\n");
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "");
  client.Edit("a.hcl", "x = user.nm\n");
  client.Notify("textDocument/didClose", {{"textDocument", {{"uri", Replay::UriOf("a.hcl")}}}});
  EXPECT_EQ(client.DiagnosticsOf("a.hcl"), "");
}

TEST(ServerTest, TellsOfTestsWhenTheModuleChanges) {
  Replay client;
  client.Open("v.hcl", kVariables);
  client.Open("a.hcl", "allow = user.name == \"ann\"\n");
  client.Open("a.test.hcl",
              "variables {\n  user = { name = \"ann\" }\n}\ntest \"t\" {\n  expect = { allow = true }\n}\n");
  EXPECT_EQ(client.DiagnosticsOf("a.test.hcl"), "");
  client.Edit("a.hcl", "allowed = user.name == \"ann\"\n");
  EXPECT_EQ(client.DiagnosticsOf("a.test.hcl"), "HCL5403 4:13-4:25");
}

TEST(ServerTest, WithdrawsWhatItHasToldOfFilesThatAreNotOpen) {
  const std::string folder = testing::TempDir() + "/withdraws";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/wrong.hcl") << "y = user.nme\n";
  const std::string uri = "file://" + folder + "/v.hcl";
  Replay client;
  client.Notify("textDocument/didOpen", {{"textDocument", {{"uri", uri}, {"version", 1}, {"text", kVariables}}}});
  EXPECT_EQ(client.DiagnosticsOfUri("file://" + folder + "/wrong.hcl"), "HCL3201 0:8-0:12");
  // Without the declaration, the folder is no module.
  client.Notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", 2}}},
                                           {"contentChanges", Json::array({{{"text", "x = 1\n"}}})}});
  EXPECT_EQ(client.DiagnosticsOfUri("file://" + folder + "/wrong.hcl"), "");
  client.Notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", 3}}},
                                           {"contentChanges", Json::array({{{"text", kVariables}}})}});
  EXPECT_EQ(client.DiagnosticsOfUri("file://" + folder + "/wrong.hcl"), "HCL3201 0:8-0:12");
  client.Notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  EXPECT_EQ(client.DiagnosticsOfUri("file://" + folder + "/wrong.hcl"), "");
}

TEST(ServerTest, TakesSettings) {
  Replay client(Json{{"strict", true}});
  client.Open("v.hcl", kVariables);
  EXPECT_EQ(client.PublishedFor("v.hcl")[0]["severity"], 1);
  client.Notify("workspace/didChangeConfiguration", {{"settings", {{"strict", false}}}});
  EXPECT_EQ(client.PublishedFor("v.hcl")[0]["severity"], 2);
}

}  // namespace
}  // namespace hcl::lsp
