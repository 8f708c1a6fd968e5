// The law of unknown values, over random programs: giving an unknown value its real value never contradicts the earlier
// answer. A known answer is the answer for all values, an error is an error for all of them, and an unknown answer's
// type and refinement fit every real answer. And where nothing unknown goes in, nothing unknown comes out.
//
// And each answer for unknown input is of its own type (tests/well_typed.h).
//
// The law has one limit by design. Where nothing is known, the specification assumes optimistically that the real value
// will be valid: any answer may become an error (docs/language.md). Where the rules of the language themselves break
// the law, tests/slow/known_breaches.cc says so and why; whatever else breaks it fails the test.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/fits.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/known_breaches.h"
#include "hclvm/tests/slow/shrink.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/tests/well_typed.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 30'000;
constexpr int kSamples = 20;
constexpr size_t kMaxReports = 20;

class UnknownLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  UnknownLawTest()
      : heap_(nullptr, GetParam()),
        harness_(OptionsFor(GetParam())),
        slow_(GetParam()),
        before_(GetParam(), Code::kOptimized),
        after_(GetParam(), Code::kOptimized) {}

  // Compares the answers of the program that both sides have for a scope and for what it turns out to be. Copies what
  // they are to *breach.
  bool Breaks(const Value& blurred, const Value& real, Breach* breach) {
    const Outcome earlier = before_.Run(blurred);
    return !HasLimit(earlier) && Contradict(earlier, after_.Run(real), breach);
  }

  bool Contradict(const Outcome& earlier, const Outcome& real, Breach* breach) {
    if (!real.ok() || (earlier.ok() && Fits(*earlier.value, *real.value, heap_.types()))) return false;
    breach->earlier = Print(earlier);
    breach->real = Print(real);
    breach->was_error = !earlier.ok();
    return true;
  }

  // Finds out what breaks the law about `text`, and counts it or fails.
  void Judge(const std::string& text, const Value& blurred, const Value& real) {
    Breach breach;
    breach.dialect = GetParam();
    breach.text = Shrink(text, [&](const std::string& candidate) {
      const Parsed parsed(candidate);
      if (!parsed.ok()) return false;
      before_.Compile(parsed);
      after_.Share(before_);
      Breach ignored;
      return Breaks(blurred, real, &ignored);
    });
    const Parsed parsed(breach.text);
    before_.Compile(parsed);
    after_.Share(before_);
    Breaks(blurred, real, &breach);
    slow_.Evaluate(parsed, blurred);
    breach.earlier_doubts = slow_.doubts();
    slow_.Evaluate(parsed, real);
    breach.real_doubts = slow_.doubts();
    const char* const known = KnownBreach(breach);
    ++counts_[known != nullptr ? known : "unexplained"];
    if (known != nullptr) return;
    std::string scope;
    for (size_t n = 0; n < real.size(); ++n) {
      const std::string name(real.shape().keys[n].AsString());
      if (breach.text.find(name) == std::string::npos || Identical(real.values()[n], blurred.values()[n])) continue;
      absl::StrAppend(&scope, "\n     ", name, ": ", Print(blurred.values()[n]), "\n       -> ",
                      Print(real.values()[n]));
    }
    failures_.push_back(absl::StrCat(breach.text, "\n  earlier: ", breach.earlier, "\n     real: ", breach.real, scope,
                                     "\n  of ", text));
  }

  // That the answer is of its own type.
  void CheckType(const Parsed& parsed, const Value& answer) {
    const std::string wrong = WhatIsWrong(answer, heap_.types());
    if (wrong.empty()) return;
    failures_.push_back(absl::StrCat(std::string(parsed.source()->text()), "\n  ", wrong, "\n  ", Print(answer)));
  }

  void Report() {
    ReportShortest(failures_, kMaxReports);
    for (const auto& [name, count] : counts_) std::printf("%6d %s\n", count, name.c_str());
  }

  Heap heap_;
  Harness harness_;
  SlowSide slow_;
  FastSide before_;
  FastSide after_;
  std::vector<std::string> failures_;
  std::map<std::string, int> counts_;
};

TEST_P(UnknownLawTest, TheRealValueNeverContradicts) {
  Generator generator(TestSeed());
  Generator random(TestSeed() + 1);
  for (uint64_t n = TestPrograms(kPrograms); n > 0; --n) {
    heap_.Reset();
    const std::string text = generator.Next();
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ok()) << text;
    UnknownScopes scopes(text, harness_.variables(), &heap_, &random);
    const Value blurred = scopes.Blurred();
    before_.Compile(parsed);
    after_.Share(before_);
    const Outcome earlier = before_.Run(blurred);
    if (HasLimit(earlier)) continue;
    if (earlier.ok()) CheckType(parsed, *earlier.value);
    for (int sample = 0; sample < kSamples; ++sample) {
      const Value real = scopes.Sample(blurred);
      Breach breach;
      if (!Contradict(earlier, after_.Run(real), &breach)) continue;
      Judge(text, blurred, real);
      break;
    }
  }
  Report();
}

TEST_P(UnknownLawTest, NothingUnknownComesOfKnownInput) {
  GeneratorOptions options;
  options.unknowns = false;
  Generator generator(TestSeed(), options);
  for (uint64_t n = TestPrograms(kPrograms); n > 0; --n) {
    const std::string text = generator.Next();
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ok()) << text;
    const Outcome outcome = before_.Evaluate(parsed, harness_.variables());
    if (outcome.ok() && !outcome.value->is_wholly_known())
      failures_.push_back(absl::StrCat(text, ": ", Print(outcome)));
  }
  Report();
}

INSTANTIATE_TEST_SUITE_P(Dialects, UnknownLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
