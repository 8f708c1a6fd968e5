// Counts calls of operator new in the binary that links this.

#ifndef HCLVM_BENCH_ALLOCATION_COUNTER_H_
#define HCLVM_BENCH_ALLOCATION_COUNTER_H_

#include <cstdint>

namespace hcl::bench {

// Heap allocations of this process so far.
uint64_t AllocationCount();

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_ALLOCATION_COUNTER_H_
