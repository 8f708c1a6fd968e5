// The laws of limits, over random programs:
//
//   - an evaluation under a tight limit gives what it gives without, or says that it has reached a limit; so nothing,
//     not try() either, makes a limit an answer;
//   - the fuel that an evaluation has used is enough for it, and less is not;
//   - an evaluation with a value under a limit has it under a higher one;
//   - answer and fuel do not depend on what the evaluator has evaluated before;
//   - a compilation under a tight limit gives a program of the same meaning.
//

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 20'000;
constexpr size_t kMaxReports = 20;
// So small that programs of test size reach them.
constexpr uint32_t kMostBytes = 4000;
constexpr uint32_t kMostDigits = 40;

class LimitsLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  LimitsLawTest()
      : heap_(nullptr, GetParam()),
        harness_(OptionsFor(GetParam())),
        free_(GetParam(), Code::kOptimized),
        tight_(GetParam(), Code::kOptimized) {}

  // The answer under `limits` to the program that free_ has compiled, compared with `want`: 'l' for a limit, '=' for
  // the same, '!' for another.
  char Under(const Limits& limits, const Outcome& want) {
    tight_.set_limits(limits);
    tight_.Share(free_);
    got_ = tight_.Run(harness_.variables());
    if (HasLimit(got_)) return 'l';
    return Same(got_, want) ? '=' : '!';
  }

  std::string Differ(const char* what, uint64_t limit, const Outcome& want) const {
    return absl::StrCat(what, " ", limit, ": ", Print(got_), "\n  without limits: ", Print(want));
  }

  std::string CheckFuel(const std::string& text, const Outcome& want, uint64_t used, Generator* random) {
    Limits limits;
    limits.max_fuel = used;
    // A search for a pattern asks for the fuel to find nothing, and uses less if it finds something.
    const bool asks_for_more = text.find("regex") != std::string::npos || text.find("replace(") != std::string::npos;
    if (Under(limits, want) != '=' && !asks_for_more) return Differ("under all of its fuel,", used, want);
    if (used == 0) return "";
    limits.max_fuel = used - 1;
    if (Under(limits, want) != 'l') return Differ("under less than its fuel,", used - 1, want);
    limits.max_fuel = random->Below(static_cast<uint32_t>(std::min<uint64_t>(used, UINT32_MAX)));
    return Under(limits, want) == 'l' ? "" : Differ("under less than its fuel,", limits.max_fuel, want);
  }

  // Under half of the bytes or digits, and then under all.
  template <typename Number>
  std::string CheckLimit(Number Limits::*limit, uint32_t most, const Outcome& want, Generator* random) {
    Limits limits;
    limits.*limit = random->Below(most);
    const char first = Under(limits, want);
    if (first == '!') return Differ("limit", limits.*limit, want);
    limits.*limit += 1 + random->Below(most);
    const char second = Under(limits, want);
    return second == '!' || (want.ok() && second == 'l' && first == '=') ? Differ("higher limit", limits.*limit, want)
                                                                         : "";
  }

  // The same evaluator between two evaluations of other variables.
  std::string CheckEarlierRuns(const std::string& text, const Outcome& want, uint64_t used, Generator* random) {
    tight_.set_limits({});
    tight_.Share(free_);
    UnknownScopes scopes(text, harness_.variables(), &heap_, random);
    for (int n = 0; n < 3; ++n) {
      if (n > 0) tight_.Run(n == 1 ? scopes.Blurred() : scopes.Sample(harness_.variables()));
      got_ = tight_.Run(harness_.variables());
      if (!Same(got_, want)) return Differ("in run", 2 * static_cast<uint64_t>(n) + 1, want);
      if (tight_.fuel_used() != used) return absl::StrCat(tight_.fuel_used(), " units of fuel, and before: ", used);
    }
    return "";
  }

  std::string CheckCompilation(const Parsed& parsed, const Outcome& want, Generator* random) {
    Limits limits;
    limits.max_compile_fuel = random->Below(300);
    limits.max_prepared_bytes = random->Below(2000);
    tight_.set_limits(limits);
    got_ = tight_.Evaluate(parsed, harness_.variables());
    return Same(got_, want) ? "" : Differ("compiled under", limits.max_compile_fuel, want);
  }

  // How `text` breaks one of the laws; nothing if it does not. The same for the same seed.
  std::string WhatIsWrongWith(const std::string& text, uint64_t seed) {
    const Parsed parsed(text);
    if (!parsed.ok()) return "";
    Generator random(seed);
    const Outcome want = free_.Evaluate(parsed, harness_.variables());
    const uint64_t used = free_.fuel_used();
    if (HasLimit(want)) return "";
    std::string wrong = CheckFuel(text, want, used, &random);
    if (wrong.empty()) wrong = CheckEarlierRuns(text, want, used, &random);
    if (wrong.empty()) wrong = CheckLimit(&Limits::max_result_bytes, kMostBytes, want, &random);
    if (wrong.empty()) wrong = CheckLimit(&Limits::max_number_digits, kMostDigits, want, &random);
    if (wrong.empty()) wrong = CheckCompilation(parsed, want, &random);
    return wrong;
  }

  Heap heap_;
  Harness harness_;
  FastSide free_;
  FastSide tight_;
  Outcome got_ = Value();
};

TEST_P(LimitsLawTest, LimitsAreNeverAnswers) {
  const auto check = [this](const std::string& text, uint64_t n) { return WhatIsWrongWith(text, n); };
  CheckPrograms(TestPrograms(kPrograms), &heap_, check, kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, LimitsLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
