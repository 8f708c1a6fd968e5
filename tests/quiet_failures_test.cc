// What try() and can() drop costs no text and no memory: after the first runs, a policy whose calls, operators, paths
// and conversions fail allocates nothing.

#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr char kScope[] = R"json({
  "bad": "not what is wanted, and longer than a short text",
  "s": "x", "n": 3, "half": 1.5, "zero": 0, "minus": -1, "yes": true, "nil": null, "huge": 1e300,
  "list": [1, 2, 3], "mixed": [1, "a", null], "empty": [], "texts": ["a", "b"],
  "uneven": [1, [2]], "unclosed": "{\"a\": 1, \"b\": [1, 2}", "repeats": "{\"a\": 1, \"a\": 2}", "escapes": "[\"\\u12\"]",
  "o": {"a": 1, "b": {"c": "d"}}, "ip": "10.0.0.0/8", "v6": "2001:db8::/32", "when": "2025-01-02T03:04:05Z"
})json";

struct Row {
  const char* fails;  // an expression
};

const Row kRows[] = {
    // Operators, paths, conversions, conditionals, templates, loops.
    {"bad + 1"},
    {"s * n"},
    {"zero / zero"},
    {"!bad"},
    {"-o"},
    {"bad && yes"},
    {"n < list"},
    {"nil + 1"},
    {"o.missing"},
    {"o.b.c.d"},
    {"o.missing.deeper"},
    {"s.attribute"},
    {"n.attribute"},
    {"nil.attribute"},
    {"list.attribute"},
    {"list[9]"},
    {"list[minus]"},
    {"list[bad]"},
    {"list[half]"},
    {"o[s]"},
    {"o[nil]"},
    {"o[bad]"},
    {"missing_variable"},
    {"[bad + 1]"},
    {"{a = upper(list), b = nil + 1}"},
    {"[for x in list : x][0] && yes && bad"},
    {"upper(\"a${list}\")"},
    {"tostring(nil + 1)"},
    {"upper(lower(list))"},
    {"lookup(n, s, 1)"},
    {"try(bad + 1, nil + 1)"},
    {"try(o.missing.deeper, upper(list), [for x in list : x.y])"},
    {"yes ? try(bad && yes, nil.x) : 2"},
    {"bad ? 1 : 2"},
    {"yes ? bad + 1 : 2"},
    {"(nil ? 1 : 2)"},
    {"\"a${o}\""},
    {"\"a ${list} b\""},
    {"\"a${nil}\""},
    {"[for x in n : x]"},
    {"[for x in list : x.y]"},
    {"[for x in list : x if bad]"},
    {"{for x in list : bad => x}"},
    {"{for x in list : o => x}"},
    {"list[*].missing"},
    {"{(o) = 1}"},
    // Functions, one of each way to fail.
    {"tonumber(bad)"},
    {"tonumber(s)"},
    {"tonumber(o)"},
    {"tobool(bad)"},
    {"tobool(n)"},
    {"tostring(list)"},
    {"tolist(n)"},
    {"toset(mixed[*].x)"},
    {"tomap(s)"},
    {"toset(uneven)"},
    {"tolist(uneven)"},
    {"tomap(o)"},
    {"max(mixed...)"},
    {"min(n, bad)"},
    {"abs(bad)"},
    {"ceil(s)"},
    {"floor(o)"},
    {"max(n, s)"},
    {"min(bad, 1)"},
    {"pow(minus, half)"},
    {"log(minus, half)"},
    {"sum(mixed)"},
    {"sum(empty)"},
    {"signum(bad)"},
    {"parseint(bad, 10)"},
    {"parseint(s, n)"},
    {"parseint(s, zero)"},
    {"parseint(s, 99)"},
    {"element(empty, n)"},
    {"element(list, half)"},
    {"element(n, 1)"},
    {"index(texts, s)"},
    {"index(n, s)"},
    {"lookup(o, s)"},
    {"lookup(n, s)"},
    {"slice(list, 2, 1)"},
    {"slice(list, 0, 9)"},
    {"slice(list, minus, 1)"},
    {"chunklist(list, minus)"},
    {"range(half, nil)"},
    {"range(0, 1, minus)"},
    {"one(list)"},
    {"keys(n)"},
    {"values(s)"},
    {"merge(o, n)"},
    {"zipmap(texts, list)"},
    {"zipmap(texts, n)"},
    {"coalesce(nil, nil)"},
    {"coalescelist(empty, empty)"},
    {"concat(n, list)"},
    {"length(n)"},
    {"reverse(n)"},
    {"distinct(n)"},
    {"flatten(n)"},
    {"compact(n)"},
    {"sort(mixed)"},
    {"alltrue(texts)"},
    {"anytrue(n)"},
    {"setproduct(n)"},
    {"join(s, mixed)"},
    {"join(s, n)"},
    {"split(nil, s)"},
    {"substr(bad, half, 1)"},
    {"indent(minus, s)"},
    {"format(\"%d\", bad)"},
    {"format(\"%s %s\", s)"},
    {"format(\"%q\", list)"},
    {"formatlist(\"%s %s\", texts, list)"},
    {"upper(nil)"},
    {"trimspace(o)"},
    {"replace(s, nil, s)"},
    {"startswith(o, s)"},
    {"strcontains(nil, s)"},
    {"regex(\"^[0-9]+$\", s)"},
    {"base64decode(s)"},
    {"jsondecode(bad)"},
    {"jsondecode(unclosed)"},
    {"jsondecode(repeats)"},
    {"jsondecode(escapes)"},
    {"timeadd(bad, \"1h\")"},
    {"timeadd(when, bad)"},
    {"timecmp(when, s)"},
    {"formatdate(\"YYYY\", bad)"},
    {"cidrhost(bad, 1)"},
    {"cidrhost(ip, half)"},
    {"cidrnetmask(v6)"},
    {"cidrsubnet(ip, minus, 1)"},
    {"cidrsubnet(ip, 30, 1)"},
    {"cidrcontains(bad, s)"},
    {"cidrcontains(ip, s)"},
    {"uuidv5(s, s)"},
    {"matchkeys(list, texts, texts)"},
    {"transpose(n)"},
    {"convert(bad, number)"},
    {"convert(o, list(number))"},
    {"convert(texts, list(number))"},
};

std::shared_ptr<const Program> Compile(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  auto source = std::make_shared<const Source>("<test>", text);
  std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

// What runs of `text` allocate once the evaluator has its memory; the last one's value goes to *json.
uint64_t AllocationsOf(const std::string& text, std::string* json) {
  constexpr int kRuns = 20;
  const std::shared_ptr<const Program> program = Compile(text);
  if (program == nullptr) return UINT64_MAX;
  Heap scopes;
  Value scope;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(kScope, &scopes, &scope, &error)) << error.detail;
  Evaluator evaluator(program);
  evaluator.BindAll(scope);
  for (int n = 0; n < kRuns; ++n) evaluator.Run();
  const uint64_t before = bench::AllocationCount();
  for (int n = 0; n < kRuns; ++n) evaluator.Run();
  const uint64_t allocations = bench::AllocationCount() - before;
  AppendTypedValueJson(evaluator.Run().value(), evaluator.heap()->types(), json);
  return allocations;
}

TEST(QuietFailuresTest, AllocateNothing) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.fails);
    std::string value;
    EXPECT_EQ(AllocationsOf(std::string("try(") + row.fails + ", \"none\")", &value), 0);
    EXPECT_EQ(value, "\"none\"");
    value.clear();
    EXPECT_EQ(AllocationsOf(std::string("can(") + row.fails + ")", &value), 0);
    EXPECT_EQ(value, "false");
  }
}

// Each of them has a text where it is not dropped, which the run that writes makes.
TEST(QuietFailuresTest, HaveTextsWhereTheyAreRead) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.fails);
    const std::shared_ptr<const Program> program = Compile(row.fails);
    ASSERT_NE(program, nullptr);
    Heap scopes;
    Value scope;
    JsonError error;
    ASSERT_TRUE(JsonReader().Read(kScope, &scopes, &scope, &error));
    Evaluator evaluator(program);
    evaluator.BindAll(scope);
    const Evaluation& evaluation = evaluator.Run();
    EXPECT_FALSE(evaluation.ok());
    if (evaluation.ok()) continue;
    const std::string& detail = evaluation.diagnostics().kept()[0].detail;
    EXPECT_GT(detail.size(), 10u);
    EXPECT_EQ(detail.find(": ."), std::string::npos) << detail;
    EXPECT_EQ(detail.back(), '.') << detail;
  }
}

}  // namespace
}  // namespace hcl
