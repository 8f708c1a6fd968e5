#include "hclvm/vm/functions/sequence_functions.h"

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(SequenceFunctionsTest, Concat) {
  CheckFunctionCases({
      {"concat", R"([["a"], [1, true]])", R"(["tuple",["string","number","bool"]] ["a",1,true])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, {"type": ["list", "number"], "value": [2, 3]}])",
       R"(["list","number"] [1,2,3])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, {"type": ["list", "string"], "value": ["x"]}])",
       R"(["list","string"] ["1","x"])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, ["x"]])", R"(["tuple",["number","string"]] [1,"x"])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]},
                     {"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"(["list","number"] {"$unknown":["list","number"]})"},
      {"concat", R"([["a"], {"type": ["tuple", ["bool"]], "value": {"$unknown": ["tuple", ["bool"]]}}])",
       R"(["tuple",["string","bool"]] {"$unknown":["tuple",["string","bool"]]})"},
      {"concat", R"([["a"], {"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"concat", R"([["a"], {"type": ["set", "number"], "value": [1]}])",
       "error in argument 1: a list or tuple is required, not a set of number"},
      {"concat", "[[], null]", "error in argument 1: the argument must not be null"},
      {"concat", "[]", "error: at least one argument is required"},
  });
}

TEST(SequenceFunctionsTest, Element) {
  CheckFunctionCases({
      {"element", R"([["a", 2], 1])", R"("number" 2)"},
      {"element", R"([["a", 2], 2])", R"("string" "a")"},
      {"element", R"([["a", 2], -1])", R"("number" 2)"},
      {"element", R"([["a", 2], 0.5])", "error: the index must be a whole number"},
      {"element", "[[], 0]", "error: an empty list has no elements"},
      {"element", R"([{"type": ["set", "number"], "value": [1]}, 0])",
       "error: a list or tuple is required, not a set of number"},
      {"element",
       R"([{"type": ["tuple", ["number", "bool"]], "value": {"$unknown": ["tuple", ["number", "bool"]]}}, 3])",
       R"("bool" {"$unknown":"bool"})"},
      {"element", R"([["a", 2], {"type": "number", "value": {"$unknown": "number"}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
  });
}

TEST(SequenceFunctionsTest, Index) {
  CheckFunctionCases({
      {"hasindex", R"([["a"], 0])", R"("bool" true)"},
      {"hasindex", R"([["a"], 1])", R"("bool" false)"},
      {"hasindex", R"([["a"], "0"])", R"("bool" false)"},
      {"hasindex", R"([{"type": ["map", "number"], "value": {"a": 1}}, "a"])", R"("bool" true)"},
      {"hasindex", R"([{"a": 1}, "a"])", "error: a list, map or tuple is required, not an object"},
      {"hasindex", R"([["a"], {"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"("bool" {"$unknown":"bool"})"},
      {"index", R"([["a"], 0])", R"("string" "a")"},
      {"index", R"([{"type": ["map", "number"], "value": {"a": 1}}, "a"])", R"("number" 1)"},
      {"index", R"([["a"], 5])", "error: the collection has no element with that key"},
      {"index", R"([["a"], "0"])", "error: the key must be a number"},
      {"index", R"([{"type": ["tuple", ["number", "bool"]], "value": {"$unknown": ["tuple", ["number", "bool"]]}}, 1])",
       R"("bool" {"$unknown":"bool"})"},
  });
}

TEST(SequenceFunctionsTest, ReverseAndSlice) {
  CheckFunctionCases({
      {"reverse", R"([{"type": ["set", "string"], "value": ["b", {"$unknown": "string"}]}])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
      {"reverse", R"([["a", 2]])", R"(["tuple",["number","string"]] [2,"a"])"},
      {"reverse", R"([{"type": ["set", "number"], "value": [1, 2]}])", R"(["list","number"] [2,1])"},
      {"reverse", R"([{"type": ["tuple", ["number", "bool"]], "value": {"$unknown": ["tuple", ["number", "bool"]]}}])",
       R"(["tuple",["bool","number"]] {"$unknown":["tuple",["bool","number"]]})"},
      {"reverse", "[1]", "error in argument 0: a list or tuple is required, not a number"},
      {"slice", R"([["a", 2, true], 1, 3])", R"(["tuple",["number","bool"]] [2,true])"},
      {"slice", R"([{"type": ["list", "number"], "value": [1, 2]}, 0, 1])", R"(["list","number"] [1])"},
      {"slice", R"([["a"], 1, 1])", R"(["tuple",[]] [])"},
      {"slice", R"([["a"], 0, 2])", "error in argument 2: the end index must not be over the length, 1"},
      {"slice", R"([["a"], 1, 0])", "error in argument 1: the start index must not be over the end index"},
      {"slice", R"([["a"], -1, 0])", "error in argument 1: the start index must be a whole number, and not negative"},
      {"slice",
       R"([{"type": ["tuple", ["number", "bool"]], "value": {"$unknown": ["tuple", ["number", "bool"]]}}, 1, 2])",
       R"(["tuple",["bool"]] {"$unknown":["tuple",["bool"]]})"},
  });
}

TEST(SequenceFunctionsTest, Flatten) {
  CheckFunctionCases({
      {"flatten", R"([[1, [2, [3, []]], null]])", R"(["tuple",["number","number","number","dynamic"]] [1,2,3,null])"},
      {"flatten", R"([[[], [[]]]])", R"(["tuple",[]] [])"},
      {"flatten", R"([[[1, 2], 3, [["a"], 4], {"b": [5]}]])",
       R"(["tuple",["number","number","number","string","number",["object",{"b":["tuple",["number"]]}]]] [1,2,3,"a",4,{"b":[5]}])"},
      {"flatten", R"([{"type": ["list", ["list", "number"]], "value": [[1], {"$unknown": ["list", "number"]}]}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"flatten", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"(["tuple",["number","number"]] [1,{"$unknown":"number"}])"},
      {"flatten", "[1]", "error: a list, set or tuple is required, not a number"},
  });
}

TEST(SequenceFunctionsTest, CoalesceList) {
  CheckFunctionCases({
      {"coalescelist", R"([[], [1], [2]])", R"(["tuple",["number"]] [1])"},
      {"coalescelist", R"([{"type": ["list", "string"], "value": null}, ["a"]])", R"(["tuple",["string"]] ["a"])"},
      {"coalescelist", R"([[], {"type": ["list", "string"], "value": {"$unknown": ["list", "string"]}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"coalescelist", R"([null, ["a"]])", R"(["tuple",["string"]] ["a"])"},
      {"coalescelist", R"([[], null, [1]])", R"(["tuple",["number"]] [1])"},
      {"coalescelist", "[null]", "error: all arguments are null or empty"},
      {"coalescelist", R"([null, "x"])", "error: the arguments must be lists or tuples, not a string"},
      {"coalescelist", R"([{"type": "string", "value": null}, [1]])",
       "error: the arguments must be lists or tuples, not a string"},
      {"coalescelist", "[[], []]", "error: all arguments are null or empty"},
      {"coalescelist", "[[], 1]", "error: the arguments must be lists or tuples, not a number"},
      {"coalescelist", "[]", "error: at least one argument is required"},
  });
}

}  // namespace
}  // namespace hcl
