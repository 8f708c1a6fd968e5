// Configs and expressions in the JSON syntax, to values.

#include "hclvm/compiler/json_compiler.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

CompileOptions In(Dialect dialect) {
  CompileOptions options;
  options.dialect = dialect;
  options.functions = StandardFunctions();
  return options;
}

std::string Messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    text += "!";
    if (diagnostic.subject) {
      text += std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " ";
    }
    text += diagnostic.summary;
  }
  return text;
}

// The value as JSON for `a` = "x", or the messages.
std::string Outcome(const std::string& text, const CompileOptions& options,
                    EvaluationMode mode = EvaluationMode::kFull) {
  Diagnostics diagnostics;
  const auto program = CompileJsonConfig(std::make_shared<const Source>("test", text), mode, options, &diagnostics);
  EXPECT_EQ(program == nullptr, diagnostics.has_errors());
  if (program == nullptr) return Messages(diagnostics);
  Evaluator evaluator(program);
  Arena arena;
  evaluator.Bind("a", Value::String("x", &arena));
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return Messages(evaluation.diagnostics());
  std::string json, reason;
  EXPECT_TRUE(AppendJson(evaluation.value(), &json, &reason)) << reason;
  return json;
}

TEST(JsonCompiler, Configs) {
  const std::string text = R"({"//": 1, "s": "${a}-b", "n": [-2.5, "${1 + 1}", null], "o": {"//": "${true}"}})";
  const std::string want = R"({"n":[-2.5,2,null],"o":{"//":true},"s":"x-b"})";
  EXPECT_EQ(Outcome(text, In(Dialect::kSpec)), want);
  EXPECT_EQ(Outcome(text, In(Dialect::kHashiCorp)), want);
}

TEST(JsonCompiler, NumbersKeepTheirPrecision) {
  EXPECT_EQ(Outcome(R"({"n": [123456789012345678901234567890.123456789, 1E+2, -0, 1e-3]})", In(Dialect::kSpec)),
            R"({"n":[123456789012345678901234567890.123456789,100,0,0.001]})");
}

// Spellings of one name, with escapes and without, in either order.
TEST(JsonCompiler, NamesThatAreEqualWhenNormalized) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    EXPECT_EQ(Outcome("{\"\u00e9\": 1, \"e\u0301\": 2}", In(dialect)), "!10-15 Duplicate attribute definition");
    EXPECT_EQ(Outcome(R"({"e\u0301": 1, "\u00e9": 2})", In(dialect)), "!15-23 Duplicate attribute definition");
    EXPECT_EQ(Outcome("{\"o\": {\"\u00e9\": 1, \"e\u0301\": 2}}", In(dialect)), "!16-21 Duplicate object attribute");
    EXPECT_EQ(Outcome("{\"e\u0301\": \"${a}\"}", In(dialect)), "{\"\u00e9\":\"x\"}");
  }
  EXPECT_EQ(Outcome("{\"o\": {\"e\u0301${a}e\u0301\": 1}}", In(Dialect::kHashiCorp)), "{\"o\":{\"\u00e9x\u00e9\":1}}");
  EXPECT_EQ(Outcome("{\"o\": {\"e\u0301${nosuch}\": 1}}", In(Dialect::kHashiCorp)), "!13-19 Unknown variable");
}

TEST(JsonCompiler, NamesInExpressions) {
  const std::string text = R"({"o": {"k-${a}": 1, "k-y": 2}})";
  EXPECT_EQ(Outcome(text, In(Dialect::kSpec)), R"({"o":{"k-${a}":1,"k-y":2}})");
  EXPECT_EQ(Outcome(text, In(Dialect::kHashiCorp)), R"({"o":{"k-x":1,"k-y":2}})");
  // Repeated ones, known before and after evaluation.
  EXPECT_EQ(Outcome(R"({"o": {"b": 1, "b": 2}})", In(Dialect::kHashiCorp)), "!15-18 Duplicate object attribute");
  EXPECT_EQ(Outcome(R"({"o": {"${a}": 1, "x": 2}})", In(Dialect::kHashiCorp)), "!18-21 Duplicate object key");
  EXPECT_EQ(Outcome(R"({"o": {"${a}": 1, "x": 2}})", In(Dialect::kSpec)), R"({"o":{"${a}":1,"x":2}})");
  EXPECT_EQ(Outcome(R"({"o": {"${[]}": 1}})", In(Dialect::kHashiCorp)), "!7-14 Incorrect key type");
}

TEST(JsonCompiler, LiteralOnlyMode) {
  CompileOptions options;
  EXPECT_EQ(Outcome(R"({"s": "${a", "o": {"${a}": 1}})", options, EvaluationMode::kLiteral),
            R"({"o":{"${a}":1},"s":"${a"})");
  EXPECT_EQ(Outcome("{}", In(Dialect::kSpec), EvaluationMode::kLiteral), "!Functions in literal-only mode");
}

TEST(JsonCompiler, Mistakes) {
  EXPECT_EQ(Outcome("{\"a\": 1,}", In(Dialect::kSpec)), "!7-8 Trailing comma in object");
  EXPECT_EQ(Outcome("{\"a\": \"${\"}", In(Dialect::kSpec)), "!9-9 Missing expression");
  EXPECT_EQ(Outcome("[1]", In(Dialect::kSpec)), "!0-1 Root value must be object");
  EXPECT_EQ(Outcome("[{}]", In(Dialect::kHashiCorp)), "!0-1 Incorrect JSON value type");
  EXPECT_EQ(Outcome("{\"s\": \"\\n${nosuch}\"}", In(Dialect::kSpec)), "!11-17 Unknown variable");
}

TEST(JsonCompiler, Entries) {
  Diagnostics diagnostics;
  const auto program = CompileJsonConfig(std::make_shared<const Source>("test", R"({"a b": 1, "c": "${a}"})"),
                                         In(Dialect::kSpec), &diagnostics);
  ASSERT_NE(program, nullptr);
  EXPECT_NE(program->FindEntry("a b"), nullptr);
  EXPECT_NE(program->FindEntry("c"), nullptr);
}

TEST(JsonCompiler, Expressions) {
  Diagnostics diagnostics;
  const auto program = CompileJsonExpression(std::make_shared<const Source>("test", R"(["${1 + 2}"])"),
                                             EvaluationMode::kFull, In(Dialect::kSpec), &diagnostics);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  std::string json, reason;
  AppendJson(evaluator.Run().value(), &json, &reason);
  EXPECT_EQ(json, "[3]");
}

}  // namespace
}  // namespace hcl
