// Defaults in values.

#include "hclvm/vm/value/type_defaults.h"

#include <memory>
#include <string>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Apply(const TypeDefaults& defaults, const std::string& json) {
  Heap heap;
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(json, &heap, &value, &error)) << error.detail;
  std::string out, reason;
  EXPECT_TRUE(AppendJson(ApplyDefaults(value, defaults, &heap), &out, &reason)) << reason;
  return out;
}

TEST(TypeDefaults, Attributes) {
  TypeDefaults defaults;
  defaults.attributes = {{"a", Value::Int(1)}, {"b", Value::Null()}};
  EXPECT_EQ(Apply(defaults, "{}"), R"({"a":1,"b":null})");
  EXPECT_EQ(Apply(defaults, R"({"a":null,"b":2,"c":3})"), R"({"a":1,"b":2,"c":3})");
  EXPECT_EQ(Apply(defaults, "7"), "7");
  EXPECT_EQ(Apply(defaults, "null"), "null");
}

TEST(TypeDefaults, Parts) {
  auto inner = std::make_shared<TypeDefaults>();
  inner->attributes = {{"a", Value::Int(1)}};
  TypeDefaults list;
  list.element = inner;
  EXPECT_EQ(Apply(list, R"([{}, {"a": 2}, null, 3])"), R"([{"a":1},{"a":2},null,3])");
  EXPECT_EQ(Apply(list, R"({"x": {}})"), R"({"x":{"a":1}})");
  TypeDefaults tuple;
  tuple.parts["1"] = inner;
  EXPECT_EQ(Apply(tuple, "[{}, {}]"), R"([{},{"a":1}])");
  // A default is given its own defaults.
  Arena arena;
  TypeDefaults outer;
  outer.attributes = {{"o", MakeObject(absl::Span<const KeyValue>(), &arena)}};
  outer.parts["o"] = inner;
  EXPECT_EQ(Apply(outer, "{}"), R"({"o":{"a":1}})");
}

}  // namespace
}  // namespace hcl
