// The version that all programs print. Tested by tests/cli_test.sh, which compares it with MODULE.bazel.

#ifndef HCLVM_CMD_HCLVM_VERSION_H_
#define HCLVM_CMD_HCLVM_VERSION_H_

namespace hcl::cmd {

// The version of the whole repository: https://semver.org.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_VERSION_H_
