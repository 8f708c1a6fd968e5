// The part of the table of commands that is about the programs that serve. Tested by cmd/hclvm/command_table_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVICE_TABLE_H_
#define HCLVM_CMD_HCLVM_SERVICE_TABLE_H_

#include <vector>

#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {

// Adds hclvm-serve with its commands, and hclvm-envoy.
void AddServiceCommands(std::vector<Command>* commands);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_SERVICE_TABLE_H_
