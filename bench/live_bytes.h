// Counts the bytes that operator new has handed out in the binary that links this, which must have one thread.

#ifndef HCLVM_BENCH_LIVE_BYTES_H_
#define HCLVM_BENCH_LIVE_BYTES_H_

#include <cstddef>

namespace hcl::bench {

// Bytes that are in use now, and at most since ForgetPeak().
size_t LiveBytes();
size_t PeakBytes();
void ForgetPeak();

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_LIVE_BYTES_H_
