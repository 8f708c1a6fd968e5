// hclvm-serve replay LOG --bundle PATH: which decisions of a log a bundle changes.
//
// Tested by tests/serve/loopback_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_REPLAY_COMMAND_H_
#define HCLVM_CMD_HCLVM_SERVE_REPLAY_COMMAND_H_

#include <string_view>
#include <vector>

namespace hcl::serve {

// Runs the command; `arguments` are those behind its name. Returns an exit status.
int ReplayCommand(const std::vector<std::string_view>& arguments);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_REPLAY_COMMAND_H_
