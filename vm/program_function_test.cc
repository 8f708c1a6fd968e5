// Functions whose bodies are programs, by hand-written code.

#include "hclvm/vm/program_function.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
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

}  // namespace
}  // namespace hcl
