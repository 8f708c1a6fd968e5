// What the laws over random programs report.

#ifndef HCLVM_TESTS_SLOW_FAILURES_H_
#define HCLVM_TESTS_SLOW_FAILURES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {

// Fails the test if there are any. Reports the shortest ones, `most` of them.
void ReportShortest(std::vector<std::string> failures, size_t most);

// Says what is wrong with the n-th program, or with a part of it; empty if nothing is.
using CheckProgram = std::function<std::string(const std::string& text, uint64_t n)>;

// Checks that many programs of a generator, makes those that fail small, and reports the shortest. The heap is reset
// for each.
void CheckPrograms(uint64_t programs, Heap* heap, const CheckProgram& check, size_t most);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_FAILURES_H_
