// Memory that the system refuses in the midst of work, at each allocation in turn: what is done reports it, or does
// without, and the evaluator, reader or set does the next piece of work as if nothing had been.

#include "hclvm/tests/support/refused_memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/module/module.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr int kMostAllocations = 20000;
constexpr char kRefused[] = "memory was refused";

bool IsRefusal(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.code == DiagnosticCode::kOutOfMemory) return true;
  }
  return false;
}

// The value as JSON, the diagnostics, or kRefused.
std::string Answer(const Value& value, const Diagnostics& diagnostics) {
  if (IsRefusal(diagnostics)) return kRefused;
  if (!diagnostics.empty()) return ToText(diagnostics, nullptr);
  std::string text;
  std::string reason;
  EXPECT_TRUE(AppendJson(value, &text, &reason)) << reason;
  return text;
}

std::string Answer(const Evaluation& evaluation) { return Answer(evaluation.value(), evaluation.diagnostics()); }

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Program> Expression(const std::string& text) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("expression", text);
  std::shared_ptr<const Program> program = CompileExpression(source, Options(), &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

std::shared_ptr<const Program> Module(const std::string& text) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("m.hcl", text);
  std::shared_ptr<const Program> program = CompileModule(std::vector<ModuleFile>{{source}}, Options(), &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

// Calls work(n) for n = 0, 1, ... until it says that allocation n was not needed.
template <typename Work>
void ForEachAllocation(const std::string& what, Work work) {
  for (int n = 0; work(n); ++n) ASSERT_LT(n, kMostAllocations) << what;
}

// Runs over `scope` with each allocation refused in turn, up to the first run that has all it asks for; what it gives
// is right or the limit, and behind each, what a run over `next` gives has to be what it gives by itself.
void RefuseEach(const std::string& expression, const Limits& limits, const std::string& scope,
                const std::string& next) {
  const std::shared_ptr<const Program> program = Expression(expression);
  ASSERT_NE(program, nullptr);
  Heap heap;
  const Value refused = ParsedJson(scope, &heap);
  const Value other = ParsedJson(next, &heap);
  Evaluator fresh(program, limits);
  fresh.BindAll(other);
  const std::string want = Answer(fresh.Run());
  fresh.BindAll(refused);
  const std::string whole = Answer(fresh.Run());
  ForEachAllocation(expression, [&](int n) {
    Evaluator evaluator(program, limits);
    evaluator.BindAll(refused);
    bool had_all = false;
    {
      const RefusedAllocation refusal(n);
      evaluator.Run();
      had_all = !refusal.refused();
    }
    // A run that meets both a limit and a refusal may tell either.
    const std::string got = Answer(evaluator.Run());
    EXPECT_EQ(got, whole) << expression << ", again behind allocation " << n;
    evaluator.BindAll(other);
    EXPECT_EQ(Answer(evaluator.Run()), want) << expression << ", allocation " << n;
    return !had_all;
  });
}

TEST(RefusedMemoryTest, ALimitIsCrossed) {
  Limits limits;
  limits.max_fuel = 200;
  std::string many = "[0";
  for (int n = 0; n < 500; ++n) many += ",0";
  RefuseEach("{ a = [for x in l : x == 1 ? \"one\" : \"${x}\"], b = 2 }", limits, "{\"l\": " + many + "]}",
             R"({"l": [1, 2]})");
  Limits small;
  small.max_result_bytes = 2000;
  RefuseEach("{ a = [for x in l : \"${x}-${x}\"], b = 2 }", small, "{\"l\": " + many + "]}", R"({"l": [1, 2]})");
}

constexpr char kScope[] = R"({
  "x": 3, "s": "a text that is too long to be kept in its place", "l": [1, 2, 3, "4", 5.5],
  "m": {"a": {"n": 1, "of": ["x"]}, "b": {"n": 2, "of": []}, "c": {"n": 3, "of": ["x", "y"]}},
  "o": [{"k": "a", "v": 1}, {"k": "b", "v": [1]}, {"k": "a", "v": {"z": null}}],
  "j": "{\"a\": [1, {\"b\": 2}], \"c\": {\"d\": [true, null, \"text\"]}}"})";
constexpr char kOtherScope[] = R"({"x": 4, "s": "b", "l": [{"a": 1}, 2], "m": {"q": {"n": 9, "of": ["z"]}},
  "o": [{"k": "c", "v": "w"}], "j": "[1]"})";

constexpr const char* kExpressions[] = {
    "[for x in l : x * 2]",
    "{ a = [for v in values(m) : v], t = [1, \"a\", {b = 1}, {c = {d = [x]}}, [[x]], {e = x}, {f = s}, {g = l}] }",
    "[for k, v in m : {(k) = v.n, \"${k}-of\" = toset(v.of)}]",
    "{for i in o : i.k => i.v...}",
    "distinct(concat(l, [for i in o : i.v], [x, x, s, s]))",
    "toset([for v in l : \"${v}\"])",
    "merge({a = 1}, m, {for i, v in l : \"k${i}\" => v}, {z = o})",
    "[jsondecode(j), jsonencode(m), jsondecode(jsonencode(o))]",
    "[regexall(\"[a-z]+( is)?\", s), regex(\"(?P<first>[a-z]+) (?P<next>.)\", s), replace(s, \"/t(o+)/\", \"<$1>\")]",
    "\"<%{for k, v in m}${k}: ${v.n}%{if v.n > 1} more%{endif}, %{endfor}>${upper(s)}\"",
    "[x > 3 ? {a = 1} : {b = \"c\"}, x == 3 ? [1, \"a\"] : [{}], tolist([x, s]), tomap({a = x, b = s})]",
    "try(l[9].y, m.zz.n, [for k, v in m : v.of[7]][0], \"none\")",
    "[formatlist(\"%s-%v\", [\"a\", \"b\"], x), format(\"%5.2f %q\", x, s), split(\" \", s), join(\",\", l)]",
    "setproduct([for v in l : \"${v}\"], keys(m), [x, s])",
    "[sort([for v in l : \"${v}\"]), flatten([l, [o, [m]]]), zipmap(keys(m), values(m)), transpose({a = [s]})]",
    "[for a in l : [for b in l : {(\"${a}\") = \"${b}\"}]]",
    "[sha256(s), base64encode(s), base64gzip(s), cidrsubnet(\"10.0.0.0/8\", 8, x)]",
    "[formatdate(\"YYYY\", \"2020-01-01T00:00:00Z\"), yamldecode(\"a: [1, {b: 2}]\"), csvdecode(\"a,b\\n1,2\\n\")]",
    "[1e1000 * x, x / 7, 12345678901234567890123 * 98765432109876543210, pow(x, 300), parseint(\"zz\", 36)]",
    "[l[7], m.zz, x.y, s + 1]",
    "[lookup(m, \"a\", {n = 0, of = []}), contains(l, x), index(l, 2), setunion(l, [s]), setintersection([x], l)]",
};

TEST(RefusedMemoryTest, Runs) {
  for (const char* const expression : kExpressions) RefuseEach(expression, {}, kScope, kOtherScope);
}

// The memory of a compilation; nothing is left that could go wrong, so what comes of it is looked at alone.
TEST(RefusedMemoryTest, Compilations) {
  for (const char* const expression : kExpressions) {
    const auto source = std::make_shared<const Source>("expression", expression);
    const CompileOptions options = Options();
    Heap heap;
    const Value scope = ParsedJson(kScope, &heap);
    Evaluator fresh(Expression(expression));
    fresh.BindAll(scope);
    const std::string want = Answer(fresh.Run());
    ForEachAllocation(expression, [&](int n) {
      Diagnostics diagnostics;
      std::shared_ptr<const Program> program;
      bool had_all = false;
      {
        const RefusedAllocation refusal(n);
        program = CompileExpression(source, options, &diagnostics);
        had_all = !refusal.refused();
      }
      if (program == nullptr) {
        EXPECT_TRUE(IsRefusal(diagnostics)) << expression << ", " << n << ": " << ToText(diagnostics, nullptr);
        return !had_all;
      }
      Evaluator evaluator(program);
      evaluator.BindAll(scope);
      EXPECT_EQ(Answer(evaluator.Run()), want) << expression << ", allocation " << n;
      return !had_all;
    });
  }
}

constexpr char kModule[] = R"hcl(
variable "x" {
  type = number
  validation {
    condition     = x > 0
    error_message = "x is ${x}."
  }
}
variable "o" {
  type    = list(object({ k = string, d = optional(number, 7) }))
  default = []
}
variable "m" { type = map(object({ n = string, of = set(string) })) }
locals {
  by   = { for i in o : i.k => i.d... }
  all  = toset(flatten([for k, v in m : v.of]))
  next = [for k, v in m : merge(v, { x = x })]
}
result = { by = local.by, all = local.all, next = local.next }
b "one" "two" {
  y = x * 2
}
)hcl";

TEST(RefusedMemoryTest, Modules) {
  const std::shared_ptr<const Program> whole = Module(kModule);
  ASSERT_NE(whole, nullptr);
  Heap heap;
  const Value scope = ParsedJson(kScope, &heap);
  Evaluator fresh(whole);
  fresh.BindAll(scope);
  const std::string want = Answer(fresh.Run());
  ForEachAllocation("compilation", [&](int n) {
    Diagnostics diagnostics;
    std::shared_ptr<const Program> program;
    bool had_all = false;
    const auto source = std::make_shared<const Source>("m.hcl", kModule);
    const CompileOptions options = Options();
    const std::vector<ModuleFile> files = {{source}};
    {
      const RefusedAllocation refusal(n);
      program = CompileModule(files, options, &diagnostics);
      had_all = !refusal.refused();
    }
    if (program == nullptr) {
      EXPECT_TRUE(IsRefusal(diagnostics)) << n << ": " << ToText(diagnostics, nullptr);
      return !had_all;
    }
    Evaluator evaluator(program);
    evaluator.BindAll(scope);
    EXPECT_EQ(Answer(evaluator.Run()), want) << n;
    return !had_all;
  });
  ForEachAllocation("check", [&](int n) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("m.hcl", kModule);
    const CompileOptions options = Options();
    const std::vector<ModuleFile> files = {{source}};
    const RefusedAllocation refusal(n);
    const bool is_null = CheckModule(files, options, true, &diagnostics) == nullptr;
    EXPECT_TRUE(!is_null || IsRefusal(diagnostics)) << n << ": " << ToText(diagnostics, nullptr);
    return refusal.refused();
  });
  ForEachAllocation("run", [&](int n) {
    Evaluator evaluator(whole);
    evaluator.BindAll(scope);
    bool had_all = false;
    {
      const RefusedAllocation refusal(n);
      evaluator.Run();
      had_all = !refusal.refused();
    }
    EXPECT_EQ(Answer(evaluator.Run()), want) << n;
    return !had_all;
  });
}

TEST(RefusedMemoryTest, Bases) {
  Diagnostics none;
  const std::shared_ptr<const Program> program = Module(kModule);
  const BaseText text = {std::make_shared<const Source>("data.json", kScope), ""};
  const BaseOptions options;
  std::string want;
  const auto run = [&](std::shared_ptr<const BaseLayer> layer) {
    Evaluator evaluator(program);
    evaluator.BindBase(std::move(layer));
    return Answer(evaluator.Run());
  };
  want = run(BaseLayer::Make(program, BaseData::Read({&text, 1}, options, &none), options, &none));
  ForEachAllocation("base", [&](int n) {
    Diagnostics diagnostics;
    std::shared_ptr<const BaseLayer> layer;
    bool had_all = false;
    {
      const RefusedAllocation refusal(n);
      const std::shared_ptr<const BaseData> data = BaseData::Read({&text, 1}, options, &diagnostics);
      if (data != nullptr) layer = BaseLayer::Make(program, data, options, &diagnostics);
      had_all = !refusal.refused();
    }
    if (layer == nullptr) {
      EXPECT_TRUE(IsRefusal(diagnostics)) << n << ": " << ToText(diagnostics, nullptr);
    } else {
      EXPECT_EQ(run(layer), want) << n;
    }
    return !had_all;
  });
}

TEST(RefusedMemoryTest, Readers) {
  JsonReader reader;
  Heap heap;
  ForEachAllocation("reading", [&](int n) {
    Value value;
    JsonError error;
    bool had_all = false;
    {
      const RefusedAllocation refusal(n);
      EXPECT_TRUE(reader.Read(kScope, &heap, &value, &error) || error.code == DiagnosticCode::kOutOfMemory) << n;
      had_all = !refusal.refused();
    }
    Heap next;
    EXPECT_TRUE(reader.Read(kScope, &next, &value, &error)) << n;
    return !had_all;
  });
}

TEST(RefusedMemoryTest, Reruns) {
  const std::shared_ptr<const Program> program = Module(kModule);
  Heap heap;
  const Value scope = ParsedJson(kScope, &heap);
  const uint32_t slot = *program->FindSlot("x");
  Evaluator fresh(program);
  fresh.BindAll(scope);
  fresh.Bind(slot, Value::Int(77));
  const std::string want = Answer(fresh.Run());
  ForEachAllocation("rerun", [&](int n) {
    Evaluator evaluator(program);
    evaluator.BindAll(scope);
    bool had_all = false;
    {
      const RefusedAllocation refusal(n);
      evaluator.Run();
      evaluator.Bind(slot, Value::Int(5));
      evaluator.Rerun({slot});
      had_all = !refusal.refused();
    }
    evaluator.Bind(slot, Value::Int(77));
    EXPECT_EQ(Answer(evaluator.Rerun({slot})), want) << n;
    return !had_all;
  });
}

TEST(RefusedMemoryTest, RowsAndLines) {
  const std::shared_ptr<const Program> program = Expression(kExpressions[1]);
  Heap heap;
  const std::vector<Value> rows = {ParsedJson(kScope, &heap), ParsedJson(kOtherScope, &heap)};
  Evaluator evaluator(program);
  RunResults results;
  const auto print = [&] {
    std::vector<std::string> all;
    for (size_t row = 0; row < results.size(); ++row)
      all.push_back(Answer(results.value(row), results.diagnostics(row)));
    return all;
  };
  evaluator.RunMany(rows, &results);
  const std::vector<std::string> want = print();
  NdjsonOptions options;
  LineEvaluator lines(program, options);
  std::string line = kScope;
  for (char& c : line) c = c == '\n' ? ' ' : c;
  std::string answer;
  lines.Evaluate(line, 1, &answer);
  ForEachAllocation("rows and lines", [&](int n) {
    bool had_all = false;
    std::string out;
    RunResults left;
    Evaluator other(program);
    LineEvaluator others(program, options);
    {
      const RefusedAllocation refusal(n);
      try {
        other.RunMany(rows, &left);
      } catch (const std::bad_alloc&) {
      }
      try {
        others.Evaluate(line, 1, &out);
      } catch (const std::bad_alloc&) {
      }
      had_all = !refusal.refused();
    }
    other.RunMany(rows, &results);
    EXPECT_EQ(print(), want) << n;
    out.clear();
    others.Evaluate(line, 1, &out);
    EXPECT_EQ(out, answer) << n;
    return !had_all;
  });
}

// A set takes a policy whole or not at all.
TEST(RefusedMemoryTest, Sets) {
  const auto set = std::make_shared<ProgramSet>(Options());
  Heap heap;
  const Value scope = ParsedJson(kScope, &heap);
  SetEvaluator evaluator(set);
  int policies = 0;
  ForEachAllocation("set", [&](int n) {
    const std::string name = "policy of a long name, " + std::to_string(n);
    const std::string text = "x == " + std::to_string(n) + " && length(l) > 2";
    Diagnostics diagnostics;
    bool had_all = false;
    bool put = false;
    {
      const RefusedAllocation refusal(n);
      put = set->Put(name, text, &diagnostics);
      had_all = !refusal.refused();
    }
    EXPECT_TRUE(put || IsRefusal(diagnostics)) << n << ": " << ToText(diagnostics, nullptr);
    EXPECT_EQ(set->Find(name).has_value(), put) << n;
    policies += put ? 1 : 0;
    EXPECT_EQ(set->size(), policies) << n;
    if (!put && n == 3) {
      policies += set->Put(name, text, &diagnostics) ? 1 : 0;
    }
    evaluator.Update();
    evaluator.BindAll(scope);
    const SetEvaluator::Match match = evaluator.FindTrue();
    EXPECT_TRUE(n < 3 || match.id == set->Find("policy of a long name, 3")) << n;
    return !had_all;
  });
}

}  // namespace
}  // namespace hcl
