#include "hclvm/vm/functions/string_functions.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(StringFunctionsTest, Predicates) {
  CheckFunctionCases({
      {"startswith", R"(["hello", "he"])", R"("bool" true)"},
      {"startswith", R"(["hello", "hello!"])", R"("bool" false)"},
      {"startswith", R"(["", ""])", R"("bool" true)"},
      {"startswith", R"([12, 1])", R"("bool" true)"},
      {"startswith", R"([null, ""])", "error in argument 0: the argument must not be null"},
      {"startswith", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}, ""])", R"("bool" {"$unknown":"bool"})"},
      {"endswith", R"(["a long string, not inline", "not inline"])", R"("bool" true)"},
      {"endswith", R"(["x", "yx"])", R"("bool" false)"},
      {"strcontains", R"(["hello", "ell"])", R"("bool" true)"},
      {"strcontains", R"(["hello", ""])", R"("bool" true)"},
      {"strcontains", R"(["", ""])", R"("bool" true)"},
      {"strcontains", R"(["hello", "lle"])", R"("bool" false)"},
  });
}

TEST(StringFunctionsTest, Case) {
  CheckFunctionCases({
      {"upper", R"(["hello, World 12"])", R"("string" "HELLO, WORLD 12")"},
      {"upper", R"(["stra\u00dfe \u00e9"])", "\"string\" \"STRA\u00dfE \u00c9\""},
      {"upper", R"([""])", R"("string" "")"},
      {"lower", R"(["\u00c9COLE"])", "\"string\" \"\u00e9cole\""},
      {"lower", R"(["[A-Z]@`{"])", R"("string" "[a-z]@`{")"},
      {"lower", R"([true])", R"("string" "true")"},
  });
}

// Texts are mapped by words; the ends of words, of inline strings and of the letters are where it could go wrong.
TEST(StringFunctionsTest, CaseOfEachLength) {
  const std::string mixed = "aZ@[`{z_0A~mM.yB/:9cC-xX+qQ dD";
  for (size_t size = 0; size <= mixed.size(); ++size) {
    std::string lower = mixed.substr(0, size), upper = lower;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    const std::string arguments = "[\"" + mixed.substr(0, size) + "\"]";
    EXPECT_EQ(CallForTest("lower", arguments), "\"string\" \"" + lower + "\"");
    EXPECT_EQ(CallForTest("upper", arguments), "\"string\" \"" + upper + "\"");
    EXPECT_EQ(CallForTest("upper", "[\"" + upper + "\"]"), "\"string\" \"" + upper + "\"");
  }
  CheckFunctionCases({
      {"lower", R"(["a\u0000A"])", R"("string" "a\u0000a")"},
      {"upper", R"(["a longer text, and \u00e9"])", "\"string\" \"A LONGER TEXT, AND \u00c9\""},
  });
}

TEST(StringFunctionsTest, Join) {
  CheckFunctionCases({
      {"join", R"([", ", ["a", "b"], [], ["c"]])", R"("string" "a, b, c")"},
      {"join", R"(["-", []])", R"("string" "")"},
      {"join", R"(["-", [1, true, "x"]])", R"("string" "1-true-x")"},
      // The parts are in NFC, their sequence is not.
      {"join", R"(["", ["e", "\u0301"]])", "\"string\" \"\u00e9\""},
      {"join", R"(["", ["12345678901234", "a", "b"]])", R"("string" "12345678901234ab")"},
      {"join", R"([" and then ", ["a text that is not inline", "b", ""]])",
       R"("string" "a text that is not inline and then b and then ")"},
      {"join", R"(["-"])", "error: at least one list is required"},
      {"join", R"(["-", ["a"], {"type": ["list", "string"], "value": ["b", null]}])",
       "error in argument 2: element 1 is null, and null values cannot be joined"},
      {"join", R"(["-", {"type": ["list", "string"], "value": [null, {"$unknown": "string"}]}])",
       R"("string" {"$unknown":"string"})"},
  });
}

TEST(StringFunctionsTest, Split) {
  CheckFunctionCases({
      {"split", R"([",", "a,b,,c"])", R"(["list","string"] ["a","b","","c"])"},
      {"split", R"([",", ""])", R"(["list","string"] [""])"},
      {"split", R"(["", "a\u00e9b"])", "[\"list\",\"string\"] [\"a\",\"\u00e9\",\"b\"]"},
      {"split", R"(["", ""])", R"(["list","string"] [])"},
      {"split", R"(["ab", "ab a long part of the string abab"])",
       R"(["list","string"] [""," a long part of the string ","",""])"},
  });
}

// More pieces and matches than are remembered from one pass to the next.
TEST(StringFunctionsTest, ManyPieces) {
  for (const std::string separator : {",", ", "}) {
    for (const size_t count : {1, 15, 16, 17, 18, 100}) {
      std::string text, list, replaced;
      for (size_t i = 0; i < count; ++i) {
        const std::string piece = std::string(i % 18, 'x');
        text += (i == 0 ? "" : separator) + piece;
        replaced += (i == 0 ? "" : "--") + piece;
        list += (i == 0 ? "\"" : ",\"") + piece + "\"";
      }
      const std::string quoted = absl::StrCat("\"", separator, "\"");
      EXPECT_EQ(CallForTest("split", absl::StrCat("[", quoted, ", \"", text, "\"]")),
                absl::StrCat("[\"list\",\"string\"] [", list, "]"));
      EXPECT_EQ(CallForTest("replace", absl::StrCat("[\"", text, "\", ", quoted, ", \"--\"]")),
                absl::StrCat("\"string\" \"", replaced, "\""));
    }
  }
  std::string characters;
  for (int i = 0; i < 40; ++i) characters += i == 0 ? "\"x\"" : ",\"x\"";
  EXPECT_EQ(CallForTest("split", "[\"\", \"" + std::string(40, 'x') + "\"]"),
            "[\"list\",\"string\"] [" + characters + "]");
}

TEST(StringFunctionsTest, Characters) {
  CheckFunctionCases({
      {"strlen", R"(["a\u0301\r\nb"])", R"("number" 3)"},
      {"strlen", R"([""])", R"("number" 0)"},
      {"strrev", R"(["\u00e9\u00e8x"])", "\"string\" \"x\u00e8\u00e9\""},
      {"strrev", R"([""])", R"("string" "")"},
      {"substr", R"(["hello", 1, 2])", R"("string" "el")"},
      {"substr", R"(["hello", -2, 9])", R"("string" "lo")"},
      {"substr", R"(["hello", -9, 2])", R"("string" "he")"},
      {"substr", R"(["hello", 2, -1])", R"("string" "llo")"},
      {"substr", R"(["hello", 2, 0])", R"("string" "")"},
      {"substr", R"(["hello", -2, 0])", R"("string" "lo")"},
      {"substr", R"(["a\r\nb", 1, 1])", R"("string" "\r\n")"},
      {"substr", R"(["ae\u0323b", 1, 1])", "\"string\" \"\u1eb9\""},
      {"substr", R"(["ax\u0323b", 0, 2])", "\"string\" \"ax\u0323\""},
      {"substr", R"(["hello", 7, 1])", R"("string" "")"},
      {"substr", R"(["hello", 1.5, 1])", "error in argument 1: a whole number is required"},
  });
}

TEST(StringFunctionsTest, Title) {
  CheckFunctionCases({
      {"title", R"(["hello wORLD-x_y o'neil 2nd"])", R"("string" "Hello WORLD-X_y O'Neil 2nd")"},
      {"title", R"(["a"])", R"("string" "A")"},
      {"title", R"([""])", R"("string" "")"},
      {"title", R"(["a b"])", R"("string" "A B")"},
      {"title", R"(["\u00e9cole \u01c6x"])", "\"string\" \"\u00c9cole \u01c5x\""},
  });
}

TEST(StringFunctionsTest, ReplaceAndIndent) {
  CheckFunctionCases({
      {"replace", R"(["hello", "l", "LL"])", R"("string" "heLLLLo")"},
      {"replace", R"(["hello", "x", "y"])", R"("string" "hello")"},
      {"replace", R"(["aaa", "aa", ""])", R"("string" "a")"},
      {"replace", R"(["abc", "", "-"])", R"("string" "-a-b-c-")"},
      {"replace", R"(["", "", "-"])", R"("string" "-")"},
      {"replace", R"(["xe", "x", ""])", R"("string" "e")"},
      {"indent", R"([2, "a\nb\n\nc"])", R"("string" "a\n  b\n  \n  c")"},
      {"indent", R"([1000000000000, "one line"])", R"("string" "one line")"},
      {"indent", R"([-1, "a"])", "error in argument 0: the number of spaces must be a whole number, and not negative"},
  });
  EXPECT_EQ(CallForTest("indent", R"([1000000000000, "a\nb"])").rfind("limit: ", 0), 0u);
}

TEST(StringFunctionsTest, ResultsAreBounded) {
  Limits limits;
  limits.max_result_bytes = 1000;
  const std::string part(100, 'x');
  std::string list;
  for (int i = 0; i < 9; ++i) list += (i == 0 ? "\"" : ", \"") + part + "\"";
  EXPECT_EQ(CallForTest("join", "[\"" + part + "\", [" + list + "]]", limits),
            "limit: the result would exceed the allowed 1000 bytes of an evaluation (limit max_result_bytes)");
  EXPECT_EQ(CallForTest("split", "[\"\", \"" + part + "\"]", limits),
            "limit: the result would exceed the allowed 1000 bytes of an evaluation (limit max_result_bytes)");
  EXPECT_EQ(CallForTest("replace", "[\"" + part + "\", \"x\", \"" + part + "\"]", limits),
            "limit: the result would exceed the allowed 1000 bytes of an evaluation (limit max_result_bytes)");
}

}  // namespace
}  // namespace hcl
