// What is unfit at a glance fails to convert, in both dialects.

#include "hclvm/vm/value/unfit.h"

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr const char* kTexts[] = {"",         "0",
                                  "1",        "12",
                                  "-1.5",     "+3",
                                  ".5",       "1.",
                                  "1e5",      "1E-5",
                                  "inf",      "-Inf",
                                  "+INF",     "nan",
                                  "abc",      "12x",
                                  "0x10",     "1_000",
                                  " 1",       "1 ",
                                  "true",     "false",
                                  "True",     "yes",
                                  "no",       "Infinity",
                                  "infinity", "-",
                                  "e",        "y",
                                  "İ",        "é",
                                  "t",        "12345678901234567890123456789x",
                                  "1234567",  "1,5",
                                  "i",        "\x7f"};

std::vector<Value> Samples(Heap* heap) {
  Arena* const arena = heap->arena();
  const Value one[] = {Value::Int(1)};
  std::vector<Value> values = {Value::Bool(true),
                               Value::Bool(false),
                               Value::Int(0),
                               Value::Int(-7),
                               MakeTuple({}, arena),
                               MakeTuple(one, arena),
                               MakeList(Type::Number(), one, arena),
                               MakeSet(Type::Number(), one, arena),
                               MakeObject({}, arena)};
  for (const char* text : kTexts) values.push_back(Value::String(text, arena));
  return values;
}

TEST(UnfitTest, FailsToConvert) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Heap heap(nullptr, dialect, Limits());
    for (const Value& value : Samples(&heap)) {
      for (const Type type : {Type::Bool(), Type::Number(), Type::String()}) {
        Value converted;
        ConversionError error;
        const bool converts = Convert(value, type, &heap, &converted, &error);
        EXPECT_FALSE(converts && IsUnfit(value, type.kind()))
            << (value.is_string() ? std::string(value.AsString()) : "") << " " << FriendlyName(type);
      }
    }
  }
}

TEST(UnfitTest, MostFailuresAreSeenAtAGlance) {
  for (const char* text : {"", "abc", "12x", "0x10", "1,5", "yes", "no", "true", "e", "y", " 1", "é"}) {
    EXPECT_TRUE(IsUnfit(Value::StringView(text), TypeKind::kNumber)) << text;
  }
  EXPECT_FALSE(IsUnfit(Value::StringView("infinity"), TypeKind::kNumber));
  for (const char* text : {"", "maybe", "True", "10"}) {
    EXPECT_TRUE(IsUnfit(Value::StringView(text), TypeKind::kBool)) << text;
  }
}

TEST(UnfitTest, NothingIsSaidOfWhatIsNotPlain) {
  Arena arena;
  const Value values[] = {Value::Null(), Value::Unknown(Type::Bool()), Value::Dynamic(),
                          Mark(Value::StringView("abc"), 1, &arena)};
  for (const Value& value : values) {
    EXPECT_FALSE(IsUnfit(value, TypeKind::kBool));
    EXPECT_FALSE(IsUnfit(value, TypeKind::kNumber));
    EXPECT_FALSE(IsUnfit(value, TypeKind::kString));
  }
  EXPECT_FALSE(IsUnfit(MakeTuple({}, &arena), TypeKind::kList));
}

}  // namespace
}  // namespace hcl::internal
