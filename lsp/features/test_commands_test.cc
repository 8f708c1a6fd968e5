#include "hclvm/lsp/features/test_commands.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/replay.h"

namespace hcl::lsp {
namespace {

constexpr char kModule[] = "variable \"user\" {\n  type = string\n}\nallow = contains([\"ann\", \"bo\"], user)\n";
constexpr char kTests[] =
    "variables {\n  user = \"ann\"\n}\n"
    "test \"ann\" {\n  expect = { allow = true }\n}\n"
    "test \"wrong\" {\n  cases = {\n    one = { with = { user = \"x\" }, expect = { allow = true } }\n  }\n}\n";

class TestCommandsTest : public testing::Test {
 protected:
  TestCommandsTest() {
    client_.Open("a.hcl", kModule);
    client_.Open("a.test.hcl", kTests);
  }

  Json Execute(const char* command, const char* test) {
    return client_.Request("workspace/executeCommand",
                           {{"command", command}, {"arguments", {Replay::UriOf("a.test.hcl"), test}}});
  }

  Replay client_;
};

TEST_F(TestCommandsTest, OffersLenses) {
  std::string found;
  for (const Json& lens : client_.Ask("textDocument/codeLens", "a.test.hcl")) {
    absl::StrAppend(&found, TextOfRange(lens["range"]), " ", TextAt(lens["command"], "title"), " ",
                    lens["command"]["arguments"][1].get<std::string>(), "\n");
  }
  EXPECT_EQ(found, "3:0-3:10 Run ann\n3:0-3:10 Explain ann\n6:0-6:12 Run wrong\n6:0-6:12 Explain wrong\n");
  EXPECT_EQ(client_.Ask("textDocument/codeLens", "a.hcl"), Json::array());
}

TEST_F(TestCommandsTest, RunsTests) {
  const Json passed = Execute(kRunTest, "ann");
  EXPECT_EQ(passed["passed"], true);
  EXPECT_TRUE(absl::StrContains(TextAt(passed, "text"), "1 case: 1 passed, 0 failed")) << passed;
  const Json failed = Execute(kRunTest, "wrong");
  EXPECT_EQ(failed["passed"], false);
  EXPECT_TRUE(absl::StrContains(TextAt(failed, "text"), "wrong/one")) << failed;
}

TEST_F(TestCommandsTest, SaysWhatCannotBeRun) {
  EXPECT_EQ(TextAt(Execute(kRunTest, "nosuch"), "text"), "There is no test \"nosuch\".\n");
  EXPECT_EQ(TextAt(Execute(kExplainTest, "nosuch"), "text"), "There is no test \"nosuch\".\n");
  EXPECT_EQ(TextAt(Execute("hclvm.no", "ann"), "message"), "There is no command \"hclvm.no\".");
  EXPECT_EQ(TextAt(client_.Request("workspace/executeCommand", {{"command", kRunTest}}), "message"),
            "hclvm.runTest takes the URI of a file of tests, and the name of a test.");
  EXPECT_EQ(TextAt(client_.Request("workspace/executeCommand",
                                   {{"command", kRunTest}, {"arguments", {Replay::UriOf("a.hcl"), "ann"}}}),
                   "message"),
            "file:///no/such/a.hcl is no file of tests.");
}

TEST_F(TestCommandsTest, Explains) {
  const Json explained = Execute(kExplainTest, "wrong");
  EXPECT_TRUE(absl::StrContains(TextAt(explained, "text"), "wrong/one")) << explained;
  EXPECT_TRUE(absl::StrContains(TextAt(explained, "text"), "allow")) << explained;
  EXPECT_TRUE(absl::StrContains(TextAt(explained, "text"), "false")) << explained;
}

TEST_F(TestCommandsTest, SaysWhatIsWrongWithAFile) {
  client_.Edit("a.test.hcl", "test \"ann\" {\n  expct = {}\n}\n");
  for (const char* const command : {kRunTest, kExplainTest}) {
    const Json result = Execute(command, "ann");
    EXPECT_EQ(result["passed"], false);
    EXPECT_TRUE(absl::StrContains(TextAt(result, "text"), "expct")) << result;
  }
}

}  // namespace
}  // namespace hcl::lsp
