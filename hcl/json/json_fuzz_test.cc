// Random texts through the JSON syntax: always a tree with sound ranges, never a crash, and no message about what a
// second parser (RFC 8259 by recursion over a grammar, below) accepts.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_dump.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"

namespace hcl {

using internal::DumpExpr;
using internal::DumpJson;
using internal::FindInvalidUtf8;
namespace {

constexpr int kRounds = 20'000;

// The slow and obviously right judge: what is left of `text` behind one value, or null when there is none.
class Judge {
 public:
  explicit Judge(std::string_view text) : text_(text) {}
  bool Accepts() {
    return FindInvalidUtf8(text_) == std::string_view::npos && Value() && (Space(), at_ == text_.size());
  }

 private:
  void Space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool Take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool TakeAfterSpace(std::string_view word) { return Space(), Take(word); }
  bool OneOf(std::string_view characters) {
    if (at_ == text_.size() || characters.find(text_[at_]) == std::string_view::npos) return false;
    ++at_;
    return true;
  }
  bool Digits() {
    const size_t begin = at_;
    while (OneOf("0123456789")) {
    }
    return at_ > begin;
  }
  bool Number() {
    Take("-");
    if (!Take("0") && !Digits()) return false;
    if (Take(".") && !Digits()) return false;
    return !OneOf("eE") || (OneOf("+-"), Digits());
  }
  bool String() {
    if (!Take("\"")) return false;
    while (!Take("\"")) {
      if (at_ == text_.size() || static_cast<uint8_t>(text_[at_]) < 0x20) return false;
      if (text_[at_++] != '\\' || OneOf("\"\\/bfnrt")) continue;
      if (!Take("u")) return false;
      for (int i = 0; i < 4; ++i) {
        if (!OneOf("0123456789abcdefABCDEF")) return false;
      }
    }
    return true;
  }
  bool Value() {
    Space();
    if (Take("[")) return TakeAfterSpace("]") || Items("]", [this] { return Value(); });
    if (Take("{")) {
      return TakeAfterSpace("}") || Items("}", [this] { return Space(), String() && TakeAfterSpace(":") && Value(); });
    }
    // A word or number must not run into another.
    if (Take("null") || Take("true") || Take("false")) return true;
    return at_ < text_.size() && text_[at_] == '"' ? String() : Number();
  }
  template <typename Item>
  bool Items(std::string_view close, Item item) {
    do {
      if (!item()) return false;
    } while (TakeAfterSpace(","));
    return TakeAfterSpace(close);
  }

  std::string_view text_;
  size_t at_ = 0;
};

void CheckRanges(const JsonValue& value, SourceRange outer) {
  const SourceRange range = value.range();
  EXPECT_LE(outer.begin, range.begin);
  EXPECT_LE(range.begin, range.end);
  EXPECT_LE(range.end, outer.end);
  if (value.kind() == JsonKind::kArray) {
    for (const JsonValue& element : value.elements()) CheckRanges(element, range);
  } else if (value.kind() == JsonKind::kObject) {
    for (const JsonProperty& property : value.properties()) {
      CheckRanges(property.name, range);
      CheckRanges(property.value, range);
    }
  }
}

void Check(const std::string& text) {
  const Source source("test", text);
  const SourceRange whole = {0, static_cast<uint32_t>(text.size())};
  for (const JsonRules rules : {JsonRules::kSpec, JsonRules::kReference}) {
    JsonOptions options;
    options.rules = rules;
    options.limits.max_nesting_depth = 20;
    Diagnostics diagnostics;
    const std::unique_ptr<JsonFile> file = ParseJsonExpression(source, options, &diagnostics);
    EXPECT_EQ(diagnostics.has_errors(), !Judge(text).Accepts() || diagnostics.has_limit()) << text;
    CheckRanges(file->root, whole);
    // What is no array, object or mistake can be parsed again from its dump.
    if (diagnostics.empty()) {
      const std::string dump = DumpJson(file->root);
      const Source again("test", dump);
      EXPECT_EQ(DumpJson(ParseJsonExpression(again, options, &diagnostics)->root), dump);
      EXPECT_TRUE(diagnostics.empty()) << dump;
    }
    for (const EvaluationMode mode : {EvaluationMode::kFull, EvaluationMode::kLiteral}) {
      Arena arena;
      DumpExpr(*ToNativeExpr(file->root, *file, mode, &arena, &diagnostics));
    }
    for (const Diagnostic& diagnostic : diagnostics.kept()) {
      if (!diagnostic.subject) continue;
      EXPECT_LE(diagnostic.subject->begin, diagnostic.subject->end) << text;
      EXPECT_LE(diagnostic.subject->end, whole.end) << text;
    }
  }
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  std::string Soup() {
    static constexpr const char* kTokens[] = {"{",
                                              "}",
                                              "[",
                                              "]",
                                              ",",
                                              ":",
                                              "\"a\"",
                                              "\"${b}\"",
                                              "\"\\u00e9${c}\"",
                                              "\"\\n%{ if \"",
                                              "1",
                                              "-0.5e3",
                                              "true",
                                              "null",
                                              "\"",
                                              "\\",
                                              " ",
                                              "\n",
                                              "tru",
                                              "=",
                                              "\xC3",
                                              "\xC3\xA9",
                                              "\"//\"",
                                              "\"\\q\"",
                                              "\"${",
                                              "}\"",
                                              "01",
                                              "\t",
                                              "\"\\ud83d\"",
                                              "{\"a\":"};
    std::string text;
    for (uint32_t n = Below(20); n > 0; --n) text += kTokens[Below(std::size(kTokens))];
    return text;
  }

  std::string Value(int depth) {
    switch (Below(depth > 0 ? 7 : 5)) {
      case 0:
        return "null";
      case 1:
        return "-1.5e-7";
      case 2:
        return "\"${a[0].b}\"";
      case 3:
        return "\"x\\n\\u00e9${f(\\\"a\\\", 1)}\"";
      case 4:
        return "true";
      case 5:
        return "[" + Value(depth - 1) + ", " + Value(depth - 1) + "]";
      default:
        return "{\"a\": " + Value(depth - 1) + ", \"//\":" + Value(depth - 1) + "}";
    }
  }

  std::string Broken() {
    std::string text = Value(4);
    for (uint32_t n = 1 + Below(3); n > 0 && !text.empty(); --n) {
      const uint32_t at = Below(static_cast<uint32_t>(text.size()));
      switch (Below(3)) {
        case 0:
          text.erase(at, 1 + Below(3));
          break;
        case 1:
          text.insert(at, 1, "{}[],:\\\"x$ \n"[Below(12)]);
          break;
        default:
          text[at] = static_cast<char>(Below(256));
      }
    }
    return text;
  }

 private:
  std::mt19937 random_;
};

TEST(JsonFuzz, Soup) {
  Generator generator(1);
  for (int i = 0; i < kRounds && !testing::Test::HasFailure(); ++i) Check(generator.Soup());
}

TEST(JsonFuzz, Values) {
  Generator generator(2);
  for (int i = 0; i < kRounds / 4 && !testing::Test::HasFailure(); ++i) Check(generator.Value(6));
}

TEST(JsonFuzz, BrokenValues) {
  Generator generator(3);
  for (int i = 0; i < kRounds && !testing::Test::HasFailure(); ++i) Check(generator.Broken());
}

TEST(JsonFuzz, Bytes) {
  Generator generator(4);
  for (int i = 0; i < kRounds && !testing::Test::HasFailure(); ++i) {
    std::string text;
    for (uint32_t n = generator.Below(30); n > 0; --n) text += static_cast<char>(generator.Below(256));
    Check(text);
  }
}

}  // namespace
}  // namespace hcl
