#include "hclvm/tests/differential/oracle.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {
namespace {

// A shell that answers each line with itself, as soon as an empty one comes. A line with "die" ends it.
std::vector<std::string> Echo() {
  return {"/bin/sh", "-c",
          "echo '{\"version\":\"echo 1\",\"functions\":[\"upper\",\"try\"]}'\n"
          "lines=\n"
          "while IFS= read -r line; do\n"
          "  case $line in\n"
          "    '') printf '%s' \"$lines\"; lines= ;;\n"
          "    *die*) exit 1 ;;\n"
          "    *) lines=\"$lines$line\n"
          "\" ;;\n"
          "  esac\n"
          "done\n"};
}

Program Expr(const std::string& source) { return {ProgramKind::kExpr, source}; }

std::string Answer(const std::string& source) { return R"({"kind":"expr","source":")" + source + "\"}"; }

TEST(OracleTest, SaysWhoItIs) {
  Oracle oracle(Echo());
  ASSERT_TRUE(oracle.Start());
  EXPECT_EQ(oracle.version(), "echo 1");
  EXPECT_EQ(oracle.functions(), (std::set<std::string, std::less<>>{"try", "upper"}));
}

TEST(OracleTest, Answers) {
  Oracle oracle(Echo());
  ASSERT_TRUE(oracle.Start());
  EXPECT_EQ(oracle.Ask({Expr("a"), Expr("b")}), (std::vector<std::string>{Answer("a"), Answer("b")}));
  EXPECT_EQ(oracle.Ask({}), std::vector<std::string>());
  EXPECT_EQ(oracle.Ask({{ProgramKind::kBody, "a\n\"b\""}}),
            (std::vector<std::string>{R"({"kind":"body","source":"a\n\"b\""})"}));
}

TEST(OracleTest, CrashesAreOfOneProgram) {
  Oracle oracle(Echo());
  ASSERT_TRUE(oracle.Start());
  EXPECT_EQ(oracle.Ask({Expr("a"), Expr("die"), Expr("b"), Expr("c")}),
            (std::vector<std::string>{Answer("a"), R"({"error":"crash"})", Answer("b"), Answer("c")}));
  EXPECT_EQ(oracle.Ask({Expr("a")}), std::vector<std::string>{Answer("a")});
}

// Started anew when it is asked, and no line of another process is taken for an answer.
TEST(OracleTest, StartsWhenAsked) {
  Oracle oracle(Echo());
  EXPECT_EQ(oracle.Ask({Expr("a")}), std::vector<std::string>{Answer("a")});
  Oracle broken({"/bin/sh", "-c", "echo hello; cat"});
  EXPECT_EQ(broken.Ask({Expr("a")}), std::vector<std::string>{R"({"error":"crash"})"});
  EXPECT_EQ(broken.Ask({Expr("a")}), std::vector<std::string>{R"({"error":"crash"})"});
}

TEST(OracleTest, DoesNotStart) {
  for (const char* script : {"exit 1", "echo hello", "echo '{}'"}) {
    EXPECT_FALSE(Oracle({"/bin/sh", "-c", script}).Start()) << script;
  }
  EXPECT_FALSE(Oracle({"/no/such/program"}).Start());
}

}  // namespace
}  // namespace hcl::differential
