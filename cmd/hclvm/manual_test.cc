// The text of pages. tests/manual_test.py has the tools of manuals look at all of them.

#include "hclvm/cmd/hclvm/manual.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/version.h"

namespace hcl::cmd {
namespace {

constexpr Option kOptions[] = {{"--scopes", "-s", "FILE", ".dot \\ 'quote'", "-", true}};

TEST(ManualTest, WritesAPage) {
  const Command command = {"hcldec",      "",          "[options]", "FILE", "do it", "One.\n\nTwo-three.", {kOptions},
                           "0: success.", "hcldec a\n"};
  const std::string page = ManualPage(command);
  const std::string begin = ".\\\" Made by `hclvm manual`.\n.TH HCLDEC 1 \"\" \"hclvm " + std::string(kVersion) +
                            "\" \"User commands\"\n.SH NAME\nhcldec \\- do it\n.SH SYNOPSIS\n.B hcldec\n[options]\n"
                            ".SH DESCRIPTION\nOne.\n.PP\nTwo\\-three.\n.SH OPTIONS\n.TP\n"
                            "\\fB\\-s\\fR, \\fB\\-\\-scopes\\fR \\fIFILE\\fR\n"
                            "\\&.dot \\e \\(aqquote\\(aq; can be repeated (\\-)\n";
  EXPECT_EQ(page.substr(0, begin.size()), begin);
}

TEST(ManualTest, NamesPages) {
  EXPECT_EQ(PageName(FindCommand("hclvm", "run")), "hclvm-run");
  EXPECT_EQ(PageName(FindCommand("hclvm", "")), "hclvm");
  EXPECT_EQ(PageSection(FindCommand("hclvm", "")), 1);
  EXPECT_EQ(PageSection(FindCommand("hclvm-serve", "")), 8);
}

}  // namespace
}  // namespace hcl::cmd
