// Completions of shells, made of the table of commands. Tested by cmd/hclvm/completion_test.cc, and in shells by
// tests/completion_test.py.

#ifndef HCLVM_CMD_HCLVM_COMPLETION_H_
#define HCLVM_CMD_HCLVM_COMPLETION_H_

#include <string>
#include <string_view>

namespace hcl::cmd {

// The script by which `shell` (bash, zsh or fish) completes `program`, or all programs where that is empty. The program
// must be in the table. Empty for another shell.
std::string CompletionScript(std::string_view shell, std::string_view program);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COMPLETION_H_
