// Tests of what values unify to: which of two types, by the values; and the law that this is the type they convert to.

#include "hclvm/vm/value/unification.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// `typed`: {"type": T, "value": V}.
Value Read(const std::string& typed, Heap* heap) {
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().ReadTyped(typed, heap, &value, &error)) << typed << ": " << error.detail;
  return value;
}

// The type that the value becomes beside `other`, as a declaration writes it; "open" where unknown parts decide.
std::string Becomes(const std::string& value, const std::string& other, Dialect dialect) {
  Heap heap(nullptr, dialect);
  const Value values[] = {Read(value, &heap), Read(other, &heap)};
  const Type types[] = {TypeOf(values[0], heap.types()), TypeOf(values[1], heap.types())};
  Unification unified;
  if (!Unification::Of(types, &heap, &unified)) return "none";
  const Type type = unified.Of(values[0]);
  return type.is_dynamic() ? "open" : ToTypeSyntax(type);
}

constexpr char kTwo[] = R"({"type": ["list", "string"], "value": ["x", "y"]})";
constexpr char kOne[] = R"({"type": ["list", "string"], "value": ["x"]})";
constexpr char kNone[] = R"({"type": ["tuple", []], "value": []})";
constexpr char kText[] = R"({"type": ["tuple", ["string"]], "value": ["d"]})";
constexpr char kSet[] = R"({"type": ["set", "number"], "value": [1, 2]})";
constexpr char kMap[] = R"({"type": ["map", "string"], "value": {"a": "x"}})";
constexpr char kEmpty[] = R"({"type": ["object", {}], "value": {}})";
constexpr char kSameKeys[] = R"({"type": ["object", {"a": "number"}], "value": {"a": 1}})";
constexpr char kUnknownList[] = R"({"type": ["list", "string"], "value": {"$unknown": ["list", "string"]}})";
constexpr char kLists[] = R"({"type": ["object", {"k": ["list", "string"]}], "value": {"k": ["x", "y"]}})";
constexpr char kTuples[] = R"({"type": ["object", {"k": ["tuple", []]}], "value": {"k": []}})";
constexpr char kMixed[] = R"({"type": ["tuple", [["tuple", []], "string"]], "value": [[], "x"]})";

TEST(UnificationTest, StructuresArePreferredWhereCollectionsConvert) {
  struct Row {
    const char* value;
    const char* other;
    const char* want;
  };
  const Row rows[] = {
      {kTwo, kNone, "list(string)"},
      {kNone, kTwo, "tuple([])"},
      {kTwo, kText, "list(string)"},
      {kOne, kText, "tuple([string])"},
      {kText, kTwo, "tuple([string])"},
      {kSet, kNone, "set(number)"},
      {kSet, kTwo, "list(string)"},
      {kMap, kEmpty, "map(string)"},
      {kMap, kSameKeys, "object({a = string})"},
      {kSameKeys, kMap, "object({a = string})"},
      {kLists, kTuples, "object({k = list(string)})"},
      {kTuples, kLists, "object({k = tuple([])})"},
      {kUnknownList, kNone, "open"},
      {kNone, kUnknownList, "tuple([])"},
      {kTwo, kMixed, "none"},
      {kTwo, kMap, "none"},
  };
  for (const Row& row : rows) EXPECT_EQ(Becomes(row.value, row.other, Dialect::kSpec), row.want) << row.value;
}

TEST(UnificationTest, TheReferenceAlwaysTakesTheCollection) {
  EXPECT_EQ(Becomes(kOne, kText, Dialect::kHashiCorp), "list(string)");
  EXPECT_EQ(Becomes(kText, kOne, Dialect::kHashiCorp), "list(string)");
}

TEST(UnificationTest, SeveralValuesHaveOneType) {
  Heap heap;
  const Value one = Read(kOne, &heap);
  const Value two = Read(kTwo, &heap);
  const Value text = Read(kText, &heap);
  const Value unknown = Read(kUnknownList, &heap);
  const Type types[] = {TypeOf(one, heap.types()), TypeOf(text, heap.types())};
  Unification unified;
  ASSERT_TRUE(Unification::Of(types, &heap, &unified));
  EXPECT_FALSE(unified.is_settled());
  EXPECT_TRUE(unified.of_types().is_dynamic());
  EXPECT_EQ(ToTypeSyntax(unified.OfAll({{one, text}})), "tuple([string])");
  EXPECT_EQ(ToTypeSyntax(unified.OfAll({{one, two, text}})), "list(string)");
  EXPECT_TRUE(unified.OfAll({{one, unknown}}).is_dynamic());
  // One that does not convert decides, whatever the unknown one will be.
  EXPECT_EQ(ToTypeSyntax(unified.OfAll({{unknown, two}})), "list(string)");
  EXPECT_TRUE(unified.OfEither(two, text).is_dynamic());
  EXPECT_EQ(ToTypeSyntax(unified.OfEither(one, text)), "tuple([string])");
}

// Collections and structures of few parts, so that lengths and keys often agree.
Value RandomValue(std::mt19937* engine, int depth, Heap* heap) {
  const auto pick = [engine](uint32_t n) { return (*engine)() % n; };
  const uint32_t kind = depth == 0 ? 0 : pick(6);
  if (kind == 0) return pick(2) == 0 ? Value::Int(pick(3)) : Value::StringView("x");
  std::vector<Value> parts;
  std::vector<KeyValue> items;
  const bool is_uniform = kind == 1 || kind == 2;
  const char* const names[] = {"a", "b", "c"};
  for (uint32_t n = pick(3); n > 0; --n) {
    const Value part = is_uniform ? Value::Int(n) : RandomValue(engine, depth - 1, heap);
    parts.push_back(part);
    items.push_back({Value::StringView(names[n]), part});
  }
  Arena* const arena = heap->arena();
  if (kind == 1) return MakeList(Type::Number(), parts, arena);
  if (kind == 2) return MakeMap(Type::Number(), items, arena);
  return kind <= 4 ? MakeTuple(parts, arena) : MakeObject(items, arena);
}

TEST(UnificationTest, KnownValuesGetTheFirstTypeThatTheyConvertTo) {
  std::mt19937 engine(11);
  int open = 0;
  for (int i = 0; i < 50'000; ++i) {
    Heap heap;
    const Value values[] = {RandomValue(&engine, 2, &heap), RandomValue(&engine, 2, &heap)};
    const Type types[] = {TypeOf(values[0], heap.types()), TypeOf(values[1], heap.types())};
    Unification unified;
    if (!Unification::Of(types, &heap, &unified)) continue;
    open += unified.is_settled() ? 0 : 1;
    for (const Value& value : values) {
      Value converted;
      ConversionError error;
      const bool fits = Convert(value, unified.preferred(), &heap, &converted, &error);
      const Type type = unified.Of(value);
      EXPECT_EQ(type == unified.preferred(), fits || unified.is_settled())
          << ToTypeSyntax(types[0]) << " beside " << ToTypeSyntax(types[1]);
      if (!unified.is_settled()) {
        EXPECT_TRUE(Convert(value, type, &heap, &converted, &error)) << ToTypeSyntax(type);
      }
    }
  }
  EXPECT_GT(open, 1'000);
}

}  // namespace
}  // namespace hcl::internal
