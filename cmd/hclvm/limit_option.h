// The option --limit of all programs.
//
// Tested by tests/cli_test.sh and cmd/hclvm-serve/serve_options_test.cc.

#ifndef HCLVM_CMD_HCLVM_LIMIT_OPTION_H_
#define HCLVM_CMD_HCLVM_LIMIT_OPTION_H_

#include <string>
#include <string_view>

#include "hclvm/base/limits.h"

namespace hcl::cmd {

// Which limits can be named: all, or those that hold while something is evaluated.
enum class LimitSet { kAll, kEvaluations };

// Sets the limit that `assignment`, NAME=NUMBER, names. Returns what is wrong with it, or nothing.
std::string SetLimit(std::string_view assignment, LimitSet of, Limits* limits);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_LIMIT_OPTION_H_
