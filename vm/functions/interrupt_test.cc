// Tests that functions look for a host's wish to stop while they work on a large argument: how often, and that they end
// with a limit when there is one. Looks are counted and not timed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr size_t kBytes = 1 << 20;

std::string Repeated(std::string_view part) {
  std::string text;
  while (text.size() < kBytes) text += part;
  return text;
}

// A call whose argument number `large` is a text that repeats `part`; the others are `other`.
struct Case {
  const char* name;
  size_t large;
  const char* part;
  const char* other;
};

const Case kCases[] = {
    {"base64decode", 0, "YWJj", ""},
    {"base64gzip", 0, "a", ""},
    {"dirname", 0, "a/", ""},
    {"textdecodebase64", 0, "YWJj", "UTF-8"},
    {"textencodebase64", 0, "a", "UTF-16"},
    {"csvdecode", 0, "a\u0301\n", ""},
    {"indent", 1, "a\n", nullptr},
    {"jsonencode", 0, "<", ""},
    {"lower", 0, "\u00c9", ""},
    {"lower", 0, "\u00c9\u0301", ""},
    {"replace", 0, "a", "a"},
    {"replace", 0, "ab", "a"},
    {"split", 1, "a", "a"},
    {"split", 1, "a", ""},
    {"strlen", 0, "a", ""},
    {"strlen", 0, "e\u0301", ""},
    {"strrev", 0, "a", ""},
    {"strrev", 0, "e\u0301 ", ""},
    {"title", 0, "a ", ""},
    {"trim", 1, "abc", ""},
    {"upper", 0, "\u00e9", ""},
    {"urlencode", 0, "<", ""},
    {"yamldecode", 0, "- a\n", ""},
};

std::vector<Value> ArgumentsOf(const Case& test, const Function& function, Arena* arena) {
  const size_t count = function.parameters.size() + (function.variadic ? 1 : 0);
  std::vector<Value> arguments(count, test.other == nullptr ? Value::Int(2) : Value::String(test.other, arena));
  arguments[test.large] = Value::String(Repeated(test.part), arena);
  return arguments;
}

// A charge looks once in 10,000 units at most, and a charge for a whole text once in all. So what is counted are the
// looks of the loops.
TEST(InterruptTest, LoopsLookOnceIn64KiB) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel};
  for (const Case& test : kCases) {
    Heap heap;
    const Function& function = *StandardFunctions()->Find(test.name);
    Fuel fuel(UINT64_MAX, &interrupt);
    FunctionCall call(function, &heap, &fuel);
    InvokeFunction(&call, ArgumentsOf(test, function, heap.arena()));
    EXPECT_GE(fuel.looks(), kBytes / (64 << 10)) << test.name << " of " << test.part << ": " << call.message();
  }
}

// The heap's interrupt is what readers and writers of JSON look at.
TEST(InterruptTest, JsonEndsWithTheLimit) {
  std::atomic<bool> cancel{true};
  Limits limits;
  limits.interrupt = Interrupt{&cancel};
  for (const char* name : {"jsondecode", "jsonencode"}) {
    Heap heap(nullptr, Dialect::kSpec, limits);
    const Function& function = *StandardFunctions()->Find(name);
    // Without fuel nothing but the heap tells.
    FunctionCall call(function, &heap);
    InvokeFunction(&call, {Value::String("[" + Repeated("0,") + "0]", heap.arena())});
    EXPECT_TRUE(call.failed()) << name;
  }
}

TEST(InterruptTest, ListsAreLookedAt) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel};
  for (const char* name : {"distinct", "sort"}) {
    Heap heap;
    std::vector<Value> names;
    for (size_t n = 0; n < 40'000; ++n) names.push_back(Value::String("n" + std::to_string(n), heap.arena()));
    const Function& function = *StandardFunctions()->Find(name);
    Fuel fuel(UINT64_MAX, &interrupt);
    FunctionCall call(function, &heap, &fuel);
    InvokeFunction(&call, {MakeList(Type::String(), names, heap.arena())});
    EXPECT_FALSE(call.failed()) << call.message();
    EXPECT_GE(fuel.looks(), 16u) << name;
  }
}

TEST(InterruptTest, TheCallFailsWithALimit) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel};
  Heap heap;
  const Function& function = *StandardFunctions()->Find("upper");
  Fuel fuel(1'000'000, &interrupt);
  FunctionCall call(function, &heap, &fuel);
  EXPECT_TRUE(call.Charge(1));
  EXPECT_TRUE(call.Look());
  cancel = true;
  EXPECT_TRUE(call.Charge(1)) << "a slice is left";
  EXPECT_FALSE(call.Look());
  EXPECT_TRUE(call.failed() && call.is_limit() && call.out_of_fuel());
  EXPECT_TRUE(fuel.interrupted());
  EXPECT_EQ(fuel.left(), 0u);
}

// Parts are normalized as the whole is.
TEST(InterruptTest, PartsJoinWithoutASeam) {
  const Function& function = *StandardFunctions()->Find("upper");
  for (const char* part : {"e\u0301", "\u1100\u1161\u11a8", "ab\u00e9e\u0323\u0301", "\u0958", "\u304b\u3099 "}) {
    for (size_t shift = 0; shift < 5; ++shift) {
      Heap heap;
      FunctionCall call(function, &heap);
      const std::string text = std::string(shift, '.') + Repeated(part);
      // Unnormalized, as no other value is: what upper makes of it goes through normalization.
      const Value got = InvokeFunction(&call, {Value::StringView(text)});
      std::string want;
      FunctionCall one_call(function, &heap);
      const Value one = InvokeFunction(&one_call, {Value::StringView(part)});
      for (size_t at = shift; at < text.size(); at += std::string_view(part).size()) want += one.AsString();
      ASSERT_EQ(got.AsString(), std::string(shift, '.') + want) << part;
    }
  }
}

}  // namespace
}  // namespace hcl
