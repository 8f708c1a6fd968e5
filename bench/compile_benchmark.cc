// What a service pays beside evaluations: `bazel run //bench:compile_benchmark`.
//
// compile/W1 takes the policy of W1 from text to a verified program, and says what it allocates and how many bytes the
// program keeps; compile/10000 does that for ten thousand different policies that live at the same time, and says by
// how much the process grows; bind/16 sets sixteen prepared values.

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/bench/workload.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr int kPolicies = 10'000;

std::shared_ptr<const Program> Compile(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  return CompileExpression(std::make_shared<const Source>("<policy>", text), options, &diagnostics);
}

using CompileText = std::shared_ptr<const Program> (*)(const std::string& text);

void CompileOne(benchmark::State& state, CompileText compile, const std::string& text) {
  const uint64_t allocations = AllocationCount();
  for (auto _ : state) benchmark::DoNotOptimize(compile(text));
  const double count = static_cast<double>(AllocationCount() - allocations);
  state.counters["allocs"] = count / static_cast<double>(state.iterations());
  state.counters["bytes"] = static_cast<double>(compile(text)->MemoryBytes());
}

void CompilePolicy(benchmark::State& state) {
  CompileOne(state, Compile, std::string(LoadWorkload("W1")->program->source().text()));
}

// A config of tables, texts and conditions, as policies are.
void CompileAccess(benchmark::State& state) {
  const auto compile = [](const std::string& text) {
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics diagnostics;
    return CompileConfig(std::make_shared<const Source>("policy.hcl", text), options, &diagnostics);
  };
  CompileOne(state, compile, ReadInput("bench/access/policy.hcl"));
}

// The largest the process has been, in kilobytes on Linux. It never falls, so a difference says by how much the peak
// has risen in between.
double ResidentBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// Half as many first, so that the times show whether the cost is linear. The policies differ in a constant, as those of
// many tenants do, and all stay alive, so that nothing of one is reused for the next. One iteration only, as memory
// that was freed would hide what a second one takes.
void CompileMany(benchmark::State& state) {
  const std::string text(LoadWorkload("W1")->program->source().text());
  for (auto _ : state) {
    const double before = ResidentBytes();
    std::vector<std::shared_ptr<const Program>> programs;
    for (int n = 0; n < state.range(0); ++n) {
      programs.push_back(Compile(absl::StrCat(text, " && request.tenant != \"tenant-", n, "\"")));
      if (programs.back() == nullptr) return state.SkipWithError("a policy does not compile");
    }
    state.counters["grown_mib"] = (ResidentBytes() - before) / (1024 * 1024);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Values are bound by slot, without a look-up of names, as a host binds what it has prepared.
void BindSixteen(benchmark::State& state) {
  std::string text = "v0";
  for (int n = 1; n < 16; ++n) absl::StrAppend(&text, " + v", n);
  Evaluator evaluator(Compile(text));
  std::vector<Value> values;
  for (int n = 0; n < 16; ++n) values.push_back(Value::Int(n));
  for (auto _ : state) {
    for (uint32_t slot = 0; slot < 16; ++slot) evaluator.Bind(slot, values[slot]);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 16);
}

BENCHMARK(CompilePolicy)->Name("compile/W1");
BENCHMARK(CompileAccess)->Name("compile/access");
BENCHMARK(CompileMany)
    ->Name("compile")
    ->Arg(kPolicies / 2)
    ->Arg(kPolicies)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BindSixteen)->Name("bind/16");

}  // namespace
}  // namespace hcl::bench

BENCHMARK_MAIN();
