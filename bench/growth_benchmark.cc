// How cost grows with size: `bazel run //bench:growth_benchmark`. Each figure is for one element, so that linear cost
// shows as a constant one.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text) {
  Diagnostics diagnostics;
  return CompileExpression(std::make_shared<const Source>("<growth>", text), {}, &diagnostics);
}

// Evaluates `text` over `list`, a list of `size` numbers. Fuel is without bound, so that no size stops at it.
void Evaluate(benchmark::State& state, const std::string& text, int64_t size) {
  const std::shared_ptr<const Program> program = Compile(text);
  if (program == nullptr) return state.SkipWithError("does not compile");
  Heap heap;
  std::vector<Value> numbers;
  for (int64_t n = 0; n < size; ++n) numbers.push_back(Value::Int(n));
  Limits limits;
  limits.max_fuel = UINT64_MAX;
  Evaluator evaluator(program, limits);
  evaluator.Bind("list", MakeList(Type::Number(), numbers, heap.arena()));
  evaluator.Bind("x", Value::Int(1));
  for (auto _ : state) {
    if (!evaluator.Run().ok()) return state.SkipWithError("fails");
  }
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(size), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void Comprehension(benchmark::State& state) { Evaluate(state, "[for n in list : n + x if n >= 0]", state.range(0)); }

void Chain(benchmark::State& state) {
  std::string text = "x";
  for (int64_t n = 1; n < state.range(0); ++n) text += " + x";
  Evaluate(state, text, state.range(0));
}

void Template(benchmark::State& state) {
  std::string text = "\"";
  for (int64_t n = 0; n < state.range(0); ++n) text += "a${x}";
  Evaluate(state, text + "\"", state.range(0));
}

void Object(benchmark::State& state) { Evaluate(state, "{for n in list : \"key-${n}\" => n}", state.range(0)); }

// Measures the way from text to program.
void CompileObject(benchmark::State& state) {
  std::string text = "{";
  for (int64_t n = 0; n < state.range(0); ++n) absl::StrAppend(&text, "key_", n, " = x,");
  text += "}";
  for (auto _ : state) {
    if (Compile(text) == nullptr) return state.SkipWithError("does not compile");
  }
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(Comprehension)->RangeMultiplier(32)->Range(1, 1 << 20);
BENCHMARK(Chain)->RangeMultiplier(10)->Range(1, 10'000);
BENCHMARK(Template)->RangeMultiplier(10)->Range(1, 10'000);
BENCHMARK(Object)->RangeMultiplier(10)->Range(1, 100'000);
BENCHMARK(CompileObject)->RangeMultiplier(10)->Range(10, 30'000);

}  // namespace
}  // namespace hcl::bench

BENCHMARK_MAIN();
