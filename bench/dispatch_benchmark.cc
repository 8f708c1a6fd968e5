// Tables of many rules, each of which begins with a test of one string:
//
//   bazel run -c opt //bench:dispatch_benchmark
//
// Names are FORM/RULES/WAY. The forms are those of the tests: `path == "..."`, startswith(path, "..."), and
// contains(["...", "..."], path). The ways: index is the table as one writes it, in which one look finds the rules that
// apply; each has two variables of the same value, asked in turns, so that rule after rule is tested. A request meets
// one rule, which is another one each time; the answers are checked before the clock runs. bench/dispatch makes a
// table.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

struct Form {
  const char* name;
  const char* condition;  // of rule N of subject S
  const char* path;       // that meets it
};

constexpr Form kForms[] = {
    {"equal", "S == \"/service-N\" && method == \"GET\"", "/service-N"},
    {"prefix", "startswith(S, \"/service-N/\") && method == \"GET\"", "/service-N/orders/17"},
    {"list", "contains([\"/service-N\", \"/old-N\"], S) && method == \"GET\"", "/service-N"},
};

std::string With(const char* text, int rule, const char* subject) {
  return absl::StrReplaceAll(text, {{"N", absl::StrCat(rule)}, {"S", subject}});
}

std::shared_ptr<const Program> Compile(const Form& form, int rules, bool in_turns) {
  std::string text = "[for rule in [\n";
  for (int n = 0; n < rules; ++n) {
    const std::string condition = With(form.condition, n, in_turns && n % 2 == 1 ? "same_path" : "path");
    absl::StrAppend(&text, "  { when = ", condition, ", id = ", n, " },\n");
  }
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  auto program =
      CompileExpression(std::make_shared<const Source>("rules.hcl", absl::StrCat(text, "] : rule.id if rule.when][0]")),
                        options, &diagnostics);
  if (program == nullptr) std::abort();
  return program;
}

void Run(benchmark::State& state, const Form& form, bool in_turns) {
  const int rules = static_cast<int>(state.range(0));
  const auto program = Compile(form, rules, in_turns);
  Heap heap;
  Evaluator evaluator(program);
  evaluator.Bind("method", Value::String("GET", heap.arena()));
  std::vector<Value> paths;
  std::vector<int> wanted;
  for (int n = 0; n < 64; ++n) {
    wanted.push_back(
        static_cast<int>((uint64_t{2654435761} * static_cast<uint64_t>(n) >> 7) % static_cast<uint64_t>(rules)));
    paths.push_back(Value::String(With(form.path, wanted.back(), ""), heap.arena()));
  }
  size_t next = 0;
  const auto step = [&]() -> const Evaluation& {
    const Value& path = paths[next % paths.size()];
    ++next;
    evaluator.Bind("path", path);
    if (in_turns) evaluator.Bind("same_path", path);
    return evaluator.Run();
  };
  for (const int id : wanted) {
    const Evaluation& evaluation = step();
    if (!evaluation.ok() || evaluation.value().AsNumber().ToString() != absl::StrCat(id)) {
      std::fprintf(stderr, "another answer than expected\n");
      std::abort();
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(&step());
}

void Register() {
  for (const Form& form : kForms) {
    for (const bool in_turns : {false, true}) {
      for (const int rules : {10, 100, 1'000, 10'000, 30'000}) {
        const std::string name = absl::StrCat(form.name, "/", rules, in_turns ? "/each" : "/index");
        benchmark::RegisterBenchmark(name.c_str(), [&form, in_turns](benchmark::State& state) {
          Run(state, form, in_turns);
        })->Arg(rules);
      }
    }
  }
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  hcl::bench::Register();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
