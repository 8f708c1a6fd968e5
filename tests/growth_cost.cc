// What families cost: the phases of a config, reading a scope, and evaluating calls.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/tests/growth_families.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::DumpBody;
namespace {

void Show(const Diagnostics& diagnostics, const Source& source) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) ToJson(diagnostic, &source);
  ToText(diagnostics, &source);
}

void RunProgram(const std::shared_ptr<const Program>& program, const Source& source, const Limits& limits) {
  if (program == nullptr) return;
  Evaluator evaluator(program, limits);
  evaluator.Bind("v", Value::Int(1));
  const Evaluation& evaluation = evaluator.Run();
  std::string json, reason;
  if (evaluation.ok()) AppendJson(evaluation.value(), &json, &reason);
  Show(evaluation.diagnostics(), source);
}

// All phases, with as many messages as there are mistakes.
void CompileAndRun(const std::string& text, bool is_json) {
  Limits limits;
  limits.max_diagnostics = 1'000'000;
  const auto source = std::make_shared<const Source>("test", text);
  Diagnostics found(limits.max_diagnostics);
  if (is_json) {
    JsonOptions options;
    options.limits = limits;
    ParseJson(*source, options, &found);
  } else {
    ParseOptions options;
    options.limits = limits;
    const std::unique_ptr<ParsedFile> file = ParseConfig(*source, options, &found);
    DumpBody(*file->body);
    if (found.empty()) PrintBody(*file->body);
  }
  Show(found, *source);
  CompileOptions options;
  options.limits = limits;
  options.functions = StandardFunctions();
  Diagnostics compiled(limits.max_diagnostics);
  RunProgram(is_json ? CompileJsonConfig(source, options, &compiled) : CompileConfig(source, options, &compiled),
             *source, limits);
  Show(compiled, *source);
}

void ReadScope(const std::string& text) {
  Heap heap;
  Value value;
  JsonError error;
  JsonReader().Read(text, &heap, &value, &error);
}

// The expression as it is written, without anything that a compilation computes beforehand.
uint64_t FuelOf(const std::string& expression, const std::string& variable, const Value& value) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program = CompileExpression(std::make_shared<const Source>("test", expression), options, &diagnostics);
  if (program == nullptr) return 0;
  Limits limits;
  limits.max_fuel = UINT64_MAX;
  limits.max_result_bytes = uint64_t{1} << 32;
  Evaluator evaluator(program, limits);
  evaluator.Bind(variable, value);
  return limits.max_fuel - evaluator.Run().fuel_left();
}

constexpr const char* kForms[] = {"text", "strings", "numbers", "map"};

Value LargeValue(std::string_view form, size_t count, Heap* heap) {
  if (form == "text") return Value::String(std::string(count, 'a'), heap->arena());
  std::vector<Value> items;
  std::vector<KeyValue> pairs;
  for (size_t n = 0; n < count; ++n) {
    const Value name = Value::String("n" + std::to_string(n * 7919 % 1'000'003), heap->arena());
    items.push_back(form == "numbers" ? Value::Int(static_cast<int64_t>(n)) : name);
    if (form == "map") pairs.push_back({name, Value::Int(1)});
  }
  if (form == "map") return MakeMap(Type::Number(), absl::MakeSpan(pairs), heap->arena());
  return MakeList(form == "numbers" ? Type::Number() : Type::String(), items, heap->arena());
}

bool Succeeds(const GrowthCall& call) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program =
      CompileExpression(std::make_shared<const Source>("test", call.expression), options, &diagnostics);
  if (program == nullptr) return false;
  Heap heap;
  Evaluator evaluator(program);
  return evaluator.Bind("large", LargeValue(call.form, 8, &heap)) && evaluator.Run().ok();
}

// Calls with the large argument in every place, and small ones, or the same, in all others.
void AddCalls(const Function& function, std::vector<GrowthCall>* calls) {
  const size_t count = function.parameters.size() + (function.variadic ? 1 : 0);
  for (const char* form : kForms) {
    for (const char* other : {"large", "\"a\"", "1", "[\"a\"]", "{a = 1}"}) {
      for (size_t place = 0; place < count; ++place) {
        GrowthCall call{function.name, function.name + "(", form};
        for (size_t i = 0; i < count; ++i) {
          if (i > 0) call.expression += ", ";
          call.expression += i == place ? "large" : other;
        }
        call.expression += ")";
        if (Succeeds(call)) calls->push_back(call);
        if (other == std::string_view("large")) break;
      }
    }
  }
}

}  // namespace

GrowthCost CostOf(const GrowthFamily& family, size_t count) {
  GrowthCost cost;
  const std::string text = family.Text(count);
  cost.text_bytes = text.size();
  const uint64_t before = bench::AllocatedBytes();
  if (family.kind == GrowthKind::kScope) {
    ReadScope(text);
  } else if (family.kind == GrowthKind::kCall) {
    Heap heap;
    cost.fuel = FuelOf(family.name, "text", Value::String(internal::ToNfc(text), heap.arena()));
  } else {
    CompileAndRun(text, family.kind == GrowthKind::kJsonConfig);
  }
  cost.memory = bench::AllocatedBytes() - before;
  return cost;
}

// What multiplies is left out: setproduct, and searching for a pattern that is as large as the text.
std::vector<GrowthCall> GrowthCalls() {
  std::vector<GrowthCall> calls;
  for (const std::string_view name : StandardFunctions()->Names()) {
    if (name != "setproduct" && name.substr(0, 5) != "regex") AddCalls(*StandardFunctions()->Find(name), &calls);
  }
  return calls;
}

GrowthCost CostOf(const GrowthCall& call, size_t count) {
  Heap heap;
  const Value large = LargeValue(call.form, count, &heap);
  GrowthCost cost;
  cost.text_bytes = count;
  const uint64_t before = bench::AllocatedBytes();
  cost.fuel = FuelOf(call.expression, "large", large);
  cost.memory = bench::AllocatedBytes() - before;
  return cost;
}

}  // namespace hcl
