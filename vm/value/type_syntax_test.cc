// Types to text and back, in HCL's syntax and as JSON.

#include "hclvm/vm/value/type_syntax.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

const CapsuleType& Image() {
  static const CapsuleType* const kType = new CapsuleType{"image"};
  return *kType;
}

// The type as ToTypeSyntax writes it, or "offset: message".
std::string Parsed(const std::string& text, const Limits& limits = {}) {
  Heap heap(nullptr, Dialect::kSpec, limits);
  Type type;
  TypeSyntaxError error;
  const CapsuleType* capsules[] = {&Image()};
  if (ParseTypeSyntax(text, &heap, &type, &error, capsules)) return ToTypeSyntax(type);
  return std::to_string(error.offset) + (error.is_limit ? " limit: " : ": ") + error.message;
}

TEST(TypeSyntaxTest, ReadsTypes) {
  const char* kSame[] = {
      "any",
      "bool",
      "number",
      "string",
      "image",
      "list(string)",
      "set(any)",
      "map(list(number))",
      "tuple([])",
      "tuple([string, list(bool), any])",
      "object({})",
      "object({a = number, b-c = tuple([object({d = image})])})",
      "object({\"\" = any, \" \" = bool, \"a \\\"b\\\" \\\\\" = number, \"a.b\" = string})",
      "object({\"\\u0001\" = any, \"$${x}\" = any, \"a\\nb\" = any})",
      "object({list = list(string), string = string})",
  };
  for (const char* text : kSame) EXPECT_EQ(Parsed(text), text);
  const char* kRows[][2] = {
      {"  map ( list\n(number)\t) \n", "map(list(number))"},
      {"tuple([string,bool,])", "tuple([string, bool])"},
      {"object({b = bool, a = string,})", "object({a = string, b = bool})"},
      {"object({\n  a = string\n  b: bool\n})", "object({a = string, b = bool})"},
      {"object({\"a\" = string})", "object({a = string})"},
      {"object({\"\\u0061\\U00000062\" = string})", "object({ab = string})"},
      {"object({\"e\\u0301\" = any, \"$\" = any})", "object({\"$\" = any, \xc3\xa9 = any})"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Parsed(row[0]), row[1]) << row[0];
}

TEST(TypeSyntaxTest, RefusesTheRest) {
  const char* kRows[][2] = {
      {"", "0: Expected a type, but found the end of the text."},
      {"  (", "2: Expected a type, but found \"(\"."},
      {"text", "0: There is no type named \"text\"."},
      {"list", "4: Expected \"(\", but found the end of the text."},
      {"list(strin)", "5: There is no type named \"strin\"."},
      {"list(string", "11: Expected \")\", but found the end of the text."},
      {"list(string, bool)", "11: Expected \")\", but found \",\"."},
      {"string string", "7: Expected the end of the type, but found \"s\"."},
      {"tuple(string)", "6: Expected \"[\", but found \"s\"."},
      {"tuple([string bool])", "14: Expected \",\", but found \"b\"."},
      {"tuple([,])", "7: Expected a type, but found \",\"."},
      {"object({a})", "9: Expected \"=\", but found \"}\"."},
      {"object({a = any b = any})", "16: Expected \",\" or \"}\" after the attribute's type, but found \"b\"."},
      {"object({= any})", "8: Expected the name of an attribute, but found \"=\"."},
      {"object({a = any, a = bool})", "17: The attribute \"a\" is there twice."},
      {"object({\"a = any})", "8: The attribute's name is not closed with \"\\\"\"."},
      {"object({\"a\n\" = any})", "8: The attribute's name is not closed with \"\\\"\"."},
      {"object({\"${a}\" = any})", "9: The name of an attribute has no interpolations."},
      {"object({\"\\q\" = any})",
       "9: This escape sequence means nothing; known are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN."},
      {"list(\xff)", "5: A type is written in UTF-8."},
  };
  for (const auto& row : kRows) EXPECT_EQ(Parsed(row[0]), row[1]) << row[0];
  for (const char* escape : {"\\u12", "\\ud800", "\\U00110000", "\\x", "\\u00g0"}) {
    EXPECT_EQ(Parsed("object({\"" + std::string(escape) + "\" = any})").substr(0, 2), "9:") << escape;
  }
}

TEST(TypeSyntaxTest, DepthIsLimited) {
  Limits limits;
  limits.max_nesting_depth = 2;
  EXPECT_EQ(Parsed("list(object({a = string}))", limits), "list(object({a = string}))");
  const std::string kTooDeep = " limit: Types may be nested at most 2 levels deep (limit max_nesting_depth).";
  EXPECT_EQ(Parsed("list(object({a = tuple([])}))", limits), "17" + kTooDeep);
  std::string deep;
  for (int n = 0; n < 1'000'000; ++n) deep += "list(";
  EXPECT_EQ(Parsed(deep).substr(0, 12), "2560 limit: ");
}

TEST(TypeSyntaxTest, EveryPrefixIsRefusedWithoutHarm) {
  const std::string text = "object({\"a\\u0062$${\" = tuple([list(string), map(any)]), \xc3\xa9 = set(number)})";
  EXPECT_EQ(Parsed(text), text.substr(0, 8) + "\"ab$${" + text.substr(19));
  for (size_t size = 0; size < text.size(); ++size) {
    Heap heap;
    Type type;
    TypeSyntaxError error;
    EXPECT_FALSE(ParseTypeSyntax(text.substr(0, size), &heap, &type, &error)) << size;
    EXPECT_LE(error.offset, size);
  }
}

class Generator {
 public:
  Generator(Heap* heap, uint32_t seed) : heap_(heap), random_(seed) {}

  Type Make(int depth) {
    switch (Pick(depth > 0 ? 9 : 4)) {
      case 0:
        return Type::Dynamic();
      case 1:
        return Type::Bool();
      case 2:
        return Type::Number();
      case 3:
        return Type::String();
      case 4:
        return heap_->types()->List(Make(depth - 1));
      case 5:
        return heap_->types()->Set(Make(depth - 1));
      case 6:
        return heap_->types()->Map(Make(depth - 1));
      case 7:
        return heap_->types()->Tuple(MakeSome(Pick(4), depth - 1));
      default:
        return MakeObjectType(depth - 1);
    }
  }

 private:
  uint32_t Pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  std::vector<Type> MakeSome(size_t count, int depth) {
    std::vector<Type> types;
    for (size_t i = 0; i < count; ++i) types.push_back(Make(depth));
    return types;
  }

  Type MakeObjectType(int depth) {
    const char* kPieces[] = {"a",  "b-", "_",  "7",  ".",    " ",        "\"",   "\\",           "$", "{", "${",
                             "%{", "\n", "\t", "\r", "\x01", "\xc3\xa9", "\x7f", "\xe4\xb8\xad", "}"};
    std::vector<std::string> names(Pick(4));
    for (std::string& name : names) {
      for (uint32_t pieces = Pick(5); pieces > 0; --pieces) name += kPieces[Pick(std::size(kPieces))];
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<Value> keys;
    for (const std::string& name : names) keys.push_back(Value::StringView(name));
    return heap_->types()->Object(*MakeShape(keys, heap_->arena()), MakeSome(keys.size(), depth));
  }

  Heap* heap_;
  std::mt19937 random_;
};

TEST(TypeSyntaxTest, EveryTypeComesBack) {
  Heap heap;
  Heap other;
  Generator generator(&heap, 20240615);
  for (int n = 0; n < 20'000; ++n) {
    const Type type = generator.Make(4);
    const std::string syntax = ToTypeSyntax(type);
    Type read;
    TypeSyntaxError error;
    ASSERT_TRUE(ParseTypeSyntax(syntax, &other, &read, &error)) << syntax << " at " << error.offset << error.message;
    ASSERT_TRUE(read == type) << syntax << " became " << ToTypeSyntax(read);
    std::string json;
    AppendTypeJson(type, &json);
    JsonError json_error;
    Type from_json;
    ASSERT_TRUE(ParseTypeJson(json, &other, &from_json, &json_error)) << json << json_error.detail;
    ASSERT_TRUE(from_json == type) << json;
  }
}

}  // namespace
}  // namespace hcl
