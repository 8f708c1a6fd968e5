// The laws of explanations and coverage, over random programs: a program that records gives what it gives without;
// whatever is asked, an explanation is sound JSON, and one of an error says where that comes from; and what runs have
// covered is never more than there is.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/register_flow.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/coverage.h"
#include "hclvm/workbench/coverage_report.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::testing_support {
namespace {

using internal::Explanation;

constexpr uint64_t kPrograms = 5'000;
constexpr size_t kMaxReports = 20;

class ExplainLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  ExplainLawTest() : heap_(nullptr, GetParam()), harness_(OptionsFor(GetParam())) {}

  std::shared_ptr<const Program> Compile(const std::string& text, const CompileOptions& options) {
    Diagnostics ignored;
    return CompileConfig(std::make_shared<const Source>("config", absl::StrCat("a = (", text, "\n)\n")), options,
                         &ignored);
  }

  // The value with its type, or the number of errors.
  static std::string ShapeOf(Evaluator* evaluator) {
    const Evaluation& evaluation = evaluator->Run(evaluator->program().entries()[0]);
    if (!evaluation.ok()) return absl::StrCat(evaluation.diagnostics().count(), " errors");
    std::string text;
    AppendTypedValueJson(evaluation.value(), evaluator->heap()->types(), &text);
    return text;
  }

  std::string WhatIsWrongWith(const std::string& text) {
    CompileOptions options = OptionsFor(GetParam());
    const std::shared_ptr<const Program> recording = Compile(text, internal::RecordingOptions(options));
    options.optimize = options.fast_code = false;
    const std::shared_ptr<const Program> plain = Compile(text, options);
    if ((plain == nullptr) != (recording == nullptr)) return "only one of the two compiles";
    if (plain == nullptr) return "";
    if (std::string fault = internal::WhatIsReadBeforeWritten(*recording); !fault.empty()) return fault;

    Evaluator want(plain);
    want.BindAll(harness_.variables());
    const std::string wanted = ShapeOf(&want);
    internal::CoverageIndex index;
    index.Add(*recording, [](const Source&) { return true; });
    internal::CoverageCounter counter(index);
    Evaluator got(recording, internal::RecordingLimits(Limits()));
    got.BindAll(harness_.variables());
    internal::AttachRecorder(got.heap(), &counter);
    if (const std::string shape = ShapeOf(&got); shape != wanted) return absl::StrCat(shape, "\n  plain: ", wanted);
    counter.Commit();
    const internal::CoverageReport report = index.Report({&counter});
    if (report.seen() > report.outcomes()) return "more outcomes than there are";
    if (ToHtml(report).empty() || ToLcov(report).empty()) return "no report";

    internal::ExplainOptions explain;
    explain.full = true;
    const Explanation explanation =
        internal::Explain(recording, harness_.variables(), recording->entries()[0], explain);
    Value read;
    JsonError error;
    if (!JsonReader().Read(ToJson(explanation), &heap_, &read, &error)) return "an explanation that is no JSON";
    const bool fails = explanation.outcome == Explanation::Outcome::kError;
    if (fails && explanation.reasons.empty()) return "an error without a reason";
    if (fails && explanation.reasons[0].kind != internal::Reason::Kind::kError) return "an error with another reason";
    return "";
  }

  Heap heap_;
  Harness harness_;
};

TEST_P(ExplainLawTest, RecordingChangesNothing) {
  const auto check = [this](const std::string& text, uint64_t) { return WhatIsWrongWith(text); };
  CheckPrograms(TestPrograms(kPrograms), &heap_, check, kMaxReports);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ExplainLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
