// Lazy variables: when callbacks are called, what their failures are, and that limits hold.

#include "hclvm/vm/lazy_variable.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text, bool optimize = true) {
  CompileOptions options;
  options.functions = StandardFunctions();
  options.optimize = optimize;
  Diagnostics diagnostics;
  auto program = CompileExpression(std::make_shared<const Source>("<test>", text), options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, nullptr);
  return program;
}

std::string Print(const Evaluation& evaluation) {
  std::string text, reason;
  if (evaluation.ok()) return AppendJson(evaluation.value(), &text, &reason) ? text : reason;
  for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
    text += (text.empty() ? "" : "; ") + diagnostic.summary + ": " + diagnostic.detail;
  }
  return text;
}

// Counts the calls for each variable of a program. Values are those of a scope in JSON; a variable that it lacks fails.
class Host {
 public:
  Host(const std::string& text, std::string_view scope, bool optimize = true, const Limits& limits = {})
      : evaluator(Compile(text, optimize), limits) {
    Value all;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(scope, &heap_, &all, &error)) << error.detail;
    for (const std::string_view name : evaluator.program().variables()) {
      const int64_t at = all.shape().Find(name);
      std::optional<Value> value;
      if (at >= 0) value = all.values()[static_cast<size_t>(at)];
      evaluator.BindLazy(name, [this, value](LazyCall* call) -> absl::StatusOr<Value> {
        ++calls_[std::string(call->name())];
        if (!value) return absl::NotFoundError("no such row");
        return Clone(*value, call->heap()->arena(), call->heap()->types());
      });
    }
  }

  // The result of a run, and the calls that it has made.
  std::string Run() {
    calls_.clear();
    std::string text = Print(evaluator.Run());
    for (const auto& [name, count] : calls_) text += " " + name + "=" + std::to_string(count);
    return text;
  }

  Evaluator evaluator;

 private:
  Heap heap_;
  std::map<std::string, int> calls_;
};

constexpr char kScope[] = R"({"t": true, "f": false, "n": 5, "s": "text", "o": {"a": 1, "b": {"c": [7, 8]}},
                              "l": [1, 2, 3], "e": [], "null": null})";

TEST(LazyVariableTest, IsReadOnceAndOnlyWhereItIsRead) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"1 + 1", "2"},
      {"n", "5 n=1"},
      {"n + n * n", "30 n=1"},
      {"o.a + o.b.c[1]", "9 o=1"},
      {"t || n > 1", "true t=1"},
      {"f || n > 1", "true f=1 n=1"},
      {"f && o.a == 1", "false f=1"},
      {"o.a == 1 && s == \"text\" && n == 5", "true n=1 o=1 s=1"},
      {"o.a == 2 && s == \"text\" && n == 5", "false o=1"},
      {"t ? tostring(n) : tostring(s)", "\"5\" n=1 t=1"},
      {"f ? tostring(n) : tostring(s)", "\"text\" f=1 s=1"},
      {"t ? \"a${n}\" : \"b${s}\"", "\"a5\" n=1 t=1"},
      {"t ? 100 : o.a", "100 o=1 t=1"},
      {"t ? 100 : tonumber(o.a)", "100 t=1"},
      {"try(o.a, n)", "1 o=1"},
      {"try(o.x, n)", "5 n=1 o=1"},
      {"try(o[s], n)", "5 n=1 o=1 s=1"},
      {"try(o[\"a\"], n)", "1 o=1"},
      {"can(o)", "true o=1"},
      {"can(o.a)", "true o=1"},
      {"can(o.x)", "false o=1"},
      {"[for x in e : n]", "[] e=1"},
      {"[for x in l : x + n]", "[6,7,8] l=1 n=1"},
      {"[for x in l : x if x > 1]", "[2,3] l=1"},
      {"l[*]", "[1,2,3] l=1"},
      {"contains([\"a\", \"text\"], s)", "true s=1"},
      {"\"${s}-${s}\"", "\"text-text\" s=1"},
      {"coalesce(n, 1)", "5 n=1"},
      {"{a = n, (s) = 1}", "{\"a\":5,\"text\":1} n=1 s=1"},
      {"startswith(s, \"te\") ? 1 : 2", "1 s=1"},
      {"length(l) > 2", "true l=1"},
      {"t ? o.a == 1 && s == \"text\" : n == 5", "true o=1 s=1 t=1"},
      {"anytrue([for r in [{when = o.a == 2, then = n}, {when = s == \"text\", then = n}] : r.when])",
       "true n=1 o=1 s=1"},
  };
  for (const auto& each : kCases) {
    Host host(each.text, kScope);
    EXPECT_EQ(host.Run(), each.want) << each.text;
    EXPECT_EQ(host.Run(), each.want) << each.text << ", again";
  }
}

// However it is compiled, and whatever is tried in vain: at most one call in a run.
TEST(LazyVariableTest, AFailureIsADiagnosticOfEachReading) {
  for (const bool optimize : {false, true}) {
    Host one("gone", kScope, optimize);
    EXPECT_EQ(one.Run(),
              "Variable not available: The host could not provide the variable \"gone\": no such row. gone=1");
    Host two("[gone.a, n, gone.b]", kScope, optimize);
    const std::string want = "Variable not available: The host could not provide the variable \"gone\": no such row.";
    EXPECT_EQ(two.Run(), absl::StrCat(want, "; ", want, " gone=1 n=1"));
    const Evaluation& evaluation = two.evaluator.Run();
    ASSERT_EQ(evaluation.diagnostics().kept().size(), 2u);
    EXPECT_EQ(evaluation.diagnostics().kept()[0].code, DiagnosticCode::kVariableNotAvailable);
    EXPECT_EQ(evaluation.diagnostics().kept()[0].subject, (SourceRange{1, 5}));
    EXPECT_EQ(evaluation.diagnostics().kept()[1].subject, (SourceRange{12, 16}));
    Host tried("try(gone.a, n)", kScope, optimize);
    EXPECT_EQ(tried.Run(), "5 gone=1 n=1");
    Host asked("can(gone)", kScope, optimize);
    EXPECT_EQ(asked.Run(), "false gone=1");
    // Something else fails, so that the run has two passes.
    Host other("[n + nosuch, o.nosuch, gone]", R"({"n": 1, "o": {}})", optimize);
    EXPECT_NE(other.Run().find(" gone=1 n=1 nosuch=1 o=1"), std::string::npos);
  }
}

TEST(LazyVariableTest, MessagesShowTheValues) {
  Host host("n + s", kScope);
  const Evaluation& evaluation = host.evaluator.Run();
  ASSERT_EQ(evaluation.diagnostics().kept().size(), 1u);
  ASSERT_EQ(evaluation.diagnostics().kept()[0].values.size(), 1u);
  EXPECT_EQ(evaluation.diagnostics().kept()[0].values[0].text, "\"text\"");
}

TEST(LazyVariableTest, BindingReplacesIt) {
  Host host("n + 1", kScope);
  EXPECT_EQ(host.Run(), "6 n=1");
  host.evaluator.Bind("n", Value::Int(5));  // the same value as it had
  EXPECT_EQ(host.Run(), "6");
  host.evaluator.BindLazy("n", [](LazyCall*) { return Value::Int(8); });
  EXPECT_EQ(host.Run(), "9");
  host.evaluator.BindLazy("n", [](LazyCall*) { return Value::Int(9); });
  EXPECT_EQ(host.Run(), "10");
  host.evaluator.UnbindAll();
  EXPECT_EQ(host.evaluator.Run().diagnostics().kept()[0].code, DiagnosticCode::kUnknownVariable);
  EXPECT_FALSE(host.evaluator.BindLazy("nosuch", [](LazyCall*) { return Value::Int(1); }));
}

TEST(LazyVariableTest, ResultsLiveUntilTheNextRun) {
  Host host("o", R"({"o": {"text": "a text that is too long to be inline", "list": [[1]]}})");
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(host.Run(), R"({"list":[[1]],"text":"a text that is too long to be inline"} o=1)");
  }
}

TEST(LazyVariableTest, MarksAndUnknownsGoOn) {
  Evaluator evaluator(Compile("x ? 1 : 2"));
  evaluator.BindLazy("x", [](LazyCall* call) { return Mark(Value::Bool(true), 1, call->heap()->arena()); });
  EXPECT_EQ(evaluator.Run().value().marks(), 1u);
  evaluator.BindLazy("x", [](LazyCall*) { return Value::Unknown(Type::Bool()); });
  EXPECT_TRUE(evaluator.Run().value().is_unknown());
  evaluator.BindLazy("x", [](LazyCall*) { return Value(); });
  EXPECT_FALSE(evaluator.Run().ok());
}

// Impure functions make a run of one pass.
TEST(LazyVariableTest, ProgramsThatAreNotPureCallOnceARun) {
  FunctionRegistryBuilder builder;
  CallableOptions impure;
  impure.pure = false;
  int count = 0;
  builder.Register(
      "tick", [&count]() -> int64_t { return ++count; }, impure);
  CompileOptions options;
  options.functions = std::move(builder).Build();
  Diagnostics diagnostics;
  Evaluator evaluator(
      CompileExpression(std::make_shared<const Source>("<test>", "tick() + x + nosuch.y"), options, &diagnostics));
  int calls = 0;
  evaluator.BindLazy("x", [&calls](LazyCall*) { return ++calls, Value::Int(1); });
  EXPECT_FALSE(evaluator.Run().ok());
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(evaluator.Run().ok());
  EXPECT_EQ(calls, 2);
}

TEST(LazyVariableTest, FuelHolds) {
  Limits limits;
  limits.max_fuel = 10'000;
  Evaluator evaluator(Compile("[try(x, 0), y]"), limits);
  evaluator.Bind("y", Value::Int(1));
  evaluator.BindLazy("x", [](LazyCall*) { return Value::Int(1); });
  ASSERT_TRUE(evaluator.Run().ok());
  const uint64_t light = evaluator.Run().fuel_left();
  EXPECT_GT(light, 9'000u);
  // What the callback charges, and what its value weighs.
  evaluator.BindLazy("x", [](LazyCall* call) -> absl::StatusOr<Value> {
    EXPECT_TRUE(call->Charge(5'000));
    return Value::Int(1);
  });
  EXPECT_EQ(evaluator.Run().fuel_left(), light - 5'000);
  evaluator.BindLazy("x", [](LazyCall* call) { return MakeValue(std::vector<int>(4'000, 1), call->heap()); });
  EXPECT_EQ(evaluator.Run().fuel_left(), light - 1'000);
  // Too much of either ends the run, and no try() catches that.
  evaluator.BindLazy("x", [](LazyCall* call) -> absl::StatusOr<Value> {
    EXPECT_FALSE(call->Charge(50'000));
    return absl::CancelledError("");
  });
  EXPECT_EQ(
      Print(evaluator.Run()),
      "Evaluation takes too many steps: The evaluation needs more than the allowed 10000 steps (limit max_fuel).");
  evaluator.BindLazy("x", [](LazyCall* call) { return MakeValue(std::vector<int>(40'000, 1), call->heap()); });
  EXPECT_TRUE(evaluator.Run().diagnostics().has_limit());
  // A second pass costs what the first one did.
  Evaluator failing(Compile("x + nosuch"), limits);
  failing.BindLazy("x", [](LazyCall* call) -> absl::StatusOr<Value> {
    EXPECT_TRUE(call->Charge(9'000));
    return Value::Int(1);
  });
  EXPECT_FALSE(failing.Run().diagnostics().has_limit());
  EXPECT_LT(failing.Run().fuel_left(), 1'000u);
}

TEST(LazyVariableTest, MemoryHolds) {
  Limits limits;
  limits.max_result_bytes = 100'000;
  Evaluator evaluator(Compile("[try(x, 0), [for i in range(1000) : i]]"), limits);
  evaluator.BindLazy("x", [](LazyCall* call) { return MakeValue(std::vector<int>(3'000, 1), call->heap()); });
  EXPECT_TRUE(evaluator.Run().ok()) << Print(evaluator.Run());
  evaluator.BindLazy("x", [](LazyCall* call) {
    call->heap()->arena()->Allocate(150'000);  // nobody has asked
    return Value::Int(1);
  });
  EXPECT_TRUE(evaluator.Run().diagnostics().has_limit());
  static const std::vector<int> kMany(50'000, 1);
  Heap heap;
  const Value large = *MakeValue(kMany, &heap);
  evaluator.BindLazy("x", [&](LazyCall*) { return large; });
  EXPECT_TRUE(evaluator.Run().diagnostics().has_limit());
  evaluator.BindLazy("x", [](LazyCall* call) { return MakeValue(kMany, call->heap()); });
  EXPECT_EQ(Print(evaluator.Run()).substr(0, 4), "[0,[");  // the callback has failed, which is no limit of the run
}

TEST(LazyVariableTest, AWishToStopIsNoticedBehindTheCallback) {
  std::atomic<bool> cancel{false};
  Evaluator evaluator(Compile("try(x, 0)"));
  evaluator.set_interrupt(Interrupt{&cancel});
  evaluator.BindLazy("x", [&](LazyCall*) { return cancel = true, Value::Int(1); });
  EXPECT_EQ(Print(evaluator.Run()),
            "Evaluation interrupted: The evaluation was cancelled, or its deadline has passed.");
  cancel = false;
  evaluator.BindLazy("x", [&](LazyCall*) { return Value::Int(1); });
  EXPECT_EQ(Print(evaluator.Run()), "1");
}

TEST(LazyVariableTest, EntriesThatAreNotRunAreNotRead) {
  Diagnostics diagnostics;
  Evaluator evaluator(CompileConfig(std::make_shared<const Source>("<test>", "a = x\nb = y\n"), {}, &diagnostics));
  std::string called;
  for (const char* name : {"x", "y"}) {
    evaluator.BindLazy(name, [&called, name](LazyCall*) { return called += name, Value::Int(1); });
  }
  EXPECT_TRUE(evaluator.Run(*evaluator.program().FindEntry("b")).ok());
  EXPECT_EQ(called, "y");
  EXPECT_TRUE(evaluator.Run().ok());
  EXPECT_EQ(called, "yxy");
}

}  // namespace
}  // namespace hcl
