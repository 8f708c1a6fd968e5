// Functions whose bodies are programs, by hand-written code.

#include "hclvm/vm/program_function.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ProgramBuilder;
namespace {

using internal::Opcode;

// The program of `a + 1`, with an entry for the variadic variable where it is read instead.
std::shared_ptr<const Program> Increment(const char* variable) {
  ProgramBuilder builder(std::make_shared<const Source>("f", "a + 1"), nullptr, Dialect::kSpec);
  builder.BeginChunk();
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot(variable), {}), {SourceRange{0, 1}});
  const uint16_t one = static_cast<uint16_t>(builder.AddConstant(Value::Int(1)) | internal::kConstantBit);
  builder.Emit(Opcode::kAdd, 0, 0, one, {SourceRange{0, 5}, SourceRange{0, 1}, SourceRange{4, 5}});
  builder.Emit(Opcode::kReturn, 0, 0);
  builder.SetMain(builder.EndChunk(1));
  Diagnostics diagnostics;
  return std::move(builder).FinishVerified(&diagnostics);
}

TEST(ProgramFunction, Calls) {
  const Function function = FunctionOf("f", {"a", "unused"}, std::nullopt, Increment("a"));
  Heap heap;
  Fuel fuel(100);
  FunctionCall call(function, &heap, &fuel);
  const Value arguments[] = {Value::Int(4), Value::Bool(true)};
  EXPECT_TRUE(Identical(InvokeFunction(&call, arguments), Value::Int(5)));
  EXPECT_EQ(fuel.left(), 97u);  // one for each instruction
  EXPECT_TRUE(function.pure);
}

TEST(ProgramFunction, UnknownArguments) {
  const Function function = FunctionOf("f", {"a"}, std::nullopt, Increment("a"));
  Heap heap;
  FunctionCall call(function, &heap);
  const Value arguments[] = {Value::Unknown(Type::String())};
  EXPECT_TRUE(Identical(InvokeFunction(&call, arguments), Value::Unknown(Type::Number())));
}

TEST(ProgramFunction, Failures) {
  Heap heap;
  const Function function = FunctionOf("f", {"a"}, std::nullopt, Increment("a"));
  const Value text[] = {Value::StringView("x")};
  FunctionCall call(function, &heap);
  InvokeFunction(&call, text);
  EXPECT_EQ(call.message().substr(0, 41), "on f line 1, column 1: Invalid operand: U");
  // More arguments are a tuple.
  const Function variadic = FunctionOf("f", {}, "rest", Increment("rest"));
  FunctionCall second(variadic, &heap);
  InvokeFunction(&second, text);
  EXPECT_NE(second.message().find("tuple"), std::string::npos) << second.message();
  Fuel fuel(2);
  FunctionCall third(function, &heap, &fuel);
  const Value number[] = {Value::Int(1)};
  InvokeFunction(&third, number);
  EXPECT_TRUE(third.is_limit());
}

// The program of f(a) for a function of one argument.
std::shared_ptr<const Program> Caller(const char* name, const std::shared_ptr<const FunctionRegistry>& functions) {
  ProgramBuilder builder(std::make_shared<const Source>("g", "f(a)"), functions, Dialect::kSpec);
  builder.BeginChunk();
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot("a"), {}), {SourceRange{2, 3}});
  const uint32_t site =
      builder.AddSite(functions->Find(name), /*prepared=*/nullptr, /*arguments=*/1, /*expand_last=*/false);
  builder.EmitX(Opcode::kCall, 0, site, {SourceRange{0, 4}, SourceRange{0, 2}, SourceRange{3, 4}, SourceRange{2, 3}});
  builder.Emit(Opcode::kReturn, 0, 0);
  builder.SetMain(builder.EndChunk(1));
  Diagnostics diagnostics;
  return std::move(builder).FinishVerified(&diagnostics);
}

// What an evaluator has of a call, again and again: values, failures, limits and interrupts leave nothing behind.
TEST(ProgramFunction, CallsAgain) {
  FunctionRegistryBuilder registry;
  registry.Add(FunctionOf("f", {"a"}, std::nullopt, Increment("a")));
  const auto functions = std::move(registry).Build();
  Limits limits;
  limits.max_fuel = 40;
  Evaluator evaluator(Caller("f", functions), limits);
  std::atomic<bool> stop{false};
  for (int round = 0; round < 3; ++round) {
    evaluator.Bind("a", Value::Int(round));
    EXPECT_TRUE(Identical(evaluator.Run().value(), Value::Int(round + 1)));
    EXPECT_EQ(evaluator.Run().fuel_left(), 31u);  // 3 instructions in each, and 3 for the call
    evaluator.Bind("a", Value::StringView("x"));
    const Evaluation& failed = evaluator.Run();
    ASSERT_EQ(failed.diagnostics().count(), 1u);
    EXPECT_EQ(failed.diagnostics().kept()[0].detail.substr(0, 56),
              "Call to function \"f\" failed: on f line 1, column 1: Inva");
    evaluator.Bind("a", Value::Null());
    EXPECT_FALSE(evaluator.Run().ok());
    evaluator.Bind("a", Value::Unknown(Type::Number()));
    EXPECT_TRUE(evaluator.Run().value().is_unknown());
    Heap marks;
    evaluator.Bind("a", Mark(Value::Int(1), kSensitiveMark, marks.arena()));
    EXPECT_TRUE(Identical(evaluator.Run().value(), Mark(Value::Int(2), kSensitiveMark, marks.arena())));
    Interrupt interrupt;
    interrupt.cancel = &stop;
    evaluator.set_interrupt(interrupt);
    evaluator.Bind("a", Value::Int(5));
    EXPECT_TRUE(Identical(evaluator.Run().value(), Value::Int(6)));
    EXPECT_EQ(evaluator.Run().fuel_left(), 31u);
    stop = true;
    EXPECT_FALSE(evaluator.Run().ok());
    stop = false;
    evaluator.set_interrupt({});
  }
  // More often than runs have numbers.
  evaluator.Bind("a", Value::Int(7));
  for (int n = 0; n < 70'000; ++n) ASSERT_TRUE(evaluator.Run().ok());
  EXPECT_TRUE(Identical(evaluator.Run().value(), Value::Int(8)));
}

// Fuel that ends in the function ends the evaluation.
TEST(ProgramFunction, Fuel) {
  FunctionRegistryBuilder registry;
  registry.Add(FunctionOf("f", {"a"}, std::nullopt, Increment("a")));
  const auto functions = std::move(registry).Build();
  for (uint64_t fuel = 1; fuel < 12; ++fuel) {
    Limits limits;
    limits.max_fuel = fuel;
    Evaluator evaluator(Caller("f", functions), limits);
    for (int round = 0; round < 2; ++round) {
      evaluator.Bind("a", Value::Int(1));
      const Evaluation& evaluation = evaluator.Run();
      EXPECT_EQ(evaluation.ok(), fuel >= 9) << fuel;
      EXPECT_EQ(evaluation.fuel_left(), fuel >= 9 ? fuel - 9 : 0u) << fuel;
    }
  }
}

// A function that calls another of its kind, and more of them than there are places at first.
TEST(ProgramFunction, CallsOthers) {
  std::shared_ptr<const FunctionRegistry> functions;
  for (int n = 0; n < 40; ++n) {
    FunctionRegistryBuilder registry;
    registry.Add(FunctionOf("f", {"a"}, std::nullopt, n == 0 ? Increment("a") : Caller("f", functions)));
    functions = std::move(registry).Build();
  }
  Evaluator evaluator(Caller("f", functions));
  for (int round = 0; round < 3; ++round) {
    evaluator.Bind("a", Value::Int(round));
    EXPECT_TRUE(Identical(evaluator.Run().value(), Value::Int(round + 1)));
    evaluator.Bind("a", Value::StringView("x"));
    EXPECT_EQ(evaluator.Run().diagnostics().count(), 1u);
  }
}

// While a function runs, it has no room for another call of it in the same heap: that one has its own.
TEST(ProgramFunction, InTheMidstOfItself) {
  struct Again {
    const Function* function = nullptr;
    int depth = 0;
  };
  static Again again;
  FunctionRegistryBuilder host;
  Function hook;
  hook.name = "f";
  hook.parameters = {{"a", Type::Dynamic()}};
  hook.pure = false;
  hook.body = [](FunctionCall* call, absl::Span<const Value> arguments) {
    if (again.depth == 3) return arguments[0];
    ++again.depth;
    FunctionCall inner(*again.function, call->heap());
    const Value more[] = {Value::Int(arguments[0].AsInt() + 1)};
    return InvokeFunction(&inner, more);
  };
  host.Add(hook);
  const Function outer = FunctionOf("g", {"a"}, std::nullopt, Caller("f", std::move(host).Build()));
  EXPECT_FALSE(outer.pure);  // as what it calls
  again.function = &outer;
  Heap heap;
  for (int round = 0; round < 2; ++round) {
    again.depth = 0;
    FunctionCall call(outer, &heap);
    const Value one[] = {Value::Int(1)};
    EXPECT_TRUE(Identical(InvokeFunction(&call, one), Value::Int(4)));
  }
  again.function = nullptr;
}

}  // namespace
}  // namespace hcl
