#include "hclvm/vm/functions/search_functions.h"

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(SearchFunctionsTest, AllAndAny) {
  CheckFunctionCases({
      {"alltrue", "[[]]", R"("bool" true)"},
      {"alltrue", "[[true, true]]", R"("bool" true)"},
      {"alltrue", R"([["true", false]])", R"("bool" false)"},
      {"alltrue", R"([{"type": ["list", "bool"], "value": [true, null]}])", R"("bool" false)"},
      {"alltrue", R"([{"type": ["list", "bool"], "value": [{"$unknown": "bool"}, true]}])",
       R"("bool" {"$unknown":"bool"})"},
      {"alltrue", R"([{"type": ["list", "bool"], "value": [{"$unknown": "bool"}, false]}])", R"("bool" false)"},
      {"alltrue", R"([{"type": ["set", "bool"], "value": [true]}])", R"("bool" true)"},
      {"alltrue", "[null]", "error in argument 0: the argument must not be null"},
      {"alltrue", R"([["x"]])", "no conversion of argument 0: [0]: ..."},
      {"anytrue", "[[]]", R"("bool" false)"},
      {"anytrue", "[[false, true]]", R"("bool" true)"},
      {"anytrue", R"([{"type": ["list", "bool"], "value": [null, false]}])", R"("bool" false)"},
      {"anytrue", R"([{"type": ["list", "bool"], "value": [{"$unknown": "bool"}, false]}])",
       R"("bool" {"$unknown":"bool"})"},
      {"anytrue", R"([{"type": ["list", "bool"], "value": [{"$unknown": "bool"}, true]}])", R"("bool" true)"},
      {"anytrue", R"([{"type": ["list", "bool"], "value": {"$unknown": ["list", "bool"]}}])",
       R"("bool" {"$unknown":"bool"})"},
  });
}

TEST(SearchFunctionsTest, One) {
  CheckFunctionCases({
      {"one", "[[]]", R"("dynamic" null)"},
      {"one", "[[7]]", R"("number" 7)"},
      {"one", "[[1, 2]]", "error in argument 0: at most one element is allowed, not 2"},
      {"one", R"([{"type": ["list", "string"], "value": []}])", R"("string" null)"},
      {"one", R"([{"type": ["set", "string"], "value": ["a"]}])", R"("string" "a")"},
      {"one", R"([{"type": ["list", "string"], "value": [null]}])", R"("string" null)"},
      {"one", R"([{"type": ["set", "string"], "value": ["a", {"$unknown": "string"}]}])",
       R"("string" {"$unknown":"string"})"},
      {"one", R"([{"type": ["set", "string"], "value": {"$unknown": ["set", "string"]}}])",
       R"("string" {"$unknown":"string"})"},
      {"one", R"([{"type": ["tuple", ["bool"]], "value": {"$unknown": ["tuple", ["bool"]]}}])",
       R"("bool" {"$unknown":"bool"})"},
      {"one", R"([{"type": ["tuple", ["bool", "bool"]], "value": {"$unknown": ["tuple", ["bool", "bool"]]}}])",
       "error in argument 0: at most one element is allowed"},
      {"one", R"([{"a": 1}])", "error in argument 0: a list, set or tuple is required, not an object"},
      {"one", "[null]", "error in argument 0: the argument must not be null"},
  });
}

TEST(SearchFunctionsTest, MatchKeys) {
  CheckFunctionCases({
      {"matchkeys", R"([["a", "b", "c"], [1, 2, 1], [1, 3]])", R"(["list","string"] ["a","c"])"},
      {"matchkeys", R"([["a", "b"], [1, 2], ["2"]])", R"(["list","string"] ["b"])"},
      {"matchkeys", R"([["a", "b", "c"], [[1], [2], [1]], [[1], [1]]])", R"(["list","string"] ["a","c"])"},
      {"matchkeys", R"([["a", "b"], ["x", "y"], []])", R"(["list","string"] [])"},
      {"matchkeys", R"([["a"], ["x", "y"], ["x"]])",
       "error in argument 1: there are 2 keys for 1 values; both lists must have the same length"},
      {"matchkeys", R"([["a"], [{"b": 1}], ["x"]])",
       "error in argument 2: the keys to search for must have the type of the keys"},
      {"matchkeys", R"([["a"], {"type": ["list", "string"], "value": [{"$unknown": "string"}]}, ["x"]])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
      {"matchkeys", R"([{"type": ["list", "string"], "value": [{"$unknown": "string"}, "b"]}, ["x", "y"], ["x"]])",
       R"(["list","string"] [{"$unknown":"string"}])"},
      {"matchkeys", R"([["a"], null, ["x"]])", "error in argument 1: the argument must not be null"},
  });
}

}  // namespace
}  // namespace hcl
