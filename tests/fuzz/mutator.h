// Mutations that keep a program a program, beside those of single bytes that libFuzzer has.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_MUTATOR_H_
#define HCLVM_TESTS_FUZZ_MUTATOR_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace hcl::fuzz {

// `input`, a line with a scope (tests/fuzz/scopes.h) and a program, with one change that `seed` chooses: another
// treatment of a variable, a random expression in place of a word or around the whole, or a program of its own.
std::string MutateProgram(std::string_view input, uint32_t seed);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_MUTATOR_H_
