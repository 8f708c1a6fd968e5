#include "hclvm/cmd/hclvm/command_line.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {
namespace {

constexpr Option kOptions[] = {{"--scopes", "-s", "FILE", "the scopes", "-", true}, {"--typed", "", "", "typed", ""}};

Command TestCommand() {
  return {"test", "", "[options]", "FILE", "test", "Description.", {kOptions}, "0: success.", "test --typed\n"};
}

// What a command line does to two options, printed: "scopes=F typed positional... ", "help", or "error: MESSAGE".
std::string Parse(const std::vector<std::string_view>& arguments) {
  std::string out;
  CommandSyntax syntax;
  const Command command = TestCommand();
  syntax.command = &command;
  syntax.setters = {
      {"--scopes",
       [&](std::string_view v) -> std::string {
         if (v == "bad") return "no good";
         out += "scopes=" + std::string(v) + " ";
         return "";
       }},
      {"--typed", [&](std::string_view) -> std::string { return out += "typed ", ""; }},
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

// Old names work as those of today, and no text shows them.
TEST(CommandLineTest, TakesOldNames) {
  std::string out;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", "functions");
  syntax.setters = {{"--output", [&](std::string_view v) -> std::string {
                       return out += std::string(v) + " ", v == "x" ? "no" : "";
                     }}};
  std::vector<std::string_view> positional;
  std::string message;
  EXPECT_EQ(ParseCommandLine(syntax, {"--json", "a", "--markdown", "-otext"}, &positional, &message), ParseOutcome::kOk)
      << message;
  EXPECT_EQ(out, "json markdown text ");
  EXPECT_EQ(positional.size(), 1u);
  EXPECT_EQ(ParseCommandLine(syntax, {"--json=x"}, &positional, &message), ParseOutcome::kError);
  EXPECT_EQ(message, "--json takes no value");
  EXPECT_EQ(ParseCommandLine(syntax, {"--jsn"}, &positional, &message), ParseOutcome::kError);
  EXPECT_EQ(message, "unknown option --jsn");
  EXPECT_EQ(HelpText(*syntax.command).find("--markdown"), std::string::npos);
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

TEST(CommandLineTest, TableAndSettersMustMatch) {
  const Command command = TestCommand();
  const auto parse = [&](const std::vector<std::string_view>& names) {
    CommandSyntax syntax;
    syntax.command = &command;
    for (const std::string_view name : names) syntax.setters.push_back({name, [](std::string_view) { return ""; }});
    std::vector<std::string_view> positional;
    std::string message;
    return ParseCommandLine(syntax, {"--help"}, &positional, &message) == ParseOutcome::kError ? message : "fine";
  };
  EXPECT_EQ(parse({"--scopes", "--typed"}), "fine");
  EXPECT_EQ(parse({"--scopes"}), "--typed has no setter");
  EXPECT_EQ(parse({"--scopes", "--typed", "--more"}), "--more is not in the table of commands");
  EXPECT_EQ(parse({"--scopes", "--typed", "--typed"}), "an option has two setters");
}

TEST(CommandLineTest, HelpNamesEveryOption) {
  EXPECT_EQ(HelpText(TestCommand()),
            "usage: test [options]\n\nDescription.\n\noptions:\n"
            "  -s, --scopes FILE  the scopes; can be repeated (-)\n"
            "      --typed        typed\n"
            "  -h, --help         print this text\n\n"
            "exit status: 0: success.\n\nexamples:\n  test --typed\n");
}

TEST(CommandLineTest, WrapsAtBlanks) {
  EXPECT_EQ(Wrapped("a bb ccc", 4, "  "), "a bb\n  ccc");
  EXPECT_EQ(Wrapped("a bb ccc", 8, "  "), "a bb ccc");
  EXPECT_EQ(Wrapped("abcdef gh", 3, ""), "abcdef\ngh");
  EXPECT_EQ(Wrapped("a\n\nb c", 1, ""), "a\n\nb\nc");
  EXPECT_EQ(Wrapped("", 3, ""), "");
}

}  // namespace
}  // namespace hcl::cmd
