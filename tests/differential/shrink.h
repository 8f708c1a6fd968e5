// Programs made smaller, while the two sides still differ about them in the same way.
//
// Tested by tests/differential/shrink_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_SHRINK_H_
#define HCLVM_TESTS_DIFFERENTIAL_SHRINK_H_

#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

// Smaller programs: parts of the expression, a part in place of an expression around it, and a small value in place of
// any. For a text in the JSON syntax, its strings as templates. Roughly the smallest first.
std::vector<Program> SmallerTrees(const Program& program);

// The program without some of its characters, the smallest first.
std::vector<Program> SmallerTexts(const Program& program);

// Answers some programs by both sides.
using AskBoth = std::function<std::vector<Answers>(absl::Span<const Program>)>;

// Goes from program to program as long as the sides differ about a smaller one and `keep`, unless it is empty, holds
// for it. `answers` is the first program, about which they differ.
Answers Shrink(Answers answers, std::vector<Program> (*smaller)(const Program&), const AskBoth& ask,
               const std::function<bool(const Answers&)>& keep);

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_SHRINK_H_
