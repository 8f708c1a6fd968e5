// Who wants colors. tests/terminal_test.py has a terminal.

#include "hclvm/cmd/hclvm/terminal.h"

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

TEST(TerminalTest, KnowsWhoWantsColors) {
  EXPECT_TRUE(UsesColor(true, nullptr, nullptr, "xterm"));
  EXPECT_TRUE(UsesColor(true, "", "", nullptr));
  EXPECT_FALSE(UsesColor(false, nullptr, nullptr, "xterm"));
  EXPECT_FALSE(UsesColor(true, nullptr, nullptr, "dumb"));
  EXPECT_FALSE(UsesColor(true, "1", nullptr, "xterm"));
  EXPECT_FALSE(UsesColor(true, "0", "1", "xterm"));
  EXPECT_TRUE(UsesColor(false, nullptr, "1", "dumb"));
  EXPECT_FALSE(UsesColor(false, nullptr, "0", "xterm"));
}

}  // namespace
}  // namespace hcl::cmd
