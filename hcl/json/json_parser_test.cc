// JSON text to tree, and to messages with their places.

#include "hclvm/hcl/json/json_parser.h"

#include <atomic>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_dump.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser_internal.h"

namespace hcl {

using internal::DumpJson;
namespace {

// The messages as "BEGIN-END SUMMARY", joined by "; ".
std::string Messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!text.empty()) text += "; ";
    if (diagnostic.is_limit) text += "limit ";
    if (diagnostic.subject) {
      text += std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " ";
    }
    text += diagnostic.summary;
  }
  return text;
}

// The tree, and behind " | " the messages.
std::string Parse(const std::string& text, const JsonOptions& options = {}, bool ranges = false) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, options, &diagnostics);
  const std::string messages = Messages(diagnostics);
  return DumpJson(file->root, ranges) + (messages.empty() ? "" : " | " + messages);
}

JsonOptions AsReference() {
  JsonOptions options;
  options.rules = JsonRules::kReference;
  return options;
}

struct Row {
  std::string text;
  std::string want;
};

TEST(JsonParser, Trees) {
  const Row rows[] = {
      {"null", "null"},
      {" true ", "true"},
      {"false\r\n", "false"},
      {"-0.5e+10", "-0.5e+10"},
      {"0", "0"},
      {"123456789012345678901234567890.5", "123456789012345678901234567890.5"},
      {"[]", "[]"},
      {"[1,[2],{}]", "[1,[2],{}]"},
      {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"},
      {"{ \"//\" : \"x\" }", "{\"//\":\"x\"}"},
      {"\"\"", "\"\""},
      {"\"a/b\"", "\"a/b\""},
      {R"("\"\\\/\b\f\n\r\t")", R"("\"\\/\u0008\u000c\n\r\t")"},
      {R"("\u00e9\u00E9")", "\"\xC3\xA9\xC3\xA9\""},
      {R"("\ud83d\ude00!")", "\"\xF0\x9F\x98\x80!\""},
      {R"("\ud83d")", "\"\xEF\xBF\xBD\""},
      {R"("\ud83dx")", "\"\xEF\xBF\xBDx\""},
      {R"("\ud83d\u0041")",
       "\"\xEF\xBF\xBD"
       "A\""},
      {R"("\ude00\ud83d")", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {"\"\x7F\xC3\xA9\"", "\"\\u007f\xC3\xA9\""},
  };
  for (const Row& row : rows) EXPECT_EQ(Parse(row.text), row.want) << row.text;
}

TEST(JsonParser, Ranges) {
  EXPECT_EQ(Parse(R"( {"a": [1, "\n"], "b":{} } )", {}, true),
            R"({"a"@2-5:[1@8-9,"\n"@11-15]@7-16,"b"@18-21:{}@22-24}@1-26)");
  const Source source("test", "{\"a\": [");
  Diagnostics diagnostics;
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, {}, &diagnostics);
  EXPECT_EQ(file->root.start(), (SourceRange{0, 1}));
  EXPECT_EQ(file->root.close(), (SourceRange{7, 7}));
}

TEST(JsonParser, Mistakes) {
  const Row rows[] = {
      {"", "! | 0-0 Missing value"},
      {"  ", "! | 2-2 Missing value"},
      {"}", "! | 0-1 Missing JSON value"},
      {"]", "! | 0-1 Missing array element value"},
      {",", "! | 0-1 Invalid start of value"},
      {"\xC3\xA9", "! | 0-2 Invalid start of value"},
      {"1 2", "1 | 2-3 Extraneous data after value"},
      {"{} /", "{} | 3-4 Extraneous data after value"},
      // Scalars.
      {"True", "! | 0-4 Invalid JSON keyword"},
      {"undefined", "! | 0-9 Invalid JSON keyword"},
      {"[nul,1]", "[!,1] | 1-4 Invalid JSON keyword"},
      {"01", "! | 0-2 Invalid JSON number"},
      {"+1", "! | 0-2 Invalid JSON number"},
      {".5", "! | 0-2 Invalid JSON number"},
      {"[1.,1e,-]", "[!,!,!] | 1-3 Invalid JSON number; 4-6 Invalid JSON number; 7-8 Invalid JSON number"},
      {R"(["\q", 1])", R"([!,1] | 2-4 Invalid JSON string)"},
      {R"(["\u12", 1])", R"([!,1] | 2-6 Invalid JSON string)"},
      {"[\"abc\n,1]", "[!,1] | 1-5 Invalid JSON string"},
      {"[\"abc", "[!] | 1-5 Invalid JSON string; 0-1 Unclosed array"},
      {"\"a\\", "! | 2-3 Invalid JSON string"},
      // Arrays.
      {"[1,]", "[1] | 2-3 Trailing comma in array"},
      {"[,1]", "[!,1] | 1-2 Invalid start of value"},
      {"[1,,2]", "[1,!,2] | 3-4 Invalid start of value"},
      {"[1 2 3]", "[1,2,3] | 3-4 Missing element separator comma; 5-6 Missing element separator comma"},
      {"[1:2]", "[1] | 2-3 Invalid array value"},
      {"[1", "[1] | 0-1 Unclosed array"},
      {"[1,", "[1,!] | 3-3 Missing value"},
      {"[[1", "[[1]] | 1-2 Unclosed array"},
      {"[1}", "[1] | 2-3 Mismatched brackets"},
      {"[1 @ 2]", "[1] | 3-4 Missing element separator comma"},
      // Objects.
      {R"({"a":1,})", R"({"a":1} | 6-7 Trailing comma in object)"},
      {R"({a:1,"b":2})", R"({"b":2} | 1-2 Invalid object property name)"},
      {R"({1:1,"b":2})", R"({"b":2} | 1-2 Invalid object property name)"},
      {R"({[1]:1,"b":2})", R"({"b":2} | 1-2 Invalid object property name)"},
      {R"({,"b":2})", R"({"b":2} | 1-2 Invalid start of value)"},
      {R"({"a"="b", "c"=1})",
       R"({"a":"b","c":1} | 4-5 Missing property value colon; 13-14 Missing property value colon)"},
      {R"({"a" 1})", R"({"a":1} | 5-6 Missing property value colon)"},
      {R"({"a", "b"})", R"({} | 4-5 Missing object value; 9-10 Missing object value)"},
      {R"({"a":})", R"({"a":!} | 5-6 Missing JSON value)"},
      {R"({"a"::1,"b":2})", R"({"a":!,"b":2} | 5-6 Invalid start of value; 6-7 Missing attribute separator comma)"},
      {R"({"a":1 "b":2})", R"({"a":1,"b":2} | 7-10 Missing attribute separator comma)"},
      {R"({"a":1 2,"b":2})", R"({"a":1,"b":2} | 7-8 Missing attribute separator comma)"},
      {R"({"a":1)", R"({"a":1} | 0-1 Unclosed object)"},
      {R"({"a":1])", R"({"a":1} | 6-7 Mismatched braces)"},
      {R"({"a)", R"({} | 1-3 Invalid JSON string; 0-1 Unclosed object)"},
      {R"({"\q":[1 2],"b":tru})",
       R"({"b":!} | 2-4 Invalid JSON string; 9-10 Missing element separator comma; 16-19 Invalid JSON keyword)"},
  };
  for (const Row& row : rows) EXPECT_EQ(Parse(row.text), row.want) << row.text;
}

// Where the reference points; see JsonRules.
TEST(JsonParser, FirstMistakeAsTheReferencePoints) {
  const Row rows[] = {
      {"[1 2, 3], 4", "[1,2,3] | 8-9 Missing element separator comma"},
      {"[1 [2] 3]", "[1,[2],3] | 7-8 Missing element separator comma; 7-8 Missing element separator comma"},
      {"[1 \\ 2]", "[1] | 4-4 Missing element separator comma"},
      {"[1} ,", "[1] | 5-5 Mismatched brackets"},
      {R"({"a":1] ,)", R"({"a":1} | 8-9 Mismatched braces)"},
      {R"({"a":1 "b":2} 7)", R"({"a":1,"b":2} | 14-15 Missing attribute separator comma)"},
      {R"(["\qx"])", R"([!] | 4-5 Invalid JSON string)"},
      {"[\"ab\n]", "[!] | 4-5 Invalid JSON string"},
  };
  for (const Row& row : rows) EXPECT_EQ(Parse(row.text, AsReference()), row.want) << row.text;
}

TEST(JsonParser, Details) {
  const Source source("test", "[flase, NaN, hello, {\"a\" = 1}]");
  Diagnostics diagnostics;
  ParseJsonExpression(source, {}, &diagnostics);
  ASSERT_EQ(diagnostics.kept().size(), 4u);
  EXPECT_EQ(diagnostics.kept()[0].detail, "\"flase\" is no JSON keyword. Did you mean false?");
  EXPECT_EQ(diagnostics.kept()[1].detail, "\"NaN\" is JavaScript, but not JSON.");
  EXPECT_EQ(diagnostics.kept()[2].detail, "\"hello\" is no JSON keyword. Text must stand in double quotes.");
  EXPECT_EQ(diagnostics.kept()[3].detail,
            "In JSON, a colon stands between a property's name and its value, not an equals sign.");
}

TEST(JsonParser, RootOfAConfig) {
  const auto messages = [](const std::string& text, JsonRules rules) {
    const Source source("test", text);
    Diagnostics diagnostics;
    JsonOptions options;
    options.rules = rules;
    ParseJson(source, options, &diagnostics);
    return Messages(diagnostics);
  };
  EXPECT_EQ(messages("{}", JsonRules::kSpec), "");
  EXPECT_EQ(messages("[{}]", JsonRules::kSpec), "0-1 Root value must be object");
  EXPECT_EQ(messages("[{}]", JsonRules::kReference), "");
  EXPECT_EQ(messages(" true", JsonRules::kReference), "1-5 Root value must be object");
  EXPECT_EQ(messages("tru", JsonRules::kReference), "0-3 Invalid JSON keyword");
}

TEST(JsonParser, TextsThatAreNoJsonAtAll) {
  EXPECT_EQ(Parse("\xEF\xBB\xBF{}"), "{} | 0-3 Byte order mark");
  EXPECT_EQ(Parse("[\"\xFF\"]"), "! | 2-3 Invalid character encoding");
  EXPECT_EQ(Parse(std::string("\0", 1)), "! | 0-1 Invalid start of value");
}

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonParser, Limits) {
  JsonOptions options;
  options.limits.max_nesting_depth = 3;
  EXPECT_EQ(Parse(Nested(3), options), "[[[]]]");
  EXPECT_EQ(Parse(Nested(4), options), "[[[[!]]]] | limit 3-4 Nesting too deep");
  EXPECT_EQ(Parse("[[{\"a\":{}}]]", options), "[[{\"a\":{}}]] | limit 7-8 Nesting too deep");
  options = {};
  options.limits.max_source_bytes = 4;
  EXPECT_EQ(Parse("[12]", options), "[12]");
  EXPECT_EQ(Parse("[123]", options), "! | limit Source too large");
  options = {};
  options.limits.max_diagnostics = 2;
  EXPECT_EQ(Parse("[x,y]", options), "[!,!] | 1-2 Invalid JSON keyword; 3-4 Invalid JSON keyword");
  EXPECT_EQ(Parse("[x,y,z]", options),
            "[!,!,!] | 1-2 Invalid JSON keyword; 3-4 Invalid JSON keyword; limit Too many errors");
}

// Linear time: seconds otherwise.
TEST(JsonParser, LargeInputs) {
  constexpr size_t kMany = 1'000'000;
  for (const char* part : {"[", "{", "{\"a\":", "]", "}", "[1 ", "1 ", "\"", "\"\\", "x ", ",", ":", "{[", "[}"}) {
    std::string text;
    while (text.size() < kMany) text += part;
    for (const JsonOptions& options : {JsonOptions(), AsReference()}) {
      const Source source("test", text);
      Diagnostics diagnostics;
      ParseJson(source, options, &diagnostics);
      EXPECT_TRUE(diagnostics.has_errors()) << part;
    }
  }
}

TEST(JsonParser, AnInterruptStopsTheParse) {
  const std::atomic<bool> cancel{true};
  JsonOptions options;
  options.limits.interrupt.cancel = &cancel;
  EXPECT_EQ(Parse("[1, 2]", options), "! | limit 0-1 Parsing interrupted");
}

}  // namespace
}  // namespace hcl
