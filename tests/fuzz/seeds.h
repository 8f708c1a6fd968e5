// Inputs to begin with, beside the corpus: random programs and the cases of other tests.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_SEEDS_H_
#define HCLVM_TESTS_FUZZ_SEEDS_H_

#include <functional>
#include <string>
#include <string_view>

namespace hcl::fuzz {

// Calls `take` with a target's name and an input for it: long inputs, programs of tests/slow/generator.h over scopes of
// all kinds, chosen by HCLVM_TEST_SEED if that is in the environment, and the cases of tests/conformance and
// tests/specsuite as far as they are found from the current folder.
void MakeSeeds(const std::function<void(std::string_view target, const std::string& input)>& take);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_SEEDS_H_
