// Conversions, step by step and by a remembered plan: `bazel run //bench:conversion_benchmark`.

#include <cstdint>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"

namespace hcl {
namespace {

// A value in typed JSON, repeated in a list, and the type that the list is converted to.
struct Pair {
  const char* element_type;
  const char* element;
  const char* element_target;
};

constexpr Pair kPairs[] = {
    {R"("number")", "17", R"("string")"},
    {R"("string")", R"("17")", R"("number")"},
    {R"(["object",{"a":"number","b":"string"}])", R"({"a":1,"b":"x"})", R"(["object",{"a":"string","b":"string"}])"},
    {R"(["object",{"a":"number","b":"string"}])", R"({"a":1,"b":"x"})", R"(["map","string"])"},
    {R"(["tuple",["number","string"]])", R"([1,"x"])", R"(["list","string"])"},
};
constexpr int kElements = 32;

class Conversions : public benchmark::Fixture {
 public:
  // A list of equal elements, so that the cost of the value outweighs that of the call; the values live in a heap that
  // the measured loop does not reset.
  void SetUp(benchmark::State& state) override {
    const Pair& pair = kPairs[state.range(0)];
    std::string text = absl::StrCat(R"({"type":["list",)", pair.element_type, R"(],"value":[)");
    for (int n = 0; n < kElements; ++n) absl::StrAppend(&text, n > 0 ? "," : "", pair.element);
    text += "]}";
    JsonError error;
    if (!reader_.ReadTyped(text, &values_, &value_, &error) ||
        !ParseTypeJson(absl::StrCat(R"(["list",)", pair.element_target, "]"), &values_, &type_, &error)) {
      state.SkipWithError(error.detail.c_str());
    }
    state.SetLabel(absl::StrCat(pair.element_type, " to ", pair.element_target));
  }

 protected:
  JsonReader reader_;
  Heap values_;
  Value value_;
  Type type_;
};

BENCHMARK_DEFINE_F(Conversions, StepByStep)(benchmark::State& state) {
  Heap heap;
  for (auto _ : state) {
    heap.Reset();
    Value result;
    ConversionError error;
    benchmark::DoNotOptimize(Convert(value_, type_, &heap, &result, &error));
  }
}

// The plan is asked for in each round, as an evaluation does it: finding it in the cache is a part of its cost.
BENCHMARK_DEFINE_F(Conversions, Planned)(benchmark::State& state) {
  Heap heap;
  ConversionCache cache;
  for (auto _ : state) {
    heap.Reset();
    Value result;
    ConversionError error;
    const Conversion& plan = Conversion::Get(TypeOf(value_, heap.types()), type_, &heap, &cache);
    benchmark::DoNotOptimize(plan.Apply(value_, &heap, &result, &error));
  }
}

BENCHMARK_REGISTER_F(Conversions, StepByStep)->DenseRange(0, std::size(kPairs) - 1);
BENCHMARK_REGISTER_F(Conversions, Planned)->DenseRange(0, std::size(kPairs) - 1);

}  // namespace
}  // namespace hcl
