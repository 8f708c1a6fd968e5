// C++ callables as functions, called from source text.

#include "hclvm/vm/functions/callable.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using Functions = std::shared_ptr<const FunctionRegistry>;

// The result as typed JSON, or "error " and the details. `u` is an unknown value, `us` an unknown string.
std::string Eval(const std::string& text, const Functions& functions, bool optimize, const Limits& limits = {}) {
  CompileOptions options;
  options.functions = functions;
  options.optimize = optimize;
  auto source = std::make_shared<const Source>("<test>", text);
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  Evaluator evaluator(program, limits);
  evaluator.Bind("u", Value::Dynamic());
  evaluator.Bind("us", Value::Unknown(Type::String()));
  const Evaluation& evaluation = evaluator.Run();
  std::string out;
  if (evaluation.ok()) {
    AppendTypedValueJson(evaluation.value(), evaluator.heap()->types(), &out);
    return out;
  }
  out = "error";
  for (const Diagnostic& d : evaluation.diagnostics().kept()) out += " " + d.detail;
  return out;
}

// The same, folded and not.
std::string Eval(const std::string& text, const Functions& functions) {
  std::string folded = Eval(text, functions, /*optimize=*/true);
  EXPECT_EQ(Eval(text, functions, /*optimize=*/false), folded);
  return folded;
}

template <typename Callable>
Functions Register(Callable callable, const CallableOptions& options = {}) {
  FunctionRegistryBuilder builder;
  builder.Register("f", callable, options);
  return std::move(builder).Build();
}

struct Row {
  const char* text;
  const char* want;
};

template <typename Callable>
void Check(Callable callable, std::initializer_list<Row> rows) {
  const Functions functions = Register(callable);
  for (const Row& row : rows) EXPECT_EQ(Eval(row.text, functions), row.want) << row.text;
}

TEST(CallableTest, Integers) {
  Check([](int64_t a, int64_t b) { return a + b; },
        {{"f(1, 2)", "3"},
         {"f(\"1\", -5)", "-4"},
         {"f(9223372036854775807, 0)", "9223372036854775807"},
         {"f(-9223372036854775808, 0)", "-9223372036854775808"},
         {"f(9223372036854775808, 0)",
          "error Invalid value for \"arg1\" parameter: a whole number from -9223372036854775808 to 9223372036854775807 "
          "is required."},
         {"f(1, 0.5)", "error Invalid value for \"arg2\" parameter: a whole number is required."},
         {"f(1, 1 / 0)", "error Invalid value for \"arg2\" parameter: a whole number is required."},
         {"f(1, \"x\")", "error Invalid value for \"arg2\" parameter: a number is required, and this text is none."},
         {"f(null, 1)", "error Invalid value for \"arg1\" parameter: the argument must not be null."},
         {"f(u, 1)", "{\"$unknown\":\"number\",\"refinement\":{\"not_null\":true}}"},
         {"f(1)", "error Function \"f\" expects 2 arguments. Missing value for \"arg2\"."},
         {"f(1, 2, 3)", "error Function \"f\" expects only 2 arguments."}});
  Check([](uint64_t a) { return a; },
        {{"f(18446744073709551615)", "18446744073709551615"},
         {"f(18446744073709551616)",
          "error Invalid value for \"arg1\" parameter: a whole number from 0 to 18446744073709551615 is required."},
         {"f(-1)",
          "error Invalid value for \"arg1\" parameter: a whole number from 0 to 18446744073709551615 is required."},
         {"f(1.5)", "error Invalid value for \"arg1\" parameter: a whole number is required."}});
  Check([](int a) { return -a; },
        {{"f(2147483647)", "-2147483647"},
         {"f(2147483648)",
          "error Invalid value for \"arg1\" parameter: a whole number from -2147483648 to 2147483647 is required."}});
  Check([](uint8_t a) { return a; },
        {{"f(255)", "255"},
         {"f(256)", "error Invalid value for \"arg1\" parameter: a whole number from 0 to 255 is required."}});
}

TEST(CallableTest, OtherScalars) {
  Check([](bool a) { return !a; }, {{"f(true)", "false"}, {"f(\"false\")", "true"}});
  Check([](double a) { return a / 2; },
        {{"f(0.5)", "0.25"},
         {"f(1e300)",
          "500000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"},
         {"f(1 / 0)", "{\"$number\":\"+Inf\"}"}});
  Check([](double a) { return std::sqrt(a); },
        {{"f(4)", "2"}, {"f(-1)", "error Call to function \"f\" failed: the function's result is not a number."}});
  Check([](std::string_view a) { return std::string(a) + "!"; },
        {{"f(\"short\")", "\"short!\""},
         {"f(\"long enough for the heap\")", "\"long enough for the heap!\""},
         {"f(12)", "\"12!\""},
         {"f(us)", "{\"$unknown\":\"string\",\"refinement\":{\"not_null\":true}}"},
         {"f([])", "error Invalid value for \"arg1\" parameter: a string is required, not a tuple."}});
  Check([](std::string a) { return std::move(a.append("!")); }, {{"f(\"abc\")", "\"abc!\""}});
  Check([](const std::string& a) { return a.size(); }, {{"f(\"abc\")", "3"}});
  Check([](std::string_view a) { return a.substr(1); },
        {{"f(\"abcdefghijklmnopqrstuvw\")", "\"bcdefghijklmnopqrstuvw\""}});
  Check([] { return "constant"; }, {{"f()", "\"constant\""}});
}

TEST(CallableTest, StringResultsAreUtf8InNfc) {
  Check([] { return "e\xcc\x81"; }, {{"f() == \"\xc3\xa9\"", "true"}});
  Check([] { return "\xff"; },
        {{"f()", "error Call to function \"f\" failed: the function's result is not UTF-8 text."}});
}

TEST(CallableTest, Values) {
  Check([](Value a) { return a; },
        {{"f({a = [1, u]})", "{\"a\":[1,{\"$unknown\":\"dynamic\"}]}"},
         {"f(null)", "error Invalid value for \"arg1\" parameter: the argument must not be null."},
         {"f(u)", "{\"$unknown\":\"dynamic\"}"}});
  Check([](const Value& a) { return a.is_string(); }, {{"f(1)", "false"}, {"f(\"\")", "true"}});
  Check([](FunctionCall* call, Value a) { return MakeTuple({a, a}, call->arena()); }, {{"f(1)", "[1,1]"}});
}

TEST(CallableTest, Optional) {
  Check(
      [](std::optional<int64_t> a) { return a ? std::optional<std::string>(std::to_string(*a)) : std::nullopt; },
      {{"f(12)", "\"12\""}, {"f(null)", "null"}, {"f(null) == null", "true"}, {"f(us)", "{\"$unknown\":\"string\"}"}});
  Check([](std::optional<Value> a) { return a.has_value(); }, {{"f(null)", "false"}, {"f([])", "true"}});
  // Nothing may conclude from the result's type that it is not null.
  Check([](int64_t) { return std::optional<bool>(); },
        {{"f(1) == null", "true"}, {"f(us) == null", "{\"$unknown\":\"bool\",\"refinement\":{\"not_null\":true}}"}});
}

TEST(CallableTest, Lists) {
  Check(
      [](const std::vector<int64_t>& a) {
        int64_t sum = 0;
        for (int64_t x : a) sum += x;
        return sum;
      },
      {{"f([1, \"2\", 3])", "6"},
       {"f([])", "0"},
       {"f([1, 0.5])", "error Invalid value for \"arg1\" parameter: [1]: a whole number is required."},
       {"f([1, null])", "error Invalid value for \"arg1\" parameter: [1]: must not be null."},
       {"f([us, 1])", "{\"$unknown\":\"number\",\"refinement\":{\"not_null\":true}}"},
       {"f(u)", "{\"$unknown\":\"number\",\"refinement\":{\"not_null\":true}}"},
       {"f(1)", "error Invalid value for \"arg1\" parameter: a list of number is required, not a number."},
       {"f([[1]])", "error Invalid value for \"arg1\" parameter: [0]: a number is required, not a tuple."}});
  Check([](absl::Span<const std::string_view> a) { return std::vector<std::string>(a.rbegin(), a.rend()); },
        {{"f([\"a\", \"a long enough string\"])", "[\"a long enough string\",\"a\"]"}, {"f([])", "[]"}});
  Check([](std::vector<std::vector<bool>> a) { return a; },
        {{"f([[true], [], [false, true]])", "[[true],[],[false,true]]"},
         {"f([[true], [null]])", "error Invalid value for \"arg1\" parameter: [1][0]: must not be null."}});
  Check(
      [](absl::Span<const std::optional<double>> a) { return std::vector<std::optional<double>>(a.begin(), a.end()); },
      {{"f([0.5, null])", "[0.5,null]"}});
  Check([](absl::Span<const Value> a) { return a.size(); }, {{"f([1, us, null])", "3"}});
  Check([](std::vector<Value> a) { return a; }, {{"f([1, u])", "[1,{\"$unknown\":\"number\"}]"}});
  Check([](Value a) { return std::vector<Value>{a, Value::Bool(true)}; }, {{"f(1)", "[1,true]"}});
  Check([](int n) { return std::vector<std::vector<Value>>(static_cast<size_t>(n)); }, {{"f(2)", "[[],[]]"}});
}

TEST(CallableTest, ListsHaveTheirTypes) {
  const Functions functions = Register([](std::vector<std::string> a) { return a; });
  const Function* function = functions->Find("f");
  EXPECT_EQ(ToTypeSyntax(function->parameters[0].type), "list(string)");
  EXPECT_EQ(ToTypeSyntax(function->result_type), "list(string)");
  EXPECT_EQ(ToTypeSyntax(Register([](std::vector<Value> a) { return a; })->Find("f")->result_type), "any");
}

TEST(CallableTest, VariadicArguments) {
  Check(
      [](std::string_view separator, Variadic<std::string_view> parts) {
        std::string out;
        for (std::string_view part : parts) out.append(separator).append(part);
        return out;
      },
      {{"f(\"-\")", "\"\""},
       {"f(\"-\", \"a\", 1, true)", "\"-a-1-true\""},
       {"f(\"-\", [\"a\", \"b\"]...)", "\"-a-b\""},
       {"f(\"-\", \"a\", null)", "error Invalid value for \"arg2\" parameter: the argument must not be null."},
       {"f()", "error Function \"f\" expects at least 1 argument. Missing value for \"arg1\"."}});
  Check(
      [](Variadic<int64_t> numbers) { return numbers.size(); },
      {{"f(1, 2, 3)", "3"}, {"f(1, 0.5)", "error Invalid value for \"arg1\" parameter: a whole number is required."}});
  Check([](Variadic<Value> values) { return std::vector<Value>(values.begin(), values.end()); },
        {{"f(1, \"a\", [u])", "[1,\"a\",[{\"$unknown\":\"dynamic\"}]]"}});
  Check([](Variadic<std::optional<bool>> values) { return values.empty() || !values.front(); },
        {{"f()", "true"}, {"f(null, true)", "true"}, {"f(true)", "false"}});
}

TEST(CallableTest, Failures) {
  Check(
      [](int64_t a, int64_t b) -> absl::StatusOr<int64_t> {
        if (b == 0) return absl::InvalidArgumentError("nothing can be divided by zero");
        return a / b;
      },
      {{"f(7, 2)", "3"}, {"f(7, 0)", "error Call to function \"f\" failed: nothing can be divided by zero."}});
  Check(
      [](FunctionCall* call, std::string_view text) -> int64_t {
        if (text.empty()) call->ArgumentError(0, "must not be empty");
        return static_cast<int64_t>(text.size());
      },
      {{"f(\"a\")", "1"}, {"f(\"\")", "error Invalid value for \"arg1\" parameter: must not be empty."}});
}

TEST(CallableTest, NamesAndPurity) {
  CallableOptions options;
  options.parameter_names = {"left"};
  options.pure = false;
  const Functions functions = Register([](int64_t a, int64_t b) { return a + b; }, options);
  EXPECT_EQ(Eval("f(0.5, 1)", functions), "error Invalid value for \"left\" parameter: a whole number is required.");
  EXPECT_EQ(Eval("f(1)", functions), "error Function \"f\" expects 2 arguments. Missing value for \"arg2\".");
  EXPECT_FALSE(functions->Find("f")->pure);
}

TEST(CallableTest, NamespacedNames) {
  FunctionRegistryBuilder builder;
  builder.Register("add", [](int64_t a, int64_t b) { return a + b; })
      .Register("math::add", [](int64_t a, int64_t b) { return a * 100 + b; })
      .Register("provider::text::upper", [](std::string_view) { return "UP"; });
  const Functions functions = std::move(builder).Build();
  EXPECT_EQ(Eval("add(1, 2)", functions), "3");
  EXPECT_EQ(Eval("math::add(1, 2)", functions), "102");
  EXPECT_EQ(Eval("math :: add(1, add(1, 1))", functions), "102");
  EXPECT_EQ(Eval("\"${provider::text::upper(\"x\")}!\"", functions), "\"UP!\"");
  EXPECT_EQ(Eval("[for x in [1, 2] : math::add(x, x)]", functions), "[101,202]");
  EXPECT_EQ(Eval("math::sub(1, 2)", functions).rfind("error There is no function named \"math::sub\"", 0), 0u);
}

int64_t Twice(int64_t a) { return 2 * a; }

struct Scaler {
  int64_t factor;
  int64_t operator()(int64_t a) const noexcept { return factor * a; }
};

TEST(CallableTest, FunctionsAndObjects) {
  Check(Twice, {{"f(2)", "4"}});
  Check(&Twice, {{"f(2)", "4"}});
  Check(Scaler{5}, {{"f(2)", "10"}});
}

TEST(CallableTest, TheStateLivesAsLongAsTheProgram) {
  auto shared = std::make_shared<const std::string>("from the capture, on the heap");
  std::weak_ptr<const std::string> alive = shared;
  Functions functions = Register([shared](int64_t n) { return *shared + std::to_string(n); });
  shared.reset();
  CompileOptions options;
  options.functions = functions;
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program =
      CompileExpression(std::make_shared<const Source>("<test>", "f(x)"), options, &diagnostics);
  ASSERT_NE(program, nullptr);
  options.functions.reset();
  functions.reset();
  EXPECT_FALSE(alive.expired());
  {
    Evaluator evaluator(program);
    evaluator.Bind("x", Value::Int(7));
    EXPECT_EQ(evaluator.Run().value().AsString(), "from the capture, on the heap7");
  }
  program.reset();
  EXPECT_TRUE(alive.expired());
}

TEST(CallableTest, ManyThreadsCallOneState) {
  auto calls = std::make_shared<std::atomic<int64_t>>(0);
  CompileOptions options;
  CallableOptions impure;
  impure.pure = false;
  options.functions = Register([calls](int64_t n) { return calls->fetch_add(n); }, impure);
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program =
      CompileExpression(std::make_shared<const Source>("<test>", "f(1)"), options, &diagnostics);
  ASSERT_NE(program, nullptr);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&program] {
      Evaluator evaluator(program);
      for (int n = 0; n < 1000; ++n) ASSERT_TRUE(evaluator.Run().ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls->load(), 4000);
}

TEST(CallableTest, AWarmCallDoesNotAllocate) {
  CompileOptions options;
  options.functions =
      Register([](std::string_view text, absl::Span<const std::string_view> parts, Variadic<int> sizes) {
        return text.size() + parts.size() + sizes.size() > 3 ? text : "";
      });
  Diagnostics diagnostics;
  std::shared_ptr<const Program> program =
      CompileExpression(std::make_shared<const Source>("<test>", "f(x, [x, \"a\"], 1, 2, 3)"), options, &diagnostics);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  evaluator.Bind("x", Value::StringView("a text that is not short"));
  EXPECT_EQ(evaluator.Run().value().AsString(), "a text that is not short");
  const uint64_t before = bench::AllocationCount();
  for (int n = 0; n < 100; ++n) EXPECT_TRUE(evaluator.Run().ok());
  EXPECT_EQ(bench::AllocationCount(), before);
}

TEST(CallableTest, MemoryIsLimited) {
  Limits limits;
  limits.max_result_bytes = 10'000;
  const Functions list = Register([](int n) { return std::vector<bool>(static_cast<size_t>(n)); });
  EXPECT_EQ(Eval("f(100) == null", list, false, limits), "false");
  EXPECT_EQ(Eval("f(1000)", list, false, limits),
            "error Call to function \"f\": the call takes more memory than an evaluation may use (limit "
            "max_result_bytes).");
  const Functions text = Register([](int n) { return std::string(static_cast<size_t>(n), 'x'); });
  EXPECT_EQ(Eval("f(1000) == null", text, false, limits), "false");
  EXPECT_EQ(Eval("f(10001)", text, false, limits), Eval("f(1000)", list, false, limits));
  const Functions arguments = Register([](Variadic<int64_t> numbers) { return numbers.size(); });
  EXPECT_EQ(Eval("f(1, 2, 3, 4)", arguments, false), "4");
  limits.max_result_bytes = 30;
  EXPECT_EQ(Eval("f(1, 2, 3, 4)", arguments, false, limits), Eval("f(1000)", list, false, limits));
}

// What has no meaning is refused at compile time.
static_assert(!internal::ArgumentOf<char>::kSupported);
static_assert(!internal::ArgumentOf<float>::kSupported);
static_assert(!internal::ArgumentOf<const char*>::kSupported);
static_assert(!internal::ArgumentOf<const int*>::kSupported);
static_assert(!internal::ArgumentOf<std::vector<char>>::kSupported);
static_assert(!internal::ArgumentOf<std::optional<std::optional<int>>>::kSupported);
static_assert(!internal::ResultOf<void>::kSupported);
static_assert(!internal::ResultOf<float>::kSupported);
static_assert(internal::VariadicIsLast<int, Variadic<int>>());
static_assert(!internal::VariadicIsLast<Variadic<int>, int>());

}  // namespace
}  // namespace hcl
