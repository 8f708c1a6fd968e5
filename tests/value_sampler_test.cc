// Values in place of unknown ones are of the type and within what is known.

#include "hclvm/tests/value_sampler.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class ValueSamplerTest : public testing::Test {
 protected:
  // The refinement of a type, to be filled in.
  static Refinement Of(Type type) {
    Refinement refinement;
    refinement.type = type;
    return refinement;
  }

  Heap heap_;
};

TEST_F(ValueSamplerTest, SamplesFitWhatIsKnown) {
  TypeTable* const types = heap_.types();
  Refinement between = Of(Type::Number());
  between.min = NumberBound{Value::Int(4).AsNumber(), true};
  between.max = NumberBound{Value::Int(5).AsNumber(), true};
  Refinement above = Of(Type::Number());
  above.min = NumberBound{Value::Int(5000).AsNumber(), false};
  Refinement prefix = Of(Type::String());
  prefix.not_null = true;
  prefix.prefix = "arn:";
  Refinement list = Of(types->List(Type::Bool()));
  list.min_length = 2;
  list.max_length = 3;
  Refinement set = Of(types->Set(Type::String()));
  set.min_length = set.max_length = 5;
  Refinement map = Of(types->Map(Type::Dynamic()));
  map.min_length = map.max_length = 30;
  std::vector<Value> unknowns;
  for (const Refinement& r : {between, above, prefix, list, set, map}) {
    unknowns.push_back(RefinedUnknown(r, heap_.arena()));
  }
  for (Type type :
       {Type::Bool(), Type::Dynamic(), types->Tuple({Type::Number(), Type::Dynamic()}), types->List(list.type)}) {
    unknowns.push_back(Value::Unknown(type));
  }
  int nulls = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    ValueSampler sampler(seed, &heap_);
    for (const Value& unknown : unknowns) {
      const Value known = sampler.Known(unknown);
      EXPECT_TRUE(known.is_wholly_known());
      EXPECT_TRUE(Matches(TypeOf(known, types), unknown.null_or_unknown_type()));
      EXPECT_FALSE(Contradicts(unknown, known));
      nulls += known.is_null() ? 1 : 0;
    }
  }
  EXPECT_GT(nulls, 0);
}

TEST_F(ValueSamplerTest, KnownPartsStay) {
  const Value parts[] = {Value::Int(1), Value::Unknown(Type::Number())};
  const Value tuple = MakeTuple(parts, heap_.arena());
  ValueSampler sampler(1, &heap_);
  const Value known = sampler.Known(tuple);
  EXPECT_TRUE(known.is_wholly_known());
  EXPECT_TRUE(Identical(known.elements()[0], parts[0]));
}

TEST_F(ValueSamplerTest, TheSameForASeed) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    ValueSampler a(seed, &heap_), b(seed, &heap_);
    EXPECT_TRUE(Identical(a.Known(Value::Dynamic()), b.Known(Value::Dynamic())));
  }
}

}  // namespace
}  // namespace hcl
