// Work on many independent things in several threads.
//
// Tested by cmd/hclvm/work_pool_test.cc.

#ifndef HCLVM_CMD_HCLVM_WORK_POOL_H_
#define HCLVM_CMD_HCLVM_WORK_POOL_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace hcl::cmd {

// As many threads as there are processors for this process, and at most 256.
uint32_t ProcessorCount();

// Calls `work(n, worker)` once for each n below `count`, in this thread and in others beside it, `threads` in all (at
// least one), and returns when all is done. `worker` is the number of the thread, below `threads`: what is kept for one
// needs no lock. A thread takes `at_once` numbers (at least one) at a time; few calls take fewer threads, and what the
// system refuses is done by those that there are. The order of calls is not told; where `threads` is 1, it is that of
// the numbers. When a call throws, no further ones begin, and one of the exceptions is thrown on in this thread once
// all threads have ended.
void ForEachIndex(size_t count, uint32_t threads, size_t at_once,
                  const std::function<void(size_t n, uint32_t worker)>& work);

// The same for calls that take about as long as those of a small file, for which nothing is kept.
void ForEachIndex(size_t count, uint32_t threads, const std::function<void(size_t n)>& work);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_WORK_POOL_H_
