#include "hclvm/vm/value/kind_name.h"

#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

TEST(KindNameTest, HasTheArticle) {
  Heap heap;
  TypeTable* const types = heap.types();
  const struct {
    Type type;
    const char* want;
  } kRows[] = {
      {Type::Number(), "a number"},
      {types->Tuple({}), "a tuple"},
      {types->List(Type::String()), "a list of string"},
      {types->Map(types->List(Type::Bool())), "a map of list of bool"},
      {types->Set(Type::Dynamic()), "a set"},
      {types->Map(types->List(Type::Dynamic())), "a map of list"},
      {Type::Dynamic(), "a value of any type"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(WithArticle(row.type), row.want);
    EXPECT_EQ(WithArticle(Value::Unknown(row.type)), row.want);
  }
  EXPECT_EQ(WithArticle(MakeObject({}, heap.arena())), "an object");
  EXPECT_EQ(WithArticle(Value::StringView("text")), "a string");
}

}  // namespace
}  // namespace hcl::internal
