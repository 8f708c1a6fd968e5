// Where the seeds and numbers of random tests come from.

#include "hclvm/tests/support/seed.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace hcl::testing_support {
namespace {

TEST(SeedTest, Parse) {
  const struct {
    const char* text;
    std::optional<uint64_t> want;
  } kRows[] = {
      {"0", 0},
      {"1", 1},
      {"007", 7},
      {"18446744073709551615", UINT64_MAX},
      {"18446744073709551616", std::nullopt},
      {"99999999999999999999", std::nullopt},
      {"", std::nullopt},
      {"-1", std::nullopt},
      {"+1", std::nullopt},
      {" 1", std::nullopt},
      {"1 ", std::nullopt},
      {"0x1", std::nullopt},
      {"seed", std::nullopt},
  };
  for (const auto& row : kRows) EXPECT_EQ(ParseSeed(row.text), row.want) << row.text;
}

// The seed is read once in a process: the environment here is what the test's own environment is not asked for.
TEST(SeedTest, SeedIsPrintedOnceAndStays) {
  ASSERT_EQ(setenv("HCLVM_TEST_SEED", "4711", 1), 0);
  testing::internal::CaptureStdout();
  EXPECT_EQ(TestSeed(), 4711u);
  EXPECT_EQ(TestSeed(), 4711u);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "HCLVM_TEST_SEED=4711\n");
}

TEST(SeedTest, Programs) {
  ASSERT_EQ(unsetenv("HCLVM_TEST_PROGRAMS"), 0);
  EXPECT_EQ(TestPrograms(12), 12u);
  ASSERT_EQ(setenv("HCLVM_TEST_PROGRAMS", "", 1), 0);
  EXPECT_EQ(TestPrograms(12), 12u);
  ASSERT_EQ(setenv("HCLVM_TEST_PROGRAMS", "100000", 1), 0);
  EXPECT_EQ(TestPrograms(12), 100'000u);
}

TEST(SeedDeathTest, NoNumber) {
  ASSERT_EQ(setenv("HCLVM_TEST_PROGRAMS", "many", 1), 0);
  EXPECT_EXIT(TestPrograms(12), testing::ExitedWithCode(1), "HCLVM_TEST_PROGRAMS=many is not a decimal number");
}

}  // namespace
}  // namespace hcl::testing_support
