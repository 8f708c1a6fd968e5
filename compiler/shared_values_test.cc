// Which values are made once, counted by what their calls cost and shown by listings; and what they are.

#include "hclvm/compiler/shared_values.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// The function `count(x)` gives x, and counts its calls.
int calls = 0;
Value Count(FunctionCall*, absl::Span<const Value> arguments) {
  ++calls;
  return arguments[0];
}

std::shared_ptr<const FunctionRegistry> Functions() {
  Function count;
  count.name = "count";
  Parameter parameter;
  parameter.name = "x";
  parameter.allow_unknown = parameter.allow_null = parameter.allow_dynamic = true;
  count.parameters = {parameter};
  count.body = Count;
  FunctionRegistryBuilder builder;
  for (const FunctionFamily family :
       {FunctionFamily::kNumeric, FunctionFamily::kString, FunctionFamily::kCollection, FunctionFamily::kType}) {
    RegisterFamily(family, &builder);
  }
  builder.Add(std::move(count));
  return std::move(builder).Build();
}

constexpr std::string_view kScope =
    R"({"n": 2, "s": "a", "l": [1, 2, 3], "o": [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}], "nothing": null})";

struct Outcome {
  std::string text;
  int calls = 0;
};

Outcome Evaluate(const std::string& text, bool optimize) {
  CompileOptions options;
  options.functions = Functions();
  options.optimize = optimize;
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("test", text);
  const auto program = CompileExpression(source, options, &diagnostics);
  if (program == nullptr) return {ToText(diagnostics, source.get())};
  Evaluator evaluator(program);
  Heap heap;
  Value scope;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(kScope, &heap, &scope, &error)) << error.detail;
  evaluator.BindAll(scope);
  calls = 0;
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return {ToText(evaluation.diagnostics(), source.get()), calls};
  Outcome outcome{"", calls};
  std::string reason;
  EXPECT_TRUE(AppendJson(evaluation.value(), &outcome.text, &reason)) << reason;
  return outcome;
}

TEST(SharedValuesTest, EachIsMadeOnce) {
  const struct {
    const char* text;
    const char* want;
    int calls;
  } kRows[] = {
      {"[count(n), count(n), count(s)]", "[2,2,\"a\"]", 2},
      // However it is spelled.
      {"[count(n), (count((n)))]", "[2,2]", 1},
      // Parts are made with the whole.
      {"[upper(count(s)), upper(count(s)), count(s)]", "[\"A\",\"A\",\"a\"]", 1},
      // In each pass of a loop, and only where it is read.
      {"[for v in l : count(v) + count(v)]", "[2,4,6]", 3},
      {"[for v in l : count(v) if count(v) > 1]", "[2,3]", 3},
      {"[for v in l : v if count(v) > 1 && count(v) < 3]", "[2]", 3},
      {"{for k, v in l : count(v) => count(v) + k}", "{\"1\":1,\"2\":3,\"3\":5}", 3},
      {"\"%{ for v in l }${count(v)}${count(v)}%{ endfor }\"", "\"112233\"", 3},
      {"alltrue([for v in l : count(v) > 0 && count(v) < 9])", "true", 3},
      {"sum([for e in o : count(e.x) * count(e.x)])", "5", 2},
      // Once for all passes where it does not depend on the loop, and for none where there are none.
      {"[for v in l : v * count(n)]", "[2,4,6]", 1},
      {"[for e in o : [for v in l : v * count(e.x) * count(n)]]", "[[2,4,6],[4,8,12]]", 3},
      {"[for v in [] : v * count(n)]", "[]", 1},  // the pass that looks for mistakes
      {"[for v in l : v > 2 ? count(s) : \"\"]", "[\"\",\"\",\"a\"]", 1},
      // Loops with variables of the same name are different ones.
      {"[[for v in l : count(v)], [for v in o : count(v.x)]]", "[[1,2,3],[1,2]]", 5},
      {"[[for v in l : count(v)], [for v in l : count(v)]]", "[[1,2,3],[1,2,3]]", 3},
      // A branch that is not taken makes nothing that the other could take.
      {"n > 5 ? count(s) : n > 1 ? upper(count(s)) : \"\"", "\"A\"", 1},
      {"[n == 2 || count(n) == 1, count(n)]", "[true,2]", 1},
      // Rules in a literal stand for themselves.
      {"[for r in [{v = n, s = s}, {v = n, s = s}] : count(r.v) + count(n)]", "[4,4]", 3},
      {"anytrue([for r in [1, 2] : count(r) == count(n)])", "true", 3},
  };
  for (const auto& row : kRows) {
    const Outcome optimized = Evaluate(row.text, true);
    EXPECT_EQ(optimized.text, row.want) << row.text;
    EXPECT_LE(optimized.calls, row.calls) << row.text;
    EXPECT_EQ(Evaluate(row.text, false).text, row.want) << row.text;
  }
}

// What fails is told at each of its places, and what one attempt dropped is made for the next.
TEST(SharedValuesTest, FailuresAreMadeAgain) {
  const char* const kRows[] = {
      "[tonumber(s), tonumber(s)]",        "[for v in l : tonumber(s) + tonumber(s)]",
      "try(tonumber(s), 1) + tonumber(s)", "[can(tonumber(s)), try(tonumber(s), 0), nothing.x]",
      "[upper(nothing), upper(nothing)]",
  };
  for (const char* text : kRows) EXPECT_EQ(Evaluate(text, true).text, Evaluate(text, false).text) << text;
}

// A jump over one is short, and a program keeps a bounded number.
TEST(SharedValuesTest, Bounds) {
  std::string sum = "n";
  for (int n = 0; n < 2000; ++n) absl::StrAppend(&sum, " + count(", n, " + n)");
  EXPECT_EQ(Evaluate(absl::StrCat("count(", sum, ") == count(", sum, ")"), true).text, "true");
  std::string list = "[";
  for (int n = 0; n < 300; ++n) absl::StrAppend(&list, "count(n + ", n, ") == count(n + ", n, "), ");
  const Outcome outcome = Evaluate(absl::StrCat("alltrue(", list, "])"), true);
  EXPECT_EQ(outcome.text, "true");
  EXPECT_EQ(outcome.calls, 600 - 64);
}

}  // namespace
}  // namespace hcl
