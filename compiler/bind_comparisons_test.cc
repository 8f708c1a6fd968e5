// Warnings about comparisons: which there are, that each is right, and that none between literals is missing.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

struct Compiled {
  std::shared_ptr<const Program> program;
  Diagnostics diagnostics;
};

Compiled Compile(const std::string& text, Dialect dialect = Dialect::kSpec, bool optimize = true,
                 bool functions = true) {
  CompileOptions options;
  options.dialect = dialect;
  options.optimize = optimize;
  if (functions) options.functions = StandardFunctions();
  Compiled result;
  result.program = CompileExpression(std::make_shared<const Source>("<test>", text), options, &result.diagnostics);
  EXPECT_NE(result.program, nullptr) << text;
  EXPECT_FALSE(result.diagnostics.has_errors()) << text;
  return result;
}

// The places and details of the warnings.
std::string Warnings(const Compiled& compiled) {
  std::string text;
  for (const Diagnostic& d : compiled.diagnostics.kept()) {
    EXPECT_EQ(d.code, DiagnosticCode::kConstantComparison);
    absl::StrAppend(&text, text.empty() ? "" : "\n", d.subject->begin, "-", d.subject->end, " ", d.detail);
  }
  return text;
}

TEST(ComparisonWarnings, Texts) {
  const struct {
    const char* text;
    const char* want;
  } kRows[] = {
      {R"(1 == "1")",
       "0-8 The left side is of type number, the right side of type string. Values of different types are never equal, "
       "so this is always false. Convert one side first, with tonumber(...) or tostring(...)."},
      {R"("true" != true)",
       "0-14 The left side is of type string, the right side of type bool. Values of different types are never equal, "
       "so this is always true. Convert one side first, with tobool(...) or tostring(...)."},
      {"[] == {}",
       "0-8 The left side is of type tuple, the right side of type object. Values of different types are never equal, "
       "so this is always false."},
      {"[1] == [\"a\", x]",
       "0-15 The left side is of type tuple([number]), the right side of type tuple([string, any]). Values of "
       "different "
       "types are never equal, so this is always false."},
      {"tolist([1]) == [1]",
       "0-18 The left side is of type list, the right side of type tuple. Values of different types are never equal, "
       "so "
       "this is always false. Convert one side first, with tolist(...)."},
  };
  for (const auto& row : kRows) EXPECT_EQ(Warnings(Compile(row.text)), row.want) << row.text;
}

// No function is named that cannot be called.
TEST(ComparisonWarnings, NameFunctionsThatThereAre) {
  EXPECT_EQ(Warnings(Compile(R"(1 == "1")", Dialect::kSpec, true, /*functions=*/false)),
            "0-8 The left side is of type number, the right side of type string. Values of different types are never "
            "equal, so this is always false.");
}

// Each has a warning, or has none: x may be anything.
TEST(ComparisonWarnings, NeedTypesThatTheTextTells) {
  for (const char* text : {"x + 1 == \"2\"",
                           "\"a${x}\" == 1",
                           "!x == \"false\"",
                           "(x == 1) == \"true\"",
                           "x < 1 == 1",
                           "upper(x) == true",
                           "(x ? 1 : 2) == \"1\"",
                           "[for v in x : v] == {}",
                           "{for v in x : v => 1} == []",
                           "{(x) = 1} == \"{}\"",
                           "{a = x} == {b = x}",
                           "[x] == []",
                           "[[x]] == [[]]",
                           "[for v in x : v == 1 && 1 == \"1\"]",
                           "-x == \"-1\"",
                           "x ? 1 == \"1\" : 2",
                           "\"${1 == \"1\"}\"",
                           "tonumber(null) == \"1\"",
                           "strlen(x) == \"0\"",
                           "jsondecode(\"5\") == \"5\"",
                           "{a = \"10\"}.a == 10"}) {
    EXPECT_EQ(Compile(text).diagnostics.count(), 1u) << text;
  }
  for (const char* text : {"x == 1",
                           "x.y == \"a\"",
                           "x == []",
                           "x[0] == {}",
                           "1 == 2",
                           "\"a\" == \"b\"",
                           "null == 1",
                           "1 == null",
                           "[] == null",
                           "tostring(null) == tonumber(null)",
                           "\"${x}\" == 1",
                           "try(x, 1) == \"1\"",
                           "[x] == [1]",
                           "{a = x} == {a = 1}",
                           "[for v in x : v] == []",
                           "(x ? 1 : \"a\") == 1",
                           "(x ? 1 : null) == x",
                           "x < \"1\"",
                           "[null] == [1]",
                           "{(x) = 1} == {}"}) {
    EXPECT_EQ(Warnings(Compile(text)), "") << text;
  }
}

// Both operands are evaluated all the same.
TEST(ComparisonWarnings, ChangeNoAnswer) {
  const Compiled compiled = Compile("[1 == \"1\", 1 != \"1\"]");
  Evaluator evaluator(compiled.program);
  const Evaluation& evaluation = evaluator.Run();
  ASSERT_TRUE(evaluation.ok());
  EXPECT_TRUE(evaluation.value().elements()[0].is_false());
  EXPECT_TRUE(evaluation.value().elements()[1].is_true());
}

const char* const kLiterals[] = {"1",
                                 "\"1\"",
                                 "true",
                                 "[]",
                                 "[1]",
                                 "[\"a\"]",
                                 "[1, 2]",
                                 "[[1]]",
                                 "{}",
                                 "{a = 1}",
                                 "{a = \"x\"}",
                                 "{b = 1}",
                                 "tolist([1])",
                                 "toset([1])",
                                 "tomap({a = 1})",
                                 "tolist([\"a\"])",
                                 "[tolist([1])]",
                                 "[toset([1])]",
                                 "{a = [1]}"};
const char* const kOthers[] = {"x",
                               "null",
                               "x + 1",
                               "!x",
                               "-x",
                               "\"${x}-\"",
                               "\"${x}\"",
                               "upper(x)",
                               "length(x)",
                               "[x]",
                               "[x, 1]",
                               "{a = x}",
                               "{(x) = 1}",
                               "[for v in x : v]",
                               "{for k, v in x : k => v}",
                               "{for v in x : v => v...}",
                               "x ? 1 : 2",
                               "x ? null : 1",
                               "x ? [1] : [2]",
                               "x == 1",
                               "x && true",
                               "tostring(x)",
                               "tonumber(x)",
                               "tostring(null)",
                               "tonumber(null)",
                               "try(x, 1)",
                               "can(x.a)",
                               "x[*].a",
                               "x.a",
                               "coalesce(x, 1)",
                               "[null]",
                               "[tostring(null)]",
                               "{a = null}",
                               "\"%{if true}a%{endif}\""};

// What there is a warning about has that answer in every scope, where it has one.
TEST(ComparisonWarnings, AreRight) {
  Heap heap;
  const Value one = Value::Int(1), text = Value::StringView("1"), list[] = {one};
  const KeyValue pair[] = {{Value::StringView("a"), one}};
  const Value scopes[] = {Value::Null(),
                          Value::Bool(true),
                          Value::Bool(false),
                          one,
                          text,
                          Value::StringView("true"),
                          MakeTuple({}, heap.arena()),
                          MakeTuple(list, heap.arena()),
                          MakeObject(pair, heap.arena()),
                          MakeList(Type::Number(), list, heap.arena()),
                          Value::Dynamic(),
                          Value::Unknown(Type::String()),
                          Value::Unknown(Type::Number()),
                          Value::Null(Type::String())};
  std::vector<std::string> operands(std::begin(kLiterals), std::end(kLiterals));
  operands.insert(operands.end(), std::begin(kOthers), std::end(kOthers));
  int warned = 0;
  for (const std::string& a : operands) {
    for (const std::string& b : operands) {
      const std::string expr = absl::StrCat("(", a, ") == (", b, ")");
      for (const bool optimize : {true, false}) {
        const Dialect dialect = optimize ? Dialect::kSpec : Dialect::kHashiCorp;
        const Compiled compiled = Compile(expr, dialect, optimize);
        if (compiled.diagnostics.empty()) continue;
        ++warned;
        Evaluator evaluator(compiled.program);
        for (const Value& x : scopes) {
          evaluator.Bind("x", x);
          const Evaluation& evaluation = evaluator.Run();
          if (!evaluation.ok() || evaluation.value().is_unknown()) continue;
          EXPECT_TRUE(evaluation.value().is_false()) << expr;
        }
      }
    }
  }
  EXPECT_GT(warned, 1000);
}

// Between literals, there is a warning exactly where the types differ.
TEST(ComparisonWarnings, MissNoLiterals) {
  for (const char* a : kLiterals) {
    for (const char* b : kLiterals) {
      const Compiled both = Compile(absl::StrCat("[", a, ", ", b, "]"));
      Evaluator evaluator(both.program);
      const Evaluation& evaluation = evaluator.Run();
      ASSERT_TRUE(evaluation.ok());
      TypeTable types;
      const auto& elements = evaluation.value().elements();
      const bool differ = TypeOf(elements[0], &types) != TypeOf(elements[1], &types);
      for (const char* op : {"==", "!="}) {
        const std::string expr = absl::StrCat(a, " ", op, " ", b);
        EXPECT_EQ(!Compile(expr).diagnostics.empty(), differ) << expr;
      }
    }
  }
}

// A comparison that is bound once is warned of once, wherever it stands.
TEST(ComparisonWarnings, ComeOnce) {
  for (const char* text :
       {"1 == \"1\"", "(1 == \"1\")", "[1 == \"1\"][0]", "[for x in [1, 2, 3] : 1 == \"1\"]", "try(1 == \"1\", 2)",
        "{a = 1 == \"1\"}.a", "true ? 1 == \"1\" : 2", "false ? 1 == \"1\" : 2", "x[*][1 == \"1\" ? 0 : 1]",
        "!(1 == \"1\")", "contains([1 == \"1\"], x)"}) {
    EXPECT_EQ(Compile(text).diagnostics.count(), 1u) << text;
  }
}

}  // namespace
}  // namespace hcl
