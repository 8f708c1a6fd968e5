// Values as they are declared: what is certainly of a type as it is. Conversions are tested with modules
// (module/binding_test.cc).

#include "hclvm/vm/value/declared_value.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::string TextOf(const Value& value, TypeTable* types) {
  std::string text;
  AppendTypedJson(value, types, &text);
  return text;
}

// What a plan makes is what conversion makes, as long as it makes something; what it leaves may be anything.
TEST(DeclaredValueTest, PlansGiveWhatConversionGives) {
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
                      types.List(Type::Dynamic()),
                      types.Map(types.List(Type::Dynamic())),
                      types.Set(Type::Number())};
  std::vector<Value> values = {Value::Null(),
                               Value::Null(Type::String()),
                               Value::Unknown(Type::Bool()),
                               Value::Bool(true),
                               Value::Int(1),
                               keys[0],
                               MakeTuple({keys[0]}, heap.arena()),
                               MakeTuple({keys[0], Value::Int(1)}, heap.arena()),
                               MakeTuple({Value::Int(2), Value::Int(1), Value::Int(2)}, heap.arena()),
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
  TypeDefaults defaults;
  defaults.attributes["a"] = Value::Int(7);
  defaults.attributes["b"] = Value::Null();
  values.push_back(MakeObject({}, heap.arena()));
  int planned = 0;
  for (const Type type : all) {
    for (const bool has_defaults : {false, true}) {
      const TypeDefaults* const given = has_defaults ? &defaults : nullptr;
      if (given != nullptr && type.kind() != TypeKind::kObject) continue;
      const BindingPlan plan(type, given, &heap);
      for (const Value& value : values) {
        Value converted;
        std::string reason;
        const Fit fit = ToDeclared(value, {"v", type, given, false}, &heap, &converted, &reason);
        EXPECT_EQ(fit == Fit::kFits, reason.empty()) << reason;
        Value made;
        if (!plan.Apply(value, &heap, &made)) continue;
        ++planned;
        EXPECT_EQ(fit, Fit::kFits);
        EXPECT_TRUE(TypeOf(made, &types) == TypeOf(converted, &types));
        EXPECT_EQ(TextOf(made, &types), TextOf(converted, &types));
      }
    }
  }
  EXPECT_GT(planned, 20);
}

}  // namespace
}  // namespace hcl::internal
