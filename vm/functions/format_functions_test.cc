#include "hclvm/vm/functions/format_functions.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(FormatFunctionsTest, Text) {
  CheckFunctionCases({
      {"format", R"(["%s-%5s|%-5s|%.2s|%05s|", "a", "b", "c", "xyz", "d"])", R"("string" "a-    b|c    |xy|0000d|")"},
      {"format", R"(["%q", "q<"])", R"("string" "\"q\\u003c\"")"},
      {"format", R"(["%s %s", 1.50, true])", R"("string" "1.5 true")"},
      {"format", R"(["100%%"])", R"("string" "100%")"},
      {"format", R"(["%[2]s %[1]s %s", "a", "b"])", R"("string" "b a b")"},
      {"format", R"(["%3s|", "\u00e9"])", R"("string" "  é|")"},
  });
}

// Longer than what is held without memory of its own.
TEST(FormatFunctionsTest, LongText) {
  for (const size_t size : {13, 14, 15, 63, 64, 65, 127, 128, 129, 1000}) {
    const std::string text(size, 'x');
    EXPECT_EQ(CallForTest("format", absl::StrCat("[\"%s|%s\", \"", text, "\", \"", text, "\"]")),
              absl::StrCat("\"string\" \"", text, "|", text, "\""));
    EXPECT_EQ(CallForTest("format", absl::StrCat("[\"%", size, "s|\", \"\"]")),
              absl::StrCat("\"string\" \"", std::string(size, ' '), "|\""));
  }
}

TEST(FormatFunctionsTest, Any) {
  CheckFunctionCases({
      {"format", R"(["%v %v %v %v", "x", 0.1, true, null])", R"("string" "x 0.1 true null")"},
      {"format", R"(["%v|%v|%v|%v", 1234567, 123456, 0.00001, 1000000])",
       R"("string" "1.234567e+06|123456|1e-05|1e+06")"},
      {"format", R"(["%v %#v", [1, "a"], "x"])", R"("string" "[1,\"a\"] \"x\"")"},
  });
}

TEST(FormatFunctionsTest, Integers) {
  CheckFunctionCases({
      {"format", R"(["%d|%5d|%-5d|%05d|%+d|% d", 42, 42, 42, -42, 5, 5])", R"("string" "42|   42|42   |-0042|+5| 5")"},
      {"format", R"(["%b %o %x %X %#x %#o %#b", 5, 8, 255, 255, 255, 8, 5])",
       R"("string" "101 10 ff FF 0xff 010 0b101")"},
      {"format", R"(["%.3d|%8.3d", 5, 5])", R"("string" "005|     005")"},
      {"format", R"(["%x", 123456789012345678901234567890])", R"("string" "18ee90ff6c373e0ee4e3f0ad2")"},
      {"format", R"(["%d", "12"])", R"("string" "12")"},
      {"format", R"(["%d %d", -9223372036854775808, 9223372036854775807])",
       R"("string" "-9223372036854775808 9223372036854775807")"},
      {"format", R"(["%d", 1.5])", "error: \"%d\" at offset 0: a whole number is required"},
  });
}

TEST(FormatFunctionsTest, Decimals) {
  CheckFunctionCases({
      {"format", R"(["%.0f %.0f %.0f", 0.5, 1.5, 2.5])", R"("string" "0 2 2")"},
      {"format", R"(["%8.3f|%-8.3f|%08.3f|%+.0f", 3.14159, 2.5, -2.5, 2.5])",
       R"("string" "   3.142|2.500   |-002.500|+2")"},
      {"format", R"(["%e %E %.2e", 0, 123456789, 0.00012345])", R"("string" "0.000000e+00 1.234568E+08 1.23e-04")"},
      {"format", R"(["%g %.3g %G", 1e21, 1234567, 0.00001])", R"("string" "1e+21 1.23e+06 1E-05")"},
      {"format", R"(["%.2f %.1f", 9.999, 0.04])", R"("string" "10.00 0.0")"},
      {"format", R"(["%.f %.e %.s %5.d", 1.5, 1.5, "abc", 12])", R"("string" "2 2e+00 abc    12")"},
  });
}

TEST(FormatFunctionsTest, Failures) {
  CheckFunctionCases({
      {"format", R"(["%s"])", R"(error: "%s" at offset 0: there is no argument for it)"},
      {"format", R"(["a", 1])", "error in argument 1: the format uses only 0 of 1 arguments"},
      {"format", R"(["%s", "a", "b"])", "error in argument 2: the format uses only 1 of 2 arguments"},
      {"format", R"(["%d", 1.5])", R"(error: "%d" at offset 0: a whole number is required)"},
      {"format", R"(["x %d", null])", R"(error: "%d" at offset 2: a null value cannot be formatted)"},
      {"format", R"(["%y", 1])", R"(error: "%y" at offset 0: there is no such verb)"},
      {"format", R"(["%5\u00e9", 1])", "error: \"%5\xc3\xa9\" at offset 0: there is no such verb"},
      {"format", R"(["%\ud83d\ude00x", 1])", "error: \"%\xf0\x9f\x98\x80\" at offset 0: there is no such verb"},
      {"format", R"(["%", 1])", R"(error: "%" at offset 0: the verb is missing)"},
      {"format", R"(["%[0]s", 1])",
       R"(error: "%[0]" at offset 0: an argument's number, from 1, is required in brackets)"},
      {"format", R"(["%..f", 1])", R"(error: "%.." at offset 0: there is no such verb)"},
      {"format", R"(["%s", {"type": "string", "value": {"$unknown": "string"}}])", R"("string" {"$unknown":"string"})"},
  });
}

TEST(FormatFunctionsTest, ResultsAreBounded) {
  Limits limits;
  limits.max_result_bytes = 1000;
  EXPECT_EQ(CallForTest("format", R"(["%900d", 1])", limits).rfind("\"string\" ", 0), 0u);
  EXPECT_EQ(CallForTest("format", R"(["%1001d", 1])", limits).rfind("limit: ", 0), 0u);
  EXPECT_EQ(CallForTest("format", R"(["%99999999999999999999d", 1])").rfind("\"string\"", 0), std::string::npos);
  limits.max_number_digits = 10;
  EXPECT_EQ(CallForTest("format", R"(["%f", 12345678901])", limits).rfind("limit: ", 0), 0u);
}

TEST(FormatFunctionsTest, FormatList) {
  const char* const kUnknown = R"(["list","string"] {"$unknown":["list","string"]})";
  CheckFunctionCases({
      {"formatlist", R"(["%s-%s", ["a", "b"], "x"])", R"(["list","string"] ["a-x","b-x"])"},
      {"formatlist", R"(["%s%d", ["a", "b"], {"type": ["set", "number"], "value": [2, 1]}])",
       R"(["list","string"] ["a1","b2"])"},
      {"formatlist", R"(["hello"])", R"(["list","string"] ["hello"])"},
      {"formatlist", R"(["%s!", "a"])", R"(["list","string"] ["a!"])"},
      {"formatlist", R"(["%s", []])", R"(["list","string"] [])"},
      {"formatlist", R"(["%s%s", [], ["a"]])",
       "error in argument 2: the argument has 1 elements, but argument 1 of the format has 0"},
      {"formatlist", R"(["%v", {"a": 1}])", R"(["list","string"] ["{\"a\":1}"])"},
      {"formatlist", R"(["%v", null])", R"(["list","string"] ["null"])"},
      {"formatlist", R"(["%d", ["1", "x"]])", R"(error: "%d" at offset 0: ...)"},
      {"formatlist", R"(["%s", {"type": ["list", "string"], "value": ["a", {"$unknown": "string"}]}])",
       R"(["list","string"] ["a",{"$unknown":"string"}])"},
      {"formatlist", R"(["%s", {"type": ["list", "string"], "value": {"$unknown": ["list", "string"]}}])", kUnknown},
      {"formatlist", R"(["%s", {"type": ["set", "string"], "value": ["a", {"$unknown": "string"}]}])", kUnknown},
      {"formatlist", R"(["%s", {"type": "string", "value": {"$unknown": "string"}}])",
       R"(["list","string"] [{"$unknown":"string"}])"},
      {"formatlist",
       R"(["%s%s", ["a"], {"type": ["tuple", ["string", "string"]], "value": {"$unknown": ["tuple", ["string", "string"]]}}])",
       "error in argument 2: the argument has 2 elements, but argument 1 of the format has 1"},
      {"formatlist", R"(["%s", {"type": "dynamic", "value": {"$unknown": "dynamic"}}])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
      {"formatlist", R"([{"type": "string", "value": {"$unknown": "string"}}, "a"])", kUnknown},
  });
  Limits limits;
  limits.max_fuel = 100;
  EXPECT_EQ(CallForTest("formatlist", "[\"" + std::string(1000, 'x') + "%d\", [1, 2, 3, 4, 5, 6, 7, 8]]", limits),
            "limit: the call needs more steps than are allowed (limit max_fuel)");
}

}  // namespace
}  // namespace hcl
