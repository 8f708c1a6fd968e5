#include "vm/functions/regex_functions.h"

#include "gtest/gtest.h"
#include "vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(RegexFunctionsTest, First) {
  CheckFunctionCases({
      {"regex", R"r(["[a-z]+", "FOO bar"])r", R"r("string" "bar")r"},
      {"regex", R"r(["(\\w)(x)?", "ab"])r", R"r(["tuple",["string","string"]] ["a",null])r"},
      {"regex", R"r(["(?P<b>.)(?P<a>.)", "xy"])r", R"r(["object",{"a":"string","b":"string"}] {"a":"y","b":"x"})r"},
      {"regex", R"r(["", "abc"])r", R"r("string" "")r"},
      {"regex", R"r(["x", "abc"])r", "error: the pattern does not match any part of the string"},
      {"regex", R"r(["(", "abc"])r", "error in argument 0: the pattern is invalid: missing ): ("},
      {"regex", R"r(["(?P<a>.)(.)", "xy"])r",
       "error in argument 0: the pattern has named and unnamed groups, which cannot be mixed"},
      {"regex", R"r([{"type": "string", "value": {"$unknown": "string"}}, "a"])r",
       R"r("dynamic" {"$unknown":"dynamic"})r"},
      {"regex", R"r(["(a)", {"type": "string", "value": {"$unknown": "string"}}])r",
       R"r(["tuple",["string"]] {"$unknown":["tuple",["string"]]})r"},
  });
}

TEST(RegexFunctionsTest, All) {
  CheckFunctionCases({
      {"regexall", R"r(["a*", "baaac"])r", R"r(["list","string"] ["","aaa",""])r"},
      {"regexall", R"r(["(a)(b)?", "abac"])r", R"r(["list",["tuple",["string","string"]]] [["a","b"],["a",null]])r"},
      {"regexall", R"r(["x", "abc"])r", R"r(["list","string"] [])r"},
      {"regexall", R"r(["", "\u00e9"])r", R"r(["list","string"] ["",""])r"},
  });
}

}  // namespace
}  // namespace hcl
