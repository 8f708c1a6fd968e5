// The law of lazy variables, over random programs: an evaluation whose variables are all read by callbacks gives what
// it gives when they are bound, value or first message, in all ways to evaluate and each time, and no callback is
// called twice in one run.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 20'000;
constexpr size_t kMaxReports = 20;

class LazyLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  LazyLawTest()
      : heap_(nullptr, GetParam()),
        harness_(OptionsFor(GetParam())),
        sides_{{GetParam(), Code::kOptimized}, {GetParam(), Code::kGeneral}, {GetParam(), Code::kUnoptimized}},
        lazy_(GetParam(), Code::kOptimized) {}

  std::string WhatIsWrongWith(const std::string& text) {
    const Parsed parsed(text);
    if (!parsed.ok()) return "";
    for (FastSide& side : sides_) {
      const Outcome want = side.Evaluate(parsed, harness_.variables());
      lazy_.Share(side);
      for (int run = 1; run <= 2; ++run) {
        uint32_t most_calls = 0;
        const Outcome got = lazy_.RunLazily(harness_.variables(), &most_calls);
        if (most_calls > 1) return absl::StrCat("run ", run, ": a callback was called ", most_calls, " times");
        if (!Same(got, want)) return absl::StrCat("lazy, run ", run, ": ", Print(got), "\n  bound: ", Print(want));
      }
    }
    return "";
  }

  Heap heap_;
  Harness harness_;
  FastSide sides_[3];
  FastSide lazy_;
};

TEST_P(LazyLawTest, WhoReadsAVariableMakesNoDifference) {
  const auto check = [this](const std::string& text, uint64_t) { return WhatIsWrongWith(text); };
  CheckPrograms(TestPrograms(kPrograms), &heap_, check, kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, LazyLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
