// LineDiff: what a change of layout is, as people and patch read it. Tested by cmd/hclvm/line_diff_test.cc.

#ifndef HCLVM_CMD_HCLVM_LINE_DIFF_H_
#define HCLVM_CMD_HCLVM_LINE_DIFF_H_

#include <string>
#include <string_view>

namespace hcl::cmd {

// A unified diff of two texts whose lines belong to each other one by one, as those of a formatter do; lines that one
// text has more are at its end. Empty where they are equal. Time: linear.
std::string LineDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_LINE_DIFF_H_
