// Reading a config of 1.25 MB, bench/inputs/parse.hcl, and the like in the JSON syntax, bench/inputs/parse.json:
//
//   bazel run -c opt //bench:parse_benchmark
//
// parse/tokens scans it, parse/ast builds the tree and frees it, parse/compile also generates and verifies a program.
// parse/json builds the JSON tree, parse/json_exprs also the native trees of all values, with the templates in strings.
// `bytes_per_second` counts bytes of source. `ast_bytes` is the memory of the tree for each of them, `allocs` the heap
// allocations of one iteration. That the text has no errors is checked once, before the clock runs.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "benchmark/benchmark.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/scanner.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::bench {
namespace {

constexpr char kNative[] = "bench/inputs/parse.hcl";
constexpr char kJson[] = "bench/inputs/parse.json";

using SourcePtr = std::shared_ptr<const Source>;

// Null, with a message, when the file has errors.
SourcePtr LoadInput(const char* path) {
  auto source = std::make_shared<const Source>(path, ReadInput(path));
  Diagnostics diagnostics;
  if (path == kJson) {
    ParseJson(*source, {}, &diagnostics);
  } else {
    ParseConfig(*source, {}, &diagnostics);
  }
  if (!diagnostics.empty()) {
    std::fprintf(stderr, "%s has errors\n%s", path, ToText(diagnostics, source.get()).c_str());
    return nullptr;
  }
  return source;
}

// Counts source bytes and heap allocations from construction to Report().
class Meter {
 public:
  Meter() : begin_(AllocationCount()) {}

  void Report(const Source& source, benchmark::State* state) const {
    state->SetBytesProcessed(static_cast<int64_t>(state->iterations() * source.text().size()));
    const double total = static_cast<double>(AllocationCount() - begin_);
    state->counters["allocs"] = total / static_cast<double>(state->iterations());
  }

 private:
  uint64_t begin_;
};

// The scanner alone, without the reader's lookahead: what is left of parse/ast is grammar and tree.
void Tokens(benchmark::State& state, const SourcePtr& source) {
  const Meter meter;
  size_t count = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    internal::Scanner scanner(source->text(), internal::Scanner::Start::kExpression, &diagnostics);
    count = 0;
    while (scanner.Next().kind != internal::TokenKind::kEnd) ++count;
    benchmark::DoNotOptimize(count);
  }
  meter.Report(*source, &state);
  state.counters["tokens"] = static_cast<double>(count);
}

// The tree is freed within the iteration: that is a part of what a parse costs its caller.
void Ast(benchmark::State& state, const SourcePtr& source) {
  const Meter meter;
  size_t bytes = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const std::unique_ptr<ParsedFile> file = ParseConfig(*source, {}, &diagnostics);
    benchmark::DoNotOptimize(file->body);
    bytes = file->arena.bytes_used();
  }
  meter.Report(*source, &state);
  state.counters["ast_bytes"] = static_cast<double>(bytes) / static_cast<double>(source->text().size());
}

// The tree is freed within the iteration, as for parse/ast.
void Json(benchmark::State& state, const SourcePtr& source) {
  const Meter meter;
  size_t bytes = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const std::unique_ptr<JsonFile> file = ParseJson(*source, {}, &diagnostics);
    benchmark::DoNotOptimize(file->root);
    bytes = file->arena.bytes_used();
  }
  meter.Report(*source, &state);
  state.counters["ast_bytes"] = static_cast<double>(bytes) / static_cast<double>(source->text().size());
}

void JsonExprs(benchmark::State& state, const SourcePtr& source) {
  const Meter meter;
  for (auto _ : state) {
    Diagnostics diagnostics;
    Arena arena;
    const std::unique_ptr<JsonFile> file = ParseJson(*source, {}, &diagnostics);
    benchmark::DoNotOptimize(JsonAttributes(*file, EvaluationMode::kFull, &arena, &diagnostics));
  }
  meter.Report(*source, &state);
}

// Measures the way from text to program. The functions that the text calls are there, as the compiler resolves them.
void Compile(benchmark::State& state, const SourcePtr& source) {
  const CompileOptions options{Dialect::kSpec, {}, StandardFunctions()};
  const Meter meter;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const std::shared_ptr<const Program> program = CompileConfig(source, options, &diagnostics);
    if (program == nullptr) {
      state.SkipWithError("the text does not compile");
      break;
    }
    benchmark::DoNotOptimize(program.get());
  }
  meter.Report(*source, &state);
}

}  // namespace
}  // namespace hcl::bench

// Both texts are parsed once before the clock runs: figures about a text with errors would say nothing.
int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: the benchmark's own names
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const SourcePtr native = LoadInput(kNative);
  const SourcePtr json = LoadInput(kJson);
  if (native == nullptr || json == nullptr) return 1;
  const auto add = [](const char* name, void (*run)(benchmark::State&, const SourcePtr&), const SourcePtr& source) {
    benchmark::RegisterBenchmark(name, run, source)->Unit(benchmark::kMillisecond);
  };
  add("parse/tokens", Tokens, native);
  add("parse/ast", Ast, native);
  add("parse/compile", Compile, native);
  add("parse/json", Json, json);
  add("parse/json_exprs", JsonExprs, json);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
