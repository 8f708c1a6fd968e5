// Values as they are declared: what is certainly of a type as it is. Conversions are tested with modules
// (module/binding_test.cc).

#include "hclvm/vm/value/declared_value.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What is told to be of a type is what conversion leaves as it is; what conversion makes is of its type, but where
// that cannot be seen at once.
TEST(DeclaredValueTest, KnowsWhatConversionLeaves) {
  Heap heap;
  TypeTable& types = *heap.types();
  const Value keys[] = {Value::String("a", heap.arena()), Value::String("b", heap.arena())};
  const Type strings = types.List(Type::String());
  const Type object = types.Object(*types.InternShape(keys), {Type::String(), strings});
  const Type all[] = {Type::Bool(),
                      Type::Number(),
                      Type::String(),
                      strings,
                      object,
                      types.List(object),
                      types.Map(Type::String()),
                      types.Set(Type::Number())};
  std::vector<Value> values = {Value::Null(),
                               Value::Null(Type::String()),
                               Value::Unknown(Type::Bool()),
                               Value::Bool(true),
                               Value::Int(1),
                               keys[0],
                               MakeTuple({keys[0]}, heap.arena()),
                               MakeList(Type::String(), {keys[0]}, heap.arena()),
                               MakeList(Type::String(), {Value::Null(Type::String())}, heap.arena())};
  for (const Value& first : {keys[0], Value::Int(1), Value::Null(Type::String())}) {
    for (const Value& second :
         {MakeTuple({keys[0]}, heap.arena()), MakeList(Type::String(), {keys[0]}, heap.arena())}) {
      KeyValue items[] = {{keys[0], first}, {keys[1], second}};
      values.push_back(MakeObject(absl::MakeSpan(items), heap.arena()));
      values.push_back(MakeTuple({values.back()}, heap.arena()));
    }
  }
  int of_type = 0;
  for (const Type type : all) {
    for (const Value& value : values) {
      Value converted;
      std::string reason;
      const Fit fit = ToDeclared(value, {"v", type, nullptr, false}, &heap, &converted, &reason);
      EXPECT_EQ(fit == Fit::kFits, reason.empty()) << reason;
      if (!IsOfType(value, type)) continue;
      ++of_type;
      EXPECT_EQ(fit, Fit::kFits);
      EXPECT_TRUE(TypeOf(value, &types) == type);
      EXPECT_TRUE(TypeOf(converted, &types) == type);
    }
  }
  EXPECT_EQ(of_type, 5);
}

}  // namespace
}  // namespace hcl::internal
