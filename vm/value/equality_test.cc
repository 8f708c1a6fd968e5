// Tests of equality, with unknown parts above all.

#include "hclvm/vm/value/equality.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class EqualityTest : public ::testing::Test {
 protected:
  Value Text(const char* text) { return Value::StringView(text); }
  Value Tuple(const std::vector<Value>& elements) { return MakeTuple(elements, &arena_); }
  Value List(Type element, const std::vector<Value>& elements) { return MakeList(element, elements, &arena_); }
  Value Set(Type element, const std::vector<Value>& elements) { return MakeSet(element, elements, &arena_); }
  Value Object(const std::vector<std::pair<const char*, Value>>& pairs) {
    std::vector<KeyValue> scratch;
    for (const auto& [key, value] : pairs) scratch.push_back({Text(key), value});
    return MakeObject(absl::MakeSpan(scratch), &arena_);
  }

  void Expect(const Value& a, const Value& b, Tri want, int line) {
    EXPECT_EQ(EqualsTri(a, b), want) << "line " << line;
    EXPECT_EQ(EqualsTri(b, a), want) << "line " << line << ", the other way round";
  }

  Arena arena_;
  TypeTable types_;
  Value one_ = Value::Int(1);
  Value two_ = Value::Int(2);
  Value unknown_number_ = Value::Unknown(Type::Number());
  Value null_string_ = Value::Null(Type::String());
};

#define EXPECT_EQUAL(a, b) Expect(a, b, Tri::kTrue, __LINE__)
#define EXPECT_DIFFERENT(a, b) Expect(a, b, Tri::kFalse, __LINE__)
#define EXPECT_UNKNOWN(a, b) Expect(a, b, Tri::kUnknown, __LINE__)

TEST_F(EqualityTest, Scalars) {
  EXPECT_EQUAL(one_, one_);
  EXPECT_DIFFERENT(one_, two_);
  EXPECT_DIFFERENT(one_, Text("1"));
  EXPECT_DIFFERENT(Value::Bool(true), one_);
  EXPECT_EQUAL(Text("a string longer than inline"), Text(std::string("a string longer than inline").c_str()));
  EXPECT_DIFFERENT(Value::Bool(true), Value::Bool(false));
}

TEST_F(EqualityTest, NullsEqualNulls) {
  EXPECT_EQUAL(Value(), null_string_);
  EXPECT_EQUAL(Value::Null(Type::Number()), null_string_);
  EXPECT_DIFFERENT(Value(), one_);
  EXPECT_DIFFERENT(null_string_, Tuple({}));
  // Inside of structures the types of nulls count, as parts of the structures' types.
  EXPECT_EQUAL(Tuple({Value()}), Tuple({Value()}));
  EXPECT_DIFFERENT(Tuple({Value()}), Tuple({null_string_}));
}

TEST_F(EqualityTest, StructuresOfDifferentTypesDiffer) {
  EXPECT_DIFFERENT(Tuple({one_}), List(Type::Number(), {one_}));
  EXPECT_DIFFERENT(List(Type::Number(), {}), List(Type::String(), {}));
  EXPECT_DIFFERENT(Object({{"a", one_}}), Object({{"b", one_}}));
  EXPECT_DIFFERENT(Object({}), MakeMap(Type::Number(), absl::Span<KeyValue>(), &arena_));
  EXPECT_EQUAL(Object({{"a", one_}, {"b", two_}}), Object({{"b", two_}, {"a", one_}}));
}

TEST_F(EqualityTest, UnknownAgainstKnown) {
  EXPECT_UNKNOWN(unknown_number_, one_);
  EXPECT_DIFFERENT(unknown_number_, Text("1"));
  EXPECT_UNKNOWN(unknown_number_, null_string_);
  EXPECT_UNKNOWN(Value::Dynamic(), one_);
  EXPECT_UNKNOWN(Value::Dynamic(), Value());
  EXPECT_UNKNOWN(unknown_number_, Value::Unknown(Type::String()));
  EXPECT_UNKNOWN(unknown_number_, unknown_number_);
}

TEST_F(EqualityTest, AKnownDifferenceDecidesBesideUnknownParts) {
  EXPECT_DIFFERENT(Tuple({unknown_number_, one_}), Tuple({one_, two_}));
  EXPECT_UNKNOWN(Tuple({unknown_number_, one_}), Tuple({one_, one_}));
  EXPECT_DIFFERENT(Tuple({unknown_number_}), Tuple({Text("x")}));
  EXPECT_DIFFERENT(Tuple({Value::Dynamic(), one_}), Tuple({one_}));
  EXPECT_UNKNOWN(Tuple({Value::Dynamic(), one_}), Tuple({Text("x"), one_}));
  EXPECT_DIFFERENT(Tuple({Value::Dynamic(), one_}), Tuple({Text("x"), two_}));
  EXPECT_UNKNOWN(Tuple({Value::Dynamic()}), Value::Unknown(types_.Tuple({Type::String()})));
  EXPECT_DIFFERENT(Tuple({Value::Dynamic()}), Value::Unknown(types_.List(Type::String())));
  EXPECT_DIFFERENT(List(Type::Number(), {unknown_number_}), List(Type::Number(), {unknown_number_, one_}));
  Value object = Object({{"a", Value::Dynamic()}, {"b", one_}});
  EXPECT_UNKNOWN(object, Object({{"a", Tuple({})}, {"b", one_}}));
  EXPECT_DIFFERENT(object, Object({{"a", Tuple({})}, {"b", Text("1")}}));
}

TEST_F(EqualityTest, Sets) {
  Type number = Type::Number();
  EXPECT_EQUAL(Set(number, {one_, two_}), Set(number, {two_, one_, one_}));
  EXPECT_DIFFERENT(Set(number, {one_}), Set(number, {two_}));
  EXPECT_DIFFERENT(Set(number, {one_}), Set(number, {two_, one_}));
  EXPECT_UNKNOWN(Set(number, {one_, unknown_number_}), Set(number, {one_}));
  EXPECT_UNKNOWN(Set(number, {unknown_number_}), Set(number, {one_}));
  EXPECT_DIFFERENT(Set(number, {one_, unknown_number_}), Set(number, {two_}));
  EXPECT_DIFFERENT(Set(number, {unknown_number_}), Set(number, {}));
}

TEST_F(EqualityTest, CapsulesEqualAsTheHostSays) {
  CapsuleType by_identity{"handle"};
  CapsuleType by_content{"text"};
  by_content.equal = [](const void* a, const void* b) {
    return std::strcmp(static_cast<const char*>(a), static_cast<const char*>(b)) == 0;
  };
  char x[] = "x";
  char also_x[] = "x";
  char y[] = "y";
  auto capsule = [&](const CapsuleType& type, const char* data) {
    return Value::FromCapsule(arena_.New<Capsule>(Capsule{types_.Capsule(&type), data}));
  };
  EXPECT_EQUAL(capsule(by_identity, x), capsule(by_identity, x));
  EXPECT_DIFFERENT(capsule(by_identity, x), capsule(by_identity, also_x));
  EXPECT_EQUAL(capsule(by_content, x), capsule(by_content, also_x));
  EXPECT_DIFFERENT(capsule(by_content, x), capsule(by_identity, x));
  Type type = types_.Capsule(&by_content);
  EXPECT_EQ(Set(type, {capsule(by_content, x), capsule(by_content, y), capsule(by_content, also_x)}).size(), 2u);
  EXPECT_EQUAL(Set(type, {capsule(by_content, x), capsule(by_content, y)}),
               Set(type, {capsule(by_content, y), capsule(by_content, also_x)}));
}

}  // namespace
}  // namespace hcl
