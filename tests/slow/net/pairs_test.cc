// Pairs of the table of equivalences mean the same, applied within one another at random places of random expressions,
// over scopes in which things are odd: the left one by the slow evaluator, the right one by optimized code.
//
// The same pairs every time, unless the environment says otherwise (tests/support/seed.h).

#include "hclvm/tests/slow/net/pairs.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPairs = 10'000;
constexpr int kScopes = 12;
constexpr size_t kMaxReports = 10;

class PairsTest : public ::testing::Test {
 protected:
  PairsTest() : signatures_(corpus_), slow_(Dialect::kSpec), fast_(Dialect::kSpec, Code::kOptimized) {}

  // What two programs that mean the same differ in; empty where one has no value, since that may be its right.
  // *comparable: both have known values.
  std::string Compare(const Sides& sides, const OddScope& scope, bool* comparable) {
    const Parsed left(sides.left), right(sides.right);
    if (!left.ok() || !right.ok()) return absl::StrCat(sides.left, "\n", sides.right, "\n  does not parse");
    const Outcome want = slow_.Evaluate(left, scope.bare);
    const Outcome got = fast_.Evaluate(right, scope.bare);
    *comparable = want.ok() && got.ok() && want.value->is_wholly_known() && got.value->is_wholly_known();
    if (!*comparable || Same(got, want)) return "";
    return absl::StrCat(sides.left, "\n  ", Print(want), "\n", sides.right, "\n  ", Print(got), "\n  ",
                        Print(Outcome(scope.bare)));
  }

  Corpus corpus_;
  Signatures signatures_;
  SlowSide slow_;
  FastSide fast_;
  Heap heap_;
};

TEST_F(PairsTest, BothSidesAreTheSame) {
  Pairs pairs(&corpus_, signatures_, /*same_cost=*/false, TestSeed());
  Dice dice(TestSeed() + 1);
  std::vector<std::unique_ptr<OddScopes>> scopes(corpus_.worlds().size());
  std::vector<std::string> failures;
  uint64_t same = 0, deep = 0;
  const uint64_t programs = TestPrograms(kPairs);
  for (uint64_t n = programs; n > 0; --n) {
    heap_.Reset();
    const Pair pair = pairs.Next();
    deep += pair.rows.size() > 1 ? 1 : 0;
    std::unique_ptr<OddScopes>& some = scopes[static_cast<size_t>(pair.world - corpus_.worlds().data())];
    if (some == nullptr) some = std::make_unique<OddScopes>(*pair.world, Dialect::kSpec, &dice);
    for (int times = 0; times < kScopes; ++times) {
      const OddScope scope = some->Next(pair.left() + pair.right(), &heap_);
      // What stands around a part that fails on one side only may differ as it likes.
      bool goes_on = true;
      std::string wrong;
      for (size_t level = 0; level < pair.levels.size() && goes_on && wrong.empty(); ++level) {
        wrong = Compare(pair.levels[level], scope, &goes_on);
      }
      if (!wrong.empty()) {
        failures.push_back(std::move(wrong));
        break;
      }
      same += goes_on ? 1 : 0;
    }
  }
  ReportShortest(std::move(failures), kMaxReports);
  EXPECT_GT(same, programs * kScopes / 10);
  EXPECT_GT(deep, programs / 4);
}

}  // namespace
}  // namespace hcl::testing_support
