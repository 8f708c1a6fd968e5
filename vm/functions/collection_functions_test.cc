#include "hclvm/vm/functions/collection_functions.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

TEST(CollectionFunctionsTest, Contains) {
  CheckFunctionCases({
      {"contains", R"([["a", "b"], "b"])", R"("bool" true)"},
      {"contains", R"([["a", "b"], "c"])", R"("bool" false)"},
      {"contains", R"([[], "c"])", R"("bool" false)"},
      {"contains", R"([["1"], 1])", R"("bool" false)"},
      {"contains", R"([[{"a": 1}], {"a": 1}])", R"("bool" true)"},
      {"contains", R"([{"type": ["set", "number"], "value": [1, 2, 3]}, 3])", R"("bool" true)"},
      {"contains", R"([{"type": ["set", "number"], "value": [1, 2, 3]}, "3"])", R"("bool" false)"},
      {"contains", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}, 1])", R"("bool" true)"},
      {"contains", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}, 2])",
       R"("bool" {"$unknown":"bool"})"},
      {"contains", R"([{"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}, 2])",
       R"("bool" {"$unknown":"bool"})"},
      {"contains", R"([[1], {"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"("dynamic" {"$unknown":"dynamic"})"},
      {"contains", R"([{"a": 1}, 1])", "error: a list, tuple or set is required, not an object"},
      {"contains", R"([null, 1])", "error in argument 0: the argument must not be null"},
      {"contains", R"([[null], null])", R"("bool" true)"},
  });
}

TEST(CollectionFunctionsTest, Length) {
  CheckFunctionCases({
      {"length", "[[1, [2, 3]]]", R"("number" 2)"},
      {"length", R"([{"type": ["map", "number"], "value": {"a": 1}}])", R"("number" 1)"},
      {"length", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])", R"("number" 2)"},
      {"length", R"([{"type": ["tuple", ["number", "bool"]], "value": {"$unknown": ["tuple", ["number", "bool"]]}}])",
       R"("number" 2)"},
      {"length", R"([{"type": ["list", "number"], "value": {"$unknown": ["list", "number"]}}])",
       R"("number" {"$unknown":"number","refinement":{"not_null":true,"min":0}})"},
      {"length", R"([{"type": ["set", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"("number" {"$unknown":"number","refinement":{"not_null":true,"min":1,"max":2}})"},
      {"length", R"([{"type": ["set", "number"], "value": [{"$unknown": "number"}]}])", R"("number" 1)"},
      {"length", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"("number" {"$unknown":"number","refinement":{"not_null":true,"min":0}})"},
      {"length", R"(["abc"])",
       "error: a list, set, map or tuple is required, not a string; strlen counts the characters of a text"},
      {"length", R"([{"a": 1}])", "error: a list, set, map or tuple is required, not an object"},
  });
}

TEST(CollectionFunctionsTest, Coalesce) {
  CheckFunctionCases({
      {"coalesce", R"([null, "a", "b"])", R"("string" "a")"},
      {"coalesce", R"([1, "b"])", R"("string" "1")"},
      {"coalesce", R"([{"type": "string", "value": null}, 2])", R"("string" "2")"},
      {"coalesce", R"([{"type": "number", "value": {"$unknown": "number"}}, 2])", R"("number" {"$unknown":"number"})"},
      {"coalesce", R"([3, {"type": "number", "value": {"$unknown": "number"}}])", R"("number" 3)"},
      {"coalesce", "[null, null]", "error: all arguments are null"},
      {"coalesce", "[]", "error: at least one argument is required"},
      {"coalesce", R"(["a", ["b"]])", "error: all arguments must have the same type"},
  });
}

// An unknown argument that fits the preferred type may be the result, and so may one behind it that does not fit.
TEST(CollectionFunctionsTest, CoalesceOfUnknownTuplesAndObjects) {
  const std::string kOpen = R"({"type": ["tuple", ["number", "string"]], "value": )"
                            R"({"$unknown": ["tuple", ["number", "string"]]}})";
  const std::string kNull = R"({"type": ["tuple", ["number", "string"]], "value": null})";
  const std::string kShort = R"({"type": ["list", "string"], "value": []})";
  const std::string kFits = R"({"type": ["list", "string"], "value": ["a", "b"]})";
  const std::string kObject = R"({"type": ["object", {}], "value": {"$unknown": ["object", {}]}})";
  const std::string kMap = R"({"type": ["map", "string"], "value": {"a": "x"}})";
  constexpr char kDynamic[] = R"("dynamic" {"$unknown":"dynamic"})";
  const struct {
    std::vector<std::string> arguments;
    const char* want;
  } kRows[] = {
      {{kOpen, kShort}, kDynamic},
      {{kOpen, kFits}, R"(["tuple",["string","string"]] {"$unknown":["tuple",["string","string"]]})"},
      {{kNull, kOpen, kNull, kShort}, kDynamic},
      {{kOpen, kFits, kShort}, R"(["tuple",["string","string"]] {"$unknown":["tuple",["string","string"]]})"},
      {{kNull, kShort}, R"(["list","string"] [])"},
      {{kShort, kOpen}, R"(["list","string"] [])"},
      {{kObject, kMap}, kDynamic},
  };
  for (const auto& row : kRows) {
    const std::string arguments = absl::StrCat("[", absl::StrJoin(row.arguments, ", "), "]");
    EXPECT_EQ(CallForTest("coalesce", arguments, {}, Dialect::kSpec), row.want) << arguments;
  }
}

}  // namespace
}  // namespace hcl
