// Tests of what is shown of values with sensitive parts.

#include "hclvm/vm/value/sensitive.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class SensitiveTest : public testing::Test {
 protected:
  Value Secret(const Value& value) { return Mark(value, kSensitiveMark, heap_.arena()); }
  Value Text(std::string_view text) { return Value::String(text, heap_.arena()); }
  // The places, with blanks between, each in brackets.
  std::string Erased(const Value& value, SensitiveForm form, Value* shown) {
    std::vector<std::string> erased;
    *shown = HideSensitive(value, form, &heap_, &erased);
    EXPECT_EQ(MarksIn(*shown) & kSensitiveMark, 0u);
    return absl::StrCat("[", absl::StrJoin(erased, "] ["), "]");
  }

  Heap heap_;
};

TEST_F(SensitiveTest, SharesWhatIsNotSensitive) {
  const Value other = Mark(Text("a text that is not short"), 1, heap_.arena());
  const Value plain = MakeTuple({Value::Int(1), other}, heap_.arena());
  for (const Value& value : {Value::Int(1), plain, other}) {
    Value shown;
    EXPECT_EQ(Erased(value, SensitiveForm::kNull, &shown), "[]");
    EXPECT_TRUE(shown.SameBits(value));
  }
}

TEST_F(SensitiveTest, HidesPartsAndNamesTheirPlaces) {
  const Value text = Text("s3cret, and long enough");
  const Value list = MakeList(Type::String(), {Text("a"), Secret(text)}, heap_.arena());
  const Value object = MakeObject({{Text("b/~"), Secret(Value::Int(1))}, {Text("c"), list}}, heap_.arena());
  Value shown;
  EXPECT_EQ(Erased(Secret(object), SensitiveForm::kNull, &shown), "[]");
  EXPECT_TRUE(shown.is_null());
  EXPECT_EQ(Erased(object, SensitiveForm::kNull, &shown), "[/b~1~0] [/c/1]");
  EXPECT_TRUE(Identical(
      shown,
      MakeObject({{Text("b/~"), Value::Null(Type::Number())},
                  {Text("c"), MakeList(Type::String(), {Text("a"), Value::Null(Type::String())}, heap_.arena())}},
                 heap_.arena())));
  EXPECT_EQ(Erased(object, SensitiveForm::kText, &shown), "[/b~1~0] [/c/1]");
  EXPECT_TRUE(Identical(shown, MakeObject({{Text("b/~"), Text(kSensitiveText)},
                                           {Text("c"), MakeTuple({Text("a"), Text(kSensitiveText)}, heap_.arena())}},
                                          heap_.arena())));
}

TEST_F(SensitiveTest, HidesWhatIsEphemeral) {
  for (const MarkSet marks : {kEphemeralMark, kEphemeralMark | kSensitiveMark, kEphemeralMark | 1}) {
    const Value part = Mark(Text("s3cret, and long enough"), marks, heap_.arena());
    Value shown;
    EXPECT_EQ(Erased(MakeTuple({Value::Int(1), part}, heap_.arena()), SensitiveForm::kText, &shown), "[/1]");
    EXPECT_TRUE(Identical(shown, MakeTuple({Value::Int(1), Text(kSensitiveText)}, heap_.arena())));
  }
}

// The places of many parts take more than what they are of.
TEST_F(SensitiveTest, HidesAllWhereThereAreTooManyPlaces) {
  const Value parts = MakeTuple(std::vector<Value>(1000, Secret(Value::Int(1))), heap_.arena());
  Value value = parts;
  for (int n = 0; n < 20; ++n) value = MakeObject({{Text(std::string(50, 'k')), value}}, heap_.arena());
  Value shown;
  EXPECT_EQ(Erased(parts, SensitiveForm::kNull, &shown).substr(0, 10), "[/0] [/1] ");
  EXPECT_EQ(shown.size(), 1000u);
  value = MakeTuple({value, value}, heap_.arena());
  EXPECT_EQ(Erased(value, SensitiveForm::kNull, &shown), "[]");
  EXPECT_TRUE(shown.is_null());
}

}  // namespace
}  // namespace hcl
