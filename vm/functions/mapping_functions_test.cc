#include "hclvm/vm/functions/mapping_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(MappingFunctionsTest, KeysValues) {
  CheckFunctionCases({
      {"keys", R"([{"b": 1, "a": true}])", R"(["tuple",["string","string"]] ["a","b"])"},
      {"keys", R"([{}])", R"(["tuple",[]] [])"},
      {"keys", R"([{"type": ["map", "number"], "value": {"b": 1, "a": {"$unknown": "number"}}}])",
       R"(["list","string"] ["a","b"])"},
      {"keys", R"([{"type": ["map", "number"], "value": {"$unknown": ["map", "number"]}}])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
      {"keys", R"([{"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}])",
       R"(["tuple",["string"]] ["a"])"},
      {"keys", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("dynamic" {"$unknown":"dynamic"})"},
      {"keys", "[[1]]", "error in argument 0: a map or object is required, not a tuple"},
      {"values", R"([{"b": 1, "a": true}])", R"(["tuple",["bool","number"]] [true,1])"},
      {"values", R"([{"type": ["map", "number"], "value": {}}])", R"(["list","number"] [])"},
      {"values", R"([{"type": ["map", "number"], "value": {"$unknown": ["map", "number"]}}])",
       R"(["list","number"] {"$unknown":["list","number"]})"},
      {"values", R"([{"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}])",
       R"(["tuple",["number"]] {"$unknown":["tuple",["number"]]})"},
      {"values", "[1]", "error: a map or object is required, not a number"},
  });
}

TEST(MappingFunctionsTest, Lookup) {
  CheckFunctionCases({
      {"lookup", R"([{"a": 1}, "a", "none"])", R"("number" 1)"},
      {"lookup", R"([{"a": 1}, "b", "none"])", R"("string" "none")"},
      {"lookup", R"([{"type": ["map", "number"], "value": {"a": 1}}, "b", "7"])", R"("number" 7)"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"a": "x"}}, "a", "7"])", R"("string" "x")"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"a": null}}, "a", "7"])", R"("string" null)"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"$unknown": ["map", "string"]}}, "a", "7"])",
       R"("string" {"$unknown":"string"})"},
      {"lookup", R"([{"a": 1}, {"type": "string", "value": {"$unknown": "string"}}, true])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"lookup",
       R"([{"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}, "a", 1])",
       R"("number" {"$unknown":"number"})"},
      {"lookup", R"([{"type": ["object", {"a": "number"}], "value": {"a": {"$unknown": "number"}}}, "b", true])",
       R"("bool" {"$unknown":"bool"})"},
      {"lookup", R"([["a"], "a", 1])", "error in argument 0: a map or object is required, not a tuple"},
      {"lookup", R"([{}, null, 1])", "error in argument 1: the argument must not be null"},
      // The default may be anything; it counts only where it is the result.
      {"lookup", R"([{"a": 1}, "b", null])", R"("dynamic" null)"},
      {"lookup", R"([{"a": 1}, "a", null])", R"("number" 1)"},
      {"lookup", R"([{"type": ["map", "number"], "value": {"a": 1}}, "b", null])", R"("number" null)"},
      {"lookup", R"([{"type": ["map", "number"], "value": {"a": 1}}, "b", {"type": "string", "value": null}])",
       R"("number" null)"},
      {"lookup", R"([{"a": 1}, "a", {"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("number" 1)"},
      {"lookup", R"([{"a": 1}, "b", {"type": "string", "value": {"$unknown": "string"}}])",
       R"("string" {"$unknown":"string"})"},
      {"lookup",
       R"([{"type": ["map", "number"], "value": {"a": 1}}, "b", {"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"("number" {"$unknown":"number"})"},
  });
  EXPECT_EQ(CallForTest("lookup", R"([{"type": ["map", "number"], "value": {"a": 1}}, "a", "x"])")
                .rfind("error in argument 2: the default must have the type of the map's elements: ", 0),
            0u);
}

// Without a default the element must be there, also where only the attributes are known.
TEST(MappingFunctionsTest, LookupWithoutDefault) {
  const char* const kNone = "error in argument 1: there is no element with the key \"b\", and no default is given";
  CheckFunctionCases({
      {"lookup", R"([{"a": 1}, "a"])", R"("number" 1)"},
      {"lookup", R"([{"a": null}, "a"])", R"("dynamic" null)"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"a": "x"}}, "a"])", R"("string" "x")"},
      {"lookup", R"([{"a": 1}, "b"])", kNone},
      {"lookup", R"([{"type": ["map", "string"], "value": {"a": "x"}}, "b"])", kNone},
      {"lookup", R"([{"type": ["object", {"a": "number"}], "value": {"a": {"$unknown": "number"}}}, "b"])", kNone},
      {"lookup", R"([{"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}, "b"])",
       kNone},
      {"lookup", R"([{"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}, "a"])",
       R"("number" {"$unknown":"number"})"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"$unknown": ["map", "string"]}}, "b"])",
       R"("string" {"$unknown":"string"})"},
      {"lookup", R"([{"type": ["map", "string"], "value": {"a": {"$unknown": "string"}}}, "b"])",
       R"("string" {"$unknown":"string"})"},
      {"lookup", R"([{"a": 1}, {"type": "string", "value": {"$unknown": "string"}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"lookup", R"([["b"], "b"])", "error in argument 0: a map or object is required, not a tuple"},
      {"lookup", R"([null, "b"])", "error in argument 0: the argument must not be null"},
  });
}

TEST(MappingFunctionsTest, Merge) {
  CheckFunctionCases({
      {"merge", "[]", R"(["object",{}] {})"},
      {"merge", R"([{"a": 1, "b": 2}, {"b": true, "c": 3}])",
       R"(["object",{"a":"number","b":"bool","c":"number"}] {"a":1,"b":true,"c":3})"},
      {"merge", R"([{"b": 1, "d": 2}, {"a": 3, "b": 4, "c": 5, "e": 6}])",
       R"(["object",{"a":"number","b":"number","c":"number","d":"number","e":"number"}] {"a":3,"b":4,"c":5,"d":2,"e":6})"},
      {"merge", R"([{"c": 1}, {}])", R"(["object",{"c":"number"}] {"c":1})"},
      {"merge", R"([{"a": 1}, {"a": 2}, {"a": 3, "b": 4}])", R"(["object",{"a":"number","b":"number"}] {"a":3,"b":4})"},
      {"merge", R"([{"c": 1, "z": 2}, {"a": 3, "c": 4}, {}, {"b": 5, "z": 6}, null, {"c": 7, "d": 8}])",
       R"(["object",{"a":"number","b":"number","c":"number","d":"number","z":"number"}] {"a":3,"b":5,"c":7,"d":8,"z":6})"},
      {"merge", R"([{"a": 1, "a rather long key": 2}, {"a rather long key": 3}, {"a": 4}])",
       R"(["object",{"a":"number","a rather long key":"number"}] {"a":4,"a rather long key":3})"},
      {"merge", R"([{"i": 1}, {"h": 1}, {"g": 1}, {"f": 1}, {"e": 1}, {"d": 1}, {"c": 1}, {"b": 1}, {"a": 1, "i": 2}])",
       R"(["object",{"a":"number","b":"number","c":"number","d":"number","e":"number","f":"number","g":"number","h":"number","i":"number"}] {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":2})"},
      {"merge", R"([{"a": 1}, null])", R"(["object",{"a":"number"}] {"a":1})"},
      {"merge", R"([null, {"type": ["map", "number"], "value": {"a": 1}}, null])",
       R"(["object",{"a":"number"}] {"a":1})"},
      {"merge", R"([{"type": ["map", "number"], "value": {"a": 1}}, {"type": ["map", "number"], "value": {"b": 2}}])",
       R"(["map","number"] {"a":1,"b":2})"},
      {"merge", R"([{"type": ["map", "number"], "value": null}])", R"(["map","number"] {})"},
      {"merge", R"([{"type": ["map", "number"], "value": {"a": 1}}, {"type": ["map", "string"], "value": {"b": "x"}}])",
       R"(["object",{"a":"number","b":"string"}] {"a":1,"b":"x"})"},
      {"merge", R"([{"type": ["map", "number"], "value": {"a": 1}},
                    {"type": ["map", "number"], "value": {"$unknown": ["map", "number"]}}])",
       R"(["map","number"] {"$unknown":["map","number"]})"},
      {"merge",
       R"([{"b": "x"}, {"type": ["object", {"a": "number"}], "value": {"$unknown": ["object", {"a": "number"}]}}])",
       R"(["object",{"a":"number","b":"string"}] {"$unknown":["object",{"a":"number","b":"string"}]})"},
      {"merge", R"([{"b": "x"}, {"type": ["map", "number"], "value": {"$unknown": ["map", "number"]}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"merge", R"([{"b": "x"}, {"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"merge", R"([{"a": 1}, [1]])", "error: the arguments must be maps or objects, not a tuple"},
  });
}

// An argument of unknown type hides the type of the whole, but not that another is no mapping.
TEST(MappingFunctionsTest, MergeOfNullsAndOthers) {
  CheckFunctionCases({
      {"merge", "[null]", R"(["object",{}] {})"},
      {"merge", "[null, [1]]", "error: the arguments must be maps or objects, not a tuple"},
      {"merge", R"([null, {"type": ["map", "number"], "value": {"$unknown": ["map", "number"]}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
  });
}

TEST(MappingFunctionsTest, Zipmap) {
  CheckFunctionCases({
      {"zipmap", R"([["b", "a"], [1, true]])", R"(["object",{"a":"bool","b":"number"}] {"a":true,"b":1})"},
      {"zipmap", R"([["a", "a"], [1, 2]])", R"(["object",{"a":"number"}] {"a":2})"},
      {"zipmap", R"([["a"], {"type": ["list", "number"], "value": [1]}])", R"(["map","number"] {"a":1})"},
      {"zipmap", R"([["a"], [1, 2]])", "error: there is 1 key for 2 values"},
      {"zipmap", R"([["a"], 1])", "error: the values must be a list or tuple, not a number"},
      {"zipmap", R"([[null], [1]])", "error: key 0 is null"},
      {"zipmap", R"([["a"], {"type": ["tuple", ["bool"]], "value": {"$unknown": ["tuple", ["bool"]]}}])",
       R"(["object",{"a":"bool"}] {"$unknown":["object",{"a":"bool"}]})"},
      {"zipmap", R"([{"type": ["list", "string"], "value": [{"$unknown": "string"}]}, [1]])",
       R"("dynamic" {"$unknown":"dynamic"})"},
  });
}

TEST(MappingFunctionsTest, Transpose) {
  const char* const kType = R"(["map",["list","string"]] )";
  const struct {
    const char* arguments;
    const char* want;
  } kRows[] = {
      {R"([{"a": ["x", "y"], "b": ["y"]}])", R"({"x":["a"],"y":["a","b"]})"},
      {R"([{"b": ["x"], "a": ["x", "x"]}])", R"({"x":["a","a","b"]})"},
      {R"([{"a": []}])", "{}"},
      {R"([{}])", "{}"},
      {R"([{"a": [1, true]}])", R"({"1":["a"],"true":["a"]})"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CallForTest("transpose", row.arguments), std::string(kType) + row.want) << row.arguments;
  }
  CheckFunctionCases({
      {"transpose", R"([{"a": "x"}])", "no conversion of argument 0: .a: ..."},
      {"transpose", R"([{"type": ["map", ["list", "string"]], "value": {"a": [null]}}])",
       "error in argument 0: element \"a\" has a null in it"},
      {"transpose", R"([{"type": ["map", ["list", "string"]], "value": {"a": null}}])",
       "error in argument 0: element \"a\" is null"},
      {"transpose", R"([{"type": ["map", ["list", "string"]], "value": {"a": [{"$unknown": "string"}]}}])",
       R"(["map",["list","string"]] {"$unknown":["map",["list","string"]]})"},
      {"transpose", "[null]", "error in argument 0: the argument must not be null"},
  });
}

}  // namespace
}  // namespace hcl
