// Source to listing, and what the compiler reports. What programs mean is tested in tests/.

#include "hclvm/compiler/compiler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Listing(const std::string& text, bool optimize = true) {
  auto source = std::make_shared<const Source>("<test>", text);
  CompileOptions options;
  options.functions = StandardFunctions();
  options.optimize = optimize;
  options.fast_code = false;
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  std::string listing = program->Disassemble();
  return listing.substr(listing.find('\n') + 1);  // without the chunk's header
}

struct Row {
  const char* source;
  const char* want;
};

TEST(CompilerTest, FoldsConstants) {
  const Row kRows[] = {
      {"1 + 2 * 3", "    0  Return         7\n"},
      {"\"a${1}b${true}\"", "    0  Return         \"a1btrue\"\n"},
      {"[1, [2, \"x\"]]", "    0  Return         [1,[2,\"x\"]]\n"},
      {"{a = 1, b = {c = 2}}.b.c", "    0  Return         2\n"},
      {"upper(\"abc\")", "    0  Return         \"ABC\"\n"},
      {"contains([\"a\", \"b\"], \"b\")", "    0  Return         true\n"},
      {"-(1)", "    0  Return         -1\n"},
      // What fails is left to fail when it runs.
      {"1 + []", "    0  Add            r0 1 []\n    1  Return         r0\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Listing(row.source), row.want) << row.source;
}

TEST(CompilerTest, PushesAttributesInOneInstruction) {
  EXPECT_EQ(Listing("a[*].b.c"),
            "    0  LoadPath       r0 a\n    1  SplatBegin     r0 -> 8\n    2  TupleBegin     r3\n"
            "    3  Jump           -> 6\n    4  GetAttr        r4 r2 \"b\"\n    5  PushAttr       r3 r4 \"c\"\n"
            "    6  SplatNext      r0 -> 4\n    7  SplatEnd       r0 #0\n    8  Return         r0\n");
  // Not where a jump leads between the two.
  for (const char* source : {"[for x in a : x.b ? \"\" : x.c]", "[for x in a : true && x.c]", "[for x in a : x]"}) {
    EXPECT_EQ(Listing(source).find("PushAttr"), std::string::npos) << source;
    EXPECT_NE(Listing(source).find("TuplePush"), std::string::npos) << source;
  }
}

TEST(CompilerTest, GeneratesCode) {
  const Row kRows[] = {
      {"a.b[0].c", "    0  LoadPath       r0 a.b[0].c\n    1  Return         r0\n"},
      {"a + b * 2",
       "    0  LoadPath       r0 a\n    1  LoadPath       r1 b\n    2  Multiply       r1 r1 2\n"
       "    3  Add            r0 r0 r1\n    4  Return         r0\n"},
      {"a && b == 1",
       "    0  LoadPath       r0 a\n    1  SkipIfFalse    r0 -> 5\n    2  LoadPath       r1 b\n"
       "    3  Equal          r1 r1 1\n    4  And            r0 r0 r1\n    5  Return         r0\n"},
      // The right side might not be a bool, so it runs.
      {"a && b",
       "    0  LoadPath       r0 a\n    1  LoadPath       r1 b\n    2  And            r0 r0 r1\n"
       "    3  Return         r0\n"},
      // One jump leaves a whole chain.
      {"a == 1 || b == 1 || c == 1",
       "    0  LoadPath       r0 a\n    1  Equal          r0 r0 1\n    2  SkipIfTrue     r0 -> 10\n"
       "    3  LoadPath       r1 b\n    4  Equal          r1 r1 1\n    5  Or             r0 r0 r1\n"
       "    6  SkipIfTrue     r0 -> 10\n    7  LoadPath       r1 c\n    8  Equal          r1 r1 1\n"
       "    9  Or             r0 r0 r1\n   10  Return         r0\n"},
      {"a ? \"x\" : \"y\"",
       "    0  LoadPath       r0 a\n    1  Branch         r0 -> 5\n    2  Jump           -> 7\n"
       "    3  LoadConst      r0 \"x\"\n    4  Jump           -> 8\n    5  LoadConst      r0 \"y\"\n"
       "    6  Jump           -> 8\n    7  OrUnknown      r0 "
       "{\"$unknown\":\"string\",\"refinement\":{\"not_null\":true}}\n    8  Return         r0\n"},
      {"a ? b : 1",
       "    0  LoadPath       r0 a\n    1  LoadPath       r1 b\n    2  LoadConst      r2 1\n    3  Select         r0 "
       "{\"$unknown\":\"dynamic\"} {\"$unknown\":\"number\",\"refinement\":{\"not_null\":true}}\n"
       "    4  Return         r0\n"},
      {"contains([\"a\", \"b\"], x)",
       "    0  LoadPath       r0 x\n    1  Contains       r0 r0 [\"a\",\"b\"]\n    2  Return         r0\n"},
      {"\"x-${a}-${b}\"",
       "    0  LoadPath       r1 a\n    1  LoadPath       r2 b\n    2  Concat         r0 \"x-\" r1 \"-\" r2\n"
       "    3  Return         r0\n"},
      {"{b = x, a = 1}",
       "    0  LoadPath       r2 x\n    1  LoadConst      r1 1\n    2  MakeObject     r0 r1 {a,b}\n"
       "    3  Return         r0\n"},
      {"nosuch(1)", "    0  Raise          r0 \"Call to unknown function\"\n    1  Return         r0\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Listing(row.source), row.want) << row.source;
}

TEST(CompilerTest, OptimizingCanBeTurnedOff) {
  EXPECT_EQ(Listing("1 + 2", false), "    0  Add            r0 1 2\n    1  Return         r0\n");
  EXPECT_EQ(Listing("a == 1 && true", false),
            "    0  LoadPath       r0 a\n    1  Equal          r0 r0 1\n    2  And            r0 r0 true\n"
            "    3  Return         r0\n");
}

TEST(CompilerTest, SharesPathsAndConstants) {
  auto source = std::make_shared<const Source>("<test>", "a.b + a.b + 1000 + 1000 + a.c");
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileExpression(source, {}, &diagnostics);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->variables().size(), 1u);
  EXPECT_EQ(program->paths().size(), 2u);
  EXPECT_EQ(internal::TablesOf(*program).constants().size(), 1u);  // 1000
}

TEST(CompilerTest, ReportsWhatCannotBeRepresented) {
  EXPECT_NE(Listing("1e999999999999").find("Number too long"), std::string::npos);
  EXPECT_NE(Listing(std::string(200, '9')).find("Invalid number literal"), std::string::npos);
}

// Registers are as many as fit into an instruction; long tuples take theirs only while there are plenty.
TEST(CompilerTest, LongTuplesDeepInOthersCompile) {
  std::string text = "a";
  for (int level = 0; level < 60; ++level) {
    std::string outer = "[";
    for (int n = 0; n < 999; ++n) outer += "a,";
    text.insert(0, outer).append("]");
  }
  Diagnostics diagnostics;
  EXPECT_NE(CompileExpression(std::make_shared<const Source>("<test>", text), {}, &diagnostics), nullptr);
  EXPECT_EQ(diagnostics.count(), 0u);
}

TEST(CompilerTest, ConstantArgumentsAreConverted) {
  const Row kRows[] = {
      {"setunion(a, [2, 1, 2])", "[1,2]"},
      {"startswith(a, 12)", "\"12\""},
      // What cannot be converted is left to fail when it runs.
      {"startswith(a, [])", "[]"},
  };
  for (const Row& row : kRows) {
    const std::string listing = Listing(row.source);
    EXPECT_NE(listing.find(std::string(" ") + row.want + "\n"), std::string::npos) << listing;
  }
}

// A function whose result is what it has prepared: the sum of its constant arguments, or -1 for nothing.
Function PreparedSum() {
  Function function;
  function.name = "f";
  function.variadic = Parameter{"numbers", Type::Number()};
  function.result_type = Type::Number();
  function.pure = false;
  function.prepare = [](FunctionCall*, absl::Span<const Value* const> constants) -> Prepared {
    int64_t sum = 0;
    for (const Value* constant : constants) sum += constant != nullptr ? constant->AsInt() : 0;
    return sum == 0 ? Prepared() : Prepared{std::make_shared<const int64_t>(sum), sizeof(int64_t)};
  };
  function.body = [](FunctionCall* call, absl::Span<const Value>) {
    return Value::Int(call->prepared() != nullptr ? *static_cast<const int64_t*>(call->prepared()) : -1);
  };
  return function;
}

TEST(CompilerTest, ConstantArgumentsArePrepared) {
  const struct {
    const char* source;
    bool optimize;
    int64_t want;
  } kRows[] = {
      {"f(1, \"2\", v)", true, 3}, {"f(v, null, 4)", true, 4}, {"f(v)", true, -1},
      {"f(1, [v]...)", true, -1},  {"f(v, [])", true, 0},      {"f(1, 2)", false, -1},
  };
  FunctionRegistryBuilder builder;
  builder.Add(PreparedSum());
  CompileOptions options;
  options.functions = std::move(builder).Build();
  for (const auto& row : kRows) {
    options.optimize = row.optimize;
    Diagnostics diagnostics;
    auto program = CompileExpression(std::make_shared<const Source>("<test>", row.source), options, &diagnostics);
    ASSERT_NE(program, nullptr);
    Evaluator evaluator(program);
    evaluator.Bind("v", Value::Int(100));
    const Evaluation& evaluation = evaluator.Run();
    // Nulls and wrong types are errors all the same.
    EXPECT_EQ(evaluation.ok(), std::string(row.source).find("null") == std::string::npos && row.want != 0);
    if (evaluation.ok()) {
      EXPECT_EQ(evaluation.value().AsInt(), row.want) << row.source;
    }
  }
}

TEST(CompilerTest, WithoutFunctionsCallsAreNotAllowed) {
  auto source = std::make_shared<const Source>("<test>", "upper(1)");
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileExpression(source, {}, &diagnostics);
  ASSERT_NE(program, nullptr);
  EXPECT_NE(program->Disassemble().find("Function calls not allowed"), std::string::npos);
}

TEST(CompilerTest, EntriesNameEveryAttribute) {
  auto source = std::make_shared<const Source>(
      "<test>", "a = 1\nrule \"x\" {\n  when = b\n}\nrule \"y\" {\n  when = c\n}\nrule \"y\" {\n  when = d\n}\n");
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileConfig(source, {}, &diagnostics);
  ASSERT_NE(program, nullptr);
  std::string paths;
  for (const Entry& entry : program->entries()) paths.append(entry.path).append(" ");
  EXPECT_EQ(paths, "a rule.x.when rule.y.0.when rule.y.1.when ");
}

// Code is made for many attributes together, and each has its own all the same.
TEST(CompilerTest, EachOfManyAttributesHasItsCode) {
  std::string text = "block {\n";
  for (int n = 0; n < 300; ++n) {
    const std::string number = std::to_string(n);
    text += "  a" + number + " = " + (n % 3 == 0 ? "[for x in [v, 1] : x + " + number + "]" : "v + " + number) + "\n";
    if (n % 50 == 49) text += "}\nblock {\n";
  }
  auto source = std::make_shared<const Source>("<test>", text + "}\n");
  Diagnostics diagnostics;
  const std::shared_ptr<const Program> program = CompileConfig(source, {}, &diagnostics);
  ASSERT_NE(program, nullptr) << ToText(diagnostics, source.get());
  ASSERT_EQ(program->entries().size(), 300u);
  Evaluator evaluator(program);
  evaluator.Bind(0, Value::Int(1000));
  for (size_t n = 0; n < program->entries().size(); ++n) {
    const Value value = evaluator.Run(program->entries()[n]).value();
    const Value& number = n % 3 == 0 ? value.elements()[0] : value;
    EXPECT_TRUE(Identical(number, Value::Int(1000 + static_cast<int64_t>(n)))) << program->entries()[n].path;
  }
}

TEST(CompilerTest, ReportsInTheOrderOfTheText) {
  std::string text = "b";
  for (int level = 0; level < 40; ++level) {
    std::string outer = "max(";
    for (int n = 0; n < 999; ++n) outer += "b,";
    text.insert(0, outer).append(")");
  }
  auto source =
      std::make_shared<const Source>("<test>", "first = 1e999999999999\nlarge = " + text + "\nlast = 2e999999999999\n");
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  EXPECT_EQ(CompileConfig(source, options, &diagnostics), nullptr);
  std::string codes;
  for (const Diagnostic& diagnostic : diagnostics.kept()) codes += diagnostic.summary + ", ";
  EXPECT_EQ(codes, "Number too long, Expression too complex, Number too long, ");
}

}  // namespace
}  // namespace hcl
