// Tests of writing JSON, and of reading back what was written.

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Plain(const Value& value) {
  std::string out;
  std::string reason;
  return AppendJson(value, &out, &reason) ? out : "no: " + reason;
}

TEST(JsonWriterTest, Plain) {
  Arena arena;
  NumberError error;
  Number big = Number::Parse("1e30", NumberSyntax::kLiteral, Limits(), &arena, &error);
  Value long_text = Value::StringView("quotes \" and \\ and \n and \x01 and \xc3\xa9");
  Value text = Value::StringView("x");
  KeyValue pairs[] = {{Value::StringView("b\""), Value::Bool(true)}, {Value::StringView("a"), Value()}};
  Value object = MakeObject(absl::MakeSpan(pairs), &arena);
  Value unknown = Value::Unknown(Type::Bool());
  KeyValue bad[] = {{Value::StringView("list"), MakeTuple({text, unknown}, &arena)}};
  EXPECT_EQ(Plain(Value::FromNumber(big)), "1000000000000000000000000000000");
  EXPECT_EQ(Plain(Value::FromNumber(Number::Inline(-5, 3))), "-0.005");
  EXPECT_EQ(Plain(long_text), "\"quotes \\\" and \\\\ and \\n and \\u0001 and \xc3\xa9\"");
  EXPECT_EQ(Plain(object), "{\"a\":null,\"b\\\"\":true}");
  EXPECT_EQ(Plain(MakeSet(Type::Number(), {Value::Int(2), Value::Int(1)}, &arena)), "[1,2]");
  EXPECT_EQ(Plain(MakeTuple({}, &arena)), "[]");
  EXPECT_EQ(Plain(unknown), "no: the value is not known");
  EXPECT_EQ(Plain(MakeObject(absl::MakeSpan(bad), &arena)), "no: .list[1]: the value is not known");
  EXPECT_EQ(Plain(Value::FromNumber(Number::Infinity(true))), "no: JSON has no infinity");
  Value deep = text;
  for (int i = 0; i < 20'000; ++i) deep = MakeTuple({deep}, &arena);
  EXPECT_EQ(Plain(deep), "no: the value is nested too deeply");
}

TEST(JsonWriterTest, EscapesAtEveryPlace) {
  const std::pair<char, const char*> escapes[] = {
      {'\0', "\\u0000"},   {'\x1f', "\\u001f"}, {'"', "\\\""}, {'\\', "\\\\"},
      {'\x7f', "\\u007f"}, {'~', "~"},          {' ', " "},
  };
  for (size_t size = 1; size < 30; ++size) {
    const std::string plain(size, 'x');
    for (size_t at = 0; at < size; ++at) {
      for (const auto& [byte, written] : escapes) {
        std::string text = plain;
        text[at] = byte;
        const std::string want = "\"" + plain.substr(0, at) + written + plain.substr(at + 1) + "\"";
        EXPECT_EQ(Plain(Value::StringView(text)), want);
      }
    }
  }
}

TEST(JsonWriterTest, CapsulesHaveNoJsonForm) {
  CapsuleType type{"image"};
  TypeTable types;
  Capsule capsule{types.Capsule(&type), nullptr};
  EXPECT_EQ(Plain(Value::FromCapsule(&capsule)), "no: the value has no form in JSON");
  std::string typed;
  AppendTypedValueJson(Value::FromCapsule(&capsule), &types, &typed);
  EXPECT_EQ(typed, "{\"$capsule\":\"image\"}");
}

TEST(JsonWriterTest, TypedSetsAreSortedByTheirText) {
  Arena arena;
  TypeTable types;
  std::string out;
  AppendTypedValueJson(MakeSet(Type::Number(), {Value::Int(9), Value::Int(10)}, &arena), &types, &out);
  EXPECT_EQ(out, "[10,9]");
}

using Engine = std::mt19937;

std::string RandomString(Engine* engine) {
  static const char* kParts[] = {"a",           "\"",   "\\",   "\n", "\xc3\xa9", "\xf0\x9f\x98\x80",
                                 "plain text ", "\x7f", "\x1f", "/"};
  std::string text;
  for (uint32_t n = (*engine)() % 6; n > 0; --n) text += kParts[(*engine)() % 10];
  return text;
}

Value RandomValue(Engine* engine, int depth, bool json_only, Heap* heap) {
  auto pick = [engine](uint32_t n) { return static_cast<uint32_t>((*engine)() % n); };
  Arena* arena = heap->arena();
  switch (depth == 0 ? pick(4) : pick(json_only ? 6 : 9)) {
    case 0:
      return Value::Bool(pick(2) == 0);
    case 1: {
      NumberError error;
      std::string text = std::to_string(static_cast<int32_t>((*engine)())) + "." + std::to_string((*engine)());
      if (pick(2) == 0) text += "e" + std::to_string(pick(60));
      return Value::FromNumber(Number::Parse(text, NumberSyntax::kJson, Limits(), arena, &error));
    }
    case 2:
      return Value::String(RandomString(engine), arena);
    case 3:
      return json_only || pick(2) == 0 ? Value() : Value::Unknown(heap->types()->List(Type::Bool()));
    case 4: {
      std::vector<Value> elements;
      for (uint32_t n = pick(4); n > 0; --n) elements.push_back(RandomValue(engine, depth - 1, json_only, heap));
      return MakeTuple(elements, arena);
    }
    case 5: {
      std::vector<KeyValue> pairs;
      for (uint32_t n = pick(12); n > 0; --n) {
        pairs.push_back({Value::String(RandomString(engine), arena), RandomValue(engine, depth - 1, json_only, heap)});
      }
      return MakeObject(absl::MakeSpan(pairs), arena);
    }
    case 6:
      return MakeList(Type::String(), {Value::String(RandomString(engine), arena), Value::Null(Type::String())}, arena);
    case 7:
      return MakeSet(Type::Number(), {Value::Int(pick(3)), Value::Int(pick(3)), Value::Unknown(Type::Number())}, arena);
    default: {
      KeyValue pairs[] = {{Value::String(RandomString(engine), arena), Value::Bool(true)}};
      return MakeMap(Type::Bool(), absl::MakeSpan(pairs), arena);
    }
  }
}

TEST(JsonWriterTest, WhatIsWrittenReadsBack) {
  Engine engine(5);
  JsonReader reader;
  for (int i = 0; i < 5'000; ++i) {
    Heap heap;
    JsonError error;
    Value value = RandomValue(&engine, 4, /*json_only=*/true, &heap);
    std::string text;
    std::string reason;
    ASSERT_TRUE(AppendJson(value, &text, &reason)) << reason;
    Value back;
    ASSERT_TRUE(reader.Read(text, &heap, &back, &error)) << error.detail << "\n" << text;
    EXPECT_TRUE(Identical(value, back)) << text;
  }
}

TEST(JsonWriterTest, WhatIsWrittenTypedReadsBack) {
  Engine engine(6);
  JsonReader reader;
  for (int i = 0; i < 5'000; ++i) {
    Heap heap;
    JsonError error;
    Value value = RandomValue(&engine, 4, /*json_only=*/false, &heap);
    std::string text;
    AppendTypedJson(value, heap.types(), &text);
    Value back;
    ASSERT_TRUE(reader.ReadTyped(text, &heap, &back, &error)) << error.detail << "\n" << text;
    EXPECT_TRUE(Identical(value, back)) << text;
  }
}

// Every text is written with room for all of it, and refused, with nothing left behind, with room for less.
TEST(JsonWriterTest, StaysWithinTheBound) {
  Heap heap;
  NumberError number_error;
  Arena* const arena = heap.arena();
  const Number big = Number::Parse("1e99999", NumberSyntax::kLiteral, Limits(), arena, &number_error);
  const Value text = Value::String(std::string(100, 'x'), arena);
  const Value number = Value::FromNumber(big);
  KeyValue pairs[] = {{Value::String(std::string(50, 'k'), arena), number}, {Value::StringView("s"), text}};
  const Value object = MakeObject(absl::MakeSpan(pairs), arena);
  for (const Value& value : {Value::Bool(true), Value(), number, text, object, MakeTuple({object, object, text}, arena),
                             MakeSet(Type::String(), {text, Value::StringView("a")}, arena)}) {
    for (const bool typed : {false, true}) {
      auto write = [&](uint64_t max_bytes, std::string* out) {
        Limits limits;
        limits.max_output_bytes = max_bytes;
        JsonError error;
        const bool written =
            typed ? AppendTypedJson(value, limits, heap.types(), out, &error) : AppendJson(value, limits, out, &error);
        EXPECT_EQ(written, !error.is_limit);
        EXPECT_EQ(error.detail.find("max_output_bytes") == std::string::npos, written);
        return written;
      };
      std::string whole;
      ASSERT_TRUE(write(1 << 30, &whole));
      for (const uint64_t max_bytes : {uint64_t{0}, uint64_t{1}, whole.size() / 2, whole.size() - 1, whole.size()}) {
        std::string out = "before";
        EXPECT_EQ(write(max_bytes, &out), max_bytes >= whole.size()) << max_bytes << " of " << whole.size();
        EXPECT_EQ(out, max_bytes >= whole.size() ? "before" + whole : "before");
      }
    }
  }
}

TEST(JsonWriterTest, StopsWhenTheHostWantsItTo) {
  const std::atomic<bool> cancel{true};
  Limits limits;
  limits.interrupt.cancel = &cancel;
  std::string out;
  JsonError error;
  EXPECT_FALSE(AppendJson(Value::Int(1), limits, &out, &error));
  EXPECT_TRUE(error.is_limit);
  EXPECT_EQ(error.summary, "Writing interrupted");
}

TEST(JsonWriterTest, NumbersWeighWhatTheyPrint) {
  Heap heap;
  JsonReader reader;
  JsonError error;
  Value value;
  ASSERT_TRUE(reader.Read("[1, 0.5, 1e99999, 1e-99999, 123456789012345678901234567890]", &heap, &value, &error));
  std::vector<uint64_t> weights;
  for (const Value& number : value.elements()) weights.push_back(number.weight());
  EXPECT_EQ(weights, (std::vector<uint64_t>{1, 1, 6251, 6251, 7}));
  EXPECT_EQ(value.weight(), 1u + 1 + 1 + 6251 + 6251 + 7);
}

}  // namespace
}  // namespace hcl
