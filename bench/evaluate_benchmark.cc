// Evaluation of compiled expressions, beside the same logic written by hand in C++:
//
//   bazel run -c opt //bench:evaluate_benchmark -- --benchmark_filter=W1
//
// Names are evaluate/W<n>/vm and evaluate/W<n>/cpp, and evaluate/W1/structs, where the VM reads the structs that the
// C++ by hand reads (vm/scope_layout.h), binding included. Each iteration takes the next of 16 scopes, prepared
// beforehand; `allocs` counts heap allocations for each evaluation. Answers are checked once, before the clock runs.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/handwritten.h"
#include "hclvm/bench/workload.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

// Counts allocations between construction and Report().
class AllocationMeter {
 public:
  AllocationMeter() : begin_(AllocationCount()) {}
  void Report(benchmark::State* state) const {
    const double total = static_cast<double>(AllocationCount() - begin_);
    state->counters["allocs"] = total / static_cast<double>(state->iterations());
  }

 private:
  uint64_t begin_;
};

void EvaluateVm(benchmark::State& state, const Workload* workload) {
  Evaluator evaluator(workload->program);
  for (size_t i = 0; i < workload->scopes.size(); ++i) {  // warm: memory grows to what the largest scope needs
    BindScope(*workload, i, &evaluator);
    evaluator.Run();
  }
  size_t i = 0;
  AllocationMeter meter;
  for (auto _ : state) {
    BindScope(*workload, i, &evaluator);
    Value result = evaluator.Run().value();
    benchmark::DoNotOptimize(result);
    i = (i + 1) % kScopeCount;
  }
  meter.Report(&state);
}

// The same rounds without a warm-up: what is written by hand keeps no memory between evaluations.
template <typename W>
void EvaluateCpp(benchmark::State& state) {
  std::vector<W> scopes;
  for (int i = 0; i < kScopeCount; ++i) scopes.push_back(W::Make(i));
  size_t i = 0;
  AllocationMeter meter;
  for (auto _ : state) {
    auto result = scopes[i].Evaluate();
    benchmark::DoNotOptimize(result);
    i = (i + 1) % kScopeCount;
  }
  meter.Report(&state);
}

// Both sides read the same structs; a result is asked for in each iteration.
void EvaluateStructs(benchmark::State& state, const Workload* workload) {
  const auto layout = ScopeLayout::Bind<W1>(workload->program)
                          .Field("request.ip", &W1::ip)
                          .Field("request.path", &W1::path)
                          .Field("request.token", &W1::token)
                          .Make();
  if (!layout.ok()) return state.SkipWithError(std::string(layout.status().message()).c_str());
  std::vector<W1> rows;
  for (int i = 0; i < kScopeCount; ++i) rows.push_back(W1::Make(i));
  Evaluator evaluator(workload->program);
  RunResults results;
  evaluator.RunMany(layout->Rows(rows), &results);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!results.ok(i) || results.value(i).is_true() != rows[i].Evaluate()) return state.SkipWithError("wrong answer");
  }
  AllocationMeter meter;
  while (state.KeepRunningBatch(kScopeCount)) {
    evaluator.RunMany(layout->Rows(rows), &results);
    for (size_t i = 0; i < rows.size(); ++i) {
      bool result = results.value(i).is_true();
      benchmark::DoNotOptimize(result);
    }
  }
  meter.Report(&state);
}

using CppBenchmark = void (*)(benchmark::State&);
constexpr CppBenchmark kByHand[kWorkloadCount] = {
    EvaluateCpp<W0>, EvaluateCpp<W1>, EvaluateCpp<W2>, EvaluateCpp<W3>, EvaluateCpp<W4>,
    EvaluateCpp<W5>, EvaluateCpp<W6>, EvaluateCpp<W7>, EvaluateCpp<W8>, EvaluateCpp<W9>,
};

}  // namespace
}  // namespace hcl::bench

// A workload with a wrong answer ends the run before any is measured.
int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: the benchmark's own names
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<std::unique_ptr<Workload>> workloads;
  for (int w = 0; w < kWorkloadCount; ++w) {
    workloads.push_back(LoadWorkload(absl::StrCat("W", w)));
    const Workload* workload = workloads.back().get();
    const std::string fault = CheckAnswers(*workload);
    if (!fault.empty()) {
      std::fprintf(stderr, "%s: %s\n", workload->name.c_str(), fault.c_str());
      return 1;
    }
    benchmark::RegisterBenchmark(absl::StrCat("evaluate/", workload->name, "/vm").c_str(), EvaluateVm, workload);
    if (w == 1) benchmark::RegisterBenchmark("evaluate/W1/structs", EvaluateStructs, workload);
    benchmark::RegisterBenchmark(absl::StrCat("evaluate/", workload->name, "/cpp").c_str(), kByHand[w]);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
