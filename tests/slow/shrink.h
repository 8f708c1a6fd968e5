// Shrink: the smallest program that still shows what a large random one has shown.

#ifndef HCLVM_TESTS_SLOW_SHRINK_H_
#define HCLVM_TESTS_SLOW_SHRINK_H_

#include <functional>
#include <string>
#include <vector>

namespace hcl::testing_support {

// A program made of parts of `text`, an expression, for which `shows` holds as it does for `text`: no part of it can be
// taken out, or replaced by a literal, and it still holds. Asks `shows` at most `max_steps` times, and returns what it
// has found by then. Tested by tests/slow/shrink_test.cc.
std::string Shrink(const std::string& text, const std::function<bool(const std::string&)>& shows, int max_steps = 500);

// The texts of all expressions in `text`, itself among them, the smallest first.
std::vector<std::string> Parts(const std::string& text);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_SHRINK_H_
