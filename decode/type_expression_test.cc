// Type expressions, by the types' syntax and their defaults.

#include "hclvm/decode/type_expression.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// The type as ToTypeSyntax() writes it, and what an empty object becomes by its defaults; or the messages.
std::string Read(const std::string& text) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const auto file = ParseExpression(source, {}, &diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  auto heap = std::make_shared<Heap>();
  TypeConstraint constraint;
  std::string out;
  if (!ReadTypeExpression(ViewOf(*file->expr, source), heap, &constraint, &diagnostics)) {
    for (const Diagnostic& diagnostic : diagnostics.kept()) {
      EXPECT_EQ(diagnostic.source, &source);
      out += "!" + std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " " +
             diagnostic.detail;
    }
    return out;
  }
  EXPECT_TRUE(diagnostics.empty());
  out = ToTypeSyntax(constraint.type);
  if (constraint.defaults == nullptr) return out;
  Value value;
  JsonError error;
  JsonReader().Read("{}", heap.get(), &value, &error);
  std::string reason;
  AppendJson(ApplyDefaults(value, *constraint.defaults, heap.get()), &(out += " "), &reason);
  return out;
}

TEST(TypeExpression, Types) {
  for (const char* text : {"any", "bool", "number", "string", "list(string)", "set(any)", "map(list(number))",
                           "tuple([string, bool])", "tuple([])", "object({a = string})", "object({})"}) {
    EXPECT_EQ(Read(text), text);
  }
  EXPECT_EQ(Read("object({\"b\" = bool, a = list(string)})"), "object({a = list(string), b = bool})");
}

// As the keys of all values.
TEST(TypeExpression, NamesAreNormalized) {
  EXPECT_EQ(Read("object({\"e\u0301\" = bool})"), "object({\u00e9 = bool})");
  EXPECT_EQ(Read("object({e\u0301 = bool})"), "object({\u00e9 = bool})");
  EXPECT_EQ(Read("object({\"e\u0301\" = optional(string, \"x\")})"), "object({\u00e9 = string}) {\"\u00e9\":\"x\"}");
}

TEST(TypeExpression, Defaults) {
  EXPECT_EQ(Read("object({a = optional(string)})"), "object({a = string}) {\"a\":null}");
  EXPECT_EQ(Read("object({a = optional(number, \"1\"), b = bool})"), "object({a = number, b = bool}) {\"a\":1}");
  EXPECT_EQ(Read("object({a = optional(object({b = optional(string, \"x\")}), {})})"),
            "object({a = object({b = string})}) {\"a\":{\"b\":\"x\"}}");
}

TEST(TypeExpression, Mistakes) {
  EXPECT_EQ(Read("strin"), "!0-5 \"strin\" is not a type. Did you mean string?");
  EXPECT_EQ(Read("int"), "!0-3 \"int\" is not a type. Did you mean number?");
  EXPECT_EQ(Read("lst(any)"), "!0-3 \"lst\" is not a type constructor. Did you mean list?");
  EXPECT_EQ(Read("list"), "!0-4 The type constructor list requires an argument: list(string).");
  EXPECT_EQ(Read("list()"), "!4-6 The type constructor list requires exactly one argument.");
  EXPECT_EQ(Read("vector(any)"),
            "!0-6 \"vector\" is not a type constructor. Did you mean list(string), or another type of the elements?");
  EXPECT_EQ(Read("tuple(any)"), "!6-9 A list of the elements' types is required here, in brackets.");
  EXPECT_EQ(Read("object(any)"), "!7-10 The attributes' names and types are required here, in braces.");
  EXPECT_EQ(Read("optional(any)"), "!0-8 optional(...) can only stand for the type of an object's attribute.");
  EXPECT_EQ(Read("object({a = optional()})"),
            "!20-22 optional(...) takes the attribute's type and, if wanted, a default.");
  EXPECT_EQ(Read("object({a = optional(number, \"x\")})"),
            "!29-32 This default is not of the attribute's type: a number is required, and this text is none.");
  EXPECT_EQ(Read("String"), "!0-6 \"String\" is not a type. Did you mean string?");
  EXPECT_EQ(Read("list(int)"), "!5-8 \"int\" is not a type. Did you mean number?");
  EXPECT_EQ(Read("array(string)"),
            "!0-5 \"array\" is not a type constructor. Did you mean list(string), or another type of the elements?");
  EXPECT_EQ(Read("object({a = optional})"),
            "!12-20 \"optional\" is not a type. The type of an attribute that may be missing is optional(string).");
  const std::string required =
      "A type is required here: any, bool, number or string, or a constructor such as list(string).";
  EXPECT_EQ(Read("\"string\""), "!0-8 " + required + " A type is written without quotes.");
  EXPECT_EQ(Read("[string]"),
            "!0-8 " + required + " A list has the type list(string), a tuple tuple([string, number]).");
  EXPECT_EQ(Read("{a = string}"), "!0-12 " + required + " An object has the type object({name = string}).");
  EXPECT_EQ(Read("1 + 2"), "!0-5 " + required);
}

}  // namespace
}  // namespace hcl
