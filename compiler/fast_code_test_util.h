// What the tests of fast code share: programs with and without it, and operands of all kinds to run them on.

#ifndef HCLVM_COMPILER_FAST_CODE_TEST_UTIL_H_
#define HCLVM_COMPILER_FAST_CODE_TEST_UTIL_H_

#include <memory>
#include <string>

#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {

// The program of an expression with the standard functions; fails the test when there is none.
std::shared_ptr<const Program> CompileFast(const std::string& text, bool fast_code = true,
                                           Dialect dialect = Dialect::kSpec);

// The fast code at the beginning, without offsets; empty when there is none.
std::string FastListing(const std::string& text);

// What the policy tests first, packed (compiler/first_tests.h).
std::string PackedFirstTests(const std::string& text);

// Compares what `text`, an expression over the variables a and b, yields and reports with fast code and without, where
// the variables take every pair of values from a list: of all kinds, unknown, marked, null. Only every `stride`-th pair
// when it is not 1. In both dialects.
void ExpectFastMeansSlow(const std::string& text, int stride = 1);

}  // namespace hcl::testing_support

#endif  // HCLVM_COMPILER_FAST_CODE_TEST_UTIL_H_
