#include "vm/functions/sequence_functions.h"

#include "gtest/gtest.h"
#include "vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(SequenceFunctionsTest, Concat) {
  CheckFunctionCases({
      {"concat", R"([["a"], [1, true]])", R"(["tuple",["string","number","bool"]] ["a",1,true])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, {"type": ["list", "number"], "value": [2, 3]}])",
       R"(["list","number"] [1,2,3])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, {"type": ["list", "string"], "value": ["x"]}])",
       R"(["list","string"] ["1","x"])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]}, ["x"]])",
       R"(["tuple",["number","string"]] [1,"x"])"},
      {"concat", R"([{"type": ["list", "number"], "value": [1]},
                     {"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"(["list","number"] {"$unknown":["list","number"]})"},
      {"concat", R"([["a"], {"type": ["tuple", ["bool"]], "value": {"$unknown": ["tuple", ["bool"]]}}])",
       R"(["tuple",["string","bool"]] {"$unknown":["tuple",["string","bool"]]})"},
      {"concat", R"([["a"], {"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"concat", R"([["a"], {"type": ["set", "number"], "value": [1]}])",
       "error in argument 1: a list or tuple is required, not set of number"},
      {"concat", "[[], null]", "error in argument 1: the argument must not be null"},
      {"concat", "[]", "error: at least one argument is required"},
  });
}

}  // namespace
}  // namespace hcl
