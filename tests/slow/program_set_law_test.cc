// The law of sets of programs (compiler/program_set.h), over random programs and scopes: each program of a set gives
// what an evaluator of it alone gives, value or diagnostics with all their texts.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/unknown_scopes.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 10'000;
constexpr uint64_t kTogether = 500;  // more than one segment, some of it alone
constexpr size_t kMaxReports = 10;

class ProgramSetLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  ProgramSetLawTest() : heap_(nullptr, GetParam()), harness_(OptionsFor(GetParam())), options_(OptionsFor(GetParam())) {
    options_.functions = StandardFunctions();
  }

  std::string PrintAll(const Evaluation& evaluation, const Source& source) {
    ++(evaluation.ok() ? fine_ : failing_);
    return evaluation.ok()
               ? Print(Outcome(evaluation.value()))
               : absl::StrCat(evaluation.diagnostics().count(), " ", ToText(evaluation.diagnostics(), &source));
  }

  // Puts the programs, some of them twice, and compares all of them over some scopes.
  void Check(Generator* generator, uint64_t seed, std::vector<std::string>* failures) {
    heap_.Reset();
    const auto set = std::make_shared<ProgramSet>(options_);
    std::vector<std::string> texts;
    Generator random(seed);
    for (uint64_t n = 0; n < kTogether; ++n) {
      texts.push_back(generator->Next());
      Diagnostics diagnostics;
      const std::string name = absl::StrCat("p", n);
      if (random.Below(5) == 0) set->Put(name, "x + 1", &diagnostics);
      if (!set->Put(name, texts.back(), &diagnostics)) set->Remove(name);
    }
    SetEvaluator together(set);
    for (int round = 0; round < 2; ++round) {
      for (uint64_t n = 0; n < kTogether; ++n) {
        const auto id = set->Find(absl::StrCat("p", n));
        const auto source = std::make_shared<const Source>(absl::StrCat("p", n), texts[n]);
        Diagnostics diagnostics;
        const auto program = CompileExpression(source, options_, &diagnostics);
        if ((program != nullptr) != id.has_value()) failures->push_back(texts[n] + "\n  is there, or not");
        if (program == nullptr || !id) continue;
        UnknownScopes scopes(texts[n], harness_.variables(), &heap_, &random);
        const Value scope = round == 0 ? harness_.variables() : scopes.Mixed();
        Evaluator alone(program);
        alone.BindAll(scope);
        together.BindAll(scope);
        const std::string want = PrintAll(alone.Run(), *source);
        const std::string got = PrintAll(together.Run(*id), *together.SourceOf(*id));
        if (got != want) failures->push_back(absl::StrCat(texts[n], "\n  ", got, "\n  alone: ", want));
      }
    }
  }

  Heap heap_;
  Harness harness_;
  CompileOptions options_;
  uint64_t fine_ = 0;
  uint64_t failing_ = 0;
};

TEST_P(ProgramSetLawTest, EachGivesWhatItGivesAlone) {
  const uint64_t programs = TestPrograms(kPrograms);
  Generator generator(TestSeed());
  std::vector<std::string> failures;
  for (uint64_t n = 0; n < programs; n += kTogether) Check(&generator, TestSeed() * 1'000'003 + n, &failures);
  ReportShortest(std::move(failures), kMaxReports);
  EXPECT_GT(fine_, programs / 10);
  EXPECT_GT(failing_, programs / 10);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ProgramSetLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
