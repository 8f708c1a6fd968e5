#include "hclvm/base/print_numbers.h"

#include <string>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(PrintNumbersTest, AsPrintf) {
  EXPECT_EQ(PrintNumbers("%5d  %.3f", 7, 1.5), "    7  1.500");
  EXPECT_EQ(PrintNumbers("%g", 0.0001), "0.0001");
  EXPECT_EQ(PrintNumbers("%126d", 1).size(), 126u);
  EXPECT_EQ(PrintNumbers("%127d", 1).size(), 127u);
  EXPECT_EQ(PrintNumbers("%128d", 1).size(), 127u);
}

}  // namespace
}  // namespace hcl::internal
