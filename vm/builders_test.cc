#include "hclvm/vm/builders.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

class BuildersTest : public testing::Test {
 protected:
  Value Text(const std::string& text) { return Value::String(text, heap_.arena()); }
  std::string Keys(const Value& object) {
    std::string out;
    for (uint32_t i = 0; i < object.shape().size; ++i) out += std::string(object.shape().keys[i].AsString()) + " ";
    return out;
  }
  Heap heap_;
};

TEST_F(BuildersTest, TupleGrows) {
  TupleBuilder builder;
  for (int n = 0; n < 1000; ++n) builder.Push(Value::Int(n), heap_.arena());
  const Value tuple = builder.FinishTuple(heap_.arena());
  ASSERT_TRUE(tuple.is_tuple());
  ASSERT_EQ(tuple.size(), 1000u);
  for (int n = 0; n < 1000; ++n) EXPECT_EQ(tuple.elements()[static_cast<size_t>(n)].AsInt(), n);
  EXPECT_TRUE(tuple.is_wholly_known());
  EXPECT_EQ(TupleBuilder().FinishTuple(heap_.arena()).size(), 0u);
}

TEST_F(BuildersTest, TheFirstErrorIsTheResult) {
  TupleBuilder tuple;
  tuple.Push(ErrorValue(5), heap_.arena());
  tuple.Push(ErrorValue(3), heap_.arena());
  tuple.Push(Value::Int(1), heap_.arena());
  const Value result = tuple.FinishTuple(heap_.arena());
  ASSERT_TRUE(result.is_error());
  EXPECT_EQ(ErrorBegin(result), 3u);

  ObjectBuilder object(RepeatedKey::kReplace);
  object.unknowable = true;
  object.AddPoison(ErrorValue(7));
  EXPECT_TRUE(object.Finish(heap_.arena()).is_error());
}

TEST_F(BuildersTest, AnUnknowableResultIsUnknown) {
  TupleBuilder tuple;
  tuple.unknowable = true;
  EXPECT_TRUE(tuple.FinishTuple(heap_.arena()).is_dynamic_value());
  StringBuilder text;
  text.unknowable = true;
  EXPECT_TRUE(text.Finish(heap_.arena()).is_unknown());
}

TEST_F(BuildersTest, RepeatedKeys) {
  const char* kKeys[] = {"c", "a", "b", "a", "c"};
  ObjectBuilder replace(RepeatedKey::kReplace), refuse(RepeatedKey::kRefuse), group(RepeatedKey::kGroup);
  int refused = 0;
  for (int n = 0; n < 5; ++n) {
    EXPECT_TRUE(replace.Put(Text(kKeys[n]), Value::Int(n), heap_.arena()));
    EXPECT_TRUE(group.Put(Text(kKeys[n]), Value::Int(n), heap_.arena()));
    if (!refuse.Put(Text(kKeys[n]), Value::Int(n), heap_.arena())) ++refused;
  }
  EXPECT_EQ(refused, 2);
  const Value replaced = replace.Finish(heap_.arena());
  EXPECT_EQ(Keys(replaced), "a b c ");
  EXPECT_EQ(replaced.values()[0].AsInt(), 3);
  EXPECT_EQ(replaced.values()[2].AsInt(), 4);
  const Value kept = refuse.Finish(heap_.arena());
  EXPECT_EQ(Keys(kept), "a b c ");
  EXPECT_EQ(kept.values()[0].AsInt(), 1);
  const Value grouped = group.Finish(heap_.arena());
  ASSERT_EQ(Keys(grouped), "a b c ");
  EXPECT_EQ(grouped.values()[0].size(), 2u);
  EXPECT_EQ(grouped.values()[1].size(), 1u);
  EXPECT_EQ(grouped.values()[2].elements()[1].AsInt(), 4);
}

// Few groups are collected in another way than many.
TEST_F(BuildersTest, GroupsKeepTheOrderOfTheirItems) {
  for (const int keys : {1, 2, 23, 24, 25, 26, 300}) {
    ObjectBuilder builder(RepeatedKey::kGroup);
    constexpr int kItems = 900;
    const auto key_of = [keys](int n) {
      const std::string very_long(keys == 23 ? 60 : 0, ' ');
      return "key " + std::to_string(n * 7 % keys) + (n % keys % 2 == 0 ? "" : ", of a long text" + very_long);
    };
    for (int n = 0; n < kItems; ++n) EXPECT_TRUE(builder.Put(Text(key_of(n)), Value::Int(n), heap_.arena()));
    const Value grouped = builder.Finish(heap_.arena());
    size_t items = 0;
    for (size_t at = 0; at < grouped.size(); ++at) {
      const Value& group = grouped.values()[at];
      items += group.size();
      for (const Value& item : group.elements()) {
        EXPECT_EQ(key_of(static_cast<int>(item.AsInt())), grouped.shape().keys[at].AsString());
      }
      for (size_t n = 1; n < group.size(); ++n) {
        EXPECT_LT(group.elements()[n - 1].AsInt(), group.elements()[n].AsInt()) << keys;
      }
    }
    EXPECT_EQ(items, static_cast<size_t>(kItems)) << keys;
    for (size_t n = 1; n < grouped.size(); ++n) {
      EXPECT_LT(grouped.shape().keys[n - 1].AsString(), grouped.shape().keys[n].AsString()) << keys;
    }
  }
}

TEST_F(BuildersTest, RefusesRepeatedKeysAmongMany) {
  ObjectBuilder builder(RepeatedKey::kRefuse);
  for (int n = 0; n < 5000; ++n) {
    EXPECT_TRUE(builder.Put(Text("key" + std::to_string(n * 7919 % 5000)), Value::Int(n), heap_.arena())) << n;
  }
  for (int n = 0; n < 5000; n += 100) {
    EXPECT_FALSE(builder.Put(Text("key" + std::to_string(n)), Value::Int(n), heap_.arena())) << n;
  }
  EXPECT_EQ(builder.Finish(heap_.arena()).size(), 5000u);
}

TEST_F(BuildersTest, StringsAreNormalised) {
  StringBuilder builder;
  builder.Append("e", heap_.arena());
  builder.Append("\xCC\x81 and text that is longer than an inline string", heap_.arena());
  EXPECT_EQ(builder.Finish(heap_.arena()).AsString(), "\xC3\xA9 and text that is longer than an inline string");
  EXPECT_EQ(StringBuilder().Finish(heap_.arena()).AsString(), "");
}

}  // namespace
}  // namespace hcl::internal
