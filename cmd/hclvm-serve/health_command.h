// hclvm-serve health: whether a service is ready, for containers without a shell.
//
// Tested by tests/serve/loopback_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_HEALTH_COMMAND_H_
#define HCLVM_CMD_HCLVM_SERVE_HEALTH_COMMAND_H_

#include <string_view>
#include <vector>

namespace hcl::serve {

// `arguments` are those behind "health". Returns an exit status.
int HealthCommand(const std::vector<std::string_view>& arguments);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_HEALTH_COMMAND_H_
