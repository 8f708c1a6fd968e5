// ValueSampler: known values in place of unknown ones, for testing that answers about unknown values are sound.
//
// Tested by tests/value_sampler_test.cc.

#ifndef HCLVM_TESTS_VALUE_SAMPLER_H_
#define HCLVM_TESTS_VALUE_SAMPLER_H_

#include <cstdint>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// Deterministic for a seed, on every platform. Values live in `heap`, which must outlive them.
class ValueSampler {
 public:
  ValueSampler(uint32_t seed, Heap* heap) : state_(seed * 2654435761u + 1), heap_(heap) {}

  // `value` with every unknown part replaced by a value of its type that its refinement allows, now and then by a null.
  // Requires bounds of numbers that some number satisfies.
  Value Known(const Value& value);

 private:
  uint32_t Pick(uint32_t bound);
  Value OfType(Type type);
  Value Refined(const Value& unknown);
  Value Any();
  Value OfLength(Type type, uint64_t min, uint64_t max);
  Value Elements(const Value& value);

  uint32_t state_;
  Heap* heap_;
};

}  // namespace hcl

#endif  // HCLVM_TESTS_VALUE_SAMPLER_H_
