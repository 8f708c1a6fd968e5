// RunCounter: that it counts all of the fuel, at the right place, and says why fast code is left.

#include "hclvm/workbench/run_counter.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/origin_table.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_observer.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(std::string_view text, bool keeps_origins = true) {
  CompileOptions options;
  options.functions = StandardFunctions();
  options.keep_origins = keeps_origins;
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("m.hcl", std::string(text));
  std::shared_ptr<const Program> program = CompileModule({{source}}, options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

struct Counted {
  uint64_t fuel = 0;              // that the evaluator says
  uint64_t counted = 0;           // that the instructions have
  std::map<int, uint64_t> lines;  // fuel by line
  std::string exits;              // "CAUSE xCOUNT; ..."
};

Counted Count(std::string_view text, const std::vector<std::string>& scopes) {
  Counted result;
  const std::shared_ptr<const Program> program = Compile(text);
  if (program == nullptr) return result;
  RunCounter counter(*program);
  Evaluator evaluator(program);
  ObserveRuns(&evaluator, &counter);
  Heap heap;
  JsonReader reader;
  for (const std::string& text_of_scope : scopes) {
    Value scope;
    JsonError error;
    EXPECT_TRUE(reader.Read(text_of_scope, &heap, &scope, &error)) << text_of_scope;
    evaluator.BindAll(scope);
    for (const Entry& entry : program->entries()) {
      counter.BeginRun();
      const Evaluation& evaluation = evaluator.Run(entry);
      counter.EndRun(evaluation.fuel_left());
      result.fuel += Limits().max_fuel - evaluation.fuel_left();
    }
  }
  const OriginTable& origins = *TablesOf(*program).origins();
  for (uint32_t pc = 0; pc < counter.counts().size(); ++pc) {
    const uint64_t fuel = counter.counts()[pc].fuel;
    result.counted += fuel;
    const CodeOrigin origin = origins.Find(pc);
    if (fuel > 0 && origin.source != nullptr) result.lines[origin.source->LineAt(origin.range.begin)] += fuel;
  }
  std::map<std::string, uint64_t> causes;
  for (const auto& [pc, all] : counter.exits()) {
    for (const auto& [cause, count] : all) causes[cause] += count;
  }
  result.exits = absl::StrJoin(causes, "; ", absl::PairFormatter(" x"));
  return result;
}

TEST(RunCounterTest, CountsAllFuel) {
  const char* const kConfigs[] = {
      "variable \"n\" {}\na = n + 1\n",
      "a = 5\nb = \"x\"\n",
      "variable \"n\" {}\na = [for m in range(n) : m * m if m % 2 == 0]\nb = length([for m in range(n) : m if m > "
      "2])\n",
      "variable \"n\" {}\nlocals {\n  l = [for m in range(n) : m]\n  k = length(local.l)\n}\na = local.k + "
      "length(local.l)\n"
      "b = local.k > 2 && contains(local.l, n)\n",
      "variable \"n\" {}\nfunction \"f\" {\n  params = [x]\n  result = join(\"-\", [for y in range(x) : \"${y}\"])\n}\n"
      "a = \"${f(n)} ${upper(f(n))}\"\n",
      "variable \"n\" {}\na = try(n.x, n > 3 ? \"big\" : \"small\")\nb = n == null ? 1 : n\n",
  };
  for (const char* const config : kConfigs) {
    const Counted counted = Count(config, {R"({"n":1})", R"({"n":5})", R"({"n":"7"})"});
    EXPECT_EQ(counted.counted, counted.fuel) << config;
    EXPECT_GT(counted.fuel, 0) << config;
  }
}

TEST(RunCounterTest, KnowsLines) {
  const Counted counted = Count(
      "variable \"n\" {}\n"                        // 1
      "locals {\n"                                 // 2
      "  squares = [for m in range(n) : m * m]\n"  // 3
      "}\n"                                        // 4
      "a = 7\n"                                    // 5
      "b = (length(local.squares) > 3 || n\n"      // 6
      "  > 100)\n"                                 // 7
      "c = [for s in local.squares : s\n"          // 8
      "  if s > 16]\n",                            // 9
      {R"({"n":100})"});
  EXPECT_EQ(counted.counted, counted.fuel);
  std::map<int, uint64_t> lines = counted.lines;
  EXPECT_GE(lines[3], 200);  // twice, for each entry
  EXPECT_LE(lines[5], 2);
  EXPECT_LE(lines[6], 20);
  EXPECT_GE(lines[8] + lines[9], 100);
  EXPECT_EQ(lines[1], 0);
}

TEST(RunCounterTest, SaysWhyFastCodeIsLeft) {
  const struct {
    const char* config;
    std::vector<std::string> scopes;
    const char* want;
  } kCases[] = {
      {"variable \"n\" {}\na = n > 1\n", {R"({"n":1})", R"({"n":2.5})"}, ""},
      {"variable \"n\" {}\na = n == null ? 1 : n > 3 ? 2 : 3\n", {R"({"n":null})", R"({"n":1})"}, ""},
      {"variable \"u\" {\n  sensitive = true\n}\na = u.n > 1 ? 2 : 3\n", {R"({"u":{"n":5}})"}, "u.n is marked x1"},
      {"variable \"u\" {}\na = u.n + 1 > 3 ? 2 : 3\n", {R"({"u":{"n":null}})"}, "a value is null x1"},
      {"variable \"u\" {}\na = u.n > 3\n", {R"({"u":{}})"}, "u.n is missing x1"},
      {"variable \"u\" {}\na = u.n > 3 && u.m\n", {R"({"u":{"n":"5","m":"true"}})"}, "a string x1"},
      {"variable \"u\" {}\na = [for m in u : m.x if m.y > 2]\n",
       {R"({"u":[{"x":1,"y":"3"},{"x":2,"y":null}]})"},
       "a value is null x1"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Count(test.config, test.scopes).exits, test.want) << test.config;
}

// A program that keeps origins is otherwise the same.
TEST(RunCounterTest, OriginsChangeNoCode) {
  const char* const config =
      "variable \"n\" {}\nlocals {\n  l = n > 3\n}\na = local.l && n < 100 ? [for m in range(n) : m if local.l] : []\n";
  EXPECT_EQ(Compile(config, true)->Disassemble(), Compile(config, false)->Disassemble());
  EXPECT_EQ(TablesOf(*Compile(config, false)).origins(), nullptr);
}

}  // namespace
}  // namespace hcl::internal
