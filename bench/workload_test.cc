// The answers to W0..W9 and B01..B30, against those of the reference implementation, and what a policy takes.

#include "hclvm/bench/workload.h"

#include <string>

#include "gtest/gtest.h"

namespace hcl::bench {
namespace {

class AnswersTest : public testing::TestWithParam<std::string> {};

TEST_P(AnswersTest, AreThoseOfTheReference) { EXPECT_EQ(CheckAnswers(*LoadWorkload(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(All, AnswersTest, testing::ValuesIn(WorkloadNames()));

// A service keeps thousands of such policies.
TEST(WorkloadTest, APolicyTakesAtMostTwoKibibytes) { EXPECT_LE(LoadWorkload("W1")->program->MemoryBytes(), 2048u); }

}  // namespace
}  // namespace hcl::bench
