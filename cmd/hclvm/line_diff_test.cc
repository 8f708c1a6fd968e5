#include "hclvm/cmd/hclvm/line_diff.h"

#include <string>

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

TEST(LineDiffTest, Hunks) {
  EXPECT_EQ(LineDiff("f", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(LineDiff("f", "a\nb\nc\n", "a\nB\nc\n"), "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  EXPECT_EQ(LineDiff("f", "a", "b"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
  EXPECT_EQ(LineDiff("f", "  ", ""), "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-  \n\\ No newline at end of file\n");
  EXPECT_EQ(LineDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\nx\n", "0\n2\n3\n4\n5\n6\n7\n8\ny\n"),
            "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+0\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-x\n+y\n");
  EXPECT_EQ(LineDiff("f", "1\n2\n3\n4\n5\n6\n7\nx\n", "0\n2\n3\n4\n5\n6\n7\ny\n"),
            "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-1\n+0\n 2\n 3\n 4\n 5\n 6\n 7\n-x\n+y\n");
}

}  // namespace
}  // namespace hcl::cmd
