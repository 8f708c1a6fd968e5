// Reading what the benchmarks work on.
//
// Tested by bench/workload_test.cc.

#ifndef HCLVM_BENCH_INPUT_FILES_H_
#define HCLVM_BENCH_INPUT_FILES_H_

#include <string>

namespace hcl::bench {

// The text of the file at `path`, such as "bench/inputs/parse.hcl"; ends the process with a message when there is none.
std::string ReadInput(const std::string& path);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_INPUT_FILES_H_
