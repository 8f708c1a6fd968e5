// Calls of functions, beside the same work written by hand in C++:
//
//   bazel run -c opt //bench:functions_benchmark
//
// Names are function/<name>/vm and function/<name>/cpp. An expression of one call is compiled beforehand and evaluated
// again and again over one scope; its answer is checked once, before the clock runs. `allocs` counts heap allocations
// for each evaluation. example/<name> is the example of docs/functions.md for each function of the library, not
// optimized, so that the call is made again and again.

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
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
#include "re2/re2.h"

namespace hcl::bench {
namespace {

constexpr char kScope[] = R"({
  "role": "operator", "ip": "10.20.30.40", "name": "service-00042", "count": 42, "arn": "arn:aws:s3:::bucket/key",
  "list": ["admin", "auditor", "developer", "guest", "operator", "owner", "reader", "writer"],
  "tags": {"cost": "r-17", "env": "prod", "owner": "ann", "region": "eu-west-1", "team": "core"},
  "more": {"env": "test", "tier": "gold"}
})";

// The scope as C++ has it: the containers that a programmer would choose who knows what is asked of them.
struct Scope {
  std::string role = "operator", ip = "10.20.30.40", name = "service-00042", arn = "arn:aws:s3:::bucket/key";
  int count = 42;
  std::vector<std::string> list = {"admin", "auditor", "developer", "guest", "operator", "owner", "reader", "writer"};
  std::map<std::string, std::string> tags = {
      {"cost", "r-17"}, {"env", "prod"}, {"owner", "ann"}, {"region", "eu-west-1"}, {"team", "core"}};
  std::map<std::string, std::string> more = {{"env", "test"}, {"tier", "gold"}};
  RE2 pattern{"^([a-z]+)-0*([0-9]+)$"};
};

// A network of IPv4.
struct Network {
  uint32_t first;
  uint32_t mask;
};

// The network is a constant on both sides: the VM reads one once for each call in a program.
bool Contains(const Network& network, const std::string& ip) {
  in_addr address;
  return inet_pton(AF_INET, ip.c_str(), &address) == 1 && (ntohl(address.s_addr) & network.mask) == network.first;
}

std::string Format(const Scope& s) {
  char buffer[64];
  const int size = std::snprintf(buffer, sizeof(buffer), "%s-%03d", s.role.c_str(), s.count);
  return std::string(buffer, static_cast<size_t>(size));
}

std::vector<std::string> Match(const Scope& s) {
  std::vector<std::string> groups(2);
  RE2::PartialMatch(s.name, s.pattern, &groups[0], &groups[1]);
  return groups;
}

std::vector<std::string> Keys(const Scope& s) {
  std::vector<std::string> keys;
  keys.reserve(s.tags.size());
  for (const auto& [key, value] : s.tags) keys.push_back(key);
  return keys;
}

std::map<std::string, std::string> Merge(const Scope& s) {
  std::map<std::string, std::string> merged = s.tags;
  for (const auto& [key, value] : s.more) merged[key] = value;
  return merged;
}

// Runs `work` over a scope.
template <typename Work>
void RunCpp(benchmark::State& state, const Work& work) {
  const Scope scope;
  const uint64_t begin = AllocationCount();
  for (auto _ : state) {
    auto result = work(scope);
    benchmark::DoNotOptimize(result);
  }
  state.counters["allocs"] = static_cast<double>(AllocationCount() - begin) / static_cast<double>(state.iterations());
}

struct Case {
  const char* name;
  const char* expression;
  const char* want;  // as JSON
  void (*cpp)(benchmark::State&);
};

constexpr Case kCases[] = {
    {"contains_literal", R"(contains(["admin", "operator", "owner"], role))", "true",
     [](benchmark::State& state) {
       RunCpp(state, [](const Scope& s) { return s.role == "admin" || s.role == "operator" || s.role == "owner"; });
     }},
    {"contains_variable", "contains(list, role)", "true",
     [](benchmark::State& state) {
       RunCpp(state, [](const Scope& s) { return std::find(s.list.begin(), s.list.end(), s.role) != s.list.end(); });
     }},
    {"startswith", R"(startswith(arn, "arn:aws:s3:"))", "true",
     [](benchmark::State& state) {
       RunCpp(state, [](const Scope& s) { return s.arn.compare(0, 11, "arn:aws:s3:") == 0; });
     }},
    {"lookup", R"(lookup(tags, "region", "none"))", "\"eu-west-1\"",
     [](benchmark::State& state) {
       RunCpp(state, [](const Scope& s) {
         const auto found = s.tags.find("region");
         return found == s.tags.end() ? std::string_view("none") : std::string_view(found->second);
       });
     }},
    {"length", "length(list)", "8",
     [](benchmark::State& state) { RunCpp(state, [](const Scope& s) { return s.list.size(); }); }},
    {"join", R"(join(",", list))", R"("admin,auditor,developer,guest,operator,owner,reader,writer")",
     [](benchmark::State& state) { RunCpp(state, [](const Scope& s) { return absl::StrJoin(s.list, ","); }); }},
    {"format", R"(format("%s-%03d", role, count))", "\"operator-042\"",
     [](benchmark::State& state) { RunCpp(state, Format); }},
    {"regex", R"r(regex("^([a-z]+)-0*([0-9]+)$", name))r", R"(["service","42"])",
     [](benchmark::State& state) { RunCpp(state, Match); }},
    {"cidrcontains", R"(cidrcontains("10.0.0.0/8", ip))", "true",
     [](benchmark::State& state) {
       RunCpp(state, [](const Scope& s) { return Contains({0x0a000000, 0xff000000}, s.ip); });
     }},
    {"keys", "keys(tags)", R"(["cost","env","owner","region","team"])",
     [](benchmark::State& state) { RunCpp(state, Keys); }},
    {"merge", "merge(tags, more)",
     R"({"cost":"r-17","env":"test","owner":"ann","region":"eu-west-1","team":"core","tier":"gold"})",
     [](benchmark::State& state) { RunCpp(state, Merge); }},
};

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
    if (program_ == nullptr || !JsonReader().Read(kScope, &heap_, &scope_, &error)) return;
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

}  // namespace
}  // namespace hcl::bench

// All cases are compiled and checked before the first is measured. They stay at their addresses, in pointers, as the
// registered benchmarks refer to them.
int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: the benchmark's own names
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<std::unique_ptr<Prepared>> prepared;
  const auto prepare = [&prepared](std::string_view name, std::string_view expression, std::string_view want,
                                   bool optimize) {
    prepared.push_back(std::make_unique<Prepared>(name, expression, optimize));
    const std::string fault = prepared.back()->Check(want);
    if (!fault.empty()) std::fprintf(stderr, "%s: %s\n", std::string(name).c_str(), fault.c_str());
    return fault.empty();
  };
  for (const Case& c : kCases) {
    if (!prepare(c.name, c.expression, c.want, /*optimize=*/true)) return 1;
    benchmark::RegisterBenchmark(absl::StrCat("function/", c.name, "/vm").c_str(), RunVm, prepared.back()->evaluator());
    benchmark::RegisterBenchmark(absl::StrCat("function/", c.name, "/cpp").c_str(), c.cpp);
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
