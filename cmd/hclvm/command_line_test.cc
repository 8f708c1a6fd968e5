#include "hclvm/cmd/hclvm/command_line.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

// What a command line does to two options, printed: "scopes=F typed positional... ", "help", or "error: MESSAGE".
std::string Parse(const std::vector<std::string_view>& arguments) {
  std::string out;
  CommandSyntax syntax;
  syntax.usage = "test [options]";
  syntax.summary = "Summary.";
  syntax.options = {
      {"--scopes", "-s", "FILE", "the scopes",
       [&](std::string_view v) -> std::string {
         if (v == "bad") return "no good";
         out += "scopes=" + std::string(v) + " ";
         return "";
       }},
      {"--typed", "", "", "typed", [&](std::string_view) -> std::string { return out += "typed ", ""; }},
  };
  std::vector<std::string_view> positional;
  std::string message;
  switch (ParseCommandLine(syntax, arguments, &positional, &message)) {
    case ParseOutcome::kHelp:
      return "help";
    case ParseOutcome::kError:
      return "error: " + message;
    case ParseOutcome::kOk:
      break;
  }
  for (std::string_view p : positional) out += "[" + std::string(p) + "]";
  return out;
}

TEST(CommandLineTest, ReadsOptionsAndPositionals) {
  EXPECT_EQ(Parse({}), "");
  EXPECT_EQ(Parse({"a", "--scopes", "f", "b"}), "scopes=f [a][b]");
  EXPECT_EQ(Parse({"--scopes=f", "-s", "g"}), "scopes=f scopes=g ");
  EXPECT_EQ(Parse({"--typed", "-"}), "typed [-]");
  EXPECT_EQ(Parse({"--", "--typed"}), "[--typed]");
  EXPECT_EQ(Parse({"--scopes", "-"}), "scopes=- ");
  EXPECT_EQ(Parse({"--scopes="}), "scopes= ");
  EXPECT_EQ(Parse({"a", "--help"}), "help");
  EXPECT_EQ(Parse({"-sf", "-s=g"}), "scopes=f scopes=g ");
}

TEST(CommandLineTest, ExplainsMistakes) {
  EXPECT_EQ(Parse({"--scope=f"}), "error: unknown option --scope; did you mean --scopes?");
  EXPECT_EQ(Parse({"--frobnicate"}), "error: unknown option --frobnicate");
  EXPECT_EQ(Parse({"--scopes"}), "error: --scopes needs a value: FILE");
  EXPECT_EQ(Parse({"--typed=1"}), "error: --typed takes no value");
  EXPECT_EQ(Parse({"-s", "bad"}), "error: -s: no good");
  EXPECT_EQ(Parse({"-x"}), "error: unknown option -x");
  EXPECT_EQ(Parse({"-s"}), "error: -s needs a value: FILE");
}

TEST(CommandLineTest, HelpNamesEveryOption) {
  CommandSyntax syntax;
  syntax.usage = "test [options]";
  syntax.summary = "Summary.";
  syntax.options = {{"--scopes", "-s", "FILE", "the scopes", nullptr}};
  EXPECT_EQ(
      HelpText(syntax),
      "usage: test [options]\n\nSummary.\n\noptions:\n  -s, --scopes FILE  the scopes\n  -h, --help         print "
      "this text\n");
}

}  // namespace
}  // namespace hcl::cmd
