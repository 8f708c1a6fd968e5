#include "vm/functions/numeric_functions.h"

#include "gtest/gtest.h"
#include "vm/functions/function_test_util.h"

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

}  // namespace
}  // namespace hcl
