#include "hclvm/vm/functions/numeric_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(NumericFunctionsTest, Abs) {
  CheckFunctionCases({
      {"abs", "[-3.5]", R"("number" 3.5)"},
      {"abs", "[0]", R"("number" 0)"},
      {"abs", R"(["-12"])", R"("number" 12)"},
      {"abs", "[-9223372036854775808]", R"("number" 9223372036854775808)"},
      {"abs", R"([{"type": "number", "value": {"$number": "-Inf"}}])", R"("number" {"$number":"+Inf"})"},
      {"abs", "[null]", "error in argument 0: the argument must not be null"},
      {"abs", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("number" {"$unknown":"number"})"},
  });
}

TEST(NumericFunctionsTest, MaxMin) {
  CheckFunctionCases({
      {"max", "[1, 3, 2]", R"("number" 3)"},
      {"max", "[1.5, 1.25, 123456789012345678901234567890]", R"("number" 123456789012345678901234567890)"},
      {"max", R"(["7"])", R"("number" 7)"},
      {"max", "[]", "error: at least one number is required"},
      {"min", "[1, -3, 2]", R"("number" -3)"},
      {"min", R"([0, {"type": "number", "value": {"$number": "-Inf"}}])", R"("number" {"$number":"-Inf"})"},
      {"min", R"([1, {"type": "number", "value": {"$unknown": "number"}}])", R"("number" {"$unknown":"number"})"},
      {"min", "[]", "error: at least one number is required"},
  });
}

TEST(NumericFunctionsTest, Rounding) {
  CheckFunctionCases({
      {"int", "[-2.5]", R"("number" -2)"},
      {"int", "[7]", R"("number" 7)"},
      {"ceil", "[-2.5]", R"("number" -2)"},
      {"ceil", "[2.1]", R"("number" 3)"},
      {"floor", "[-2.5]", R"("number" -3)"},
      {"floor", "[123456789012345678901234567890.5]", R"("number" 123456789012345678901234567890)"},
      {"floor", R"([{"type": "number", "value": {"$number": "-Inf"}}])", R"("number" {"$number":"-Inf"})"},
      {"int", R"([{"type": "number", "value": {"$number": "-Inf"}}])", "error: an infinity has no whole part"},
      {"signum", "[-9]", R"("number" -1)"},
      {"signum", "[0]", R"("number" 0)"},
      {"signum", "[0.5]", "error: a whole number of 64 bits is required"},
  });
}

// A power that may not be exact is no rounded one.
TEST(NumericFunctionsTest, PowersHaveNoMoreDigitsThanAllowed) {
  Limits limits;
  limits.max_number_digits = 35;
  EXPECT_EQ(CallForTest("pow", "[3, 70]", limits), "\"number\" 2503155504993241601315571986085849");
  EXPECT_EQ(CallForTest("pow", "[4611686018427387904, 3]", limits).rfind("limit: ", 0), 0u);
  EXPECT_EQ(CallForTest("pow", "[0.3, 70]", limits).rfind("limit: ", 0), 0u);
}

TEST(NumericFunctionsTest, PowersAndLogarithms) {
  CheckFunctionCases({
      {"pow", "[3, -3]", R"("number" 0.037037037037037035)"},
      {"pow", "[2, 0]", R"("number" 1)"},
      {"pow", "[2, 100]", R"("number" 1267650600228229401496703205376)"},
      {"pow", "[7, 30]", R"("number" 22539340290692258087863249)"},
      {"pow", "[-2.5, 3]", R"("number" -15.625)"},
      {"pow", "[1.1, 2]", R"("number" 1.21)"},
      {"pow", "[0.5, 3]", R"("number" 0.125)"},
      {"pow", "[2, -100]",
       R"("number" 0.0000000000000000000000000000007888609052210118054117285652827862296732064351090230047702789306640625)"},
      {"pow", "[0.2, -2]", R"("number" 25)"},
      {"pow", "[2, 0.5]", R"("number" 1.4142135623730951)"},
      {"pow", "[123456789012345678901234567890, 2]",
       R"("number" 15241578753238836750495351562536198787501905199875019052100)"},
      {"pow", "[3, 1000]", R"("number" {"$number":"+Inf"})"},
      {"pow", "[10, 1000000]", R"("number" {"$number":"+Inf"})"},
      {"pow", "[0, 3]", R"("number" 0)"},
      {"pow", "[0, -1]", R"("number" {"$number":"+Inf"})"},
      {"pow", "[-1, 0.5]", "error: there is no such number"},
      {"log", "[8, 2]", R"("number" 3)"},
      {"log", "[0, 2]", R"("number" {"$number":"-Inf"})"},
      {"log", "[-1, 2]", "error: there is no such number"},
  });
}

TEST(NumericFunctionsTest, ParseInt) {
  CheckFunctionCases({
      {"parseint", R"(["-ff", 16])", R"("number" -255)"},
      {"parseint", R"(["zZ", 62])", R"("number" 2231)"},
      {"parseint", R"(["zZ", 36])", R"("number" 1295)"},
      {"parseint", R"(["000123456789012345678901234567890", 10])", R"("number" 123456789012345678901234567890)"},
      {"parseint", R"(["12", 2])", "error in argument 0: the string is not a whole number in base 2"},
      {"parseint", R"(["", 10])", "error in argument 0: the string is not a whole number in base 10"},
      {"parseint", R"(["-", 10])", "error in argument 0: the string is not a whole number in base 10"},
      {"parseint", R"(["1", 63])", "error in argument 1: the base must be a whole number between 2 and 62"},
      {"parseint", "[1, 10]", "error in argument 0: a string is required, not a number"},
  });
  const std::string digits(161, '9');
  EXPECT_EQ(CallForTest("parseint", "[\"" + digits + "\", 10]"),
            "error in argument 0: the number has more than 160 digits");
}

TEST(NumericFunctionsTest, Sum) {
  CheckFunctionCases({
      {"sum", R"([[0.1, 0.2, "3"]])", R"("number" 3.3)"},
      {"sum", "[[]]", "error in argument 0: at least one number is required"},
      {"sum", "[[1, null]]", "error in argument 0: the elements must not be null"},
      {"sum", "[1]", "error in argument 0: a list, set or tuple is required, not a number"},
      {"sum", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"("number" {"$unknown":"number"})"},
      // An element that no number can be makes it fail, whatever is unknown beside it.
      {"sum", R"([{"type": ["tuple", ["string", "dynamic"]], "value": ["hello", {"$unknown": "dynamic"}]}])",
       "error in argument 0: a number is required, and this text is none"},
      {"sum", R"([{"type": ["tuple", ["dynamic", "string"]], "value": [{"$unknown": "dynamic"}, "hello"]}])",
       "error in argument 0: a number is required, and this text is none"},
      {"sum", R"([{"type": ["tuple", ["dynamic", "number"]], "value": [{"$unknown": "dynamic"}, null]}])",
       "error in argument 0: the elements must not be null"},
      {"sum", R"([{"type": ["tuple", [["object", {"host": "string"}]]], "value": [{"host": {"$unknown": "string"}}]}])",
       "error in argument 0: a number is required, not an object"},
      {"sum", R"([{"type": ["tuple", [["list", "number"]]], "value": [{"$unknown": ["list", "number"]}]}])",
       "error in argument 0: a number is required, not a list of number"},
      {"sum", R"([{"type": ["tuple", ["number", "string"]], "value": [1, {"$unknown": "string"}]}])",
       R"("number" {"$unknown":"number"})"},
  });
}

}  // namespace
}  // namespace hcl
