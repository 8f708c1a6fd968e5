// Tests of types: interning, comparison between tables, how they are written.

#include "hclvm/vm/value/type.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

Type ObjectOf(TypeTable* table, const std::vector<std::pair<std::string, Type>>& sorted) {
  std::vector<Value> keys;
  std::vector<Type> types;
  for (const auto& [key, type] : sorted) {
    keys.push_back(Value::StringView(key));
    types.push_back(type);
  }
  Arena arena;
  return table->Object(*MakeShape(keys, &arena), types);
}

TEST(TypeTest, EqualTypesAreOnePointerInATableAndItsParents) {
  TypeTable parent;
  Type list = parent.List(Type::String());
  TypeTable table(&parent);
  EXPECT_EQ(table.List(Type::String()).node(), list.node());
  EXPECT_EQ(table.bytes_used(), 0u);
  Type tuple = table.Tuple({Type::Bool(), list});
  EXPECT_EQ(table.Tuple({Type::Bool(), list}).node(), tuple.node());
  EXPECT_NE(table.Tuple({list, Type::Bool()}).node(), tuple.node());
  Type object = ObjectOf(&table, {{"a", list}, {"b", Type::Number()}});
  EXPECT_EQ(ObjectOf(&table, {{"a", list}, {"b", Type::Number()}}).node(), object.node());
  EXPECT_NE(ObjectOf(&table, {{"a", list}, {"c", Type::Number()}}).node(), object.node());
  EXPECT_EQ(&object.shape(), &ObjectOf(&table, {{"a", tuple}, {"b", tuple}}).shape());
}

TEST(TypeTest, TypesOfUnrelatedTablesCompareByStructure) {
  TypeTable one;
  TypeTable other;
  Type a = ObjectOf(&one, {{"a", one.Set(Type::Number())}, {"a long attribute name", one.Tuple({})}});
  Type b = ObjectOf(&other, {{"a", other.Set(Type::Number())}, {"a long attribute name", other.Tuple({})}});
  EXPECT_NE(a.node(), b.node());
  EXPECT_TRUE(a == b);
  EXPECT_EQ(other.Import(a).node(), b.node());
  TypeTable third;
  Type imported = third.Import(a);
  EXPECT_TRUE(imported == b);
  EXPECT_TRUE(one.List(Type::Number()) != other.Set(Type::Number()));
}

TEST(TypeTest, KnowsWhereDynamicOccurs) {
  TypeTable table;
  EXPECT_TRUE(Type::Dynamic().has_dynamic());
  EXPECT_FALSE(Type::String().has_dynamic());
  EXPECT_TRUE(table.List(table.Tuple({Type::Bool(), Type::Dynamic()})).has_dynamic());
  EXPECT_FALSE(table.Tuple({}).has_dynamic());
}

TEST(TypeTest, FindsAttributesInSmallAndLargeObjects) {
  for (size_t size : {0, 1, 8, 9, 1000}) {
    TypeTable table;
    std::vector<std::pair<std::string, Type>> attributes;
    for (size_t i = 0; i < size; ++i) {
      std::string number = std::to_string(i);
      attributes.emplace_back(
          (i % 2 == 0 ? "k" : "a key that is not short ") + std::string(5 - number.size(), '0') + number,
          i % 3 == 0 ? Type::Bool() : Type::String());
    }
    std::sort(attributes.begin(), attributes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Type type = ObjectOf(&table, attributes);
    for (const auto& [name, attribute] : attributes) EXPECT_EQ(type.FindAttribute(name), attribute.node()) << name;
    EXPECT_EQ(type.FindAttribute("missing"), nullptr);
    EXPECT_EQ(type.FindAttribute(""), nullptr);
  }
}

TEST(TypeTest, IsWrittenAsHclAndInWords) {
  CapsuleType capsule{"image"};
  TypeTable table;
  struct Row {
    Type type;
    const char* syntax;
    const char* words;
  };
  const Row rows[] = {
      {Type::Dynamic(), "any", "dynamic"},
      {table.Map(table.List(Type::Number())), "map(list(number))", "map of list of number"},
      {table.Set(Type::Bool()), "set(bool)", "set of bool"},
      {table.Tuple({Type::String(), Type::Bool()}), "tuple([string, bool])", "tuple"},
      {ObjectOf(&table, {{"a", Type::Number()}, {"x \"y\"", Type::String()}}),
       "object({a = number, \"x \\\"y\\\"\" = string})", "object"},
      {ObjectOf(&table, {}), "object({})", "object"},
      {table.Capsule(&capsule), "image", "image"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToTypeSyntax(row.type), row.syntax);
    EXPECT_EQ(FriendlyName(row.type), row.words);
  }
}

TEST(TypeTest, MatchesSpecifications) {
  TypeTable table;
  Type any = Type::Dynamic();
  EXPECT_TRUE(Matches(table.List(Type::String()), table.List(any)));
  EXPECT_TRUE(Matches(table.List(table.Map(Type::Bool())), table.List(any)));
  EXPECT_FALSE(Matches(table.Set(Type::String()), table.List(any)));
  EXPECT_FALSE(Matches(any, Type::String()));
  EXPECT_TRUE(Matches(table.Tuple({Type::Bool(), Type::String()}), table.Tuple({Type::Bool(), any})));
  EXPECT_FALSE(Matches(table.Tuple({Type::Bool()}), table.Tuple({Type::Bool(), any})));
  EXPECT_TRUE(Matches(ObjectOf(&table, {{"a", Type::Bool()}}), ObjectOf(&table, {{"a", any}})));
  EXPECT_FALSE(Matches(ObjectOf(&table, {{"b", Type::Bool()}}), ObjectOf(&table, {{"a", any}})));
}

TEST(TypeTest, CapsuleTypesAreIdenticalToThemselvesOnly) {
  CapsuleType one{"same name"};
  CapsuleType other{"same name"};
  TypeTable table;
  EXPECT_TRUE(table.Capsule(&one) == table.Capsule(&one));
  EXPECT_TRUE(table.Capsule(&one) != table.Capsule(&other));
}

TEST(TypeTest, TypesOutliveTheTypesTheyWereMadeOf) {
  TypeTable table;
  auto lists = [&] {
    TypeTable short_lived;
    const Type inner = short_lived.Map(short_lived.Tuple({short_lived.Set(Type::Bool())}));
    return ToTypeSyntax(table.List(inner)) + ToTypeSyntax(table.Tuple({inner, inner})) +
           ToTypeSyntax(ObjectOf(&table, {{"a", inner}}));
  };
  const std::string first = lists();
  EXPECT_EQ(lists(), first);
}

TEST(TypeTest, ClearFreesWhatWasMade) {
  TypeTable table;
  for (int i = 0; i < 100; ++i) {
    table.Tuple(std::vector<Type>(static_cast<size_t>(i), Type::Bool()));
    if (i % 10 == 9) {
      EXPECT_GT(table.bytes_used(), 0u);
      table.Clear();
      EXPECT_EQ(table.bytes_used(), 0u);
    }
  }
  EXPECT_EQ(ToTypeSyntax(table.List(Type::Bool())), "list(bool)");
}

TEST(TypeTest, GenerationsTellTablesApart) {
  TypeTable a, b;
  EXPECT_NE(a.generation(), b.generation());
  const uint64_t before = a.generation();
  TypeTable moved = std::move(a);
  EXPECT_EQ(moved.generation(), before);
  EXPECT_NE(a.generation(), before);  // NOLINT(bugprone-use-after-move): it is a table without types
  moved.Clear();
  EXPECT_NE(moved.generation(), before);
}

}  // namespace
}  // namespace hcl
