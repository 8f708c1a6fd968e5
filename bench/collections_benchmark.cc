// What large collections cost for each element:
//
//   bazel run -c opt //bench:collections_benchmark
//
// Names are <what>/<strings>/<size>. The strings come in no order: short ones, which a value holds itself, or long ones
// with one beginning. `each` is the time for one element of one argument; `allocs` counts heap allocations for each
// evaluation. read/... reads a JSON object of these keys, and prints bytes_per_second (in units of 1,024).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

struct Case {
  const char* name;
  const char* expression;
};

// `list`, `object` and `set` have the same strings, `other_object` and `other_set` half of them and others.
constexpr Case kCases[] = {
    {"for", "{for s in list : s => 1}"},
    {"for_groups", "{for s in list : s => 1...}"},
    {"zipmap", "zipmap(list, list)"},
    {"merge", "merge(object, other_object)"},
    {"merge_three", "merge(object, other_object, object)"},
    {"toset", "toset(list)"},
    {"setunion", "setunion(set, other_set)"},
    {"setintersection", "setintersection(set, other_set)"},
    {"setsubtract", "setsubtract(set, other_set)"},
    {"contains_list", "contains(list, \"none\")"},
    {"contains_set", "contains(set, \"none\")"},
    {"equal_sets", "set == same_set"},
    {"equal_objects", "object == same_object"},
    {"distinct", "distinct(list)"},
    {"sort", "sort(list)"},
};

// No order is in them, and none comes twice, as each step can be undone.
uint64_t Scattered(uint64_t n) {
  constexpr uint64_t kMask = 0xfffffff;
  n = (n + 1) * 0x9e3779b1u & kMask;
  n = (n ^ n >> 13) * 0x85ebca6bu & kMask;
  return n ^ n >> 15;
}

std::string Text(bool is_long, uint64_t n) { return absl::StrCat(is_long ? "identity-of-users/" : "k", Scattered(n)); }

// The limits of a host that allows anything.
Limits NoLimits() {
  Limits limits;
  limits.max_fuel = UINT64_MAX;
  limits.max_result_bytes = UINT64_MAX;
  return limits;
}

std::vector<Value> Texts(bool is_long, int64_t from, int64_t size, Heap* heap) {
  std::vector<Value> texts;
  for (int64_t n = from; n < from + size; ++n) {
    texts.push_back(Value::String(Text(is_long, static_cast<uint64_t>(n)), heap->arena()));
  }
  return texts;
}

Value ObjectOf(const std::vector<Value>& keys, Heap* heap) {
  std::vector<KeyValue> pairs;
  for (const Value& key : keys) pairs.push_back({key, Value::Int(1)});
  return MakeObject(absl::MakeConstSpan(pairs), heap->arena());
}

void ReportEach(benchmark::State& state, int64_t size, uint64_t allocations) {
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(size), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["allocs"] = static_cast<double>(allocations) / static_cast<double>(state.iterations());
}

void Evaluate(benchmark::State& state, const Case& which, bool is_long) {
  const int64_t size = state.range(0);
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const std::shared_ptr<const Program> program =
      CompileExpression(std::make_shared<const Source>(which.name, which.expression), options, &diagnostics);
  if (program == nullptr) return state.SkipWithError("does not compile");
  Heap heap;
  const std::vector<Value> texts = Texts(is_long, 0, size, &heap);
  const std::vector<Value> others = Texts(is_long, size / 2, size, &heap);
  Evaluator evaluator(program, NoLimits());
  evaluator.Bind("list", MakeList(Type::String(), texts, heap.arena()));
  evaluator.Bind("object", ObjectOf(texts, &heap));
  evaluator.Bind("same_object", ObjectOf(texts, &heap));
  evaluator.Bind("other_object", ObjectOf(others, &heap));
  evaluator.Bind("set", MakeSet(Type::String(), texts, heap.arena()));
  evaluator.Bind("same_set", MakeSet(Type::String(), texts, heap.arena()));
  evaluator.Bind("other_set", MakeSet(Type::String(), others, heap.arena()));
  if (!evaluator.Run().ok()) return state.SkipWithError("fails");
  const uint64_t begin = AllocationCount();
  for (auto _ : state) benchmark::DoNotOptimize(evaluator.Run().ok());
  ReportEach(state, size, AllocationCount() - begin);
}

void Read(benchmark::State& state, bool is_long) {
  const int64_t size = state.range(0);
  std::string text = "{";
  for (int64_t n = 0; n < size; ++n) {
    absl::StrAppend(&text, n == 0 ? "" : ",", "\"", Text(is_long, static_cast<uint64_t>(n)), "\":", n % 100);
  }
  text += "}";
  JsonReader reader;
  Heap heap(nullptr, Dialect::kSpec, NoLimits());
  Value value;
  JsonError error;
  const uint64_t begin = AllocationCount();
  for (auto _ : state) {
    heap.Reset();
    if (!reader.Read(text, &heap, &value, &error)) return state.SkipWithError("is no JSON");
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  ReportEach(state, size, AllocationCount() - begin);
}

void RegisterAll() {
  for (const bool is_long : {false, true}) {
    const char* const strings = is_long ? "/long" : "/short";
    const auto add = [&](const std::string& name, const auto& run) {
      benchmark::RegisterBenchmark((name + strings).c_str(), run)->Arg(1000)->Arg(1'000'000);
    };
    add("read", [is_long](benchmark::State& state) { Read(state, is_long); });
    for (const Case& which : kCases) {
      add(which.name, [&which, is_long](benchmark::State& state) { Evaluate(state, which, is_long); });
    }
  }
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  hcl::bench::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
