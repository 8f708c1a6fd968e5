// A unit of fuel is as much work over a large scope as over a small one, also where steps fail, values are of the wrong
// kind and elements of many kinds. Work is counted by the memory that is asked for, which is the same in every run and
// grows with each type, text and list that is made; what takes time alone is for tools/worst-fuel to find.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// `few` has as many elements at every size; `many` has `count` objects, no two of which have the same attributes,
// `uneven` tuples of different lengths, `wide` as many attributes, and `texts` texts that are no numbers.
constexpr const char* kExpressions[] = {
    "[for y in many : many.role]",
    "[for y in many : y.role]",
    "[for y in many : few[many]]",
    "[for y in many : many[\"role\"]]",
    "[for y in many : many[-1]]",
    "[for y in many : wide[y]]",
    "[for y in few : many.role]",
    "[for y in few : wide.b.c]",
    "[for y in many : many + 1]",
    "[for y in many : -many]",
    "[for y in many : !wide]",
    "[for y in many : many && true]",
    "[for y in many : many ? 1 : 2]",
    "[for y in many : \"${many}\"]",
    "[for y in many : \"a${wide}b\"]",
    "[for y in many : y if many]",
    "{for y in many : many => y}",
    "[for y in texts : [for z in y : z]]",
    "[for y in texts : upper(many)]",
    "[for y in texts : join(\",\", many)]",
    "[for y in texts : length(wide)]",
    "[for y in texts : contains(wide, y)]",
    "[for y in texts : keys(many)]",
    "[for y in texts : merge(many, y)]",
    "[for y in texts : concat(wide, many)]",
    "max(texts...)",
    "max(many...)",
    "format(\"%s\", texts...)",
    "cidrsubnets(\"10.0.0.0/8\", texts...)",
    "upper(many...)",
    "coalesce(many...)",
    "coalesce(uneven...)",
    "coalesce(many, wide)",
    "[for y in few : y == 1 ? many : wide]",
    "[for y in few : y == 1 ? many : uneven]",
    "[for y in few : try(many.role, y)]",
    "[for y in many : try(tonumber(many), 0)]",
    "[for y in many : can(many.role)]",
    "anytrue([for y in many : y.role == many.role])",
    "try(tolist(many), 0)",
    "try(toset(uneven), 0)",
    "try(tomap({a = many, b = wide}), 0)",
    "try(convert(many, list(object({a = optional(string), b = optional(string), c = optional(string)}))), 0)",
};

struct Cost {
  double bytes = 0;
  double fuel = 0;
};

Value Text(const std::string& text, Heap* heap) { return Value::String(text, heap->arena()); }

Value ObjectOf(const std::string& key, Heap* heap) {
  const KeyValue pair = {Text(key, heap), Value::Int(1)};
  return MakeObject(absl::Span<const KeyValue>(&pair, 1), heap->arena());
}

Cost CostOf(const char* expression, int count) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program = CompileExpression(std::make_shared<const Source>("law", expression), options, &diagnostics);
  EXPECT_NE(program, nullptr) << expression;
  if (program == nullptr) return {};
  Heap heap;
  std::vector<Value> many, uneven, texts;
  std::vector<KeyValue> wide;
  for (int n = 0; n < count; ++n) {
    many.push_back(ObjectOf("a" + std::to_string(n), &heap));
    uneven.push_back(MakeTuple(std::vector<Value>(static_cast<size_t>(n % 30), Value::Int(n)), heap.arena()));
    texts.push_back(Text("text number " + std::to_string(n), &heap));
    wide.push_back({Text("w" + std::to_string(n), &heap), Value::Int(n)});
  }
  Limits limits;
  limits.max_fuel = uint64_t{1} << 40;
  limits.max_result_bytes = uint64_t{1} << 32;
  Evaluator evaluator(program, limits);
  evaluator.Bind("few", MakeTuple({Value::Int(1), Value::Int(2), Value::Int(3)}, heap.arena()));
  evaluator.Bind("many", MakeTuple(many, heap.arena()));
  evaluator.Bind("uneven", MakeTuple(uneven, heap.arena()));
  evaluator.Bind("texts", MakeTuple(texts, heap.arena()));
  evaluator.Bind("wide", MakeObject(absl::MakeSpan(wide), heap.arena()));
  const uint64_t before = bench::AllocatedBytes();
  const Evaluation& evaluation = evaluator.Run();
  Cost cost;
  cost.bytes = static_cast<double>(bench::AllocatedBytes() - before);
  // What fails is run twice.
  cost.fuel = static_cast<double>(limits.max_fuel - evaluation.fuel_left()) * (evaluation.ok() ? 1 : 2);
  return cost;
}

TEST(UnitCostTest, MemoryForAUnitDoesNotGrowWithTheScope) {
  // Texts of diagnostics, of which there are a hundred at most, and tables that double.
  constexpr double kFixed = 1 << 20, kAllowed = 2.5;
  for (const char* const expression : kExpressions) {
    const Cost small = CostOf(expression, 250);
    const Cost large = CostOf(expression, 1000);
    EXPECT_LE(large.bytes, kFixed + kAllowed * small.bytes / small.fuel * large.fuel) << expression;
  }
}

}  // namespace
}  // namespace hcl
