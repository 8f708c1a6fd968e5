// JSON values as native expressions: trees, ranges through escapes, messages.

#include "hclvm/hcl/json/json_expr.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
using internal::DumpOptions;
namespace {

JsonOptions Rules(JsonRules rules) {
  JsonOptions options;
  options.rules = rules;
  return options;
}

// The dump of the tree, with places and summaries of the messages behind it.
std::string Translate(const std::string& text, EvaluationMode mode = EvaluationMode::kFull,
                      const JsonOptions& options = Rules(JsonRules::kReference), bool ranges = false) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, options, &diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << text;
  Arena arena;
  DumpOptions dump_options;
  dump_options.ranges = ranges;
  std::string dump = DumpExpr(*ToNativeExpr(file->root, *file, mode, &arena, &diagnostics), dump_options);
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    dump += diagnostic.is_limit ? " !limit " : " !";
    dump += std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " " +
            diagnostic.summary;
  }
  return dump;
}

struct Row {
  std::string text;
  std::string want;
};

TEST(JsonExpr, FullExpressionMode) {
  const Row rows[] = {
      {"null", "null"},
      {"true", "true"},
      {"12.5e3", "12.5e3"},
      {"-2.5", "(- 2.5)"},
      {"[]", "(tuple)"},
      {"[1, [false]]", "(tuple 1 (tuple false))"},
      {"\"\"", "(template)"},
      {"\"plain\"", "(template \"plain\")"},
      {"\"${true}\"", "(wrap true)"},
      {"\" ${true}\"", "(template \" \" true)"},
      {"\"$${a} %%{b} $ % {\"", "(template \"${a} %{b} $ % {\")"},
      {R"("a\n${b}")", "(template \"a\\n\" (var b))"},
      {R"("${f(\"x\\n\")}")", "(wrap (call f (template \"x\\n\")))"},
      {R"("%{ if a }x%{ endif }")", "(template (%if (var a) (template \"x\")))"},
      {R"("${<<A\nx\nA\n}")", "(wrap (template \"x\\n\"))"},
      {R"({"${a}": 1})", "(object ((wrap (var a)) 1))"},
      {R"({"x-${a}": 1, "x-${a}": 2})", "(object ((template \"x-\" (var a)) 1) ((template \"x-\" (var a)) 2))"},
      // Strings in native expressions know native escapes, not JSON's.
      {R"("${\"\\u00e9\"}")", "(wrap (template \"\xC3\xA9\"))"},
  };
  for (const Row& row : rows) EXPECT_EQ(Translate(row.text), row.want) << row.text;
}

TEST(JsonExpr, NamesAreLiteralInTheSpecification) {
  EXPECT_EQ(Translate(R"({"${a}": "${a}"})", EvaluationMode::kFull, {}),
            "(object ((template \"${a}\") (wrap (var a))))");
}

TEST(JsonExpr, LiteralOnlyMode) {
  EXPECT_EQ(
      Translate(R"({"${a}": ["${", "$${b}", "\u00e9", -1]})", EvaluationMode::kLiteral),
      "(object ((template \"${a}\") (tuple (template \"${\") (template \"$${b}\") (template \"\xC3\xA9\") (- 1))))");
}

TEST(JsonExpr, RepeatedNames) {
  for (const JsonRules rules : {JsonRules::kSpec, JsonRules::kReference}) {
    EXPECT_EQ(Translate(R"({"a": 1, "a": 2, "//": 3, "//": 4})", EvaluationMode::kFull, Rules(rules)),
              "(object ((template \"a\") 1) ((template \"//\") 3)) !9-12 Duplicate object attribute !26-30 Duplicate "
              "object attribute");
  }
  // Names are compared as strings are.
  EXPECT_EQ(Translate(R"({"\u00e9": 1, "e\u0301": 2})"),
            "(object ((template \"\xC3\xA9\") 1)) !14-23 Duplicate object attribute");
}

TEST(JsonExpr, Ranges) {
  EXPECT_EQ(Translate(R"(["a", "${b}", -1])", EvaluationMode::kFull, {}, true),
            "(tuple (template \"a\"@2-3)@1-4 (wrap (var b)@9-10)@6-12 (- 1@15-16)@14-16)@0-17");
  EXPECT_EQ(Translate(R"("\n\u00e9${ b.c }")", EvaluationMode::kFull, {}, true),
            "(template \"\\n\xC3\xA9\"@1-9 (traverse (var b)@12-13 .c@13-15)@12-15)@0-18");
}

// Every range of every kind of node goes through the escapes: with each byte written as \u00NN, an offset in the
// template is six times as large in the JSON text, behind the quote.
TEST(JsonExpr, RangesGoThroughEscapes) {
  const char* const templates[] = {
      "x${a}y${b.c[0][\"d\"]}",
      "${a[b.c]}",
      "${a.*.b}${a[*].b[0]}",
      "${f(a, [1, 2]...)} ${n::g()}",
      "${[for k, v in a : v if k]}${{for k, v in a : k => v...}}",
      "${{a = 1, \"b\" = 2, (c) = 3}}",
      "${!a && -b < 2 ? (c) : null}",
      "%{ for k, v in a ~} ${v} %{ endfor }%{ if a }x%{ else }${b}%{ endif }",
      "${\"a${b}\"}$${c}",
  };
  for (const std::string text : templates) {
    const Source source("test", text);
    Diagnostics diagnostics;
    DumpOptions options;
    options.ranges = true;
    std::string native = DumpExpr(*ParseTemplate(source, {}, &diagnostics)->expr, options);
    EXPECT_TRUE(diagnostics.empty()) << text;

    // The whole of a string has its quotes.
    native.erase(native.rfind('@'));
    std::string want;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (size_t at = 0; at < native.size();) {
      want += native[at++];
      if (want.back() != '@') continue;
      for (const char* end : {"-", ""}) {
        uint32_t offset = 0;
        while (at < native.size() && is_digit(native[at])) {
          offset = offset * 10 + static_cast<uint32_t>(native[at++] - '0');
        }
        want += std::to_string(1 + 6 * offset) + end;
        if (*end != '\0') ++at;
      }
    }
    std::string escaped = "\"";
    for (const char c : text) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      escaped += code;
    }
    want += "@0-" + std::to_string(2 + 6 * text.size());
    EXPECT_EQ(Translate(escaped + "\"", EvaluationMode::kFull, {}, true), want) << text;
  }
}

TEST(JsonExpr, BrokenTemplatesAreReportedWhereTheyAre) {
  EXPECT_EQ(Translate(R"(["${", "ok ${a}"])"),
            "(tuple (template \"${\") (template \"ok \" (var a))) !4-4 Missing expression");
  EXPECT_EQ(Translate(R"("\n\n${")"), "(template \"\\n\\n${\") !7-7 Missing expression");
  EXPECT_EQ(Translate(R"("\"${a b}")"),
            "(template \"\\\"${a b}\") !7-8 Extra characters after interpolation expression");
}

TEST(JsonExpr, LinesInMessagesAreThoseOfTheJsonText) {
  for (const char* text : {"[\n\"%{ if a }\"]", "[\n\"\\n\\n%{ if a }\"]"}) {
    const Source source("test", text);
    Diagnostics diagnostics;
    const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, {}, &diagnostics);
    Arena arena;
    ToNativeExpr(file->root, *file, EvaluationMode::kFull, &arena, &diagnostics);
    ASSERT_EQ(diagnostics.kept().size(), 1u);
    EXPECT_EQ(diagnostics.kept()[0].detail, "The \"if\" directive on line 2 is to be ended by \"endif\".");
  }
}

TEST(JsonExpr, NestingOfJsonAndTemplateCountTogether) {
  JsonOptions options;
  options.limits.max_nesting_depth = 4;
  EXPECT_EQ(Translate(R"([["${[a]}"]])", EvaluationMode::kFull, options), "(tuple (tuple (wrap (tuple (var a)))))");
  EXPECT_EQ(Translate(R"([[["${[a]}"]]])", EvaluationMode::kFull, options),
            "(tuple (tuple (tuple (template \"${[a]}\")))) !limit 6-7 Nesting too deep");
}

std::string Attributes(const std::string& text) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, {}, &diagnostics);
  Arena arena;
  std::string dump = DumpBody(*JsonAttributes(*file, EvaluationMode::kFull, &arena, &diagnostics));
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    dump += "!" + std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " " +
            diagnostic.summary + ": " + diagnostic.detail + "\n";
  }
  return dump;
}

TEST(JsonExpr, DynamicAttributes) {
  EXPECT_EQ(Attributes(R"({"b": 1, "//": "${", "a b": "${x}"})"), "b = 1\na b = (wrap (var x))\n");
  EXPECT_EQ(Attributes("{\"a\": 1,\n\"a\": 2, \"//\": 1, \"//\": 1}"),
            "a = 1\n!9-12 Duplicate attribute definition: The attribute \"a\" is set already, on line 1.\n");
  EXPECT_EQ(Attributes("[{}]"),
            "!0-1 Incorrect JSON value type: An object is required here, whose properties are the attributes.\n");
  EXPECT_EQ(Attributes("{}"), "");
}

}  // namespace
}  // namespace hcl
