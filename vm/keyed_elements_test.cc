#include "hclvm/vm/keyed_elements.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Strings, long ones, numbers in their forms, bools, and what is no key; each of which stands at several places.
std::vector<Value> SomeKeys(size_t count, Heap* heap) {
  std::vector<Value> keys;
  for (size_t n = 0; n < count; ++n) {
    const size_t which = n * 7 % 6;
    const int64_t number = static_cast<int64_t>(n % 11);
    keys.push_back(which == 0   ? Value::String(absl::StrCat("k", number), heap->arena())
                   : which == 1 ? Value::String(absl::StrCat("a key of many characters ", number), heap->arena())
                   : which == 2 ? Value::Int(number)
                   : which == 3 ? Value::Bool(number % 2 == 0)
                   : which == 4 ? ParsedJson(absl::StrCat("123456789012345678901234567890", number), heap)
                                : Value::Null());
  }
  return keys;
}

TEST(KeyedElements, FindsWhatComparisonsFind) {
  Heap heap;
  for (const size_t count : {0, 1, 5, 8, 9, 64, 1000}) {
    const std::vector<Value> keys = SomeKeys(count, &heap);
    std::vector<Value> elements;
    for (size_t n = 0; n < count; ++n) elements.push_back(Value::Int(static_cast<int64_t>(n)));
    KeyedElements keyed(elements, keys);
    for (const Value& key : SomeKeys(60, &heap)) {
      Value matches;
      uint64_t cost = 0;
      ASSERT_EQ(keyed.Find(key, heap.arena(), &matches, &cost), !key.is_null());
      if (key.is_null()) continue;
      std::vector<Value> want;
      for (size_t n = 0; n < count; ++n) {
        if (!keys[n].is_null() && Identical(keys[n], key)) want.push_back(elements[n]);
      }
      ASSERT_TRUE(matches.is_tuple());
      EXPECT_TRUE(Identical(matches, MakeTuple(want, heap.arena())));
      EXPECT_GT(cost, 0u);
    }
  }
}

TEST(KeyedElements, OtherKeysAreNotLookedFor) {
  Heap heap;
  const std::vector<Value> keys = {Value::Int(1)};
  KeyedElements keyed(keys, keys);
  Value matches;
  uint64_t cost = 0;
  EXPECT_FALSE(keyed.Find(Value::Dynamic(), heap.arena(), &matches, &cost));
  EXPECT_FALSE(keyed.Find(MakeTuple(keys, heap.arena()), heap.arena(), &matches, &cost));
  EXPECT_FALSE(keyed.Find(Mark(Value::Int(1), kSensitiveMark, heap.arena()), heap.arena(), &matches, &cost));
}

}  // namespace
}  // namespace hcl::internal
