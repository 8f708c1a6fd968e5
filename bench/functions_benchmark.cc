// Calls of functions, beside the same work written by hand in C++:
//
//   bazel run -c opt //bench:functions_benchmark
//
// Names are function/<name>/vm and function/<name>/cpp. An expression of one call is compiled beforehand and evaluated
// again and again over one scope; its answer is compared with C++'s, before the clock runs. `allocs` counts heap
// allocations for each evaluation. example/<name> is the example of docs/functions.md for each function of the library,
// not optimized, so that the call is made again and again.
//
// With --table it prints the medians of the calls as Markdown instead: bench/functions puts that into a page.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/function_case.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

// A compiled case with its scope bound. The evaluator points to the heap, the value and the program, so it is the last
// member and goes first.
class Prepared {
 public:
  Prepared(std::string_view name, std::string_view expression, bool optimize) {
    CompileOptions options;
    options.functions = StandardFunctions();
    options.optimize = optimize;
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>(std::string(name), std::string(expression));
    program_ = CompileExpression(source, options, &diagnostics);
    JsonError error;
    if (program_ == nullptr || !JsonReader().Read(kFunctionScope, &heap_, &scope_, &error)) return;
    evaluator_ = std::make_unique<Evaluator>(program_);
    evaluator_->BindAll(scope_);
  }

  // Empty when the answer is `want`.
  std::string Check(std::string_view want) {
    if (evaluator_ == nullptr) return "does not compile, or the scope is no JSON";
    const Evaluation& evaluation = evaluator_->Run();
    std::string got;
    std::string reason = "an error";
    if (evaluation.ok() && AppendJson(evaluation.value(), &got, &reason)) reason = got == want ? "" : got;
    return reason;
  }

  Evaluator* evaluator() { return evaluator_.get(); }

 private:
  Heap heap_;
  Value scope_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Evaluator> evaluator_;
};

void RunVm(benchmark::State& state, Evaluator* evaluator) {
  evaluator->Run();  // warm
  const uint64_t begin = AllocationCount();
  for (auto _ : state) {
    Value result = evaluator->Run().value();
    benchmark::DoNotOptimize(result);
  }
  state.counters["allocs"] = static_cast<double>(AllocationCount() - begin) / static_cast<double>(state.iterations());
}

std::vector<FunctionCase> FunctionCases() {
  std::vector<FunctionCase> all;
  for (std::vector<FunctionCase> cases : {StringCases(), CollectionCases(), ValueCases()}) {
    for (FunctionCase& c : cases) all.push_back(std::move(c));
  }
  return all;
}

// What a call may cost beside C++: so many times, or so many nanoseconds more.
constexpr double kAllowedTimes = 3;
constexpr double kAllowedMore = 15;

// The medians of all runs, by name.
class Medians : public benchmark::ConsoleReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.aggregate_name == "median") times_[run.run_name.str()] = run.GetAdjustedCPUTime();
    }
  }
  double of(const std::string& name) const { return times_.at(name); }

 private:
  std::map<std::string, double> times_;
};

std::string Nanoseconds(double time) {
  char text[32];
  std::snprintf(text, sizeof(text), time < 10 ? "%.1f" : "%.0f", time);
  return text;
}

void PrintTable(const std::vector<FunctionCase>& cases, const Medians& medians) {
  std::printf("| call | VM | C++ | VM / C++ |\n|---|---:|---:|---:|\n");
  size_t count = 0;
  std::map<std::string, std::string> beyond;  // by the reason
  for (const FunctionCase& c : cases) {
    const double vm = medians.of(absl::StrCat("function/", c.name, "/vm"));
    const double cpp = medians.of(absl::StrCat("function/", c.name, "/cpp"));
    std::printf("| `%s` | %s | %s | %.2f |\n", c.expression, Nanoseconds(vm).c_str(), Nanoseconds(cpp).c_str(),
                vm / cpp);
    if (vm <= std::max(kAllowedTimes * cpp, cpp + kAllowedMore)) continue;
    ++count;
    std::string& calls = beyond[*c.why == '\0' ? "it is not yet known why" : c.why];
    absl::StrAppend(&calls, calls.empty() ? "" : ", ", "`", c.expression, "`");
  }
  std::printf("\nOf %zu calls, %zu take more than %g times C++'s time and more than %g ns more:\n\n", cases.size(),
              count, kAllowedTimes, kAllowedMore);
  for (const auto& [why, calls] : beyond) std::printf("- %s: %s.\n", calls.c_str(), why.c_str());
}

}  // namespace
}  // namespace hcl::bench

// All cases are compiled and checked before the first is measured. They stay at their addresses, in pointers, as the
// registered benchmarks refer to them.
int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: the benchmark's own names
  benchmark::Initialize(&argc, argv);
  const bool table = argc == 2 && std::strcmp(argv[1], "--table") == 0;
  if (!table && benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<std::unique_ptr<Prepared>> prepared;
  const auto prepare = [&prepared](std::string_view name, std::string_view expression, std::string_view want,
                                   bool optimize) {
    prepared.push_back(std::make_unique<Prepared>(name, expression, optimize));
    const std::string fault = prepared.back()->Check(want);
    if (!fault.empty()) {
      std::fprintf(stderr, "%s: %s, and not %s\n", std::string(name).c_str(), fault.c_str(), std::string(want).c_str());
    }
    return fault.empty();
  };
  const std::vector<FunctionCase> cases = FunctionCases();
  const FunctionScope scope;
  for (const FunctionCase& c : cases) {
    if (!prepare(c.name, c.expression, c.answer(scope), /*optimize=*/true)) return 1;
    benchmark::RegisterBenchmark(absl::StrCat("function/", c.name, "/vm").c_str(), RunVm, prepared.back()->evaluator());
    benchmark::RegisterBenchmark(absl::StrCat("function/", c.name, "/cpp").c_str(), c.run_cpp);
  }
  if (table) {
    Medians medians;
    benchmark::RunSpecifiedBenchmarks(&medians);
    PrintTable(cases, medians);
    return 0;
  }
  for (const hcl::FunctionFamily family : hcl::kFunctionFamilies) {
    for (const hcl::FunctionRecord& record : hcl::RecordsOf(family)) {
      if (!prepare(record.name, record.example, record.example_value, /*optimize=*/false)) return 1;
      const std::string name = "example/" + std::string(record.name);
      benchmark::RegisterBenchmark(name.c_str(), RunVm, prepared.back()->evaluator());
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
