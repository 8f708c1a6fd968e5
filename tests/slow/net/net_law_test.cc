// The law of the net: all ways to evaluate give the same, over random programs that are made from the language and from
// policies that people have written, and over scopes in which things are odd (tests/slow/net/net.h).
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h). What HCLVM_TEST_PROGRAMS
// counts is comparisons.

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/net.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kComparisons = 500'000;
constexpr size_t kMaxReports = 10;

class NetLawTest : public ::testing::TestWithParam<Dialect> {};

TEST_P(NetLawTest, AllWaysGiveTheSame) {
  Corpus corpus;
  const Signatures signatures(corpus);
  Net net(&corpus, signatures, GetParam(), TestSeed());
  const uint64_t comparisons = TestPrograms(kComparisons);
  net.Run(comparisons, kMaxReports);
  ReportShortest(net.failures(), kMaxReports);
  // The net is worth its time only while most programs parse, and many of them have values.
  EXPECT_LT(net.broken(), net.programs() / 100 + 1);
  EXPECT_GT(net.judge().values(), comparisons / 3);
  EXPECT_LT(net.judge().limits(), comparisons / 100 + 1);
}

INSTANTIATE_TEST_SUITE_P(Dialects, NetLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
