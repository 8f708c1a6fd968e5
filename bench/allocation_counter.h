// Counts calls of operator new in the binary that links this.

#ifndef HCLVM_BENCH_ALLOCATION_COUNTER_H_
#define HCLVM_BENCH_ALLOCATION_COUNTER_H_

#include <cstdint>

namespace hcl::bench {

// Heap allocations of this thread so far. Counting is a plain addition, so that it does not weigh on who allocates.
uint64_t AllocationCount();

// The bytes that they asked for, whether freed since or not.
uint64_t AllocatedBytes();

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_ALLOCATION_COUNTER_H_
