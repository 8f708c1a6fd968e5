// Decoding bench/inputs/decode.hcl, 1,000 blocks of six attributes with a block of two in each, by decode.hcldec:
//
//   bazel run -c opt //bench:decode_benchmark
//
// decode/run decodes them for one more scope, with a program that is there; decode/all parses and compiles them as
// well. `allocs` counts the heap allocations of one iteration. That there are no errors is checked before the clock
// runs.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>

#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::bench {
namespace {

constexpr char kSpec[] = "bench/inputs/decode.hcldec";
constexpr char kConfig[] = "bench/inputs/decode.hcl";

// The tree may go with this call: a program does not point into it.
std::shared_ptr<const Program> Compile(const DecodeSpec& spec, const std::shared_ptr<const Source>& source) {
  Diagnostics diagnostics;
  const auto file = ParseConfig(*source, {}, &diagnostics);
  DecoderOptions options;
  options.compile.dialect = Dialect::kHashiCorp;
  auto program = CompileDecoder(spec, *ViewOf(*file->body, *source), {source}, options, &diagnostics);
  if (!diagnostics.empty()) std::fputs(ToText(diagnostics, source.get()).c_str(), stderr);
  return diagnostics.empty() ? std::move(program) : nullptr;
}

bool Evaluate(const SpecFile& spec, Evaluator* evaluator) {
  for (const auto& [name, value] : spec.variables) evaluator->Bind(name, value);
  return evaluator->Run().ok();
}

void Run(benchmark::State& state, const SpecFile& spec, const std::shared_ptr<const Program>& program) {
  Evaluator evaluator(program);
  if (!Evaluate(spec, &evaluator)) return state.SkipWithError("errors");
  const uint64_t allocations = AllocationCount();
  for (auto step : state) benchmark::DoNotOptimize(Evaluate(spec, &evaluator));
  state.counters["allocs"] =
      static_cast<double>(AllocationCount() - allocations) / static_cast<double>(state.iterations());
}

void All(benchmark::State& state, const SpecFile& spec, const std::shared_ptr<const Source>& source) {
  const uint64_t allocations = AllocationCount();
  for (auto step : state) {
    Evaluator evaluator(Compile(*spec.spec, source));
    benchmark::DoNotOptimize(Evaluate(spec, &evaluator));
  }
  state.counters["allocs"] =
      static_cast<double>(AllocationCount() - allocations) / static_cast<double>(state.iterations());
}

// Benchmarks are registered here and not by a macro, since they need the files, which are read and checked first.
int Main(int argc, char** argv) {
  Diagnostics diagnostics;
  const auto spec_source = std::make_shared<const Source>(kSpec, ReadInput(kSpec));
  const auto spec = ReadSpecFile(spec_source, {}, &diagnostics);
  const auto source = std::make_shared<const Source>(kConfig, ReadInput(kConfig));
  if (spec == nullptr) return std::fputs(ToText(diagnostics, spec_source.get()).c_str(), stderr), 1;
  const auto program = Compile(*spec->spec, source);
  if (program == nullptr) return 1;
  benchmark::RegisterBenchmark("decode/run", [&](benchmark::State& state) { Run(state, *spec, program); });
  benchmark::RegisterBenchmark("decode/all", [&](benchmark::State& state) { All(state, *spec, source); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) { return hcl::bench::Main(argc, argv); }
