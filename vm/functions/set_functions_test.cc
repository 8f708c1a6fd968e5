#include "hclvm/vm/functions/set_functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(SetFunctionsTest, Union) {
  CheckFunctionCases({
      {"setunion", R"([["b", "a"], ["c", "a"]])", R"(["set","string"] ["a","b","c"])"},
      {"setunion", R"([[1], ["a"]])", R"(["set","string"] ["1","a"])"},
      {"setunion", "[[], []]", R"(["set","dynamic"] [])"},
      {"setunion", "[[], [1]]", R"(["set","number"] [1])"},
      {"setunion", R"([[1], {"type": ["list", "number"], "value": [{"$unknown": "number"}]}])",
       R"(["set","number"] [1,{"$unknown":"number"}])"},
      {"setunion", R"([["b", "a"], ["b", "a"], ["c"]])", R"(["set","string"] ["a","b","c"])"},
      {"setunion", R"([["a"], []])", R"(["set","string"] ["a"])"},
      {"setunion", R"([[1.5, 20, 3], [100000000000000000000, 3]])",
       R"(["set","number"] [1.5,100000000000000000000,20,3])"},
      {"setunion", R"([["a name that is long, 2", "x"], ["a name that is long, 1", "a name that is long, 2"]])",
       R"(["set","string"] ["a name that is long, 1","a name that is long, 2","x"])"},
      {"setunion", R"([["a"], [["b"]]])", "error: the sets must have compatible element types"},
  });
}

TEST(SetFunctionsTest, IntersectionAndSubtract) {
  CheckFunctionCases({
      {"setintersection", R"([["a", "b"], ["b", "c"], ["b"]])", R"(["set","string"] ["b"])"},
      {"setintersection", "[[[1], [2]], [[2]]]", R"(["set",["tuple",["number"]]] [[2]])"},
      {"setsubtract", R"([["a", "b"], ["b", "c"]])", R"(["set","string"] ["a"])"},
      {"setsubtract", R"([[1, 2], ["2"]])", R"(["set","string"] ["1"])"},
      {"setsubtract", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}, [2]])",
       R"(["set","number"] {"$unknown":["set","number"]})"},
  });
}

TEST(SetFunctionsTest, SelectFromMoreSets) {
  CheckFunctionCases({
      {"setintersection", R"([["a", "b"], []])", R"(["set","string"] [])"},
      {"setintersection", R"([["a"]])", R"(["set","string"] ["a"])"},
      {"setintersection", R"([[{"a": 1}, {"a": 2}], [{"a": 2}, {"a": 3}], [{"a": 2}]])",
       R"(["set",["object",{"a":"number"}]] [{"a":2}])"},
      {"setsubtract", R"([[1, 2.5, 100000000000000000000], [2.5, 7]])",
       R"(["set","number"] [1,100000000000000000000])"},
      {"setsubtract", R"([["a", "b"], ["a", "b"]])", R"(["set","string"] [])"},
      {"setsubtract", R"([["b", "d"], ["a", "b", "c", "e"]])", R"(["set","string"] ["d"])"},
      {"setsubtract", R"([["one long name, 1", "one long name, 2"], ["one long name, 2"]])",
       R"(["set","string"] ["one long name, 1"])"},
      {"setsubtract", R"([[["x", 1], ["y", 2]], [["y", 2], ["z", 3]]])",
       R"(["set",["tuple",["string","number"]]] [["x",1]])"},
      {"setsubtract", R"([[null, "a"], [null]])", R"(["set","string"] ["a"])"},
  });
}

// Two sets of strings are gone through side by side.
TEST(SetFunctionsTest, TwoSetsOfStrings) {
  uint32_t random = 1;
  const auto draw = [&random](size_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % below;
  };
  const auto json_of = [](const std::vector<std::string>& texts) {
    std::string json = "[";
    for (const std::string& text : texts) json.append(json.size() == 1 ? "\"" : ",\"").append(text).append("\"");
    return json + "]";
  };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> lists[2];
    for (std::vector<std::string>& list : lists) {
      for (size_t n = 1 + draw(8); n > 0; --n) {
        list.push_back(std::to_string(draw(9)));
        if (draw(3) == 0) list.back().insert(0, "a name that is long, ");
      }
    }
    const std::set<std::string> a(lists[0].begin(), lists[0].end()), b(lists[1].begin(), lists[1].end());
    std::vector<std::string> want[3];
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want[0]));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want[1]));
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want[2]));
    const char* const kNames[] = {"setintersection", "setsubtract", "setsymmetricdifference"};
    for (size_t n = 0; n < 3; ++n) {
      EXPECT_EQ(CallForTest(kNames[n], "[" + json_of(lists[0]) + "," + json_of(lists[1]) + "]"),
                "[\"set\",\"string\"] " + json_of(want[n]));
    }
  }
}

TEST(SetFunctionsTest, SymmetricDifference) {
  CheckFunctionCases({
      {"setsymmetricdifference", R"([["a"], ["b"], ["c"]])", R"(["set","string"] ["a","b","c"])"},
      {"setsymmetricdifference", R"([[1, 2], [2, 3], [3, 1]])", R"(["set","number"] [])"},
      {"setsymmetricdifference", R"([["a", "b"], ["b", "c"]])", R"(["set","string"] ["a","c"])"},
      {"setsymmetricdifference", R"([["a"], ["a", "b"], ["a"]])", R"(["set","string"] ["a","b"])"},
  });
}

TEST(SetFunctionsTest, Product) {
  CheckFunctionCases({
      {"setproduct", R"([["a", "b"], [1, 2]])",
       R"(["list",["tuple",["string","number"]]] [["a",1],["a",2],["b",1],["b",2]])"},
      {"setproduct", R"([{"type": ["set", "number"], "value": [2, 1]}, ["x"]])",
       R"(["set",["tuple",["number","string"]]] [[1,"x"],[2,"x"]])"},
      {"setproduct", R"([[1, 2], ["a"], [true, false]])",
       R"(["list",["tuple",["number","string","bool"]]] [[1,"a",true],[1,"a",false],[2,"a",true],[2,"a",false]])"},
      {"setproduct", R"([["a"], []])", R"(["list",["tuple",["string","dynamic"]]] [])"},
      {"setproduct", R"([["a"]])", "error: at least two arguments are required"},
      {"setproduct", R"([["a"], 1])", "error in argument 1: a set, list or tuple is required, not a number"},
      {"setproduct", R"([["a", [1]], [1]])", "error in argument 0: all elements must have the same type"},
  });
}

TEST(SetFunctionsTest, ProductsAreBounded) {
  std::string list = "[0";
  for (int i = 1; i < 100; ++i) list += ", " + std::to_string(i);
  list += "]";
  const std::string five = "[" + list + ", " + list + ", " + list + ", " + list + ", " + list + "]";
  EXPECT_EQ(CallForTest("setproduct", five).rfind("limit: ", 0), 0u);
}

}  // namespace
}  // namespace hcl
