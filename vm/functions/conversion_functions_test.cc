#include "hclvm/vm/functions/conversion_functions.h"

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl {
namespace {

TEST(ConversionFunctionsTest, ToPrimitive) {
  CheckFunctionCases({
      {"tostring", "[1.50]", R"("string" "1.5")"},
      {"tostring", "[true]", R"("string" "true")"},
      {"tostring", "[null]", R"("string" null)"},
      {"tostring", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("string" {"$unknown":"string"})"},
      {"tostring", R"([{"type": "number", "value": {"$unknown": "number"}}])", R"("string" {"$unknown":"string"})"},
      {"tonumber", R"(["12"])", R"("number" 12)"},
      {"tonumber", R"([{"type": "string", "value": null}])", R"("number" null)"},
      {"tobool", R"(["true"])", R"("bool" true)"},
      {"tobool", R"([false])", R"("bool" false)"},
  });
  const char* const unknown_list = R"([{"type": ["list", "string"], "value": {"$unknown": ["list", "string"]}}])";
  for (const char* arguments : {"[[]]", "[{}]", unknown_list}) {
    EXPECT_EQ(CallForTest("tostring", arguments).rfind("error in argument 0: ", 0), 0u) << arguments;
  }
  EXPECT_EQ(CallForTest("tonumber", R"(["x"])").rfind("error in argument 0: ", 0), 0u);
  EXPECT_EQ(CallForTest("tobool", "[1]").rfind("error in argument 0: ", 0), 0u);
}

// What is left of try and can for their bodies: values without errors.
TEST(ConversionFunctionsTest, TryCanOfValues) {
  CheckFunctionCases({
      {"try", R"([1, "x"])", R"("number" 1)"},
      {"try", "[null]", R"("dynamic" null)"},
      {"try", R"([{"type": ["list", "number"], "value": [{"$unknown": "number"}]}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"try", "[]", "error: at least one argument is required"},
      {"can", "[null]", R"("bool" true)"},
      {"can", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("bool" {"$unknown":"bool"})"},
  });
  EXPECT_EQ(StandardFunctions()->Find("try")->special, Function::Special::kTry);
  EXPECT_EQ(StandardFunctions()->Find("can")->special, Function::Special::kCan);
}

TEST(ConversionFunctionsTest, ToCollection) {
  CheckFunctionCases({
      {"tolist", R"([[1, "a"]])", R"(["list","string"] ["1","a"])"},
      {"tolist", "[[]]", R"(["list","dynamic"] [])"},
      {"toset", "[[2, 1, 2]]", R"(["set","number"] [1,2])"},
      {"tomap", R"([{"a": 1, "b": "x"}])", R"(["map","string"] {"a":"1","b":"x"})"},
      {"tolist", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"(["list","dynamic"] {"$unknown":["list","dynamic"]})"},
      {"tolist", R"([{"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"(["list","number"] {"$unknown":["list","number"]})"},
  });
  EXPECT_EQ(CallForTest("tolist", R"(["x"])").rfind("error in argument 0: ", 0), 0u);
  EXPECT_EQ(CallForTest("tomap", "[[1]]").rfind("error in argument 0: ", 0), 0u);
}

// The compiler turns the type into text.
TEST(ConversionFunctionsTest, Convert) {
  CheckFunctionCases({
      {"convert", R"r([[1, "a"], "list(string)"])r", R"r(["list","string"] ["1","a"])r"},
      {"convert", R"r([{"a": "1", "b": 2}, "object({a = number, b = string})"])r",
       R"r(["object",{"a":"number","b":"string"}] {"a":1,"b":"2"})r"},
      {"convert", R"r([[2, 1, 2], "set(any)"])r", R"r(["set","number"] [1,2])r"},
      {"convert", R"r(["x", "any"])r", R"r("string" "x")r"},
      {"convert", R"r([null, "bool"])r", R"r("bool" null)r"},
      {"convert", R"r([{"type": "dynamic", "value": {"$unknown": "dynamic"}}, "map(bool)"])r",
       R"r(["map","bool"] {"$unknown":["map","bool"]})r"},
      {"convert", R"r(["x", "number"])r", "error in argument 0: ..."},
      {"convert", R"r(["x", "list(strong)"])r", "error in argument 1: not a type: ..."},
      {"convert", R"r(["x", null])r", "error in argument 1: a type is required, as in convert(value, list(string))"},
      {"convert", R"r(["x", 1])r", "error in argument 1: a type is required, as in convert(value, list(string))"},
  });
}

TEST(ConversionFunctionsTest, Type) {
  CheckFunctionCases({
      {"type", "[1]", R"r("string" "number")r"},
      {"type", "[null]", R"r("string" "any")r"},
      {"type", R"r([[1, {"a": true, "b c": null}]])r",
       R"r("string" "tuple([number, object({a = bool, \"b c\" = any})])")r"},
      {"type", R"r([{"type": ["map", "string"], "value": {}}])r", R"r("string" "map(string)")r"},
      {"type", R"r([{"type": ["set", "bool"], "value": {"$unknown": ["set", "bool"]}}])r", R"r("string" "set(bool)")r"},
      {"type", R"r([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])r", R"r("string" {"$unknown":"string"})r"},
      {"type", R"r([{"type": ["tuple", ["dynamic"]], "value": [{"$unknown": "dynamic"}]}])r",
       R"r("string" {"$unknown":"string"})r"},
  });
}

}  // namespace
}  // namespace hcl
