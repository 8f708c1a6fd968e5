// The answers to W0..W9, against those of the reference implementation, and what a policy takes.

#include "hclvm/bench/workload.h"

#include "gtest/gtest.h"

namespace hcl::bench {
namespace {

class AnswersTest : public testing::TestWithParam<int> {};

TEST_P(AnswersTest, AreThoseOfTheReference) { EXPECT_EQ(CheckAnswers(*LoadWorkload(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(All, AnswersTest, testing::Range(0, kWorkloadCount));

// A service keeps thousands of such policies.
TEST(WorkloadTest, APolicyTakesAtMostTwoKibibytes) { EXPECT_LE(LoadWorkload(1)->program->MemoryBytes(), 2048u); }

}  // namespace
}  // namespace hcl::bench
