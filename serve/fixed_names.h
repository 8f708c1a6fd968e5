// FixedNames: objects that have the same attributes each time.
//
// Tested by serve/http_value_test.cc and serve/envoy_value_test.cc.

#ifndef HCLVM_SERVE_FIXED_NAMES_H_
#define HCLVM_SERVE_FIXED_NAMES_H_

#include <array>
#include <cstddef>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// The names, sorted and distinct, whose memory outlives this: that of literals. Immutable and thread-safe. What it has
// made must not outlive it, so that there is best one for the whole process, which is never destroyed.
template <size_t kSize>
class FixedNames {
 public:
  explicit FixedNames(const std::array<KeyValue, kSize>& pairs) {
    std::array<Value, kSize> names;
    for (size_t n = 0; n < kSize; ++n) names[n] = pairs[n].key;
    shape_ = MakeShape(names, &arena_);
  }

  // The object of these pairs, which are in the order of the names, in `arena`.
  Value Object(const std::array<KeyValue, kSize>& pairs, Arena* arena) const {
    std::array<Value, kSize> values;
    for (size_t n = 0; n < kSize; ++n) values[n] = pairs[n].value;
    return MakeObject(shape_, values, arena);
  }

 private:
  Arena arena_;
  const Shape* shape_ = nullptr;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_FIXED_NAMES_H_
