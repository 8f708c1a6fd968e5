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
#include "hclvm/vm/value/value_access.h"

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

// Of values whose types are of another table, as those of most hosts.
TEST(DeclaredValueTest, KeepsWhatIsAsDeclared) {
  Heap heap;
  Heap host;
  const std::string long_name(40, 'n');
  const auto object_type = [&](Heap* of, const std::string& name, Type second) {
    const Value keys[] = {Value::String("a", of->arena()), Value::String(name, of->arena())};
    return of->types()->Object(*of->types()->InternShape(keys), {Type::String(), second});
  };
  const auto object = [&](const std::string& name, const Value& second) {
    KeyValue items[] = {{Value::String("a", host.arena()), Value::String("x", host.arena())},
                        {Value::String(name, host.arena()), second}};
    return MakeObject(absl::MakeSpan(items), host.arena());
  };
  const auto list = [&](Type element, const Value& item) { return MakeList(element, {item}, host.arena()); };
  const auto map = [&](Type element, const Value& item) {
    KeyValue items[] = {{Value::String("k", host.arena()), item}};
    return MakeMap(element, absl::MakeSpan(items), host.arena());
  };
  TypeTable& types = *heap.types();
  const Value one = Value::Int(1);
  const Value text = Value::String("x", host.arena());
  const Value none = Value::Null(Type::Number());
  const Type short_object = object_type(&heap, "b", Type::Number());
  const Type host_object = object_type(&host, "b", Type::Number());
  const Type with_list = object_type(&heap, "b", types.List(Type::Number()));
  const Type pair = types.Tuple({Type::String(), Type::Number()});
  const struct {
    Type type;
    Value value;
    bool keeps;
    bool at_once;
  } cases[] = {
      {short_object, object("b", one), true, true},
      {short_object, object("c", one), false, false},
      {short_object, object("b", text), false, false},
      {short_object, object("b", none), false, false},
      {short_object, object("b", Value::Unknown(Type::Number())), false, false},
      {short_object, map(Type::Number(), one), false, false},
      {object_type(&heap, long_name, Type::Number()), object(long_name, one), true, false},
      {object_type(&heap, long_name, Type::Number()), object(long_name + "n", one), false, false},
      {with_list, object("b", list(Type::Number(), one)), true, false},
      {with_list, object("b", list(Type::String(), text)), false, false},
      {types.List(Type::Number()), list(Type::Number(), one), true, true},
      {types.List(Type::Number()), list(Type::Number(), none), false, false},
      {types.List(Type::Number()), list(Type::Number(), Value::Unknown(Type::Number())), false, false},
      {types.List(Type::Number()), list(Type::String(), text), false, false},
      {types.List(Type::Number()), MakeTuple({one}, host.arena()), false, false},
      {types.List(short_object), list(host_object, object("b", one)), true, false},
      {types.Map(Type::Number()), map(Type::Number(), one), true, true},
      {types.Map(Type::Number()), map(Type::Number(), none), false, false},
      {types.Map(Type::Number()), object("b", one), false, false},
      {types.Map(short_object), map(host_object, object("b", one)), true, false},
      {types.Set(Type::Number()), MakeSet(Type::Number(), {one}, host.arena()), true, false},
      {types.List(Type::Dynamic()), list(Type::Dynamic(), one), false, false},
      {pair, MakeTuple({text, one}, host.arena()), true, false},
      {pair, MakeTuple({text}, host.arena()), false, false},
      {pair, MakeTuple({one, text}, host.arena()), false, false},
      {Type::Number(), one, true, false},
      {Type::Dynamic(), object("b", none), true, false},
  };
  for (const auto& test : cases) {
    const BindingPlan plan(test.type, nullptr, &heap);
    const std::string what = TextOf(test.value, host.types());
    EXPECT_EQ(plan.Keeps(test.value), test.keeps) << what;
    EXPECT_EQ(plan.quick_look().Keeps(test.value), test.at_once) << what;
    for (const Value& other : {InternalValue(nullptr), Value::Null(), Value::Unknown(test.type)}) {
      EXPECT_FALSE(plan.Keeps(other) || plan.quick_look().Keeps(other)) << what;
    }
  }
}

}  // namespace
}  // namespace hcl::internal
