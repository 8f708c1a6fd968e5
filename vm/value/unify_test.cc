// Tests of unification: where the dialects differ, and laws. What the reference does is in the conformance cases
// (vm/value/conversion_conformance_test.cc).

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// `types`: an array of types, as a tuple's. The result in JSON, or "none".
std::string Unified(const std::string& types, Dialect dialect) {
  Heap heap(nullptr, dialect);
  Type tuple;
  JsonError error;
  EXPECT_TRUE(ParseTypeJson("[\"tuple\"," + types + "]", &heap, &tuple, &error)) << types << ": " << error.detail;
  std::vector<Type> elements;
  for (size_t i = 0; i < tuple.size(); ++i) elements.push_back(tuple.element(i));
  Type result;
  if (!Unify(elements, &heap, &result)) return "none";
  std::string text;
  AppendTypeJson(result, &text);
  return text;
}

TEST(UnifyTest, DialectsDiffer) {
  struct Row {
    const char* types;
    const char* spec;
    const char* reference;
  };
  const Row rows[] = {
      {"[]", "none", "none"},
      {R"(["number","bool"])", "none", "none"},
      {R"(["number","bool","string"])", R"("string")", R"("string")"},
      {R"(["dynamic","dynamic"])", R"("dynamic")", R"("dynamic")"},
      {R"(["dynamic",["list","number"]])", R"(["list","number"])", R"("dynamic")"},
      {R"(["number",["list","number"]])", "none", "none"},
      {R"([["list","number"],["set","string"]])", R"(["list","string"])", R"(["list","number"])"},
      {R"([["list","string"],["set","number"]])", R"(["list","string"])", R"(["list","string"])"},
      {R"([["map","number"],["object",{"a":"string"}]])", R"(["object",{"a":"string"}])", R"(["map","string"])"},
      {R"([["list","number"],["tuple",["string","bool"]]])", "none", R"(["list","string"])"},
      {R"([["list","string"],["tuple",["number","bool"]]])", R"(["tuple",["string","string"]])",
       R"(["list","string"])"},
      {R"([["tuple",["number"]],["tuple",["number","string"]]])", R"(["list","string"])", R"(["list","string"])"},
      {R"([["set","number"],["tuple",["number"]],["tuple",["number","string"]]])", R"(["list","string"])",
       R"(["set","number"])"},
      {R"([["tuple",["number"]],["tuple",["string"]]])", R"(["tuple",["string"]])", R"(["tuple",["string"]])"},
      {R"([["object",{"a":"number"}],["object",{"b":"bool"}]])", R"(["object",{"a":"number","b":"bool"}])", "none"},
      {R"([["object",{"a":"number"}],["object",{"b":"string"}]])", R"(["object",{"a":"number","b":"string"}])",
       R"(["map","string"])"},
      {R"([["object",{"a":"number"}],["object",{"a":["list","number"]}]])", "none", "none"},
      {R"([["object",{}],["tuple",[]]])", "none", "none"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Unified(row.types, Dialect::kSpec), row.spec) << row.types;
    EXPECT_EQ(Unified(row.types, Dialect::kHashiCorp), row.reference) << row.types;
  }
}

Type RandomType(std::mt19937* engine, int depth, TypeTable* types) {
  auto pick = [engine](uint32_t n) { return (*engine)() % n; };
  Type primitives[] = {Type::String(), Type::Number(), Type::Bool(), Type::Dynamic()};
  uint32_t kind = depth == 0 ? 0 : pick(6);
  if (kind <= 1) return primitives[pick(4)];
  if (kind == 2) return types->List(RandomType(engine, depth - 1, types));
  if (kind == 3) return types->Map(RandomType(engine, depth - 1, types));
  std::vector<Type> parts;
  std::vector<Value> keys;
  for (const char* name : {"a", "b", "c"}) {
    if (pick(2) == 0) continue;
    keys.push_back(Value::StringView(name));
    parts.push_back(RandomType(engine, depth - 1, types));
  }
  if (kind == 4) return types->Tuple(parts);
  return types->Object(*types->InternShape(keys), parts);
}

TEST(UnifyTest, AllTypesConvertToTheResultWhichIsItsOwnUnification) {
  std::mt19937 engine(3);
  int found = 0;
  for (int i = 0; i < 20'000; ++i) {
    Dialect dialect = i % 2 == 0 ? Dialect::kSpec : Dialect::kHashiCorp;
    Heap heap(nullptr, dialect);
    std::vector<Type> types;
    for (uint32_t n = 1 + engine() % 3; n > 0; --n) types.push_back(RandomType(&engine, 2, heap.types()));
    Type result;
    if (!Unify(types, &heap, &result)) continue;
    ++found;
    for (Type type : types) {
      // The reference unifies objects of dynamic attributes with maps that not all of them convert to.
      if (dialect == Dialect::kHashiCorp) break;
      EXPECT_TRUE(IsConvertible(type, result, /*unsafe=*/true, dialect))
          << ToTypeSyntax(type) << " to " << ToTypeSyntax(result);
    }
    Type again;
    ASSERT_TRUE(Unify({result, result}, &heap, &again));
    EXPECT_TRUE(again == result);
  }
  EXPECT_GT(found, 5'000);
}

TEST(UnifyTest, ManyEqualTypesAreCheap) {
  Heap heap;
  std::vector<Type> types(1'000'000, heap.types()->List(Type::Number()));
  types.push_back(heap.types()->List(Type::String()));
  Type result;
  ASSERT_TRUE(Unify(types, &heap, &result));
  EXPECT_EQ(ToTypeSyntax(result), "list(string)");
}

}  // namespace
}  // namespace hcl
