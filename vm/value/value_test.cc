// Tests of values: representation, construction, types of values, copies.

#include "hclvm/vm/value/value.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::ErrorValue;
using internal::HashString;
using internal::TagOf;
namespace {

Value Text(const char* text) { return Value::StringView(text); }

std::vector<KeyValue> Pairs(const std::vector<std::pair<const char*, Value>>& pairs) {
  std::vector<KeyValue> out;
  for (const auto& [key, value] : pairs) out.push_back({Text(key), value});
  return out;
}

Value Object(const std::vector<std::pair<const char*, Value>>& pairs, Arena* arena) {
  std::vector<KeyValue> scratch = Pairs(pairs);
  return MakeObject(absl::MakeSpan(scratch), arena);
}

TEST(ValueTest, StringsAreInlineUpToFourteenBytes) {
  for (size_t size = 0; size < 40; ++size) {
    std::string text(size, 'x');
    Value value = Value::StringView(text);
    std::string copy = text;
    Value again = Value::StringView(size <= kMaxInlineString ? copy : text);
    EXPECT_EQ(value.AsString(), text);
    EXPECT_EQ(TagOf(value) == internal::Tag::kShortString, size <= kMaxInlineString);
    EXPECT_TRUE(value.SameBits(again));
    EXPECT_EQ(HashString(text), HashString(value.AsString()));
  }
  EXPECT_FALSE(Text("ab").SameBits(Text("ac")));
}

TEST(ValueTest, NumbersKeepTheirForm) {
  Arena arena;
  NumberError error;
  for (const char* text : {"0", "-1.5", "9223372036854775807", "0.00000000000000000000000001", "1e40"}) {
    Number number = Number::Parse(text, NumberSyntax::kReference, Limits(), &arena, &error);
    Value value = Value::FromNumber(number);
    EXPECT_TRUE(value.is_number());
    EXPECT_TRUE(Equal(value.AsNumber(), number)) << text;
  }
  EXPECT_TRUE(Value::Int(3).is_int());
  EXPECT_FALSE(Value::FromNumber(Number::Inline(15, 1)).is_int());
}

TEST(ValueTest, MappingsAreSortedAndTheLastOfEqualKeysWins) {
  Arena arena;
  Value object =
      Object({{"b", Value::Int(1)}, {"a", Value::Int(2)}, {"b", Value::Int(3)}, {"", Value::Int(4)}}, &arena);
  ASSERT_EQ(object.size(), 3u);
  EXPECT_EQ(object.shape().keys[0].AsString(), "");
  EXPECT_EQ(object.shape().keys[1].AsString(), "a");
  EXPECT_EQ(object.values()[2].AsInt(), 3);
  EXPECT_EQ(object.shape().Find("b"), 2);
  EXPECT_EQ(object.shape().Find("c"), -1);
}

// Few and many keys are sorted in different ways.
TEST(ValueTest, SortsAnyNumberOfKeysAndTakesEqualOnesTogether) {
  for (const size_t count : {1, 15, 16, 17, 40, 3000}) {
    Arena arena;
    std::vector<Value> keys;
    std::map<std::string, uint32_t> want;  // positions
    for (size_t n = 0; n < count; ++n) {
      const std::string text =
          "key " + std::to_string(n * 7919 % (count - count / 4)) + (n % 2 == 0 ? "" : " with more");
      keys.push_back(Value::String(text, &arena));
      want[text] = 0;
    }
    uint32_t next = 0;
    for (auto& [text, position] : want) position = next++;
    std::vector<uint32_t> positions(count);
    const Shape* const shape = MakeShape(keys, absl::MakeSpan(positions), &arena);
    ASSERT_EQ(shape->size, want.size());
    for (size_t n = 0; n < count; ++n) {
      const std::string text(keys[n].AsString());
      EXPECT_EQ(positions[n], want[text]);
      EXPECT_EQ(shape->keys[positions[n]].AsString(), text);
    }
  }
}

TEST(ValueTest, ShapeOfKeysInAnyOrderTellsWhereEachStands) {
  Arena arena;
  const Value keys[] = {Value::StringView("b"), Value::StringView("a"), Value::StringView("b"), Value::StringView("")};
  uint32_t positions[4];
  const Shape* shape = MakeShape(keys, absl::MakeSpan(positions), &arena);
  ASSERT_EQ(shape->size, 3u);
  EXPECT_EQ(shape->keys[0].AsString(), "");
  EXPECT_EQ(shape->keys[1].AsString(), "a");
  EXPECT_EQ(shape->keys[2].AsString(), "b");
  EXPECT_THAT(positions, testing::ElementsAre(2, 1, 2, 0));
  EXPECT_EQ(MakeShape({}, {}, &arena)->size, 0u);
}

TEST(ValueTest, KnowsItsDepthAndWhetherAllIsKnown) {
  Arena arena;
  Value unknown = Value::Unknown(Type::String());
  Value list = MakeList(Type::String(), {Text("a"), unknown}, &arena);
  EXPECT_FALSE(list.is_wholly_known());
  EXPECT_FALSE(MakeTuple({list}, &arena).is_wholly_known());
  EXPECT_TRUE(MakeTuple({Value::Null()}, &arena).is_wholly_known());
  EXPECT_EQ(unknown.depth(), 0u);
  EXPECT_EQ(list.depth(), 1u);
  EXPECT_EQ(MakeTuple({Value::Int(1), list}, &arena).depth(), 2u);
  EXPECT_EQ(MakeTuple({}, &arena).depth(), 1u);
  Value deep = Value::Int(1);
  for (int i = 0; i < 70'000; ++i) deep = MakeTuple({deep}, &arena);
  EXPECT_EQ(deep.depth(), 65'535u);
}

TEST(ValueTest, TypesOfValues) {
  Arena arena;
  TypeTable types;
  Value object = Object({{"name", Text("x")}, {"list", MakeList(Type::Number(), {}, &arena)}}, &arena);
  struct Row {
    Value value;
    const char* want;
  };
  const Row rows[] = {
      {Value(), "any"},
      {Value::Dynamic(), "any"},
      {Value::Null(Type::Bool()), "bool"},
      {Value::Unknown(types.List(Type::Bool())), "list(bool)"},
      {Value::Bool(true), "bool"},
      {Value::Int(1), "number"},
      {Text("a string longer than inline"), "string"},
      {MakeTuple({Value::Int(1), Value::Int(1), Text("a")}, &arena), "tuple([number, number, string])"},
      {MakeSet(Type::Number(), {}, &arena), "set(number)"},
      {object, "object({list = list(number), name = string})"},
      {MakeMap(Type::Bool(), absl::Span<KeyValue>(), &arena), "map(bool)"},
      {ErrorValue(0), "any"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToTypeSyntax(TypeOf(row.value, &types)), row.want);
    for (const Row& other : rows) {
      bool same = TypeOf(row.value, &types) == TypeOf(other.value, &types);
      if (row.value.is_error() || other.value.is_error()) continue;
      EXPECT_EQ(SameType(row.value, other.value), same) << row.want << " and " << other.want;
      EXPECT_EQ(HasType(row.value, TypeOf(other.value, &types)), same) << row.want << " and " << other.want;
    }
  }
}

TEST(ValueTest, TypesOfValuesThatShareTheirPartsAreCheap) {
  Arena arena;
  TypeTable types;
  Value value = Value::Int(1);
  for (int i = 0; i < 200; ++i) value = MakeTuple({value, value}, &arena);
  EXPECT_EQ(TypeOf(value, &types).size(), 2u);
}

TEST(ValueTest, CloneKeepsEverything) {
  auto arena = std::make_unique<Arena>();
  auto types = std::make_unique<TypeTable>();
  auto build = [](Arena* a, TypeTable* t) {
    NumberError error;
    Number big = Number::Parse("1e50", NumberSyntax::kLiteral, Limits(), a, &error);
    Value row = Object({{"a rather long attribute name", Value::Int(1)},
                        {"b", Value::String("a string longer than inline", a)},
                        {"n", Value::Null(t->List(Type::Bool()))},
                        {"u", Value::Unknown(t->Tuple({Type::String()}))}},
                       a);
    Value set = MakeSet(Type::String(), {Value::StringView("x"), Value::StringView("y")}, a);
    return MakeTuple({row, row, set, Value::FromNumber(big), MakeMap(Type::Bool(), absl::Span<KeyValue>(), a)}, a);
  };
  Value value = build(arena.get(), types.get());
  Arena kept;
  TypeTable kept_types;
  Value clone = Clone(value, &kept, &kept_types);
  EXPECT_TRUE(Identical(value, clone));
  arena.reset();
  types.reset();
  Arena other;
  TypeTable other_types;
  EXPECT_TRUE(Identical(clone, build(&other, &other_types)));
}

TEST(ValueTest, IdenticalTellsTypesApart) {
  Arena arena;
  TypeTable types;
  const Value values[] = {Value(),
                          Value::Dynamic(),
                          Value::Null(Type::String()),
                          Value::Int(1),
                          Text("1"),
                          MakeTuple({Value::Int(1)}, &arena),
                          MakeList(Type::Number(), {Value::Int(1)}, &arena),
                          MakeSet(Type::Number(), {Value::Int(1)}, &arena),
                          MakeList(Type::Number(), {}, &arena),
                          MakeList(Type::String(), {}, &arena),
                          Object({{"a", Value::Int(1)}}, &arena),
                          Object({{"b", Value::Int(1)}}, &arena),
                          Object({}, &arena)};
  for (const Value& a : values) {
    for (const Value& b : values) EXPECT_EQ(Identical(a, b), &a == &b);
  }
}

}  // namespace
}  // namespace hcl
