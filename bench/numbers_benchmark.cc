// What numbers cost, beside integers of the machine:
//
//   bazel run -c opt //bench:numbers_benchmark
//
// Names are <operation>/<operands>. Each iteration takes the next of 64 operands; an expression is not part of it.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/number.h"

namespace hcl::bench {
namespace {

constexpr size_t kOperands = 64;

enum class Kind { kIntegers, kDecimals, kLongDecimals };

// Numbers of up to six digits, prices as "1234.56" among them, or decimals of up to 18 digits.
std::string Text(Kind kind, std::mt19937_64* random) {
  const uint64_t whole = 1 + (*random)() % 999'999;
  if (kind == Kind::kIntegers) return absl::StrCat(whole);
  if (kind == Kind::kDecimals) return absl::StrCat(whole % 10'000, ".", 10 + (*random)() % 90);
  return absl::StrCat(whole, ".", 100'000'000 + (*random)() % 900'000'000);
}

std::vector<std::string> Texts(Kind kind) {
  std::mt19937_64 random(7);
  std::vector<std::string> texts;
  for (size_t n = 0; n < kOperands; ++n) texts.push_back(Text(kind, &random));
  return texts;
}

std::vector<Number> Numbers(Kind kind, Arena* arena) {
  std::vector<Number> numbers;
  NumberError error;
  for (const std::string& text : Texts(kind)) {
    numbers.push_back(Number::Parse(text, NumberSyntax::kSpec, Limits(), arena, &error));
  }
  return numbers;
}

using Operation = Number (*)(const Number&, const Number&, Arena*, NumberError*);

// Two of the operands, or one and `other`.
void Compute(benchmark::State& state, Operation operation, Kind kind, int64_t other) {
  Arena arena;
  const std::vector<Number> numbers = Numbers(kind, &arena);
  Arena results;
  size_t n = 0;
  for (auto _ : state) {
    NumberError error;
    const Number& b = other == 0 ? numbers[(n + 1) % kOperands] : Number(other);
    benchmark::DoNotOptimize(operation(numbers[n % kOperands], b, &results, &error));
    if (++n % kOperands == 0) results.Reset();
  }
}

void Write(benchmark::State& state, Kind kind) {
  Arena arena;
  const std::vector<Number> numbers = Numbers(kind, &arena);
  std::string out;
  size_t n = 0;
  for (auto _ : state) {
    out.clear();
    numbers[n++ % kOperands].AppendTo(&out);
    benchmark::DoNotOptimize(out.data());
  }
}

void Read(benchmark::State& state, Kind kind) {
  Arena arena;
  const std::vector<std::string> texts = Texts(kind);
  const Limits limits;
  size_t n = 0;
  for (auto _ : state) {
    NumberError error;
    benchmark::DoNotOptimize(Number::Parse(texts[n++ % kOperands], NumberSyntax::kSpec, limits, &arena, &error));
  }
}

// The same of integers by the C++ library.
void WriteCpp(benchmark::State& state, Kind kind) {
  Arena arena;
  const std::vector<Number> numbers = Numbers(kind, &arena);
  std::string out;
  size_t n = 0;
  for (auto _ : state) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof(text), numbers[n++ % kOperands].coefficient());
    out.assign(text, static_cast<size_t>(end.ptr - text));
    benchmark::DoNotOptimize(out.data());
  }
}

void ReadCpp(benchmark::State& state, Kind kind) {
  const std::vector<std::string> texts = Texts(kind);
  size_t n = 0;
  for (auto _ : state) {
    const std::string& text = texts[n++ % kOperands];
    int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    benchmark::DoNotOptimize(value);
  }
}

struct Named {
  const char* name;
  Operation operation;
  int64_t other;
};

void RegisterAll() {
  static constexpr std::array<const char*, 3> kKinds = {"/integers", "/decimals", "/long_decimals"};
  const Named kOperations[] = {
      {"sum", Add, 0},      {"difference", Subtract, 0}, {"product", Multiply, 0},   {"quotient", Divide, 0},
      {"third", Divide, 3}, {"quarter", Divide, 4},      {"hundredth", Divide, 100}, {"remainder", Modulo, 7}};
  for (size_t k = 0; k < kKinds.size(); ++k) {
    const auto kind = static_cast<Kind>(k);
    const auto add = [&](const char* name, const auto& run) {
      benchmark::RegisterBenchmark(absl::StrCat(name, kKinds[k]).c_str(), run);
    };
    for (const Named& named : kOperations) {
      add(named.name, [=](benchmark::State& state) { Compute(state, named.operation, kind, named.other); });
    }
    add("write", [=](benchmark::State& state) { Write(state, kind); });
    add("write_cpp", [=](benchmark::State& state) { WriteCpp(state, kind); });
    add("read", [=](benchmark::State& state) { Read(state, kind); });
    add("read_cpp", [=](benchmark::State& state) { ReadCpp(state, kind); });
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
