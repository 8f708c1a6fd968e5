#include "hclvm/vm/functions/encoding_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(EncodingFunctionsTest, JsonEncode) {
  CheckFunctionCases({
      {"jsonencode", R"([{"b": [1, null, true], "a": "x"}])", R"("string" "{\"a\":\"x\",\"b\":[1,null,true]}")"},
      {"jsonencode", R"(["a\u007f\\u007f\\\u007f\"\u007f"])", R"("string" "\"a\u007f\\\\u007f\\\\\u007f\\\"\u007f\"")"},
      {"jsonencode", R"(["\u009b\\u009b\u202e\u061c\u0001"])", R"("string" "\"\u009b\\\\u009b\u202e\u061c\\u0001\"")"},
      {"jsonencode", R"(["<a&b>\u2028\n"])", R"("string" "\"\\u003ca\\u0026b\\u003e\\u2028\\n\"")"},
      {"jsonencode", "[null]", R"("string" "null")"},
      {"jsonencode", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"("string" {"$unknown":"string"})"},
      {"jsonencode", R"([{"type": "dynamic", "value": {"$unknown": "dynamic"}}])", R"("string" {"$unknown":"string"})"},
      {"jsonencode", R"([{"type": "number", "value": {"$number": "+Inf"}}])", "error: JSON has no infinity"},
  });
}

TEST(EncodingFunctionsTest, JsonDecode) {
  CheckFunctionCases({
      {"jsondecode", R"(["{\"a\": [1.50, null, true], \"b\": \"x\"}"])",
       R"(["object",{"a":["tuple",["number","dynamic","bool"]],"b":"string"}] {"a":[1.5,null,true],"b":"x"})"},
      {"jsondecode", R"(["null"])", R"("dynamic" null)"},
      {"jsondecode", R"(["\"e\\u0301\""])", "\"string\" \"\u00e9\""},
      {"jsondecode", R"(["[1e30]"])", R"(["tuple",["number"]] [1000000000000000000000000000000])"},
      {"jsondecode", R"([""])", "error in argument 0: the text is not valid JSON, at byte 0: ..."},
      {"jsondecode", R"(["web"])", "error in argument 0: the text is not valid JSON, at byte 0: ..."},
      {"jsondecode", R"(["  "])", "error in argument 0: the text is not valid JSON, at byte 2: ..."},
      {"jsondecode", R"(["\n\t -1 "])", R"("number" -1)"},
      {"jsondecode", R"(["1 2"])", "error in argument 0: the text is not valid JSON, at byte 2: ..."},
      {"jsondecode", R"(["{\"a\": 1, \"a\": 2}"])", "error in argument 0: the text is not valid JSON, at byte 9: ..."},
      {"jsondecode", R"([null])", "error in argument 0: the argument must not be null"},
      {"jsondecode", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("dynamic" {"$unknown":"dynamic"})"},
      {"jsondecode", R"([[]])", "no conversion of argument 0: ..."},
  });
  EXPECT_EQ(CallForTest("jsondecode", "[\"" + std::string(100'000, '[') + "\"]").rfind("limit: ", 0), 0u);
  Limits limits;
  limits.max_result_bytes = 1000;
  EXPECT_EQ(CallForTest("jsondecode", "[\"[1" + std::string(99, ',') + "\"]", limits).rfind("error ", 0), 0u);
  std::string many = "[1";
  for (int i = 0; i < 100; ++i) many += ",1";
  EXPECT_EQ(CallForTest("jsondecode", "[\"" + many + "]\"]", limits).rfind("limit: ", 0), 0u);
}

TEST(EncodingFunctionsTest, Base64) {
  CheckFunctionCases({
      {"base64encode", R"([""])", R"("string" "")"},
      {"base64encode", R"(["a"])", R"("string" "YQ==")"},
      {"base64encode", R"(["ab"])", R"("string" "YWI=")"},
      {"base64encode", R"(["abc\u00e9? >"])", R"("string" "YWJjw6k/ID4=")"},
      {"base64decode", R"([""])", R"("string" "")"},
      {"base64decode", R"(["YQ=="])", R"("string" "a")"},
      {"base64decode", R"(["YW\r\nI="])", R"("string" "ab")"},
      {"base64decode", R"(["YWJjw6k/ID4="])", "\"string\" \"abc\u00e9? >\""},
      // Decoded text is normalised.
      {"base64decode", R"(["ZcyB"])", "\"string\" \"\u00e9\""},
      {"base64decode", R"(["/w=="])", "error in argument 0: the decoded bytes are not text: byte 0 is not UTF-8"},
      {"base64decode", R"([null])", "error in argument 0: the argument must not be null"},
      {"base64decode", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("string" {"$unknown":"string"})"},
  });
  for (const char* text : {"YQ", "YQ=", "Y", "YQ==YQ==", "YQ=Q", "YW I=", "====", "=", "YQ===", "YW-_", "YWJj="}) {
    EXPECT_EQ(CallForTest("base64decode", "[\"" + std::string(text) + "\"]"),
              "error in argument 0: the string is not valid base64 with padding")
        << text;
  }
}

TEST(EncodingFunctionsTest, UrlEncode) {
  CheckFunctionCases({
      {"urlencode", R"(["azAZ09-_.~"])", R"("string" "azAZ09-_.~")"},
      {"urlencode", R"(["a b+c/d?\u00e9&="])", R"("string" "a+b%2Bc%2Fd%3F%C3%A9%26%3D")"},
      {"urlencode", R"([""])", R"("string" "")"},
      {"urlencode", R"([true])", R"("string" "true")"},
  });
}

TEST(EncodingFunctionsTest, CsvDecode) {
  const char* const kType = R"(["list",["object",{"a":"string","b":"string"}]] )";
  const struct {
    const char* text;
    const char* want;
  } kRows[] = {
      {R"(a,b\n1,2\n3,4\n)", R"([{"a":"1","b":"2"},{"a":"3","b":"4"}])"},
      {R"(b,a\n1,2)", R"([{"a":"2","b":"1"}])"},
      {R"(\n\r\n\na,b\r\n\r\n1,2\r\n\r\n)", R"([{"a":"1","b":"2"}])"},
      {R"(a,b)", "[]"},
      {R"(a,b\n\n)", "[]"},
      {R"(a,b\n,)", R"([{"a":"","b":""}])"},
      {R"(a,b\n\"x,y\",\"say \"\"hi\"\"\"\n)", R"([{"a":"x,y","b":"say \"hi\""}])"},
      {R"(a,b\n\"1\r\n2\n\r3\",\"\"\n)", R"([{"a":"1\n2\n\r3","b":""}])"},
      {R"(a,b\n 1 , 2\r)", R"([{"a":" 1 ","b":" 2"}])"},
      {R"(a,\"b\"\r\n1,\"2\"\r)", R"([{"a":"1","b":"2"}])"},
      {R"(a,b\n\r1,x\ry)", R"([{"a":"\r1","b":"x\ry"}])"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CallForTest("csvdecode", "[\"" + std::string(row.text) + "\"]"), std::string(kType) + row.want)
        << row.text;
  }
  const char* const kNoName = "error in argument 0: the line with the columns' names is missing";
  CheckFunctionCases({
      {"csvdecode", R"([""])", kNoName},
      {"csvdecode", R"(["\n\r\n\r"])", kNoName},
      {"csvdecode", R"(["not csv at all"])", R"(["list",["object",{"not csv at all":"string"}]] [])"},
      {"csvdecode", R"(["a,b,a\n1,2,3"])", R"(error in argument 0: there are two columns named "a")"},
      {"csvdecode", R"(["a,b\n\n1"])", "error in argument 0: line 3: there is 1 field for 2 columns"},
      {"csvdecode", R"(["a,b\n1,x\"y"])",
       "error in argument 0: line 2: a quote in a field that does not begin with one"},
      {"csvdecode", R"(["a,b\n\"1\n2"])", "error in argument 0: line 3: the quoted field is not closed"},
      {"csvdecode", R"(["a,b\n\"1\"x,2"])",
       "error in argument 0: line 2: the quote that ends a field must be followed by a comma or the end of the line"},
      {"csvdecode", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("dynamic" {"$unknown":"dynamic"})"},
      {"csvdecode", R"([null])", "error in argument 0: the argument must not be null"},
  });
  Limits limits;
  limits.max_result_bytes = 1000;
  std::string lines = "a";
  for (int i = 0; i < 100; ++i) lines += "\\n1";
  EXPECT_EQ(CallForTest("csvdecode", "[\"" + lines + "\"]", limits).rfind("limit: ", 0), 0u);
}

TEST(EncodingFunctionsTest, UrlDecode) {
  CheckFunctionCases({
      {"urldecode", R"(["a+b%26c%3D%C3%A9"])", "\"string\" \"a b&c=\u00e9\""},
      {"urldecode", R"([""])", R"("string" "")"},
      {"urldecode", R"(["%41%6a%6A"])", R"("string" "Ajj")"},
      {"urldecode", R"(["e%CC%81"])", "\"string\" \"\u00e9\""},
      {"urldecode", R"(["-_.~/?&="])", R"("string" "-_.~/?&=")"},
      {"urldecode", R"(["%00"])", R"("string" "\u0000")"},
      {"urldecode", R"(["a%"])", "error in argument 0: two hexadecimal digits are required after the % at byte 1"},
      {"urldecode", R"(["%4"])", "error in argument 0: two hexadecimal digits are required after the % at byte 0"},
      {"urldecode", R"(["%4g"])", "error in argument 0: two hexadecimal digits are required after the % at byte 0"},
      {"urldecode", R"(["%g4"])", "error in argument 0: two hexadecimal digits are required after the % at byte 0"},
      {"urldecode", R"(["a%FF"])", "error in argument 0: the decoded bytes are not text: byte 1 is not UTF-8"},
      {"urldecode", R"([null])", "error in argument 0: the argument must not be null"},
  });
}

}  // namespace
}  // namespace hcl
