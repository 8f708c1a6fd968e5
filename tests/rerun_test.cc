// Runs of what has changed (Evaluator::Rerun): what is evaluated again, and when it is a whole run. That the answers
// are those of whole runs is tested by tests/slow/rerun_law_test.cc.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// Programs that call `seen(name, value)`, a function that gives its value and writes down its name.
class RerunTest : public testing::Test {
 protected:
  std::shared_ptr<const Program> Compile(const std::string& text, bool is_module = false, bool pure = true) {
    FunctionRegistryBuilder builder;
    CallableOptions callable;
    callable.pure = pure;
    builder.Register(
        "seen",
        [this](const std::string& name, Value value) {
          if (counts_) absl::StrAppend(&seen_, seen_.empty() ? "" : " ", name);
          return value;
        },
        callable);
    CompileOptions options;
    options.functions = std::move(builder).Build();
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("c.hcl", text);
    auto program = is_module ? CompileModule(std::vector<ModuleFile>{{source}}, options, &diagnostics)
                             : CompileConfig(source, options, &diagnostics);
    EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
    return program;
  }

  // The value as JSON, or the diagnostics; behind "|", what has been called.
  std::string Print(const Evaluation& evaluation) {
    std::string text, reason;
    if (!evaluation.ok()) {
      text = testing_support::PrintDiagnostics(evaluation.diagnostics());
    } else if (!AppendJson(evaluation.value(), &text, &reason)) {
      text = reason;
    }
    return absl::StrCat(text, " | ", std::exchange(seen_, ""));
  }
  std::string Set(Evaluator* evaluator, const char* name, const Value& value) {
    const uint32_t slot = *evaluator->program().FindSlot(name);
    evaluator->Bind(slot, value);
    return Print(evaluator->Rerun({slot}));
  }

  Heap heap_;
  std::string seen_;
  bool counts_ = true;
};

TEST_F(RerunTest, EvaluatesWhatReadsTheVariable) {
  Evaluator evaluator(Compile(
      "a = seen(\"a\", x)\nb = seen(\"b\", y)\nk \"l\" {\n  c = seen(\"c\", x + y)\n}\nk \"l\" {\n  d = 1\n}\n"));
  evaluator.Bind("x", Value::Int(1));
  evaluator.Bind("y", Value::Int(2));
  EXPECT_EQ(Print(evaluator.Rerun({})), R"({"a":1,"b":2,"k":{"l":[{"c":3},{"d":1}]}} | a b c)");
  EXPECT_EQ(Print(evaluator.Rerun({})), R"({"a":1,"b":2,"k":{"l":[{"c":3},{"d":1}]}} | )");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(5)), R"({"a":1,"b":5,"k":{"l":[{"c":6},{"d":1}]}} | b c)");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(7)), R"({"a":7,"b":5,"k":{"l":[{"c":12},{"d":1}]}} | a c)");
  evaluator.Bind("x", Value::Int(0));
  evaluator.Bind("y", Value::Int(1));
  const uint32_t both[] = {1, 0, 1};
  EXPECT_EQ(Print(evaluator.Rerun(both)), R"({"a":0,"b":1,"k":{"l":[{"c":1},{"d":1}]}} | a b c)");
  // Behind a run of one entry, nothing is there.
  evaluator.Run(*evaluator.program().FindEntry("a"));
  seen_.clear();
  EXPECT_EQ(Print(evaluator.Rerun({})), R"({"a":0,"b":1,"k":{"l":[{"c":1},{"d":1}]}} | a b c)");
}

// Constants and paths stand in the code of the whole (compiler/body_generator.cc).
TEST_F(RerunTest, EvaluatesPathsBesideConstants) {
  Evaluator evaluator(Compile("a = x\nb = 1\nc = x.y\nd = seen(\"d\", z)\ne = z\nk {\n  f = \"s\"\n  g = z\n}\n"));
  const auto object = [this](int64_t y) {
    const KeyValue pair[] = {{Value::StringView("y"), Value::Int(y)}};
    return MakeObject(pair, heap_.arena());
  };
  evaluator.Bind("x", object(1));
  evaluator.Bind("z", Value::Int(2));
  EXPECT_EQ(Print(evaluator.Run()), R"({"a":{"y":1},"b":1,"c":1,"d":2,"e":2,"k":[{"f":"s","g":2}]} | d)");
  EXPECT_EQ(Set(&evaluator, "x", object(3)), R"({"a":{"y":3},"b":1,"c":3,"d":2,"e":2,"k":[{"f":"s","g":2}]} | )");
  EXPECT_EQ(Set(&evaluator, "z", Value::Int(4)), R"({"a":{"y":3},"b":1,"c":3,"d":4,"e":4,"k":[{"f":"s","g":4}]} | d)");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(5)), "error 17-19 Unsupported attribute | d d");
  EXPECT_EQ(Set(&evaluator, "x", object(6)), R"({"a":{"y":6},"b":1,"c":6,"d":4,"e":4,"k":[{"f":"s","g":4}]} | d)");
}

TEST_F(RerunTest, AFailureIsAWholeRun) {
  Evaluator evaluator(Compile("a = seen(\"a\", x + 1)\nb = seen(\"b\", y + 1)\n"));
  evaluator.Bind("x", Value::Int(1));
  evaluator.Bind("y", Value::Int(2));
  evaluator.Run();
  seen_.clear();
  // `b` is tried, and then the whole runs twice, the second time for the text.
  EXPECT_EQ(Set(&evaluator, "y", Value::Bool(true)), "error 35-36 Invalid operand | a a");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(3)), "error 35-36 Invalid operand | a a");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(4)), R"({"a":4,"b":5} | a b)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(5)), R"({"a":4,"b":6} | b)");
}

TEST_F(RerunTest, WhatIsNotPureIsCalledEachTime) {
  Evaluator evaluator(Compile("a = seen(\"a\", x)\nb = y + 1\nc = z\n", /*is_module=*/false, /*pure=*/false));
  evaluator.Bind("x", Value::Int(1));
  evaluator.Bind("y", Value::Int(2));
  evaluator.Bind("z", Value::Int(3));
  EXPECT_EQ(Print(evaluator.Run()), R"({"a":1,"b":3,"c":3} | a)");
  EXPECT_EQ(Set(&evaluator, "z", Value::Int(4)), R"({"a":1,"b":3,"c":4} | a)");
  // What fails does not call it a second time.
  EXPECT_EQ(Set(&evaluator, "y", Value::Bool(true)), "error 21-22 Invalid operand | a");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(1)), R"({"a":1,"b":2,"c":4} | a)");
}

TEST_F(RerunTest, LocalsThatDoNotDependOnItAreKept) {
  const auto program = Compile(
      "variable \"x\" {}\nvariable \"y\" { type = number }\nlocals {\n  l = seen(\"l\", x)\n  m = seen(\"m\", "
      "\"${local.l}!\")\n"
      "  n = seen(\"n\", y)\n}\na = seen(\"a\", \"${local.m}${y}\")\nb = local.l\nc = seen(\"c\", "
      "\"${local.n}${local.m}\")\n",
      /*is_module=*/true);
  Evaluator evaluator(program);
  evaluator.Bind("x", Value::StringView("x"));
  evaluator.Bind("y", Value::Int(2));
  EXPECT_EQ(Print(evaluator.Run()), R"({"a":"x!2","b":"x","c":"2x!"} | l m a n c)");
  const uint64_t fuel = evaluator.Run().fuel_left();
  seen_.clear();
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(3)), R"({"a":"x!3","b":"x","c":"3x!"} | a n c)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(4)), R"({"a":"x!4","b":"x","c":"4x!"} | a n c)");
  EXPECT_EQ(Set(&evaluator, "x", Value::StringView("z")), R"({"a":"z!4","b":"z","c":"4z!"} | l m a c)");
  // What it would use at most does not grow from run to run.
  uint64_t left = 0;
  for (int n = 0; n < 100; ++n) {
    Set(&evaluator, "y", Value::Int(n));
    if (n > 1) {
      EXPECT_EQ(evaluator.Rerun({}).fuel_left(), left);
    }
    left = evaluator.Rerun({}).fuel_left();
  }
  EXPECT_LE(left, fuel);
  seen_.clear();
}

TEST_F(RerunTest, ValidationsAreLookedAtAgain) {
  Evaluator evaluator(
      Compile("variable \"x\" {\n  type = list(string)\n  validation {\n    condition = y < 3 || x[0] == \"7\"\n"
              "    error_message = \"not so\"\n  }\n}\nvariable \"y\" {}\nlocals {\n  l = y + 1\n}\n"
              "a = seen(\"a\", x[0])\nb = seen(\"b\", local.l)\n",
              /*is_module=*/true));
  const auto list = [this](int64_t n) { return MakeTuple(std::vector<Value>{Value::Int(n)}, heap_.arena()); };
  evaluator.Bind("x", list(1));
  evaluator.Bind("y", Value::Int(2));
  EXPECT_EQ(Print(evaluator.Run()), R"({"a":"1","b":3} | a b)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(1)), R"({"a":"1","b":2} | b)");
  EXPECT_EQ(Set(&evaluator, "x", list(7)), R"({"a":"7","b":2} | a)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(5)), R"({"a":"7","b":6} | b)");
  EXPECT_EQ(Set(&evaluator, "x", list(8)), "error 68-88 Invalid value for variable | ");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(1)), R"({"a":"8","b":2} | a b)");
}

TEST_F(RerunTest, HasTheLimitsOfARun) {
  const auto program = Compile("a = [for i in x : i + 1]\nb = [for i in y : i + 1]\n");
  std::vector<Value> items(20, Value::Int(1));
  const Value few = MakeTuple(absl::MakeConstSpan(items).first(1), heap_.arena());
  const Value many = MakeTuple(items, heap_.arena());
  // Enough for one that is long, and not for both.
  Evaluator free(program);
  free.Bind("x", many);
  free.Bind("y", few);
  Limits limits;
  limits.max_fuel = limits.max_fuel - free.Run().fuel_left() + 10;
  Evaluator evaluator(program, limits);
  evaluator.Bind("x", few);
  evaluator.Bind("y", few);
  EXPECT_EQ(Print(evaluator.Run()), "{\"a\":[2],\"b\":[2]} | ");
  const std::string most = Set(&evaluator, "x", many);
  EXPECT_EQ(most.substr(0, 9), "{\"a\":[2,2");
  const uint32_t slot = *program->FindSlot("y");
  evaluator.Bind(slot, many);
  EXPECT_TRUE(evaluator.Rerun({slot}).diagnostics().has_limit());
  EXPECT_EQ(Set(&evaluator, "y", few), most);
}

// With each amount of fuel, a run tells the same and leaves the same, whatever the evaluator has run before.
TEST_F(RerunTest, FuelDoesNotDependOnEarlierRuns) {
  const char* const configs[] = {
      "a = o.c[1]\nb = o.b\n",                        // attributes that were at other positions
      "a = can(o.c[1])\nb = [for e in [o] : e.c]\n",  // the same in loops and attempts
      "a = y ? {a = []} : {a = x}\n",                 // types that unify
      "a = y ? {a = x, b = 1} : {b = [x]}\n",         // and those that do not
      "a = ((join({a = x}, 1))[0]) ? {a = null} : y ? {a = []} : {a = x}\n",
  };
  JsonReader reader;
  const char* const texts[] = {R"({"o": {"c": [1, 2], "b": 1}, "x": ["a"], "y": true})",
                               R"({"o": {"a": 0, "b": "bee", "c": [4, true]}, "x": ["b"], "y": false})"};
  Value scopes[2];
  for (size_t n = 0; n < 2; ++n) {
    JsonError error;
    ASSERT_TRUE(reader.Read(texts[n], &heap_, &scopes[n], &error)) << error.detail;
  }
  CompileOptions options;
  options.functions = StandardFunctions();
  for (const char* const config : configs) {
    Diagnostics diagnostics;
    const auto program = CompileConfig(std::make_shared<const Source>("c.hcl", config), options, &diagnostics);
    ASSERT_NE(program, nullptr) << config;
    Limits limits;
    bool is_enough = false;
    for (limits.max_fuel = 1; !is_enough && limits.max_fuel < 400; ++limits.max_fuel) {
      Evaluator experienced(program, limits);
      // As another run makes it, so that more is known of it than one with little fuel finds out.
      for (const Value& scope : scopes) {
        experienced.BindAll(scope);
        experienced.Run();
      }
      Evaluator fresh(program, limits);
      fresh.BindAll(scopes[1]);
      const std::string want = Print(fresh.Run());
      const Evaluation& got = experienced.Run();
      EXPECT_EQ(Print(got), want) << config << limits.max_fuel;
      EXPECT_EQ(got.fuel_left(), fresh.Run().fuel_left()) << config << limits.max_fuel;
      is_enough = !got.diagnostics().has_limit();
    }
    EXPECT_TRUE(is_enough) << config;
  }
}

TEST_F(RerunTest, BasesAndLazyVariables) {
  const auto program = Compile("a = seen(\"a\", x)\nb = seen(\"b\", y)\n");
  const BaseText text{std::make_shared<const Source>("d.json", R"({"y": {"z": 1}})"), ""};
  Diagnostics diagnostics;
  const auto base = BaseLayer::Make(program, BaseData::Read({&text, 1}, {}, &diagnostics), {}, &diagnostics);
  Evaluator evaluator(program);
  evaluator.BindBase(base);
  evaluator.Bind("x", Value::Int(1));
  EXPECT_EQ(Print(evaluator.Run()), R"({"a":1,"b":{"z":1}} | a b)");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(2)), R"({"a":2,"b":{"z":1}} | a)");
  // Another base is another scope.
  evaluator.BindBase(nullptr);
  evaluator.Bind("x", Value::Int(2));
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(3)), R"({"a":2,"b":3} | a b)");
  // A callback is asked in each run.
  int calls = 0;
  evaluator.BindLazy("x", [&](LazyCall*) { return Value::Int(++calls); });
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(4)), R"({"a":1,"b":4} | a b)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(5)), R"({"a":2,"b":5} | a b)");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(9)), R"({"a":9,"b":5} | a)");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(6)), R"({"a":9,"b":6} | b)");
}

// What entries of one scope share is made once.
TEST_F(RerunTest, AnotherEntry) {
  const std::string text =
      "variable \"x\" {\n  type = number\n}\nvariable \"y\" {\n  type = number\n}\n"
      "locals {\n  one = seen(\"one\", x)\n  two = seen(\"two\", local.one + 1)\n  bad = seen(\"bad\", [10, 20][5 - "
      "x])\n}\n"
      "a = local.two\nb = [local.one, local.two]\nc = local.bad\nd = y\n";
  for (const bool pure : {true, false}) {
    Evaluator evaluator(Compile(text, /*is_module=*/true, pure));
    const auto run = [&](const char* entry, bool is_first) {
      const uint32_t chunk = evaluator.program().FindEntry(entry)->chunk;
      return Print(is_first ? evaluator.RunChunk(chunk) : evaluator.RunAnother(chunk));
    };
    evaluator.Bind("x", Value::Int(5));
    EXPECT_EQ(run("a", true), "6 | one two");
    EXPECT_EQ(run("b", false), "[5,6] | ");
    EXPECT_EQ(run("c", false), "10 | bad");
    EXPECT_EQ(run("a", false), "6 | ");
    EXPECT_EQ(run("c", false), "10 | ");
    EXPECT_EQ(run("a", true), "6 | one two");
    // Behind one that fails, all is new.
    EXPECT_EQ(run("d", false).substr(0, 6), "error ");
    EXPECT_EQ(run("b", false), "[5,6] | one two");
    evaluator.Bind("y", Value::Int(7));
    EXPECT_EQ(run("a", true), "6 | one two");
    EXPECT_EQ(run("d", false), "7 | ");
    EXPECT_EQ(run("b", false), "[5,6] | ");
    evaluator.Bind("x", Value::Int(1));
    EXPECT_EQ(run("a", true), "2 | one two");
    EXPECT_EQ(run("c", false).substr(0, 6), "error ");
    EXPECT_EQ(run("a", false), "2 | one two");
  }
}

// A local that was made costs nothing more, and one that reaches a limit is made by a run of its own.
TEST_F(RerunTest, AnotherEntryHasLimitsOfItsOwn) {
  counts_ = false;
  const std::string text =
      "locals {\n  long = [for n in [1, 2, 3, 4, 5, 6, 7, 8, 9] : seen(\"n\", \"${n} and a text of some bytes\")]\n}\n"
      "variable \"x\" {\n  type = number\n  default = 1\n}\n"
      "a = [local.long, x]\nb = [x, local.long]\n";
  const auto program = Compile(text, /*is_module=*/true);
  Limits limits;
  Evaluator first(program, limits);
  limits.max_fuel -= first.Run(*program->FindEntry("a")).fuel_left();
  Evaluator evaluator(program, limits);
  EXPECT_TRUE(evaluator.Run(*program->FindEntry("a")).ok());
  const Evaluation& another = evaluator.RunAnother(program->FindEntry("b")->chunk);
  EXPECT_TRUE(another.ok());
  EXPECT_GT(another.fuel_left(), limits.max_fuel / 2);
}

TEST_F(RerunTest, MemoryStaysBounded) {
  counts_ = false;
  Evaluator evaluator(Compile("a = \"${x} and some more text, so that it takes memory\"\nb = y\nc { d = x }\n"));
  evaluator.Bind("y", Value::Int(0));
  evaluator.Bind("x", Value::Int(0));
  evaluator.Run();
  size_t most = 0;
  for (int n = 0; n < 20'000; ++n) {
    const uint32_t slot = *evaluator.program().FindSlot("x");
    evaluator.Bind(slot, Value::Int(n));
    const Evaluation& evaluation = evaluator.Rerun({slot});
    ASSERT_TRUE(evaluation.ok());
    ASSERT_EQ(evaluation.value().values()[0].AsString(),
              absl::StrCat(n, " and some more text, so that it takes memory"));
    most = std::max(most, evaluator.heap()->bytes_reserved());
  }
  EXPECT_LT(most, 400'000u);
}

// What is no config of attributes is a whole run, each time.
TEST_F(RerunTest, AnExpressionIsAWhole) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("e.hcl", "x + y");
  Evaluator evaluator(CompileExpression(source, {}, &diagnostics));
  evaluator.Bind("x", Value::Int(1));
  evaluator.Bind("y", Value::Int(1));
  EXPECT_EQ(Print(evaluator.Run()), "2 | ");
  EXPECT_EQ(Set(&evaluator, "x", Value::Int(5)), "6 | ");
  EXPECT_EQ(Set(&evaluator, "y", Value::Int(7)), "12 | ");
}

}  // namespace
}  // namespace hcl
