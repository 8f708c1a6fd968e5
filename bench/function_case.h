// A call of a function, and the same work written by hand in C++: what bench/functions_benchmark.cc measures.

#ifndef HCLVM_BENCH_FUNCTION_CASE_H_
#define HCLVM_BENCH_FUNCTION_CASE_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmark/benchmark.h"
#include "hclvm/bench/allocation_counter.h"
#include "re2/re2.h"

namespace hcl::bench {

// What the expressions are evaluated over, as JSON.
extern const char* const kFunctionScope;

// The scope as C++ has it: the containers that a programmer would choose who knows what is asked of them.
struct FunctionScope {
  using Texts = std::vector<std::string>;
  using Map = std::map<std::string, std::string>;

  std::string role = "operator", ip = "10.20.30.40", name = "service-00042", arn = "arn:aws:s3:::bucket/key";
  std::string text = "  Hello, World \n", path = "/srv/app/config/main.hcl", lines = "first\nsecond\nthird\n";
  std::string digits = "8080", base64 = "c2VydmljZS0wMDA0Mg==", csv = "id,name\n1,ann\n2,bob\n";
  std::string time = "2024-03-01T12:30:00Z", now = "2024-03-01T14:00:00+01:00", network = "10.20.0.0/16";
  std::string yes = "true";
  int64_t count = 42, port = -8080;
  double price = 12.75;
  Texts list = {"admin", "auditor", "developer", "guest", "operator", "owner", "reader", "writer"};
  Texts others = {"operator", "nobody", "guest", "root"}, repeated = {"b", "a", "c", "a", "b", "", "d", "c"};
  std::vector<int64_t> numbers = {3, 17, 8, 42, 5, 23, 11, 2};
  std::vector<bool> flags = {true, true, false, true};
  std::vector<Texts> nested = {{"a", "b"}, {"c"}, {}, {"d", "e", "f"}};
  Map tags = {{"cost", "r-17"}, {"env", "prod"}, {"owner", "ann"}, {"region", "eu-west-1"}, {"team", "core"}};
  Map more = {{"env", "test"}, {"tier", "gold"}};
  std::map<std::string, Texts> groups = {{"ann", {"dev", "ops"}}, {"bob", {"ops"}}, {"eve", {"dev", "qa"}}};
  RE2 pattern{"^([a-z]+)-0*([0-9]+)$"}, word{"[a-z]+"}, vowel{"[aeiou]"};
};

// Why a call takes longer than C++ by more than is allowed, where several do for one reason.
inline constexpr char kCallCosts[] =
    "any evaluation and call takes so long, where C++ has settled kinds of arguments, fuel and function while "
    "compiling";
inline constexpr char kExactNumbers[] = "the exact decimal of a double is made";

struct FunctionCase {
  const char* name;
  const char* expression;
  std::function<void(benchmark::State&)> run_cpp;
  std::function<std::string(const FunctionScope&)> answer;  // C++'s, as JSON
  const char* why;  // the VM takes longer than C++ by more than is allowed; or ""
};

// Answers as JSON.
inline std::string ToJson(bool value) { return value ? "true" : "false"; }
inline std::string ToJson(int64_t value) { return std::to_string(value); }
inline std::string ToJson(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}
std::string ToJson(std::string_view text);
inline std::string ToJson(const std::string& text) { return ToJson(std::string_view(text)); }
template <typename Key, typename T>
std::string ToJson(const std::map<Key, T>& items);
template <typename T>
std::string ToJson(const std::vector<T>& items) {
  std::string json = "[";
  for (const auto& item : items) json += (json.size() > 1 ? "," : "") + ToJson(T(item));
  return json + "]";
}
template <typename Key, typename T>
std::string ToJson(const std::map<Key, T>& items) {
  std::string json = "{";
  for (const auto& [key, item] : items) json += (json.size() > 1 ? "," : "") + ToJson(key) + ":" + ToJson(item);
  return json + "}";
}

// `work` gets a FunctionScope.
template <typename Work>
FunctionCase Beside(const char* name, const char* expression, const Work& work, const char* why = "") {
  const auto run = [work](benchmark::State& state) {
    const FunctionScope scope;
    const uint64_t begin = AllocationCount();
    for (auto _ : state) {
      auto result = work(scope);
      benchmark::DoNotOptimize(result);
    }
    state.counters["allocs"] = static_cast<double>(AllocationCount() - begin) / static_cast<double>(state.iterations());
  };
  return {name, expression, run, [work](const FunctionScope& scope) { return ToJson(work(scope)); }, why};
}

// The cases, of each kind of function.
std::vector<FunctionCase> StringCases();
std::vector<FunctionCase> CollectionCases();
std::vector<FunctionCase> ValueCases();  // numbers, encodings, times, networks, types

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_FUNCTION_CASE_H_
