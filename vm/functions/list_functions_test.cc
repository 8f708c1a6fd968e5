#include "hclvm/vm/functions/list_functions.h"

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(ListFunctionsTest, Distinct) {
  CheckFunctionCases({
      {"distinct", R"([["a", "b", "a"]])", R"(["list","string"] ["a","b"])"},
      {"distinct", "[[[1], [2], [1]]]", R"(["list",["tuple",["number"]]] [[1],[2]])"},
      {"distinct", R"([[null, "a", null]])", R"(["list","string"] [null,"a"])"},
      {"distinct", R"([["a long text, not inline", "b", "a long text, not inline", "b", ""]])",
       R"(["list","string"] ["a long text, not inline","b",""])"},
      {"distinct", "[[1.5, 1, 100000000000000000000, 1.5, 100000000000000000000, 1]]",
       R"(["list","number"] [1.5,1,100000000000000000000])"},
      {"distinct", "[[true, false, true]]", R"(["list","bool"] [true,false])"},
      {"distinct", "[[]]", R"(["list","dynamic"] [])"},
      {"distinct", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"(["list","number"] {"$unknown":["list","number"]})"},
  });
}

TEST(ListFunctionsTest, Chunklist) {
  CheckFunctionCases({
      {"chunklist", "[[1, 2, 3], 2]", R"(["list",["list","number"]] [[1,2],[3]])"},
      {"chunklist", "[[1, 2, 3], 0]", R"(["list",["list","number"]] [[1,2,3]])"},
      {"chunklist", "[[1], 1000000000000]", R"(["list",["list","number"]] [[1]])"},
      {"chunklist", "[[], 2]", R"(["list",["list","dynamic"]] [])"},
      {"chunklist", "[[1], -1]", "error in argument 1: the size must be a whole number, and not negative"},
      {"chunklist", R"([{"type": ["list", "number"], "value": [{"$unknown": "number"}]}, 1])",
       R"(["list",["list","number"]] [[{"$unknown":"number"}]])"},
  });
}

TEST(ListFunctionsTest, Compact) {
  CheckFunctionCases({
      {"compact", R"([["a", "", null, "b"]])", R"(["list","string"] ["a","b"])"},
      {"compact", "[[]]", R"(["list","string"] [])"},
      {"compact", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
  });
}

TEST(ListFunctionsTest, Sort) {
  CheckFunctionCases({
      {"sort", R"([["b", "a", "\u00e9", "Z"]])", R"(["list","string"] ["Z","a","b","é"])"},
      {"sort", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"(["list","string"] [{"$unknown":"string"},{"$unknown":"string"}])"},
      {"sort", R"([["b", "a long text, 2", "a long text, no. 1", "b", "", "a long text, 2"]])",
       R"(["list","string"] ["","a long text, 2","a long text, 2","a long text, no. 1","b","b"])"},
      {"sort", R"([["a", null]])", "error: element 1 is null, and null values have no order"},
  });
}

TEST(ListFunctionsTest, Range) {
  CheckFunctionCases({
      {"range", "[3]", R"(["list","number"] [0,1,2])"},
      {"range", "[-2]", R"(["list","number"] [0,-1])"},
      {"range", "[1, 2.5]", R"(["list","number"] [1,2])"},
      {"range", "[3, 1]", R"(["list","number"] [3,2])"},
      {"range", "[0, 1, 0.25]", R"(["list","number"] [0,0.25,0.5,0.75])"},
      {"range", "[1, 1, 0]", R"(["list","number"] [])"},
      {"range", "[1, 2, 0]", "error: a range must not have more than 1024 values"},
      {"range", "[2000]", "error: a range must not have more than 1024 values"},
      {"range", "[1, 2, -1]", "error in argument 1: the step leads away from the end"},
      {"range", "[]", "error: one, two or three arguments are required"},
  });
}

}  // namespace
}  // namespace hcl
