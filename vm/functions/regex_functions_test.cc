#include "hclvm/vm/functions/regex_functions.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

TEST(RegexFunctionsTest, First) {
  CheckFunctionCases({
      {"regex", R"r(["[a-z]+", "FOO bar"])r", R"r("string" "bar")r"},
      {"regex", R"r(["(\\w)(x)?", "ab"])r", R"r(["tuple",["string","string"]] ["a",null])r"},
      {"regex", R"r(["(?P<b>.)(?P<a>.)", "xy"])r", R"r(["object",{"a":"string","b":"string"}] {"a":"y","b":"x"})r"},
      // Of groups of one name, the last counts.
      {"regex", R"r(["(?P<x>a)(?P<y>b)(?P<x>c)", "abc"])r",
       R"r(["object",{"x":"string","y":"string"}] {"x":"c","y":"b"})r"},
      {"regex", R"r(["(?P<x>a)|(?P<x>b)", "a"])r", R"r(["object",{"x":"string"}] {"x":null})r"},
      {"regex", R"r(["(?P<x>a)(?P<x>b)", {"type": "string", "value": {"$unknown": "string"}}])r",
       R"r(["object",{"x":"string"}] {"$unknown":["object",{"x":"string"}]})r"},
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

TEST(RegexFunctionsTest, SucceedsWhereTheBodyDoes) {
  FunctionRegistryBuilder builder;
  RegisterRegexFunctions(&builder);
  const std::shared_ptr<const FunctionRegistry> registry = std::move(builder).Build();
  const Function& function = *registry->Find("regex");
  ASSERT_NE(function.succeeds, nullptr);
  int found = 0;
  for (const char* pattern : {"",
                              "a*",
                              "a",
                              "^a",
                              "a$",
                              "^[a-z]{2,3}$",
                              "x|",
                              "\\b",
                              "\\B",
                              "(a)(b)?",
                              "(?P<x>a)(?P<y>b)",
                              "(?P<x>a)(b)",
                              "(",
                              ".",
                              "^.$",
                              "\xc3\xa9",
                              "[^a]",
                              "\\C",
                              "(?i)A",
                              "^$",
                              "(a|b)+c"}) {
    for (const char* text : {"", "a", "b", "ab", "bab", "abc", "\xc3\xa9", "a\xc3\xa9", "\xe0\xb8\xb3\xe0\xb8\xb3",
                             "1\xe0\xb8\xb3"
                             "1",
                             "A\n", "a text that is longer than sixteen bytes, and than a word"}) {
      Heap heap;
      const Value arguments[] = {Value::StringView(pattern), Value::StringView(text)};
      FunctionCall body(function, &heap);
      function.body(&body, {arguments, 2});
      FunctionCall test(function, &heap);
      const bool succeeds = function.succeeds(&test, {arguments, 2}) && !test.failed();
      EXPECT_EQ(succeeds, !body.failed()) << pattern << " in " << text;
      found += succeeds ? 1 : 0;
    }
  }
  EXPECT_GT(found, 50);
}

TEST(RegexFunctionsTest, All) {
  CheckFunctionCases({
      {"regexall", R"r(["a*", "baaac"])r", R"r(["list","string"] ["","aaa",""])r"},
      {"regexall", R"r(["(a)(b)?", "abac"])r", R"r(["list",["tuple",["string","string"]]] [["a","b"],["a",null]])r"},
      {"regexall", R"r(["x", "abc"])r", R"r(["list","string"] [])r"},
      {"regexall", R"r(["[0-9]+", "10.20.x"])r", R"r(["list","string"] ["10","20"])r"},
      {"regexall", R"r(["[0-9]", "10"])r", R"r(["list","string"] ["1","0"])r"},
      {"regexall", R"r(["^[0-9]+$", "10.20"])r", R"r(["list","string"] [])r"},
      {"regexall", R"r(["(?P<x>a)|(?P<x>b)", "ab"])r",
       R"r(["list",["object",{"x":"string"}]] [{"x":null},{"x":"b"}])r"},
      {"regexall", R"r(["", "\u00e9"])r", R"r(["list","string"] ["",""])r"},
      // Nothing matches between the bytes of a character.
      {"regexall", R"r(["\\B", "1\u0e331"])r", R"r(["list","string"] [])r"},
      {"regexall", R"r(["\\B", "\u0e33\u0e33"])r", R"r(["list","string"] ["","",""])r"},
      {"regex", R"r(["\\B", "1\u0e331"])r", "error: the pattern does not match any part of the string"},
  });
}

TEST(RegexFunctionsTest, RegexReplace) {
  CheckFunctionCases({
      {"regexreplace", R"r(["hello", "l+", "L"])r", R"r("string" "heLo")r"},
      {"regexreplace", R"r(["hello", "x", "L"])r", R"r("string" "hello")r"},
      {"regexreplace", R"r(["My App, v2", "[^a-z0-9]", "-"])r", R"r("string" "-y--pp--v2")r"},
      {"regexreplace", R"r(["My App, v2", "[^a-z0-9]+", "<$0>"])r", R"r("string" "<M>y< A>pp<, >v2")r"},
      {"regexreplace", R"r(["a\u00e9 b", "[^a-z]+", "-"])r", R"r("string" "a-b")r"},
      {"regexreplace", R"r(["a1b22", "([0-9])+", "<$1>"])r", R"r("string" "a<1>b<2>")r"},
      {"regexreplace", R"r(["a1b22", "[0-9]+?", "-"])r", R"r("string" "a-b--")r"},
      {"regexreplace", R"r(["a-b", "(\\w)-(?P<right>\\w)", "${right}$1"])r", R"r("string" "ba")r"},
      {"regexreplace", R"r(["ab", "(a)(x)?", "[$0$1$2$3$name$$1]"])r", R"r("string" "[aa$1]b")r"},
      // A name is as long as it can be; a dollar sign before no name stands for itself.
      {"regexreplace", R"r(["ab", "(a)", "$1x|${1}x|$|${|${1|${}|$-|$01"])r", R"r("string" "|ax|$|${|${1|${}|$-|b")r"},
      // Of groups of one name the first counts that took part; by its number, a group is itself.
      {"regexreplace", R"r(["ab", "(?P<x>a)|(?P<x>b)", "<${x}$1$2>"])r", R"r("string" "<aa><bb>")r"},
      {"regexreplace", R"r(["bc", "(?P<x>a)?(?P<y>b)(?P<x>z)?(?P<x>c)", "${x}${y}[$1$3]"])r", R"r("string" "cb[]")r"},
      {"regexreplace", R"r(["ab", "(?P<x>a)(?P<x>b)", "$x"])r", R"r("string" "a")r"},
      {"regexreplace", R"r(["ab", "(?P<x>a)(?P<x>b)", "-"])r", R"r("string" "-")r"},
      {"regexreplace", R"r(["baaac", "a*", "-"])r", R"r("string" "-b-c-")r"},
      {"regexreplace", R"r(["\u00e9", "", "-"])r", "\"string\" \"-\u00e9-\""},
      {"regexreplace", R"r(["1\u0e33\u00e9 ", "\\B", "-"])r", "\"string\" \"1\u0e33-\u00e9- -\""},
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
