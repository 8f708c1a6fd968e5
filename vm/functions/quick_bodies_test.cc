// Quick bodies: what they give is what the body gives for the same arguments, and they serve short ones.

#include "hclvm/vm/functions/quick_bodies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using Random = std::mt19937_64;

constexpr int kCalls = 20'000;

const std::vector<std::string_view>& Names() {
  static const std::vector<std::string_view> names = {"abs",        "element",   "lower",      "max",      "min",
                                                      "strlen",     "substr",    "tobool",     "tonumber", "tostring",
                                                      "trimprefix", "trimspace", "trimsuffix", "upper"};
  return names;
}

std::string RandomText(Random* random) {
  static const std::vector<std::string> parts = {"a", "Z",  "z",  "A",    "@",     "[",    "`",        "{",
                                                 " ", "\t", "\r", "\n",   "0",     "9",    "/",        ":",
                                                 ".", "-",  "12", "true", "false", "\x7f", "\xc3\xa9", "\xcc\x81"};
  std::string text;
  for (size_t n = (*random)() % 9; n > 0; --n) text += parts[(*random)() % parts.size()];
  return text;
}

Value RandomScalar(Random* random, Heap* heap) {
  switch ((*random)() % 8) {
    case 0:
      return Value::Bool((*random)() % 2 == 0);
    case 1:
      return Value::Int(static_cast<int64_t>((*random)() >> (*random)() % 64) * ((*random)() % 2 == 0 ? 1 : -1));
    case 2:
      return Value::Int(static_cast<int64_t>((*random)() % 20) - 4);
    case 3:
      return Value::FromNumber(Number::Inline(static_cast<int64_t>((*random)() % 1000) * 10 + 5, 2));
    case 4:
      return Value::StringView(heap->arena()->CopyString(std::to_string((*random)() >> (*random)() % 64)));
    default:
      return Value::StringView(heap->arena()->CopyString(RandomText(random)));
  }
}

// Elements of one kind make a list as well.
Value RandomSequence(Random* random, Heap* heap) {
  std::vector<Value> elements;
  for (size_t n = (*random)() % 5; n > 0; --n) elements.push_back(RandomScalar(random, heap));
  if ((*random)() % 8 == 0) elements.push_back(Value::StringView("A text of more than fourteen bytes"));
  const bool are_texts =
      std::all_of(elements.begin(), elements.end(), [](const Value& element) { return element.is_string(); });
  return are_texts && (*random)() % 2 == 0 ? MakeList(Type::String(), elements, heap->arena())
                                           : MakeTuple(elements, heap->arena());
}

// As many as a quick body of the function takes.
std::vector<Value> RandomArguments(std::string_view function, size_t count, Random* random, Heap* heap) {
  std::vector<Value> arguments;
  if (function == "element") arguments.push_back(RandomSequence(random, heap));
  while (arguments.size() < count) arguments.push_back(RandomScalar(random, heap));
  return arguments;
}

size_t CountOf(const Function& function) { return function.variadic ? 2 : function.parameters.size(); }

// What the protocol and the body give; null where they fail.
Value Called(const Function& function, const std::vector<Value>& arguments, Heap* heap) {
  Fuel fuel(Limits().max_fuel);
  FunctionCall call(function, heap, &fuel);
  const Value result = InvokeFunction(&call, arguments);
  return call.failed() ? Value() : result;
}

TEST(QuickBodiesTest, GiveWhatTheBodiesGive) {
  Random random(1);
  for (const std::string_view name : Names()) {
    const Function* const function = StandardFunctions()->Find(name);
    ASSERT_NE(function, nullptr) << name;
    ASSERT_EQ(function->quick, internal::QuickBodyOf(name)) << name;
    int served = 0;
    for (int n = 0; n < kCalls; ++n) {
      Heap heap;
      const std::vector<Value> arguments = RandomArguments(name, CountOf(*function), &random, &heap);
      std::vector<Value> quick = arguments;
      if (!function->quick(quick.data(), heap)) {
        EXPECT_TRUE(quick[0].SameBits(arguments[0])) << name;
        continue;
      }
      ++served;
      const Value want = Called(*function, arguments, &heap);
      EXPECT_TRUE(quick[0].SameBits(want)) << name << ": " << (quick[0].is_string() ? quick[0].AsString() : "");
    }
    EXPECT_GT(served, kCalls / 100) << name;
  }
}

// What is no known scalar of the right type goes the usual way, and so does what is too long.
TEST(QuickBodiesTest, LeaveTheRest) {
  Heap heap;
  const Value text = Value::StringView("ABC");
  const std::vector<Value> others = {
      Value::Null(),
      Value::Null(Type::String()),
      Value::Dynamic(),
      Value::Unknown(Type::Number()),
      Mark(text, 1, heap.arena()),
      Mark(Value::Int(1), 1, heap.arena()),
      MakeTuple({}, heap.arena()),
      Value::StringView("A text of more than fourteen bytes"),
  };
  for (const std::string_view name : Names()) {
    const Function& function = *StandardFunctions()->Find(name);
    const bool takes_null = name == "tobool" || name == "tonumber" || name == "tostring";
    for (const Value& other : others) {
      if (takes_null && other.SameBits(Value::Null())) continue;
      for (size_t at = 0; at < CountOf(function); ++at) {
        std::vector<Value> arguments = {text, Value::Int(0), Value::Int(1)};
        if (name == "element") arguments[0] = MakeTuple({&text, 1}, heap.arena());
        if (name == "min" || name == "max") arguments[0] = Value::Int(1);
        if (name == "trimprefix" || name == "trimsuffix") arguments[1] = text;
        if (name == "abs" || name == "tonumber") arguments[0] = Value::Int(1);
        arguments[at] = other;
        EXPECT_FALSE(function.quick(arguments.data(), heap)) << name;
        EXPECT_TRUE(arguments[at].SameBits(other)) << name;
      }
    }
  }
}

TEST(QuickBodiesTest, ConvertNulls) {
  Heap heap;
  for (const std::string_view name : {"tobool", "tonumber", "tostring"}) {
    const Function& function = *StandardFunctions()->Find(name);
    Value argument = Value::Null();
    ASSERT_TRUE(function.quick(&argument, heap)) << name;
    EXPECT_TRUE(argument.SameBits(Called(function, {Value::Null()}, &heap))) << name;
  }
}

TEST(QuickBodiesTest, WritesShortNumbers) {
  Value text;
  for (const int64_t number : {int64_t{0}, int64_t{-1}, int64_t{42}, int64_t{9'999'999'999'999}, int64_t{-12'345}}) {
    EXPECT_TRUE(internal::WriteShortNumber(Value::Int(number), &text));
    EXPECT_EQ(text.AsString(), std::to_string(number));
  }
  EXPECT_FALSE(internal::WriteShortNumber(Value::Int(10'000'000'000'000), &text));
  EXPECT_FALSE(internal::WriteShortNumber(Value::Int(INT64_MIN), &text));
  EXPECT_FALSE(internal::WriteShortNumber(Value::FromNumber(Number::Inline(15, 1)), &text));
  EXPECT_FALSE(internal::WriteShortNumber(Value::StringView("1"), &text));
}

// Only what fails for certain: the body, and what comes before it, say so too.
TEST(QuickBodiesTest, TellsWhatFails) {
  Heap heap(nullptr, Dialect::kSpec, Limits());
  const auto functions = StandardFunctions();
  Random random(3);
  int failures = 0;
  for (const std::string_view name : Names()) {
    const Function& function = *functions->Find(name);
    const internal::FailureTest fails = internal::FailureTestOf(function.quick);
    if (fails == nullptr) continue;
    for (int n = 0; n < kCalls; ++n) {
      const Value items[] = {RandomScalar(&random, &heap), RandomScalar(&random, &heap)};
      const auto any = [&] {
        switch (random() % 5) {
          case 0:
            return Value::Null();
          case 1:
            return MakeTuple(absl::MakeSpan(items, random() % 3), heap.arena());
          case 2:
            return Value::Unknown(Type::Number());
          default:
            return items[random() % 2];
        }
      };
      std::vector<Value> arguments;
      for (size_t p = 0; p < CountOf(function); ++p) arguments.push_back(any());
      if (!fails(arguments.data())) continue;
      ++failures;
      bool has_failed = false;
      for (size_t p = 0; p < arguments.size(); ++p) {
        ConversionError error;
        has_failed |= !Convert(arguments[p], function.parameter(p).type, &heap, &arguments[p], &error);
      }
      FunctionCall call(function, &heap);
      if (!has_failed) InvokeFunction(&call, arguments);
      EXPECT_TRUE(has_failed || call.failed()) << name;
    }
  }
  EXPECT_GT(failures, 1000);
}

// A limit that digits might cross is for the body to look at.
TEST(QuickBodiesTest, ToNumberKeepsToTheLimitOfDigits) {
  Limits limits;
  limits.max_number_digits = 2;
  Heap heap(nullptr, Dialect::kSpec, limits);
  Value text = Value::StringView("123");
  EXPECT_FALSE(internal::QuickBodyOf("tonumber")(&text, heap));
}

}  // namespace
}  // namespace hcl
