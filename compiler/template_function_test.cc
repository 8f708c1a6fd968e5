// Templates that are given as text: what they give, in both dialects, constant and not; and their bounds.

#include "hclvm/compiler/template_function.h"

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
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr std::string_view kScope = R"({
  "type": ["object", {
    "t": "string", "bad": "string", "name": "string", "un": "string", "dyn": "dynamic",
    "vars": ["object", {"name": "string", "n": "number", "list": ["tuple", ["string", "string"]], "o": ["object", {}]}],
    "m": ["map", "string"], "part": ["object", {"name": "string", "n": "number"}]
  }],
  "value": {
    "t": "Hello, ${name}!", "bad": "a\n ${ + }", "name": "Ann", "un": {"$unknown": "string"},
    "dyn": {"$unknown": "dynamic"},
    "vars": {"name": "Bob", "n": 2, "list": ["x", "y"], "o": {}},
    "m": {"name": "Cy"}, "part": {"name": {"$unknown": "string"}, "n": 2}
  }
})";

struct Outcome {
  std::string text;  // the value, or what is wrong with it
  uint64_t fuel = 0;
};

class TemplateFunctionTest : public testing::Test {
 protected:
  TemplateFunctionTest() {
    options_.functions = StandardFunctions();
    Value scope;
    JsonError error;
    EXPECT_TRUE(JsonReader().ReadTyped(kScope, &heap_, &scope_, &error)) << error.detail;
  }

  // A message is told as its range, its detail without what is said of every argument, and "limit" for one.
  Outcome Eval(const std::string& text) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("test", text);
    const auto program = CompileExpression(source, options_, &diagnostics);
    if (program == nullptr) return {ToText(diagnostics, source.get())};
    Evaluator evaluator(program, options_.limits);
    evaluator.BindAll(scope_);
    const Evaluation& evaluation = evaluator.Run();
    Outcome outcome;
    outcome.fuel = options_.limits.max_fuel - evaluation.fuel_left();
    if (evaluation.ok()) {
      AppendTypedValueJson(evaluation.value(), evaluator.heap()->types(), &outcome.text);
    } else {
      const Diagnostic& first = evaluation.diagnostics().kept()[0];
      outcome.text = absl::StrCat(first.is_limit ? "limit " : "", first.subject->begin, "-", first.subject->end, " ",
                                  first.detail);
    }
    return outcome;
  }

  void EvalAllWays(const char* text, const std::string& want) {
    for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
      for (const bool optimize : {true, false}) {
        options_.dialect = dialect;
        options_.optimize = optimize;
        EXPECT_EQ(Eval(text).text, want) << text << (optimize ? "" : " (not optimized)");
      }
    }
    options_.optimize = true;
  }

  CompileOptions options_;
  Heap heap_{nullptr, Dialect::kHashiCorp};
  Value scope_;
};

TEST_F(TemplateFunctionTest, Values) {
  const char* const kRows[][2] = {
      {R"(templatestring(t, vars))", R"("Hello, Bob!")"},
      {R"(templatestring(t, {name = name}))", R"("Hello, Ann!")"},
      {R"(templatestring(t, m))", R"("Hello, Cy!")"},
      {R"(templatestring("Hello, $${name}!", vars))", R"("Hello, Bob!")"},
      {R"(templatestring("Hello, $${name}!", {name = "Eve"}))", R"("Hello, Eve!")"},
      {R"(templatestring("%%{ for x in list }[$${x}]%%{ endfor }", vars))", R"("[x][y]")"},
      {R"(templatestring("%%{ if n > 1 ~}  many%%{ else }one%%{ endif }", vars))", R"("many")"},
      {R"(templatestring("$${upper(name)} $${n + 1} $$${n} %%%{n}", vars))", R"("BOB 3 ${n} %{n}")"},
      {R"(templatestring("$${n}", vars))", R"("2")"},
      {R"(templatestring("", {}))", R"("")"},
      // Several mistakes are no limit.
      {R"(try(templatestring("$${ + } $${ * } $${", {}), "none"))", R"("none")"},
      {R"(templatestring("plain", m))", R"("plain")"},
      {R"(templatestring(12, {}))", R"("12")"},
      {R"([for x in ["a", "b"] : templatestring("<$${x}>", {x = x})])", R"(["<a>","<b>"])"},
      {R"(templatestring("$${try(nosuch, \"none\")}", vars))", R"("none")"},
      {R"(templatestring([t, vars]...))", R"("Hello, Bob!")"},
      {R"(try(templatestring(bad, vars), "none"))", R"("none")"},
      {"templatestring(\"e\u0301$${name}\u0301\", {name = \"e\"})", "\"\u00e9\u00e9\""},
      // Unknown values and marks.
      {R"(templatestring(un, vars))", R"({"$unknown":"string","refinement":{"not_null":true}})"},
      {R"(templatestring(t, dyn))", R"({"$unknown":"dynamic"})"},
      {R"(templatestring(t, part))", R"({"$unknown":"string","refinement":{"not_null":true,"prefix":"Hello, "}})"},
      {R"(templatestring("$${n}", part))", R"("2")"},
      {R"(issensitive(templatestring(sensitive(t), vars)))", "true"},
      {R"(issensitive(templatestring(t, {name = sensitive(name)})))", "true"},
      {R"(issensitive(templatestring("$${sensitive(name)}", vars)))", "true"},
      {R"(issensitive(templatestring(t, vars)))", "false"},
      {R"(nonsensitive(templatestring("<$${sensitive(name)}>", vars)))", R"("<Bob>")"},
  };
  for (const auto& row : kRows) EvalAllWays(row[0], row[1]);
}

TEST_F(TemplateFunctionTest, Failures) {
  const struct {
    const char* text;
    const char* range;
    const char* message;  // behind what is said of every argument
  } kRows[] = {
      {R"(templatestring(bad, vars))", "15-18", "line 2, column 5 of the text: "},
      // The first mistake is told, in whatever order they are met.
      {R"(templatestring("<$${x}>%%{ if y }$${upper(x)}%%{ endif }", {x = null, y = null}))", "16-56",
       "line 1, column 4 of the text: Invalid template interpolation value: The expression result is null. A string "
       "template cannot include a null value"},
      {R"(templatestring("$${name}", {}))", "16-24",
       "line 1, column 3 of the text: Unknown variable: There is no variable named \"name\""},
      {R"(templatestring("x\n  $${nmae}", vars))", "16-29",
       "line 2, column 5 of the text: Unknown variable: There is no variable named \"nmae\". Did you mean \"name\"?"},
      {R"(templatestring("$${t}", vars))", "16-21", "line 1, column 3 of the text: Unknown variable: "},
      {R"(templatestring("$${nosuch()}", vars))", "16-28", "line 1, column 3 of the text: Call to unknown function: "},
      {R"(templatestring("$${list}", vars))", "16-24", "the template gives no string: "},
      {R"(templatestring("$${null}", vars))", "16-24", "the template gives null instead of a string"},
      {R"(templatestring("a$${null}", vars))", "16-25", "line 1, column 4 of the text: "},
      {R"(templatestring("$${n + []}", vars))", "16-26", "line 1, column 7 of the text: Invalid operand: "},
      {R"(templatestring("$${", vars))", "16-19", "line 1, column "},
      {R"(templatestring(null, vars))", "15-19", "the argument must not be null"},
      {R"(templatestring("$${templatestring(\"x\", {})}", {}))", "16-45",
       "line 1, column 3 of the text: Error in function call: Call to function \"templatestring\" failed: a template "
       "that it evaluates must not call it"},
  };
  for (const auto& row : kRows) {
    for (const bool optimize : {true, false}) {
      options_.optimize = optimize;
      const std::string want = absl::StrCat(row.range, " Invalid value for \"template\" parameter: ", row.message);
      EXPECT_EQ(Eval(row.text).text.substr(0, want.size()), want) << row.text;
    }
  }
  EvalAllWays(R"(templatestring(t, 1))",
              R"(18-19 Invalid value for "vars" parameter: a map or object is required, not a number.)");
  EvalAllWays(R"(templatestring(t, [1]))",
              R"(18-19 Invalid value for "vars" parameter: a map or object is required, not a tuple.)");
  EvalAllWays(R"(templatestring(t, null))",
              R"(18-22 Invalid value for "vars" parameter: the argument must not be null.)");
  EvalAllWays(R"(templatestring(t))",
              R"(16-17 Function "templatestring" expects 2 arguments. Missing value for "vars".)");
  // What is wrong with what is marked is not told.
  EXPECT_EQ(Eval(R"(templatestring(sensitive("$${hidden}"), {}))").text.find("hidden"), std::string::npos);
  EvalAllWays(R"(templatestring("$${try(templatestring(\"x\", {}), \"none\")}", {}))", R"("none")");
}

// A text gives what the same template gives that is compiled as a whole.
TEST_F(TemplateFunctionTest, AgreesWithTemplatesThatAreCompiled) {
  for (const char* text :
       {"", "x", "${name}", "${n}", "a${n * 2}b${name}", "%{ for i, x in list }${i}${x},%{ endfor }",
        "%{ if n == 2 }two%{ else }${nosuch}%{ endif }", "a\n  %{~ if true ~}\n  b\n%{ endif }\n", "$${x} %%{y}",
        "${[for x in list : upper(x)][1]}", "${o == {} ? \"empty\" : \"full\"}", "${name}${list}", "${nosuch}",
        "${\"${name}${\"${n}\"}\"}", "${name", "%{ if }", "${1}${", "\u00e9${name}\u0301"}) {
    for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
      options_.dialect = dialect;
      Diagnostics diagnostics;
      const auto program = CompileTemplate(std::make_shared<const Source>("test", text), options_, &diagnostics);
      std::string want = "failed";
      if (program != nullptr) {
        Evaluator evaluator(program);
        evaluator.BindAll(scope_.values()[static_cast<size_t>(scope_.shape().Find(Value::StringView("vars")))]);
        const Evaluation& evaluation = evaluator.Run();
        std::string reason;
        if (evaluation.ok()) {
          want.clear();
          AppendJson(evaluation.value(), &want, &reason);
          if (want[0] != '"') want = absl::StrCat("\"", want, "\"");
        }
      }
      Value variables = scope_;
      KeyValue pairs[] = {{Value::StringView("text"), Value::StringView(text)},
                          {Value::StringView("vars"),
                           scope_.values()[static_cast<size_t>(scope_.shape().Find(Value::StringView("vars")))]}};
      scope_ = MakeObject(absl::MakeSpan(pairs), heap_.arena());
      std::string got = Eval("templatestring(text, vars)").text;
      if (got.find("Invalid value for \"template\"") != std::string::npos) got = "failed";
      EXPECT_EQ(got, want) << text;
      scope_ = variables;
    }
  }
}

// What a constant template takes to compile is not taken again and again.
TEST_F(TemplateFunctionTest, ConstantTemplatesAreCompiledOnce) {
  EXPECT_LT(Eval(R"(templatestring("Hello, $${name}!", vars))").fuel, 100u);
  EXPECT_GT(Eval(R"(templatestring(t, vars))").fuel, 1000u);
  options_.optimize = false;
  EXPECT_GT(Eval(R"(templatestring("Hello, $${name}!", vars))").fuel, 1000u);
}

TEST_F(TemplateFunctionTest, Bounds) {
  options_.limits.max_fuel = 5000;
  const std::string at = "limit 0-15 Call to function \"templatestring\": ";
  EXPECT_EQ(Eval(R"(templatestring(join("", [for x in range(200) : t]), vars))").text,
            "limit 0-57 The evaluation needs more than the allowed 5000 steps (limit max_fuel).");
  options_.limits = Limits();
  const auto nested = [&](size_t depth) {
    return Eval("templatestring(\"$${" + std::string(depth, '(') + "name" + std::string(depth, ')') + "}\", vars)")
        .text;
  };
  EXPECT_EQ(nested(20), R"("Bob")");
  const std::string deep = nested(100);
  EXPECT_EQ(deep.rfind(at + "line 1, column ", 0), 0u) << deep;
  EXPECT_NE(deep.find("max_nesting_depth"), std::string::npos) << deep;
  // Inner work is paid for.
  options_.limits.max_fuel = 3000;
  EXPECT_EQ(Eval(R"(templatestring("%%{ for x in range(1000) }$${x}%%{ endfor }", vars))").text.rfind("limit ", 0), 0u);
  options_.limits = Limits();
  options_.limits.max_result_bytes = 10'000;
  EXPECT_EQ(Eval(R"(templatestring("%%{ for x in range(1000) }$${name}$${name}$${name}$${name}%%{ endfor }", vars))")
                .text.rfind("limit ", 0),
            0u);
  // A limit is no error that `try` may drop.
  EXPECT_EQ(Eval(R"(try(templatestring("%%{ for x in range(1000) }$${name}$${name}$${name}%%{ endfor }", vars), 1))")
                .text.rfind("limit ", 0),
            0u);
}

Function Counter(std::shared_ptr<int64_t> count) {
  Function function;
  function.name = "count";
  function.result_type = Type::Number();
  function.pure = false;
  function.state = std::move(count);
  function.body = [](FunctionCall* call, absl::Span<const Value>) {
    auto* const state = static_cast<int64_t*>(const_cast<void*>(call->function().state.get()));
    return Value::Int(++*state);
  };
  return function;
}

// A template calls what the program around it calls, also what is not pure.
TEST_F(TemplateFunctionTest, FunctionsOfTheHost) {
  FunctionRegistryBuilder builder;
  builder.Add(*StandardFunctions()->Find("templatestring"));
  builder.Add(Counter(std::make_shared<int64_t>(0)));
  options_.functions = std::move(builder).Build();
  EXPECT_EQ(Eval(R"(templatestring("$${count()}$${count()}", {}))").text, R"("12")");
  EXPECT_EQ(Eval(R"(templatestring("$${count()}", {}))").text, R"("3")");
  EXPECT_NE(Eval(R"(templatestring("$${upper(\"a\")}", {}))").text.find("Call to unknown function"), std::string::npos);
  // One of the host's own that has this name is left alone.
  Function own = Counter(std::make_shared<int64_t>(40));
  own.name = "templatestring";
  FunctionRegistryBuilder others;
  others.Add(std::move(own));
  options_.functions = std::move(others).Build();
  EXPECT_EQ(Eval("templatestring()").text, "41");
}

}  // namespace
}  // namespace hcl
