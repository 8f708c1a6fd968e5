// Metrics.

#include "hclvm/serve/metrics.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MetricsTest, Renders) {
  Metrics metrics;
  Count(&metrics.ForPolicy("a/\"b\"")->outcomes[static_cast<size_t>(Outcome::kDeny)]);
  Count(&metrics.log_drops[static_cast<size_t>(LogDrop::kQueueFull)], 3);
  metrics.SetRevision("r1", 1700000000);
  const std::string text = metrics.Render();
  EXPECT_THAT(text, HasSubstr("\nhclvm_decisions_total{policy=\"a/\\\"b\\\"\",outcome=\"deny\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nhclvm_decision_log_dropped_total{reason=\"queue_full\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("\nhclvm_bundle_info{revision=\"r1\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nhclvm_bundle_activation_timestamp_seconds 1700000000\n"));
  EXPECT_THAT(text, Not(HasSubstr("(others)")));
}

TEST(MetricsTest, BoundsPolicies) {
  Metrics metrics;
  PolicyCounters* last = nullptr;
  for (int n = 0; n < 1001; ++n) last = metrics.ForPolicy("p" + std::to_string(n));
  EXPECT_EQ(metrics.ForPolicy("another"), last);
  EXPECT_NE(metrics.ForPolicy("p0"), last);
  Count(&last->outcomes[0]);
  EXPECT_THAT(metrics.Render(), HasSubstr("policy=\"(others)\",outcome=\"value\"} 1\n"));
}

TEST(MetricsTest, BucketsAreCumulative) {
  Metrics metrics;
  for (const uint64_t nanoseconds : {1u, 10'000u, 10'001u, 3'000'000u}) metrics.decision_seconds.Observe(nanoseconds);
  metrics.decision_seconds.Observe(60'000'000'000);
  const std::string text = metrics.Render();
  EXPECT_THAT(text, HasSubstr("_bucket{le=\"1e-05\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("_bucket{le=\"2e-05\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("_bucket{le=\"0.005\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("_bucket{le=\"10\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("_bucket{le=\"+Inf\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("_count 5\n"));
  EXPECT_THAT(text, HasSubstr("_sum 60.003020002\n"));
}

}  // namespace
}  // namespace hcl::serve
