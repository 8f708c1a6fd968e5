// What the commands of hclvm-serve say of how they are called.
//
// Tested by tests/serve/loopback_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_USAGE_H_
#define HCLVM_CMD_HCLVM_SERVE_USAGE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/command_line.h"

namespace hcl::serve {

// Prints "COMMAND: MESSAGE" to standard error, and returns `status`.
int Complain(std::string_view command, std::string_view message, int status);

// Reads the arguments of `command`. Where that ends it, the exit status: its help was asked for and is on standard
// output, or the arguments are wrong, which is on standard error.
std::optional<int> ReadArguments(std::string_view command, const cmd::CommandSyntax& syntax,
                                 const std::vector<std::string_view>& arguments,
                                 std::vector<std::string_view>* positional);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_USAGE_H_
