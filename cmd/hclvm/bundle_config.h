// Bundles in place of a CONFIG: one of their modules.
//
// Tested by tests/bundle_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_BUNDLE_CONFIG_H_
#define HCLVM_CMD_HCLVM_BUNDLE_CONFIG_H_

#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/common.h"

namespace hcl::cmd {

// Has ReadConfig() take bundles: archives (*.tar.gz, *.tgz), directories that are no module and have modules below, and
// what --module chooses a module of. To be called behind the command line: with a CONFIG, --module names a module.
void TakeBundles(const std::vector<std::string_view>& positional, CommonOptions* common);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_BUNDLE_CONFIG_H_
