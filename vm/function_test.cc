// The call protocol: what reaches a function's body, and what is decided before.

#include "hclvm/vm/functions/function.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// Returns the number of arguments.
Value Count(FunctionCall*, absl::Span<const Value> arguments) {
  return Value::Int(static_cast<int64_t>(arguments.size()));
}

class FunctionTest : public testing::Test {
 protected:
  FunctionTest() {
    function_.name = "f";
    function_.parameters = {{"a", Type::Dynamic()}, {"b", Type::Dynamic()}};
    function_.result_type = Type::Number();
    function_.body = Count;
  }

  std::string Call(const std::vector<Value>& arguments) {
    FunctionCall call(function_, &heap_);
    const Value value = InvokeFunction(&call, arguments);
    if (call.failed()) return "error " + std::to_string(call.argument()) + ": " + call.message();
    if (value.is_unknown()) return "unknown " + ToTypeSyntax(value.null_or_unknown_type());
    return std::to_string(value.AsInt());
  }

  Heap heap_;
  Function function_;
};

TEST_F(FunctionTest, KnownArgumentsReachTheBody) { EXPECT_EQ(Call({Value::Int(1), Value::Bool(true)}), "2"); }

TEST_F(FunctionTest, NullsNeedPermission) {
  EXPECT_EQ(Call({Value::Int(1), Value::Null()}), "error 1: the argument must not be null");
  function_.parameters[1].allow_null = true;
  function_.parameters[1].allow_dynamic = true;
  EXPECT_EQ(Call({Value::Int(1), Value::Null()}), "2");
}

TEST_F(FunctionTest, AnUnknownArgumentMakesTheResultUnknown) {
  EXPECT_EQ(Call({Value::Unknown(Type::String()), Value::Int(1)}), "unknown number");
  function_.parameters[0].allow_unknown = true;
  EXPECT_EQ(Call({Value::Unknown(Type::String()), Value::Int(1)}), "2");
}

TEST_F(FunctionTest, ADynamicArgumentMakesTheResultDynamic) {
  EXPECT_EQ(Call({Value::Dynamic(), Value::Int(1)}), "unknown any");
  function_.parameters[0].allow_dynamic = true;
  EXPECT_EQ(Call({Value::Dynamic(), Value::Int(1)}), "unknown number");
  // A null before it is still an error, one behind it is not looked at.
  EXPECT_EQ(Call({Value::Null(), Value::Dynamic()}), "error 0: the argument must not be null");
  function_.parameters[0].allow_dynamic = false;
  EXPECT_EQ(Call({Value::Dynamic(), Value::Null()}), "unknown any");
}

TEST_F(FunctionTest, TheRuleDecidesTheResultType) {
  function_.result_type = Type::Dynamic();
  function_.result_type_rule = [](FunctionCall* call, absl::Span<const Value> arguments) -> Type {
    if (arguments[0].is_string()) return call->ArgumentTypeError(0, "strings are not wanted");
    return Type::Bool();
  };
  EXPECT_EQ(Call({Value::Int(1), Value::Unknown(Type::Number())}), "unknown bool");
  EXPECT_EQ(Call({Value::StringView("x"), Value::Unknown(Type::Number())}), "error 0: strings are not wanted");
}

TEST_F(FunctionTest, VariadicParameters) {
  function_.variadic = Parameter{"rest", Type::Dynamic(), /*allow_null=*/true, false, true};
  EXPECT_EQ(Call({Value::Int(1), Value::Int(2), Value::Null(), Value::Int(3)}), "4");
}

TEST_F(FunctionTest, ACallPaysForItsWork) {
  Fuel fuel(10);
  FunctionCall call(function_, &heap_, &fuel);
  EXPECT_TRUE(call.Charge(4));
  EXPECT_TRUE(call.Charge(6));
  EXPECT_EQ(fuel.left(), 0u);
  EXPECT_FALSE(call.failed());
  EXPECT_FALSE(call.Charge(1));
  EXPECT_TRUE(call.failed() && call.is_limit() && call.out_of_fuel());
  FunctionCall unbounded(function_, &heap_);
  EXPECT_TRUE(unbounded.Charge(UINT64_MAX));
}

TEST_F(FunctionTest, TheFirstFailureCounts) {
  function_.body = [](FunctionCall* call, absl::Span<const Value>) {
    call->ArgumentError(1, "first");
    return call->Error("second");
  };
  EXPECT_EQ(Call({Value::Int(1), Value::Int(2)}), "error 1: first");
}

TEST_F(FunctionTest, Registry) {
  FunctionRegistryBuilder builder;
  builder.Add(function_);
  Function other = function_;
  other.name = "a::b";
  builder.Add(other);
  other.parameters.clear();
  builder.Add(other);
  std::shared_ptr<const FunctionRegistry> registry = std::move(builder).Build();
  EXPECT_EQ(registry->Names(), (std::vector<std::string_view>{"a::b", "f"}));
  ASSERT_NE(registry->Find("a::b"), nullptr);
  EXPECT_TRUE(registry->Find("a::b")->parameters.empty());
  EXPECT_EQ(registry->Find("g"), nullptr);
}

}  // namespace
}  // namespace hcl
