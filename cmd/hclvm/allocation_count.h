// AllocationCount: how often this thread has asked for memory. Linking this replaces operator new in the program.
//
// Tested by tests/bench_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_ALLOCATION_COUNT_H_
#define HCLVM_CMD_HCLVM_ALLOCATION_COUNT_H_

#include <cstdint>

namespace hcl::cmd {

// Whether allocations are counted: not where a sanitizer needs operator new for itself.
bool CountsAllocations();
// Calls of operator new in this thread so far, but for over-aligned ones.
uint64_t AllocationCount();

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_ALLOCATION_COUNT_H_
