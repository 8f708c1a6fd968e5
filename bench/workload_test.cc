// The answers to W0..W9, against those of the reference implementation.

#include "bench/workload.h"

#include "gtest/gtest.h"

namespace hcl::bench {
namespace {

class WorkloadTest : public testing::TestWithParam<int> {};

TEST_P(WorkloadTest, AnswersAsTheReference) { EXPECT_EQ(CheckAnswers(*LoadWorkload(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(All, WorkloadTest, testing::Range(0, kWorkloadCount));

}  // namespace
}  // namespace hcl::bench
