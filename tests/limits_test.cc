// Every limit at its edge and one past it, and input that is hostile by its size, through parsing, compiling and
// evaluating. Limits of the parser alone are in hcl/parser_limits_test.cc.

#include "hclvm/base/limits.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using testing_support::Harness;

std::string Repeat(const std::string& text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t n = 0; n < count; ++n) out += text;
  return out;
}

// `source` evaluated under `limits`; only the first diagnostic is shown.
std::string Eval(const std::string& source, const Limits& limits = {}) {
  CompileOptions options;
  options.limits = limits;
  std::string result = Harness(options).Eval(source);
  return result.substr(0, std::min(result.find(';'), size_t{200}));
}

bool IsLimit(const std::string& result) { return result.rfind("limit ", 0) == 0; }

TEST(LimitsTest, SourceBytes) {
  Limits limits;
  limits.max_source_bytes = 5;
  EXPECT_EQ(Eval("1 + 2", limits), "3");
  EXPECT_TRUE(IsLimit(Eval("1 + 22", limits)));
}

TEST(LimitsTest, NestingDepth) {
  Limits limits;
  limits.max_nesting_depth = 4;
  EXPECT_EQ(Eval("((((1))))", limits), "1");
  EXPECT_TRUE(IsLimit(Eval("(((((1)))))", limits)));
  EXPECT_EQ(Eval("[[[[]]]]", limits), "[[[[]]]]");
  EXPECT_TRUE(IsLimit(Eval("[[[[[]]]]]", limits)));
}

// Each attribute has a path, in which the labels around it are repeated.
TEST(LimitsTest, PathsOfAttributes) {
  const auto compile = [](size_t label_bytes, size_t attributes) {
    std::string text = "b \"" + std::string(label_bytes, 'l') + "\" {\n";
    for (size_t n = 0; n < attributes; ++n) text += "a" + std::to_string(n) + " = 1\n";
    Diagnostics diagnostics;
    const auto program = CompileConfig(std::make_shared<const Source>("test", text + "}\n"), {}, &diagnostics);
    EXPECT_EQ(program == nullptr, diagnostics.has_limit());
    return program != nullptr;
  };
  EXPECT_TRUE(compile(100, 10'000));
  EXPECT_TRUE(compile(100'000, 50));
  EXPECT_FALSE(compile(100'000, 1'000));
  EXPECT_FALSE(compile(1'000'000, 100'000));  // they would take 100 GB
}

TEST(LimitsTest, EveryKindOfNestingAtTheDefaultDepth) {
  // What opens, what stands in the middle, what closes.
  const char* kKinds[][3] = {
      {"(", "1", ")"},
      {"[", "1", "]"},
      {"{a = ", "1", "}"},
      {"-", "1", ""},
      {"!", "true", ""},
      {"true ? 1 : ", "1", ""},
      {"[for x in [1] : ", "x", "]"},
      {"{for x in [1] : \"a\" => ", "x", "}"},
      {"\"${", "1", "}\""},
      {"\"a${", "1", "}\""},
      {"%{ if true }", "x", "%{ endif }"},
      {"max(", "1", ")"},
      {"try(", "1", ")"},
      {"ls[", "0", "]"},
  };
  for (const auto& kind : kKinds) {
    for (size_t depth : {size_t{100}, size_t{1'000'000}}) {
      const char* quote = kind[0][0] == '%' ? "\"" : "";
      const std::string source = quote + Repeat(kind[0], depth) + kind[1] + Repeat(kind[2], depth) + quote;
      const std::string result = Eval(source);
      if (depth > 1000) {
        EXPECT_TRUE(IsLimit(result)) << kind[0] << " " << result;
      } else {
        EXPECT_FALSE(IsLimit(result)) << kind[0] << " " << result;
      }
    }
  }
}

TEST(LimitsTest, UnclosedBracketsEndInDiagnostics) {
  for (const char* open : {"(", "[", "{", "\"${", "[for x in ", "{a = "}) {
    EXPECT_NE(Eval(Repeat(open, 1'000'000)).find("limit"), std::string::npos) << open;
  }
}

TEST(LimitsTest, LongChainsAreNotDeep) {
  EXPECT_EQ(Eval("1" + Repeat(" + 1", 1'000'000)), "1000001");
  EXPECT_EQ(Eval("i" + Repeat(" + 1", 1'000'000)), "1000007");
  EXPECT_EQ(Eval("yes" + Repeat(" && yes", 100'000)), "true");
  EXPECT_EQ(Eval("dyn" + Repeat(".a", 100'000)), "{\"$unknown\":\"dynamic\"}");
  EXPECT_EQ(Eval("dyn" + Repeat("[i]", 100'000)), "{\"$unknown\":\"dynamic\"}");
}

TEST(LimitsTest, WideInput) {
  EXPECT_EQ(Eval("length([" + Repeat("i,", 200'000) + "])"), "200000");
  EXPECT_EQ(Eval("max(" + Repeat("1,", 30'000) + "i)"), "7");
  // More arguments than registers.
  EXPECT_TRUE(IsLimit(Eval("max(" + Repeat("i,", 40'000) + "i)")));
  std::string object = "length(keys({", text = "\"";
  for (int n = 0; n < 100'000; ++n) absl::StrAppend(&object, "a", n, " = i\n");
  EXPECT_EQ(Eval(object + "}))"), "100000");
  for (int n = 0; n < 10'000; ++n) text += "${i}-";
  EXPECT_EQ(Eval("length(split(\"-\", " + text + "\"))"), "10001");
}

TEST(LimitsTest, MoreConstantsThanAnOperandCanName) {
  std::string sum = "i";
  for (int n = 0; n < 40'000; ++n) absl::StrAppend(&sum, " + ", n + 1);
  EXPECT_EQ(Eval(sum), "800020007");
}

TEST(LimitsTest, AStringOf100Megabytes) {
  Limits limits;
  const std::string text = Repeat("x", 100'000'000);
  EXPECT_EQ(Eval("\"" + text + "\" == \"\""), "false");
  EXPECT_EQ(Eval("length([\"" + text + "\"])"), "1");
  EXPECT_TRUE(IsLimit(Eval("\"" + text)) || Eval("\"" + text).rfind("error", 0) == 0);
}

TEST(LimitsTest, Diagnostics) {
  CompileOptions options;
  options.limits.max_diagnostics = 3;
  Harness harness(options);
  auto count = [&](const std::string& source) {
    const std::string result = harness.Eval(source);
    return std::count(result.begin(), result.end(), ';') + 1;
  };
  EXPECT_EQ(count("[a1, a2, a3]"), 3);
  EXPECT_EQ(count("[a1, a2, a3, a4, a5]"), 3);
}

TEST(LimitsTest, FuelIsExactAndTheSameEveryTime) {
  // Each step of the loop is three instructions: next, push, jump.
  const char* kSource = "length([for x in [for y in ln : y] : x])";
  Harness harness;
  ASSERT_EQ(harness.Eval(kSource), "3");
  const uint64_t used = harness.fuel_used();
  ASSERT_EQ(harness.Eval(kSource), "3");
  EXPECT_EQ(harness.fuel_used(), used);
  Limits limits;
  limits.max_fuel = used;
  EXPECT_EQ(Eval(kSource, limits), "3");
  limits.max_fuel = used - 1;
  EXPECT_TRUE(IsLimit(Eval(kSource, limits)));
  limits.max_fuel = 0;
  EXPECT_TRUE(IsLimit(Eval("i", limits)));
}

TEST(LimitsTest, WorkIsPaidForByItsSize) {
  Harness harness;
  harness.Eval("length([for x in ln : x])");
  const uint64_t few = harness.fuel_used();
  harness.Eval("length([for x in ln : [for y in ln : [for z in ln : x]]])");
  EXPECT_GT(harness.fuel_used(), few + 9 * 3);
}

TEST(LimitsTest, ResultBytes) {
  Limits limits;
  limits.max_result_bytes = 10'000;
  EXPECT_EQ(Eval("length([for x in ln : x])", limits), "3");
  const std::string hundred = "[for a in [" + Repeat("1,", 100) + "] : a + i]";
  EXPECT_EQ(Eval("length(" + hundred + ")", limits), "100");
  EXPECT_TRUE(IsLimit(Eval("[for x in " + hundred + " : [for y in " + hundred + " : x]]", limits)));
  EXPECT_TRUE(IsLimit(Eval("\"${s}" + std::string(20'000, 'x') + "\"", limits)));
}

// The second run of an evaluator, which writes what the first one has counted, may need less memory than that and fail
// elsewhere. Whatever happens, a program without a value says why.
TEST(LimitsTest, NoEvaluationFailsWithoutAWord) {
  Limits limits;
  for (limits.max_result_bytes = 4000; limits.max_result_bytes < 14'000; limits.max_result_bytes += 100) {
    EXPECT_NE(Eval("try([o[s], concat(range(i * 20), range(i * 18))], o[t])", limits), "") << limits.max_result_bytes;
  }
}

// A limit is nothing that an expression may drop or go on without.
TEST(LimitsTest, AConversionAtALimitIsNoMistake) {
  Limits digits;
  digits.max_number_digits = 1;
  for (const char* source : {"num + 1", "try(num + 1, 5)", "can(tonumber(num))", "try(sum([num]), 5)", "[1, 2][num]",
                             "try(format(\"%d\", num), 5)"}) {
    const std::string result = Eval(source, digits);
    EXPECT_TRUE(IsLimit(result)) << source << ": " << result;
  }
  Limits bytes;
  bytes.max_result_bytes = 60;
  const std::string result = Eval("try(true ? [i] : us[*].tags, 1)", bytes);
  EXPECT_TRUE(IsLimit(result)) << result;
}

TEST(LimitsTest, AValueThatSharesItsPartsIsBoundedByItsTree) {
  // Doubles at each level: 2^60 numbers written out, a few kilobytes in memory.
  std::string source = "[i]";
  for (int n = 0; n < 60; ++n) source = absl::StrCat("[for a in ", source, " : [a, a]]");
  EXPECT_TRUE(IsLimit(Eval(source)));
  EXPECT_TRUE(IsLimit(Eval(source + " == " + source)));
  EXPECT_TRUE(IsLimit(Eval("yes ? " + source + " : []")));
}

TEST(LimitsTest, NumberDigits) {
  Limits limits;
  limits.max_number_digits = 20;
  EXPECT_EQ(Eval("1e19", limits), "10000000000000000000");
  EXPECT_TRUE(IsLimit(Eval("1e20", limits)));
  EXPECT_EQ(Eval("1e10 * 1e9", limits), "10000000000000000000");
  EXPECT_TRUE(IsLimit(Eval("i * 1e10 * 1e10", limits)));
  EXPECT_TRUE(IsLimit(Eval("1e10 * 1e10", limits)));
}

TEST(LimitsTest, ScopesFromJson) {
  JsonReader reader;
  Heap heap;
  Value value;
  JsonError error;
  const size_t depth = heap.limits().max_nesting_depth;
  EXPECT_TRUE(reader.Read(Repeat("[", depth) + Repeat("]", depth), &heap, &value, &error));
  EXPECT_FALSE(reader.Read(Repeat("[", depth + 1) + Repeat("]", depth + 1), &heap, &value, &error));
  EXPECT_TRUE(error.is_limit);
  EXPECT_FALSE(reader.Read(Repeat("[", 1'000'000), &heap, &value, &error));
  EXPECT_FALSE(reader.Read(Repeat("{\"a\":", 1'000'000), &heap, &value, &error));
  EXPECT_TRUE(reader.Read(absl::StrCat("\"", Repeat("x", 100'000'000), "\""), &heap, &value, &error));
}

}  // namespace
}  // namespace hcl
