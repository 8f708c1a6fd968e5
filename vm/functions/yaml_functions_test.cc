#include "hclvm/vm/functions/yaml_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

// `text` as a JSON string.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  return out + "\"";
}

TEST(YamlFunctionsTest, Scalars) {
  const char* const kRows[][2] = {
      {"---", "\"dynamic\" null"},
      {"---\n# nothing", "\"dynamic\" null"},
      {"~", "\"dynamic\" null"},
      {"null", "\"dynamic\" null"},
      {"NULL", "\"dynamic\" null"},
      {"nULL", "\"string\" \"nULL\""},
      {"true", "\"bool\" true"},
      {"Yes", "\"bool\" true"},
      {"on", "\"bool\" true"},
      {"OFF", "\"bool\" false"},
      {"n", "\"bool\" false"},
      {"'yes'", "\"string\" \"yes\""},
      {"\"12\"", "\"string\" \"12\""},
      {"12", "\"number\" 12"},
      {"1_000", "\"number\" 1000"},
      {"-1_000", "\"number\" -1000"},
      {"+1__0_", "\"number\" 10"},
      {"-_1", "\"number\" -1"},
      {"_1", "\"string\" \"_1\""},
      {"1_0.5", "\"string\" \"1_0.5\""},
      {"1_0e2", "\"string\" \"1_0e2\""},
      {"!!float 1_0.5", "\"number\" 10.5"},
      {"0x_f_F", "\"number\" 255"},
      {"0o1_7", "\"number\" 15"},
      {"-_", "error in argument 0: line 1, column 1: \"-_\" is beyond the numbers that there are"},
      {"+.5e1", "\"number\" 5"},
      {"0777", "\"number\" 777"},
      {"0o17", "\"number\" 15"},
      {"0xfF", "\"number\" 255"},
      {"0xffffffffffffffff", "\"number\" 18446744073709551615"},
      {"0x1ffffffffffffffff",
       "error in argument 0: line 1, column 1: \"0x1ffffffffffffffff\" is beyond the numbers that there are"},
      {"-0x8000000000000000", "\"number\" -9223372036854775808"},
      {"0o8", "\"string\" \"0o8\""},
      {"-0x1", "\"number\" -1"},
      {"+0o17", "\"number\" 15"},
      {"1.", "\"number\" 1"},
      {".", "\"string\" \".\""},
      {"-", "[\"tuple\",[\"dynamic\"]] [null]"},
      {"1e", "\"string\" \"1e\""},
      {".inf", "\"number\" {\"$number\":\"+Inf\"}"},
      {"-.INF", "\"number\" {\"$number\":\"-Inf\"}"},
      {".nan", "error in argument 0: line 1, column 1: \".nan\" is beyond the numbers that there are"},
      {"1:30", "\"string\" \"1:30\""},
      {"2001-12-14", "\"string\" \"2001-12-14T00:00:00Z\""},
      {"2001-12-14 21:59:43.10", "\"string\" \"2001-12-14T21:59:43Z\""},
      {"2001-12-14T21:59:43-05:00", "\"string\" \"2001-12-14T21:59:43-05:00\""},
      {"2001-13-14", "\"string\" \"2001-13-14\""},
      {"2001-1-4", "\"string\" \"2001-01-04T00:00:00Z\""},
      {"2001-12-14t21:59:43Z", "\"string\" \"2001-12-14T21:59:43Z\""},
      {"2001-1-2T1:2:3Z", "\"string\" \"2001-01-02T01:02:03Z\""},
      {"2001-1-2 1:2:3", "\"string\" \"2001-01-02T01:02:03Z\""},
      {"2001-12-4t1:2:3.5+01:30", "\"string\" \"2001-12-04T01:02:03+01:30\""},
      {"2001-12-14T1:2:3", "\"string\" \"2001-12-14T1:2:3\""},
      {"2001-12-14 1:2:3Z", "\"string\" \"2001-12-14 1:2:3Z\""},
      {"2001-12-14T1:2:3z", "\"string\" \"2001-12-14T1:2:3z\""},
      {"2001-12-14T1:2:3.Z", "\"string\" \"2001-12-14T1:2:3.Z\""},
      {"2001-12-14T1:2Z", "\"string\" \"2001-12-14T1:2Z\""},
      {"2001-123-1", "\"string\" \"2001-123-1\""},
      {"2001-2-30", "\"string\" \"2001-2-30\""},
      {"201-12-14", "\"string\" \"201-12-14\""},
      {"20011-2-14", "\"string\" \"20011-2-14\""},
      {"!!str 12", "\"string\" \"12\""},
      {"! 12", "\"string\" \"12\""},
      {"!!int '12'", "\"number\" 12"},
      {"!!int x", "error in argument 0: line 1, column 1: \"x\" cannot be read as !!int"},
      {"!!bool 1", "error in argument 0: line 1, column 1: \"1\" cannot be read as !!bool"},
      {"!color red", "error in argument 0: line 1, column 1: there is no tag !color"},
      {"|\n  a\n  b\n", "\"string\" \"a\\nb\\n\""},
      {">-\n  a\n  b\n", "\"string\" \"a b\""},
      {"e\u0301", "\"string\" \"\u00e9\""},
      {"--- 1\n", "\"number\" 1"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CallForTest("yamldecode", "[" + Quoted(row[0]) + "]"), row[1]) << row[0];
  }
}

TEST(YamlFunctionsTest, Collections) {
  const char* const kRows[][2] = {
      {"a: 1\nb:\n- x\n- {c: [yes, ]}\n", "{\"a\":1,\"b\":[\"x\",{\"c\":[true]}]}"},
      {"{}", "{}"},
      {"[]", "[]"},
      {"1: x\ntrue: z\n", "{\"1\":\"x\",\"true\":\"z\"}"},
      {"a: &x {b: 1}\nc: *x\n", "{\"a\":{\"b\":1},\"c\":{\"b\":1}}"},
      {"d: &d {a: 1, b: 2}\ne:\n  b: 3\n  <<: *d\n", "{\"d\":{\"a\":1,\"b\":2},\"e\":{\"a\":1,\"b\":3}}"},
      {"<<: [{a: 1}, {a: 2, b: 2}]", "{\"a\":1,\"b\":2}"},
      {"'<<': 1", "{\"<<\":1}"},
      {"a: 1\na: 2", "error in argument 0: line 1, column 1: a key is given twice in this mapping"},
      {"null: 1", "error in argument 0: line 1, column 1: a key must not be null"},
      {"[a]: 1", "error in argument 0: line 1, column 1: a key must be a scalar"},
      {"<<: 1", "error in argument 0: line 1, column 5: only mappings can be merged"},
      {"*x", "error in argument 0: line 1, column 1: there is no anchor \"x\" before"},
      {"&x [*x]", "error in argument 0: line 1, column 5: anchor \"x\" cannot stand in itself"},
      {"--- 1\n--- 2\n", "error in argument 0: line 2, column 1: only one document is allowed"},
      {"!!map [1]", "error in argument 0: line 1, column 1: a sequence cannot be map"},
  };
  for (const auto& row : kRows) {
    std::string got = CallForTest("yamldecode", "[" + Quoted(row[0]) + "]");
    // Without the type, which says what the value shows.
    if (got.rfind("[", 0) == 0) got = got.substr(got.find("] ") + 2);
    EXPECT_EQ(got, row[1]) << row[0];
  }
  for (const char* text : {"[", "{a", "a: b: c", "\"x", "\t- a", "a: [1\nb: 2", "%YAML 9.9\n--- 1"}) {
    EXPECT_EQ(CallForTest("yamldecode", "[" + Quoted(text) + "]").rfind("error in argument 0: line ", 0), 0u) << text;
  }
  CheckFunctionCases({
      {"yamldecode", "[null]", "error in argument 0: the argument must not be null"},
      {"yamldecode", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("dynamic" {"$unknown":"dynamic"})"},
  });
}

// As in the reference, there must be a document; "---" begins one.
TEST(YamlFunctionsTest, NoDocument) {
  EXPECT_EQ(CallForTest("yamldecode", R"([""])"), "error in argument 0: the text is empty");
  for (const char* text : {" ", "\n", "\n\n  \n", "# nothing", "# a\n\n# b\n"}) {
    EXPECT_EQ(CallForTest("yamldecode", "[" + Quoted(text) + "]"),
              "error in argument 0: the text is empty but for blanks and comments")
        << text;
  }
}

TEST(YamlFunctionsTest, ReadingIsBounded) {
  EXPECT_EQ(
      CallForTest("yamldecode", "[\"" + std::string(600, '[') + std::string(600, ']') + "\"]").rfind("limit: ", 0), 0u);
  // Each level doubles the tree.
  std::string laughs = "- &a0 x\n";
  for (int i = 1; i < 100; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    laughs += "- &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  EXPECT_EQ(CallForTest("yamldecode", "[" + Quoted(laughs) + "]").rfind("limit: ", 0), 0u);
  Limits limits;
  limits.max_fuel = 200;
  std::string many;
  for (int i = 0; i < 400; ++i) many += "- 1\n";
  EXPECT_EQ(CallForTest("yamldecode", "[" + Quoted(many) + "]", limits),
            "limit: the call needs more steps than are allowed (limit max_fuel)");
}

TEST(YamlFunctionsTest, Encode) {
  const char* const kRows[][2] = {
      {"true", "true\n...\n"},
      {"null", "null\n...\n"},
      {"1.50", "1.5\n...\n"},
      {R"("")", "\"\"\n"},
      {R"("hello \u00e9 \"x\"")", "\"hello \u00e9 \\\"x\\\"\"\n"},
      {"{}", "{}\n"},
      {"[]", "[]\n"},
      {R"({"foo": [1, {"a": "b", "c": null}, true], "bar": {"x": []}})",
       "\"bar\":\n  \"x\": []\n\"foo\":\n- 1\n- \"a\": \"b\"\n  \"c\": null\n- true\n"},
      {R"([[1, 2], []])", "- - 1\n  - 2\n- []\n"},
      {R"({"a": "x\ny\n"})", "\"a\": |\n  x\n  y\n"},
      {R"("x\ny")", "|-\n  x\n  y\n"},
      {R"("\n")", "|2+\n\n"},
      {R"("x\n\n")", "|+\n  x\n\n"},
      {R"("x\n...\n")", "|\n  x\n  ...\n"},
      {R"({"a": "x\n\n", "b": 1})", "\"a\": |+\n  x\n\n\"b\": 1\n"},
      {R"({"a": 1, "b": "x\n\n"})", "\"a\": 1\n\"b\": |+\n  x\n\n"},
      {R"(["x\n\n", ["\n\n"]])", "- |+\n  x\n\n- - |2+\n\n\n"},
      {R"({"type": ["set", "string"], "value": ["b", "a"]})", "- \"a\"\n- \"b\"\n"},
      {R"({"type": "number", "value": {"$number": "-Inf"}})", "-.Inf\n...\n"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CallForTest("yamlencode", "[" + std::string(row[0]) + "]"), "\"string\" " + Quoted(row[1])) << row[0];
  }
  CheckFunctionCases({
      {"yamlencode", R"([{"type": ["list", "number"], "value": [1, {"$unknown": "number"}]}])",
       R"("string" {"$unknown":"string"})"},
  });
  Limits limits;
  limits.max_result_bytes = 1000;
  EXPECT_EQ(CallForTest("yamlencode", "[\"" + std::string(2000, 'x') + "\"]", limits).rfind("limit: ", 0), 0u);
}

}  // namespace
}  // namespace hcl
