// Law: a config means the same in both syntaxes. Random attributes are written in each, expressions as "${...}" in JSON
// strings; values, types and the messages of failing ones agree, in both dialects.

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <random>
#include <regex>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

using internal::CodePoint;
using internal::DecodeUtf8;
namespace {

using testing_support::Harness;

constexpr int kRounds = 3'000;

// One attribute's value in each syntax.
struct Pair {
  std::string native;
  std::string json;
};

class Generator {
 public:
  Generator(uint32_t seed, bool name_templates) : random_(seed), name_templates_(name_templates) {}

  Pair Value(int depth) {
    switch (Below(depth > 0 ? 10 : 6)) {
      case 0:
        return Same({"1", "-2.5", "1e3", "-0", "123456789012345678901234567890.5", "2E-3"});
      case 1:
        return Same({"true", "false", "null"});
      case 2:
        return Text();
      case 3:
        return Expression();
      case 4:
      case 5:
        return Template();
      case 6:
      case 7:
        return Tuple(depth);
      default:
        return Object(depth);
    }
  }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  const char* OneOf(std::initializer_list<const char*> items) { return items.begin()[Below(items.size())]; }
  Pair Same(std::initializer_list<const char*> items) {
    const std::string item = OneOf(items);
    return {item, item};
  }

  // Literal text as a template: sequences are escaped, nothing else is.
  std::string TemplateText() {
    std::string text;
    for (uint32_t n = Below(6); n > 0; --n) {
      text += OneOf({"a", " ", "$", "%", " {", "}", "$${", "%%{", "\"", "\\", "\n", "\t", "/", "\u00e9", "e\u0301",
                     "\U0001F600", "x-y", "~"});
    }
    return text;
  }

  // A template as a quoted string of each syntax. Expressions in it are the same text in both, but for JSON's escapes.
  Pair Quoted(const std::string& text, bool is_literal) {
    std::string native = "\"";
    for (const char c : text) {
      if (is_literal && (c == '"' || c == '\\')) {
        native.append("\\").append(1, c);
      } else if (is_literal && c == '\n') {
        native += "\\n";
      } else if (is_literal && c == '\t') {
        native += "\\t";
      } else {
        native += c;
      }
    }
    return {native + "\"", Json(text)};
  }

  // Some characters that need no escape get one.
  std::string Json(const std::string& text) {
    std::string json;
    for (size_t at = 0; at < text.size();) {
      const CodePoint code_point = DecodeUtf8(text, at);
      if (code_point.value < 0x10000 && Below(8) == 0) {
        char escape[8];
        std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(code_point.value));
        json += escape;
      } else {
        std::string quoted;
        AppendJsonString(text.substr(at, code_point.bytes), &quoted);
        json.append(quoted, 1, quoted.size() - 2);
      }
      at += code_point.bytes;
    }
    return "\"" + json + "\"";
  }

  Pair Text() { return Quoted(TemplateText(), true); }

  std::string Inner(int depth) {
    switch (Below(depth > 0 ? 12 : 5)) {
      case 0:
        return OneOf({"i", "d", "s", "t", "uni", "ls", "ms", "o", "un", "dyn", "yes"});
      case 1:
        return OneOf({"1", "2.5", "true", "null", "\"x\"", "\"\\\"\\n\\u00e9\""});
      case 2:
        return OneOf({"o.a", "ls[0]", "ms[\"a\"]", "us[*].name", "us.*.name", "nosuch", "ls[7]", "o.nosuch"});
      case 3:
        return OneOf({"<<A\nx ${i}\n  y\nA\n", "upper(s)", "length(ls)", "nosuch(1)", "upper([])"});
      case 4:
        return "\"a-${" + std::string(OneOf({"i", "s", "ls"})) + "}-%{ if yes }b%{ endif }\"";
      case 5:
        return "(" + Inner(depth - 1) + " + " + Inner(depth - 1) + ")";
      case 6:
        return "(" + Inner(depth - 1) + " == " + Inner(depth - 1) + ")";
      case 7:
        return "(yes ? " + Inner(depth - 1) + " : " + Inner(depth - 1) + ")";
      case 8:
        return "[" + Inner(depth - 1) + ", " + Inner(depth - 1) + "]";
      case 9:
        return "{a = " + Inner(depth - 1) + ", \"b c\" = " + Inner(depth - 1) + "}";
      case 10:
        return "[for x in ls : " + Inner(depth - 1) + "]";
      default:
        return "{for k, v in ms : k => " + Inner(depth - 1) + "}";
    }
  }

  Pair Expression() {
    const std::string inner = Inner(3);
    return {"(" + inner + ")", Json("${" + inner + "}")};
  }

  Pair Template() {
    const Pair before = Quoted(TemplateText(), true);
    const Pair after = Quoted(TemplateText(), true);
    const std::string sequence = Below(4) == 0 ? "%{ for x in ls ~} ${x}, %{ endfor }" : " ${" + Inner(2) + "}";
    const auto join = [](const std::string& a, const std::string& b, const std::string& c) {
      return a.substr(0, a.size() - 1) + b + c.substr(1);
    };
    const std::string escaped = Json(sequence);
    return {join(before.native, sequence, after.native),
            join(before.json, escaped.substr(1, escaped.size() - 2), after.json)};
  }

  Pair Tuple(int depth) {
    Pair tuple = {"[", "["};
    for (uint32_t n = Below(4), i = 0; i < n; ++i) {
      const Pair element = Value(depth - 1);
      tuple.native += (i == 0 ? "" : ", ") + element.native;
      tuple.json += (i == 0 ? "" : ", ") + element.json;
    }
    return {tuple.native + "]", tuple.json + "]"};
  }

  Pair Object(int depth) {
    Pair object = {"{", "{"};
    for (uint32_t n = Below(4), i = 0; i < n; ++i) {
      // Each name is different.
      const std::string suffix = std::to_string(i);
      Pair name = Quoted(TemplateText() + suffix, true);
      // A name is no template in JSON; then it must not hold what means something else in one.
      if (!name_templates_) name = Quoted(std::regex_replace(TemplateText(), std::regex("[$%]"), "") + suffix, true);
      if (name_templates_ && Below(3) == 0)
        name = Quoted("${" + std::string(OneOf({"s", "i", "un"})) + "}" + suffix, false);
      const Pair value = Value(depth - 1);
      object.native += (i == 0 ? "" : ", ") + name.native + " = " + value.native;
      object.json += (i == 0 ? "" : ", ") + name.json + ": " + value.json;
    }
    return {object.native + "}", object.json + "}"};
  }

  std::mt19937 random_;
  bool name_templates_;
};

// Without the places of messages, which differ.
std::string WithoutPlaces(const std::string& outcome) {
  if (outcome.rfind("error ", 0) != 0) return outcome;
  return std::regex_replace(outcome, std::regex("error [0-9]+-[0-9]+ "), "error ");
}

TEST(JsonProperty, BothSyntaxesMeanTheSame) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    CompileOptions options;
    options.dialect = dialect;
    Harness harness(options);
    Generator generator(7, dialect == Dialect::kHashiCorp);
    int values = 0;
    for (int i = 0; i < kRounds && !HasFailure(); ++i) {
      Pair config = {"", "{\"//\": [0]"};
      for (const char* name : {"a", "b-c"}) {
        const Pair value = generator.Value(4);
        config.native += std::string(name) + " = " + value.native + "\n";
        config.json += ",\n\"" + std::string(name) + "\": " + value.json;
      }
      config.json += "}";
      const std::string native = harness.EvalConfigTyped(config.native);
      EXPECT_EQ(WithoutPlaces(harness.EvalJsonConfigTyped(config.json)), WithoutPlaces(native)) << config.native << "\n"
                                                                                                << config.json;
      values += native.rfind("error ", 0) == 0 ? 0 : 1;
    }
    EXPECT_GT(values, kRounds / 10);  // the law is not about errors only
  }
}

}  // namespace
}  // namespace hcl
