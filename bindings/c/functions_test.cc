// Tests of functions that a host writes in C.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/bindings/c/test_handles.h"

namespace hclvm_test {
namespace {

// What a body does is its context.
struct Behavior {
  hclvm_status status = HCLVM_OK;
  const char* json = nullptr;     // the result
  const char* message = nullptr;  // for hclvm_call_fail()
  int32_t argument = -1;
  uint64_t charge = 0;
  bool throws = false;
  bool gives_argument = false;
  hclvm_evaluator* again = nullptr;  // evaluator to run in the midst of its run
  int calls = 0;
  int freed = 0;
};

hclvm_status Body(hclvm_call* call, void* context, const hclvm_value* const* arguments, size_t count,
                  const hclvm_value** result) {
  auto& behavior = *static_cast<Behavior*>(context);
  ++behavior.calls;
  if (behavior.throws) throw std::runtime_error("against the rules");
  if (behavior.charge != 0 && hclvm_call_charge(call, behavior.charge) != HCLVM_OK) return HCLVM_LIMIT;
  if (behavior.again != nullptr) {
    const hclvm_value* inner;
    EXPECT_EQ(hclvm_evaluator_run(behavior.again, &inner, nullptr), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_evaluator_unbind_all(behavior.again), HCLVM_ARGUMENT);
    hclvm_evaluator_free(behavior.again);  // has no effect
  }
  EXPECT_EQ(hclvm_heap_reset(hclvm_call_heap(call)), HCLVM_ARGUMENT);
  if (behavior.message != nullptr) {
    return hclvm_call_fail(call, behavior.argument, behavior.message, HCLVM_TERMINATED);
  }
  if (behavior.gives_argument && count > 0) *result = arguments[count - 1];
  if (behavior.json != nullptr) {
    EXPECT_EQ(
        hclvm_read_json(hclvm_call_heap(call), behavior.json, HCLVM_TERMINATED, HCLVM_PLAIN_JSON, result, nullptr),
        HCLVM_OK);
  }
  return behavior.status;
}

void Freed(void* context) { ++static_cast<Behavior*>(context)->freed; }

struct Declaration {
  const char* name = "f";
  std::vector<hclvm_parameter> parameters = {};
  const hclvm_parameter* variadic = nullptr;
  const char* result_type = nullptr;
  bool impure = false;
};

hclvm_status Add(hclvm_functions* functions, const Declaration& declaration, Behavior* behavior, hclvm_error** error) {
  hclvm_function function = {};
  function.size = sizeof(function);
  function.name = declaration.name;
  function.parameters = declaration.parameters.data();
  function.parameter_count = declaration.parameters.size();
  function.variadic = declaration.variadic;
  function.result_type = declaration.result_type;
  function.is_impure = declaration.impure ? 1 : 0;
  function.body = Body;
  function.context = behavior;
  function.free_context = Freed;
  return hclvm_functions_add(functions, &function, error);
}

// The JSON of an expression with x = 1, or its first diagnostic.
std::string RunText(std::string_view text, const hclvm_functions* functions) {
  hclvm_compile_options options = {};
  options.size = sizeof(options);
  options.form = HCLVM_EXPRESSION;
  options.functions = functions;
  char* result;
  size_t size;
  hclvm_error* error;
  const hclvm_status status = hclvm_evaluate_json(text.data(), text.size(), &options, R"({"x": 1, "s": "é"})",
                                                  HCLVM_TERMINATED, &result, &size, &error);
  const CError owned(error);
  if (status != HCLVM_OK) {
    hclvm_diagnostic diagnostic = {};
    diagnostic.size = sizeof(diagnostic);
    EXPECT_EQ(hclvm_error_get(error, 0, &diagnostic), HCLVM_OK);
    return Describe(status, error) + " " + diagnostic.detail;
  }
  std::string out(result, size);
  hclvm_free(result);
  return out;
}

std::string RunOne(std::string_view text, const Declaration& declaration, Behavior behavior) {
  hclvm_functions* functions;
  EXPECT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  EXPECT_EQ(Add(functions, declaration, &behavior, nullptr), HCLVM_OK);
  std::string out = RunText(text, functions);
  hclvm_functions_free(functions);
  EXPECT_EQ(behavior.freed, 1) << text;
  return out;
}

Behavior Gives(const char* json) {
  Behavior behavior;
  behavior.json = json;
  return behavior;
}

TEST(CFunctionsTest, Results) {
  const std::vector<hclvm_parameter> kAny = {{"v", nullptr, 0}};
  EXPECT_EQ(RunOne("f(x)", {"f", kAny}, Gives(R"({"a": [1, null]})")), R"({"a":[1,null]})");
  EXPECT_EQ(RunOne("f(x)", {"f", kAny, nullptr, "list(string)"}, Gives("[1, 2]")), R"(["1","2"])");
  EXPECT_EQ(RunOne("f(x)", {"f", kAny, nullptr, "number"}, Gives("null")), "null");
  EXPECT_EQ(RunOne("n::f(x)", {"n::f", kAny}, Gives("1")), "1");
  EXPECT_EQ(RunOne("f()", {"f", {}}, Gives("1")), "1");
  Behavior gives_argument;
  gives_argument.gives_argument = true;
  const hclvm_parameter kText = {"t", "string", 0};
  EXPECT_EQ(RunOne("f(x, 2, s)", {"f", {{"n", "string", 0}}, &kText}, gives_argument), "\"é\"");
  // Constant arguments: called while compiling.
  EXPECT_EQ(RunOne("f(1, 2, 3)", {"f", {{"n", "string", 0}}, &kText}, gives_argument), "\"3\"");
}

TEST(CFunctionsTest, FailuresAreDiagnostics) {
  const std::vector<hclvm_parameter> kAny = {{"v", nullptr, 0}};
  const auto expect = [&](const Declaration& declaration, const Behavior& behavior, std::string_view want) {
    const std::string got = RunOne("f(x)", declaration, behavior);
    EXPECT_EQ(got.substr(0, 10), want.substr(0, 10)) << got;
    EXPECT_NE(got.find(want.substr(11)), std::string::npos) << got;
  };
  Behavior failing;
  failing.message = "is not today's";
  expect({"f", kAny}, failing, "1 HCL4202 is not today's");
  failing.argument = 0;
  expect({"f", kAny}, failing, "1 HCL4201 is not today's");
  failing.argument = 7;
  failing.message = "\xff";
  expect({"f", kAny}, failing, "1 HCL4202 \xef\xbf\xbd");
  Behavior silent;
  silent.status = 77;
  expect({"f", kAny}, silent, "1 HCL4202 it failed without a reason");
  expect({"f", kAny}, Behavior(), "1 HCL4202 it has returned no value");
  expect({"f", kAny, nullptr, "number"}, Gives("\"x\""), "1 HCL4202 its result is wrong");
  Behavior throwing;
  throwing.throws = true;
  expect({"f", kAny}, throwing, "1 HCL4202 it threw an exception");
  Behavior expensive = Gives("1");
  expensive.charge = uint64_t{1} << 60;
  EXPECT_EQ(RunOne("f(x)", {"f", kAny}, expensive).substr(0, 6), "2 HCL9");
  EXPECT_EQ(RunOne("f(null)", {"f", kAny}, Gives("1")).substr(0, 9), "1 HCL4201");
  EXPECT_EQ(RunOne("f(null)", {"f", {{"v", nullptr, HCLVM_ALLOW_NULL}}}, Gives("1")), "1");
}

TEST(CFunctionsTest, WrongDeclarationsLeaveTheContext) {
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  const Declaration kWrong[] = {
      {nullptr},
      {""},
      {"a b"},
      {"a::"},
      {"\xff"},
      {"f", {{nullptr, "number", 0}}},
      {"f", {{"\xff", "number", 0}}},
      {"f", {{"v", "numbr", 0}}},
      {"f", {{"v", "number", 4}}},
      {"f", {}, nullptr, "list"},
  };
  Behavior behavior;
  for (const Declaration& declaration : kWrong) {
    hclvm_error* error;
    EXPECT_EQ(Add(functions, declaration, &behavior, &error), HCLVM_ARGUMENT);
    EXPECT_EQ(hclvm_error_count(error), 1u);
    hclvm_error_free(error);
  }
  hclvm_functions_free(functions);
  EXPECT_EQ(behavior.freed, 0);
}

// The program keeps the function when the set is gone, and the context is freed when nothing can call it any more.
TEST(CFunctionsTest, TheContextLivesAsLongAsNeeded) {
  Behavior behavior = Gives("1");
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  ASSERT_EQ(Add(functions, {"f", {}, nullptr, nullptr, true}, &behavior, nullptr), HCLVM_OK);
  {
    const Program program("f()", HCLVM_EXPRESSION, functions);
    const Evaluator evaluator(program.get());
    behavior.again = evaluator.get();
    hclvm_functions_free(functions);
    EXPECT_EQ(behavior.calls, 0);
    const hclvm_value* result;
    EXPECT_EQ(hclvm_evaluator_run(evaluator.get(), &result, nullptr), HCLVM_OK);
    EXPECT_EQ(Json(result), "1");
    EXPECT_EQ(behavior.freed, 0);
  }
  EXPECT_EQ(behavior.freed, 1);
  EXPECT_EQ(behavior.calls, 1);
}

TEST(CFunctionsTest, FamiliesAndLaterFunctions) {
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  EXPECT_EQ(RunText("upper(s)", functions).substr(0, 6), "1 HCL3");
  ASSERT_EQ(hclvm_functions_add_family(functions, HCLVM_STRING_FUNCTIONS, nullptr), HCLVM_OK);
  EXPECT_EQ(RunText("upper(s)", functions), "\"É\"");
  EXPECT_EQ(RunText("abs(x)", functions).substr(0, 6), "1 HCL3");
  Behavior behavior = Gives("2");
  ASSERT_EQ(Add(functions, {"upper", {{"v", nullptr, 0}}}, &behavior, nullptr), HCLVM_OK);
  EXPECT_EQ(RunText("upper(s)", functions), "2");
  ASSERT_EQ(hclvm_functions_add_family(functions, HCLVM_ALL_FUNCTIONS, nullptr), HCLVM_OK);
  EXPECT_EQ(RunText("[upper(s), abs(x), sha1(s) != \"\", can(x)]", functions), "[\"É\",1,true,true]");
  for (int32_t family = HCLVM_NUMERIC_FUNCTIONS; family <= HCLVM_TYPE_FUNCTIONS; ++family) {
    EXPECT_EQ(hclvm_functions_add_family(functions, family, nullptr), HCLVM_OK);
  }
  EXPECT_EQ(hclvm_functions_add_family(functions, HCLVM_TYPE_FUNCTIONS + 1, nullptr), HCLVM_ARGUMENT);
  EXPECT_EQ(hclvm_functions_add_family(functions, -1, nullptr), HCLVM_ARGUMENT);
  hclvm_functions_free(functions);
  EXPECT_EQ(behavior.freed, 1);
}

// Threads share a set and a program, each with an evaluator of its own.
TEST(CFunctionsTest, ManyThreads) {
  hclvm_functions* functions;
  ASSERT_EQ(hclvm_functions_new(&functions, nullptr), HCLVM_OK);
  ASSERT_EQ(hclvm_functions_add_family(functions, HCLVM_ALL_FUNCTIONS, nullptr), HCLVM_OK);
  const Program shared("[for i in range(n) : upper(\"a${i}\")]", HCLVM_EXPRESSION, functions);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Program own("n + 1", HCLVM_EXPRESSION, functions);
      const Evaluator evaluator(shared.get());
      for (int i = 0; i < 50; ++i) {
        const char* result;
        size_t size;
        ASSERT_EQ(hclvm_evaluator_run_json(evaluator.get(), R"({"n": 2})", HCLVM_TERMINATED, &result, &size, nullptr),
                  HCLVM_OK);
        EXPECT_EQ(std::string(result, size), R"(["A0","A1"])");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  hclvm_functions_free(functions);
}

}  // namespace
}  // namespace hclvm_test
