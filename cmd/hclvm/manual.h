// Manual pages, made of the table of commands. Tested by cmd/hclvm/manual_test.cc and tests/manual_test.py.

#ifndef HCLVM_CMD_HCLVM_MANUAL_H_
#define HCLVM_CMD_HCLVM_MANUAL_H_

#include <string>
#include <string_view>

#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {

// The name of a command's page: "hclvm-run".
std::string PageName(const Command& command);

// The section that it is in: 8 for programs that serve, 1 for others.
int PageSection(const Command& command);

// The page, in the language of man(7).
std::string ManualPage(const Command& command);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_MANUAL_H_
