#include "vm/functions/conversion_functions.h"

#include "gtest/gtest.h"
#include "vm/functions/function_test_util.h"
#include "vm/functions/standard.h"

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
       R"(["list","dynamic"] {"$unknown":["list","dynamic"]})"},
  });
  EXPECT_EQ(CallForTest("tolist", R"(["x"])").rfind("error in argument 0: ", 0), 0u);
  EXPECT_EQ(CallForTest("tomap", "[[1]]").rfind("error in argument 0: ", 0), 0u);
}

}  // namespace
}  // namespace hcl
