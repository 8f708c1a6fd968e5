#include "hclvm/vm/functions/regex_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

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
      {"regex", R"r(["(?P<n>a)(?P<n>b)", "ab"])r", "error in argument 0: two groups have the same name"},
      {"regex", R"r(["(?P<n>a)(?P<n>b)", {"type": "string", "value": {"$unknown": "string"}}])r",
       "error in argument 0: two groups have the same name"},
      {"regexall", R"r(["(?P<n>a)|(?P<n>b)|(?P<m>c)", "x"])r", "error in argument 0: two groups have the same name"},
      {"regexreplace", R"r(["ab", "(?P<n>a)(?P<n>b)", "$n"])r", "error in argument 1: two groups have the same name"},
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

TEST(RegexFunctionsTest, RegexReplace) {
  CheckFunctionCases({
      {"regexreplace", R"r(["hello", "l+", "L"])r", R"r("string" "heLo")r"},
      {"regexreplace", R"r(["hello", "x", "L"])r", R"r("string" "hello")r"},
      {"regexreplace", R"r(["a-b", "(\\w)-(?P<right>\\w)", "${right}$1"])r", R"r("string" "ba")r"},
      {"regexreplace", R"r(["ab", "(a)(x)?", "[$0$1$2$3$name$$1]"])r", R"r("string" "[aa$1]b")r"},
      // A name is as long as it can be; a dollar sign before no name stands for itself.
      {"regexreplace", R"r(["ab", "(a)", "$1x|${1}x|$|${|${1|${}|$-|$01"])r", R"r("string" "|ax|$|${|${1|${}|$-|b")r"},
      {"regexreplace", R"r(["baaac", "a*", "-"])r", R"r("string" "-b-c-")r"},
      {"regexreplace", R"r(["\u00e9", "", "-"])r", "\"string\" \"-\u00e9-\""},
      {"regexreplace", R"r(["", "", "-"])r", R"r("string" "-")r"},
      {"regexreplace", R"r(["abc", "b|", ""])r", R"r("string" "ac")r"},
      // The parts are in NFC, their sequence is not.
      {"regexreplace", R"r(["e1", "1", "\u0301"])r", "\"string\" \"\u00e9\""},
      {"regexreplace", R"r(["abc", "(", ""])r", "error in argument 1: the pattern is invalid: missing ): ("},
      {"regexreplace", R"r([null, "", ""])r", "error in argument 0: the argument must not be null"},
      {"regexreplace", R"r(["a", {"type": "string", "value": {"$unknown": "string"}}, ""])r",
       R"r("string" {"$unknown":"string"})r"},
  });
}

TEST(RegexFunctionsTest, Replace) {
  CheckFunctionCases({
      {"replace", R"r(["hello", "/l+/", "<$0>"])r", R"r("string" "he<ll>o")r"},
      {"replace", R"r(["a/b", "/", "$0"])r", R"r("string" "a$0b")r"},
      {"replace", R"r(["a//b", "//", "/"])r", R"r("string" "a/b")r"},
      {"replace", R"r(["a", "/(/", ""])r", "error in argument 1: the pattern is invalid: missing ): ("},
  });
}

TEST(RegexFunctionsTest, WhatIsRefused) {
  const char* const kAnyByte = "error in argument 0: \\C, which matches a single byte, is not supported";
  CheckFunctionCases({
      {"regexall", R"r(["\\C", "\u00e9"])r", kAnyByte},
      {"regexall", R"r(["(?:a|[b]\\C+)x", "\u00e9"])r", kAnyByte},
      {"regexall", R"r(["\\\\C", "a\\C"])r", R"r(["list","string"] ["\\C"])r"},
      {"regexreplace", R"r(["a", "\\C", ""])r", "error in argument 1: ..."},
      {"replace", R"r(["a", "/\\C/", ""])r", "error in argument 1: ..."},
      {"regex", R"r(["a{1001}", "a"])r", "error in argument 0: the pattern is invalid: ..."},
      {"regex", R"r(["(?:\\pL{100}){10}", "a"])r", "error in argument 0: the pattern is invalid: ..."},
  });
  const std::string groups = [] {
    std::string text;
    for (int n = 0; n < 100; ++n) text += "()";
    return text;
  }();
  EXPECT_EQ(CallForTest("regex", "[\"" + groups + "\", \"a\"]").substr(0, 9), "[\"tuple\",");
  EXPECT_EQ(CallForTest("regex", "[\"" + groups + "()\", \"a\"]"),
            "error in argument 0: there are 101 groups, and at most 100 are allowed");
}

TEST(RegexFunctionsTest, ResultsAndWorkAreBounded) {
  Limits limits;
  limits.max_result_bytes = 1000;
  const std::string part(100, 'x');
  EXPECT_EQ(CallForTest("regexreplace", "[\"" + part + "\", \"x\", \"" + part + "\"]", limits),
            "limit: the result would exceed the allowed 1000 bytes of an evaluation (limit max_result_bytes)");
  EXPECT_EQ(CallForTest("regexall", "[\"\", \"" + part + "\"]", limits),
            "limit: the result would exceed the allowed 1000 bytes of an evaluation (limit max_result_bytes)");
  // Each search reads all of the rest, looking for the z that would make the match longer.
  limits = Limits();
  limits.max_fuel = 10'000;
  EXPECT_EQ(CallForTest("regexall", "[\"a(?:.*z)?\", \"" + std::string(10'000, 'a') + "\"]", limits),
            "limit: the call needs more steps than are allowed (limit max_fuel)");
  EXPECT_EQ(CallForTest("regex", R"r(["(?:x{900}y{900})", ""])r", limits),
            "limit: the call needs more steps than are allowed (limit max_fuel)");
}

}  // namespace
}  // namespace hcl
