// Plans convert as Convert() does: a property test over random types and values, and what kinds of plans there are.

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/unification.h"

namespace hcl {
namespace {

Type ReadType(const std::string& text, Heap* heap) {
  Type type;
  JsonError error;
  EXPECT_TRUE(ParseTypeJson(text, heap, &type, &error)) << text << ": " << error.detail;
  return type;
}

Conversion::Kind KindOf(const std::string& from, const std::string& to, Dialect dialect = Dialect::kSpec) {
  Heap heap(nullptr, dialect);
  ConversionCache cache;
  return Conversion::Get(ReadType(from, &heap), ReadType(to, &heap), &heap, &cache).kind();
}

TEST(ConversionPlanTest, Kinds) {
  using Kind = Conversion::Kind;
  const char* kList = R"(["list","string"])";
  const char* kTuple = R"(["tuple",["string","number"]])";
  EXPECT_EQ(KindOf(kList, kList), Kind::kIdentity);
  EXPECT_EQ(KindOf(kList, R"("dynamic")"), Kind::kIdentity);
  EXPECT_EQ(KindOf(R"("number")", R"("string")"), Kind::kPrimitive);
  EXPECT_EQ(KindOf(R"("string")", R"("bool")"), Kind::kPrimitive);
  EXPECT_EQ(KindOf(R"("bool")", R"("number")"), Kind::kImpossible);
  EXPECT_EQ(KindOf(kList, R"(["map","string"])"), Kind::kImpossible);
  EXPECT_EQ(KindOf(kList, kTuple), Kind::kGeneral);
  EXPECT_EQ(KindOf(kList, kTuple, Dialect::kHashiCorp), Kind::kImpossible);
  EXPECT_EQ(KindOf(kTuple, kList), Kind::kItems);
  EXPECT_EQ(KindOf(kTuple, R"(["list","dynamic"])"), Kind::kItems);
  EXPECT_EQ(KindOf(kTuple, R"(["set","string"])"), Kind::kGeneral);
  EXPECT_EQ(KindOf(R"(["tuple",["string","dynamic"]])", kList), Kind::kGeneral);
  EXPECT_EQ(KindOf(R"(["object",{"a":"bool"}])", R"(["map","string"])"), Kind::kItems);
  EXPECT_EQ(KindOf(R"(["object",{"a":"bool"}])", R"(["object",{"a":"string","b":"bool"}])"), Kind::kItems);
  EXPECT_EQ(KindOf(R"(["object",{"a":"bool"}])", R"(["object",{"b":"bool"}])", Dialect::kHashiCorp), Kind::kGeneral);
  EXPECT_EQ(KindOf(R"("dynamic")", kList), Kind::kGeneral);
}

TEST(ConversionPlanTest, LargeTypesAreConvertedTheGeneralWay) {
  Heap heap;
  ConversionCache cache;
  const std::vector<Type> parts(100, Type::Number());
  const Type list = heap.types()->List(Type::String());
  EXPECT_EQ(Conversion::Get(heap.types()->Tuple(absl::MakeConstSpan(parts).first(64)), list, &heap, &cache).kind(),
            Conversion::Kind::kItems);
  EXPECT_EQ(Conversion::Get(heap.types()->Tuple(parts), list, &heap, &cache).kind(), Conversion::Kind::kGeneral);
}

TEST(ConversionPlanTest, PlansAreKeptWithinABound) {
  Heap heap;
  ConversionCache cache(4);
  const Type list = heap.types()->List(Type::String());
  const Conversion* first = &Conversion::Get(list, Type::Dynamic(), &heap, &cache);
  EXPECT_EQ(&Conversion::Get(list, Type::Dynamic(), &heap, &cache), first);
  Type type = list;
  for (int n = 0; n < 100; ++n) {
    type = heap.types()->List(type);
    Conversion::Get(type, list, &heap, &cache);
    EXPECT_LE(cache.size(), 4u);
  }
}

TEST(ConversionPlanTest, ForgetsWhatTheHeapForgets) {
  Heap heap;
  ConversionCache cache;
  Conversion::Get(heap.types()->List(Type::String()), heap.types()->List(Type::Bool()), &heap, &cache);
  EXPECT_EQ(cache.size(), 1u);
  heap.types()->Clear();
  Conversion::Get(Type::Bool(), Type::String(), &heap, &cache);
  EXPECT_EQ(cache.size(), 1u);
}

TEST(ConversionPlanTest, PairsOfTypesAreUnifiedOnce) {
  Heap heap;
  ConversionCache cache(4);
  const Type none = ReadType(R"(["tuple",[]])", &heap);
  const Type text = ReadType(R"(["tuple",["string"]])", &heap);
  internal::Unification unified;
  for (int n = 0; n < 2; ++n) {
    ASSERT_TRUE(cache.Unify(none, text, &heap, &unified, nullptr));
    const Type types[] = {none, text};
    Type want;
    ASSERT_TRUE(Unify(types, &heap, &want));
    EXPECT_EQ(unified.of_types(), want);
    EXPECT_FALSE(cache.Unify(Type::Bool(), text, &heap, &unified, nullptr));
    EXPECT_EQ(cache.size(), 2u);
  }
  heap.types()->Clear();
  EXPECT_TRUE(cache.Unify(Type::Bool(), Type::String(), &heap, &unified, nullptr));
  EXPECT_EQ(cache.size(), 1u);
}

// Random types, and values of them.
class Generator {
 public:
  Generator(Heap* heap, uint64_t seed) : heap_(heap), random_(seed) {}

  Type MakeType(int depth) {
    switch (Pick(depth > 0 ? 12 : 5)) {
      case 0:
        return Type::Dynamic();
      case 1:
        return Type::Bool();
      case 2:
      case 3:
        return Type::Number();
      case 4:
      case 5:
        return Type::String();
      case 6:
      case 7:
        return heap_->types()->List(MakeType(depth - 1));
      case 8:
        return heap_->types()->Set(MakeType(depth - 1));
      case 9:
        return heap_->types()->Map(MakeType(depth - 1));
      case 10:
        return heap_->types()->Tuple(MakeTypes(Pick(4), depth - 1));
      default:
        return MakeObjectType(depth - 1);
    }
  }

  // A type that values of `type` may be converted to: the same with changes here and there.
  Type Change(Type type, int depth) {
    if (Pick(8) == 0) return MakeType(depth);
    if (type.is_primitive()) return Pick(2) == 0 ? Type::String() : type;
    TypeTable* types = heap_->types();
    if (type.is_collection()) {
      const TypeKind kinds[] = {type.kind(), type.kind(),
                                type.kind() == TypeKind::kList ? TypeKind::kSet : TypeKind::kList};
      return types->Collection(type.kind() == TypeKind::kMap ? TypeKind::kMap : kinds[Pick(3)],
                               Change(type.element(), depth - 1));
    }
    std::vector<Type> parts;
    for (size_t i = 0; i < type.size(); ++i) parts.push_back(Change(type.element(i), depth - 1));
    const Type element = parts.empty() || Pick(2) == 0 ? Type::Dynamic() : parts[0];
    if (type.kind() == TypeKind::kTuple) {
      return Pick(2) == 0 ? types->Tuple(parts) : Pick(2) == 0 ? types->List(element) : types->Set(element);
    }
    if (type.kind() == TypeKind::kObject) {
      return Pick(3) == 0 ? types->Map(element) : types->Object(type.shape(), parts);
    }
    return type;
  }

  Value MakeValue(Type type) {
    const uint32_t special = Pick(40);
    if (special == 0) return Value::Null(type);
    if (special == 1) return Value::Unknown(type);
    if (special == 2 && type.is_primitive()) return UnknownNotNull(type);
    if (special == 3) return Mark(MakePlain(type), 1 + Pick(3), heap_->arena());
    return MakePlain(type);
  }

 private:
  uint32_t Pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  std::vector<Type> MakeTypes(size_t count, int depth) {
    std::vector<Type> types;
    for (size_t i = 0; i < count; ++i) types.push_back(MakeType(depth));
    return types;
  }

  Type MakeObjectType(int depth) {
    std::vector<Value> keys;
    for (const char* name : {"a", "b", "c d"}) {
      if (Pick(2) == 0) keys.push_back(Value::StringView(name));
    }
    const Shape* shape = MakeShape(keys, heap_->arena());
    return heap_->types()->Object(*shape, MakeTypes(keys.size(), depth));
  }

  Value MakePlain(Type type) {
    const char* kTexts[] = {"true", "false", "1", "12.5", "x", "", "1e3", "0"};
    switch (type.kind()) {
      case TypeKind::kDynamic:
        return Pick(2) == 0 ? Value::Null() : Value::Dynamic();
      case TypeKind::kBool:
        return Value::Bool(Pick(2) == 0);
      case TypeKind::kNumber:
        return Value::Int(Pick(4));
      case TypeKind::kString:
        return Value::StringView(kTexts[Pick(8)]);
      case TypeKind::kTuple:
      case TypeKind::kObject: {
        std::vector<Value> parts;
        for (size_t i = 0; i < type.size(); ++i) parts.push_back(MakeValue(type.element(i)));
        return type.kind() == TypeKind::kTuple ? MakeTuple(parts, heap_->arena())
                                               : MakeObject(&type.shape(), parts, heap_->arena());
      }
      default:
        return MakeCollection(type);
    }
  }

  Value MakeCollection(Type type) {
    std::vector<Value> elements;
    for (uint32_t n = Pick(4); n > 0; --n) elements.push_back(MakeValue(type.element()));
    if (type.kind() == TypeKind::kList) return MakeList(type.element(), elements, heap_->arena());
    if (type.kind() == TypeKind::kSet) {
      MarkSet marks = 0;
      for (Value& element : elements) element = UnmarkDeep(element, &marks, heap_->arena());
      return MakeSet(type.element(), elements, heap_->arena());
    }
    std::vector<KeyValue> pairs;
    for (size_t i = 0; i < elements.size(); ++i) {
      pairs.push_back({Value::StringView(i == 0 ? "a" : i == 1 ? "b" : "c d"), elements[i]});
    }
    return MakeMap(type.element(), pairs, heap_->arena());
  }

  Heap* heap_;
  std::mt19937_64 random_;
};

class ConversionPlanPropertyTest : public testing::TestWithParam<Dialect> {};

TEST_P(ConversionPlanPropertyTest, PlansConvertAsConvertDoes) {
  Heap heap(nullptr, GetParam());
  ConversionCache cache(64);
  Generator generator(&heap, 20240617);
  int by_items = 0;
  int failures = 0;
  for (int n = 0; n < 60'000; ++n) {
    const Type from = generator.MakeType(3);
    const Type to = n % 4 == 0 ? generator.MakeType(3) : generator.Change(from, 3);
    for (int v = 0; v < 3; ++v) {
      const Value value = generator.MakeValue(from);
      Value want, got;
      ConversionError want_error, got_error;
      const bool converts = Convert(value, to, &heap, &want, &want_error);
      const Conversion& plan = Conversion::Get(from, to, &heap, &cache);
      std::string text;
      AppendTypedJson(value, heap.types(), &text);
      ASSERT_EQ(plan.Apply(value, &heap, &got, &got_error), converts) << text << " to " << ToTypeSyntax(to);
      if (converts) {
        ASSERT_TRUE(Identical(got, want)) << text << " to " << ToTypeSyntax(to);
        ASSERT_TRUE(SameType(got, want)) << text << " to " << ToTypeSyntax(to);
        ASSERT_EQ(got.has_marks(), want.has_marks());
      } else {
        ASSERT_EQ(got_error.ToString(), want_error.ToString()) << text << " to " << ToTypeSyntax(to);
      }
      by_items += plan.kind() == Conversion::Kind::kItems ? 1 : 0;
      failures += converts ? 0 : 1;
    }
    heap.arena()->Reset();
  }
  EXPECT_GT(by_items, 10'000);
  EXPECT_GT(failures, 10'000);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ConversionPlanPropertyTest, testing::Values(Dialect::kSpec, Dialect::kHashiCorp));

// What is remembered costs what it has cost, and gives the same with each amount of fuel, so that an evaluation does
// not depend on earlier runs.
TEST(ConversionPlanTest, RememberedUnificationIsAsANewOne) {
  Heap heap;
  const auto object = [&](const char* name, Type type) {
    const Value key = Value::StringView(name);
    return heap.types()->Object(*heap.types()->InternShape({&key, 1}), {type});
  };
  TypeTable* const types = heap.types();
  const Type number_and_text[] = {Type::Number(), Type::String()};
  const Type of_bool = object("a", Type::Bool());
  const std::pair<Type, Type> pairs[] = {
      {object("a", Type::String()), object("b", Type::Bool())},
      {object("a", types->Tuple({})), object("a", types->Set(Type::String()))},
      {types->Tuple(number_and_text), types->List(Type::Number())},
      {types->Tuple(number_and_text), types->Tuple({&of_bool, 1})},  // do not unify
      {types->Map(Type::Bool()), object("a", types->List(Type::Bool()))},
  };
  for (const auto& [a, b] : pairs) {
    ConversionCache knowing;
    internal::Unification want;
    Fuel ample(1000);
    const bool unifies = knowing.Unify(a, b, &heap, &want, &ample);
    const uint64_t cost = 1000 - ample.left();
    EXPECT_GT(cost, 1u);
    for (uint64_t units = 0; units < cost + 3; ++units) {
      ConversionCache empty;
      for (ConversionCache* cache : {&empty, &knowing}) {
        internal::Unification got;
        Fuel fuel(units);
        EXPECT_EQ(cache->Unify(a, b, &heap, &got, &fuel), unifies && units > cost) << units;
        EXPECT_EQ(fuel.left(), units > cost ? units - cost : 0) << units;
        EXPECT_TRUE(!unifies || units <= cost || got.preferred() == want.preferred());
      }
    }
  }
}

}  // namespace
}  // namespace hcl
