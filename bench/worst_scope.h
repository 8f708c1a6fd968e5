// Values that are made to be costly, for bench/worst_fuel.cc.

#ifndef HCLVM_BENCH_WORST_SCOPE_H_
#define HCLVM_BENCH_WORST_SCOPE_H_

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {

struct NamedValue {
  std::string name;
  Value value;
};

// Large values of every kind and form, about a megabyte each; they live in `heap`.
std::vector<NamedValue> LargeValues(Heap* heap);

// Small ones, of which every function of the library finds some that suit it.
std::vector<NamedValue> SmallValues(Heap* heap);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_WORST_SCOPE_H_
