// What every script names. tests/completion_test.py runs them in their shells.

#include "hclvm/cmd/hclvm/completion.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {
namespace {

TEST(CompletionTest, EveryScriptNamesAllOptions) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(shell, "");
    for (const Command& command : Commands()) {
      EXPECT_NE(script.find(LastName(command)), std::string::npos) << shell << " " << FullName(command);
      for (const Option* option : OptionsOf(command)) {
        EXPECT_NE(script.find(option->name.substr(2)), std::string::npos) << shell << " " << option->name;
      }
    }
  }
  EXPECT_EQ(CompletionScript("csh", ""), "");
}

TEST(CompletionTest, OneProgramAlone) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(shell, "hcldec");
    EXPECT_NE(script.find("keep-nulls"), std::string::npos) << shell;
    EXPECT_EQ(script.find("hclvm-serve"), std::string::npos) << shell;
  }
}

}  // namespace
}  // namespace hcl::cmd
