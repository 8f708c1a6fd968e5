// Seeds of random tests: fixed ones, unless the environment says otherwise.
//
//   HCLVM_TEST_SEED=N      takes other programs, the same ones for the same N on every platform
//   HCLVM_TEST_PROGRAMS=N  takes so many of them
//
// Both are decimal numbers. Tested by tests/support/seed_test.cc.

#ifndef HCLVM_TESTS_SUPPORT_SEED_H_
#define HCLVM_TESTS_SUPPORT_SEED_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace hcl::testing_support {

// The seed: that of HCLVM_TEST_SEED, or 1. The first call prints "HCLVM_TEST_SEED=N", so that the log of a failure says
// how to have it again. Ends the process when the variable holds no number: a wrong seed would test something else
// than what was asked for.
uint64_t TestSeed();

// How many programs to test: HCLVM_TEST_PROGRAMS, or `usual`. Ends the process as TestSeed() does.
uint64_t TestPrograms(uint64_t usual);

// The number that `text` is in decimal digits, none for anything else and for what exceeds 64 bits.
std::optional<uint64_t> ParseSeed(std::string_view text);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SUPPORT_SEED_H_
