// Decoding 1,000 blocks of seven attributes, with a block of two in each, by a spec:
//
//   bazel run -c opt //bench:decode_benchmark
//
// decode/run decodes them for one more scope, with a program that is there; decode/all parses and compiles them as
// well. `allocs` counts the heap allocations of one iteration. That there are no errors is checked before the clock
// runs.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bench/allocation_counter.h"
#include "benchmark/benchmark.h"
#include "dec/decoder.h"
#include "dec/spec_file.h"
#include "hcl/native_body.h"
#include "hcl/parser.h"
#include "vm/evaluator.h"

namespace hcl::bench {
namespace {

constexpr int kBlocks = 1000;

constexpr char kSpec[] = R"(
object {
  block_map "service" {
    labels = ["id"]
    object {
      attr "name"    { type = string }
      attr "port"    { type = number }
      attr "enabled" { type = bool }
      attr "weight"  { type = number }
      attr "hosts"   { type = list(string) }
      attr "labels"  { type = map(string) }
      block "limits" {
        object {
          attr "cpu" { type = number }
          attr "mem" { type = number }
        }
      }
    }
  }
}
)";

std::string Config() {
  std::string text;
  for (int i = 0; i < kBlocks; ++i) {
    absl::StrAppend(&text, "service \"s", i, "\" {\n  name    = \"svc-${env}-", i, "\"\n  port    = ", 8000 + i,
                    "\n  enabled = ", i % 2 == 1 ? "true" : "env == \"prod\"", "\n  weight  = base * ", i % 10 + 1,
                    "\n  hosts   = [\"h", i, ".example.com\", \"${env}.example.com\"]\n  labels  = { team = \"t",
                    i % 11, "\", tier = env }\n  limits {\n    cpu = ", i % 8 + 1, "\n    mem = base * ", i % 4 + 1,
                    " + 128\n  }\n}\n");
  }
  return text;
}

std::shared_ptr<const Program> Compile(const DecodeSpec& spec, const std::shared_ptr<const Source>& source) {
  Diagnostics diagnostics;
  const auto file = ParseConfig(*source, {}, &diagnostics);
  DecoderOptions options;
  options.compile.dialect = Dialect::kHashiCorp;
  auto program = CompileDecoder(spec, *ViewOf(*file->body, *source), {source}, options, &diagnostics);
  if (!diagnostics.empty()) std::fputs(ToText(diagnostics, source.get()).c_str(), stderr);
  return diagnostics.empty() ? std::move(program) : nullptr;
}

bool Evaluate(Evaluator* evaluator) {
  evaluator->Bind("env", Value::StringView("prod"));
  evaluator->Bind("base", Value::Int(7));
  return evaluator->Run().ok();
}

void Run(benchmark::State& state, const std::shared_ptr<const Program>& program) {
  Evaluator evaluator(program);
  if (!Evaluate(&evaluator)) return state.SkipWithError("errors");
  const uint64_t allocations = AllocationCount();
  for (auto step : state) benchmark::DoNotOptimize(Evaluate(&evaluator));
  state.counters["allocs"] =
      static_cast<double>(AllocationCount() - allocations) / static_cast<double>(state.iterations());
}

void All(benchmark::State& state, const DecodeSpec& spec, const std::shared_ptr<const Source>& source) {
  const uint64_t allocations = AllocationCount();
  for (auto step : state) {
    Evaluator evaluator(Compile(spec, source));
    benchmark::DoNotOptimize(Evaluate(&evaluator));
  }
  state.counters["allocs"] =
      static_cast<double>(AllocationCount() - allocations) / static_cast<double>(state.iterations());
}

int Main(int argc, char** argv) {
  Diagnostics diagnostics;
  const auto spec_file = ReadSpecFile(std::make_shared<const Source>("spec", kSpec), {}, &diagnostics);
  const auto source = std::make_shared<const Source>("config", Config());
  if (spec_file == nullptr) return 1;
  const auto program = Compile(*spec_file->spec, source);
  if (program == nullptr) return 1;
  benchmark::RegisterBenchmark("decode/run", [&](benchmark::State& state) { Run(state, program); });
  benchmark::RegisterBenchmark("decode/all", [&](benchmark::State& state) { All(state, *spec_file->spec, source); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) { return hcl::bench::Main(argc, argv); }
