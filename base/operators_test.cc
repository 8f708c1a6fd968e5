// Tests the table of operators.

#include "hclvm/base/operators.h"

#include <string>

#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(Operators, HaveTheLevelsOfTheSpecification) {
  std::string by_level[kHighestLevel + 1];
  for (BinaryOp op : kBinaryOps) {
    ASSERT_GE(LevelOf(op), kLowestLevel);
    ASSERT_LE(LevelOf(op), kHighestLevel);
    by_level[LevelOf(op)] += std::string(SpellingOf(op)) + " ";
  }
  EXPECT_EQ(by_level[6], "* / % ");
  EXPECT_EQ(by_level[5], "+ - ");
  EXPECT_EQ(by_level[4], "< <= > >= ");
  EXPECT_EQ(by_level[3], "== != ");
  EXPECT_EQ(by_level[2], "&& ");
  EXPECT_EQ(by_level[1], "|| ");
}

TEST(Operators, AreEachOfOneKind) {
  for (BinaryOp op : kBinaryOps) {
    EXPECT_EQ(IsArithmetic(op) + IsEquality(op) + IsComparison(op) + IsLogical(op), 1) << SpellingOf(op);
  }
}

}  // namespace
}  // namespace hcl
