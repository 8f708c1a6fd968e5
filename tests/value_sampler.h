// ValueSampler: known values in place of unknown ones, for testing that answers about unknown values are sound.

#ifndef HCLVM_TESTS_VALUE_SAMPLER_H_
#define HCLVM_TESTS_VALUE_SAMPLER_H_

#include <cstdint>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// Deterministic for a seed. Values live in `heap`, which must outlive them.
class ValueSampler {
 public:
  ValueSampler(uint32_t seed, Heap* heap) : state_(seed * 2654435761u + 1), heap_(heap) {}

  // `value` with every unknown part replaced by a value of its type, now and then by a null.
  Value Known(const Value& value);

 private:
  uint32_t Pick(uint32_t bound);
  Value OfType(Type type);
  Value Elements(const Value& value);

  uint32_t state_;
  Heap* heap_;
};

}  // namespace hcl

#endif  // HCLVM_TESTS_VALUE_SAMPLER_H_
