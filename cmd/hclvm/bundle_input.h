// What the commands of `hclvm bundle` share: reading a bundle, compiling it, and saying what is wrong with it.
//
// Tested by tests/bundle_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_BUNDLE_INPUT_H_
#define HCLVM_CMD_HCLVM_BUNDLE_INPUT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::cmd {

// Each of these has printed what is wrong when it returns something else than kSuccess, as `hclvm COMMAND`.

// Reads the directory or archive at `path`. The result is an exit status.
int ReadBundleFiles(std::string_view command, const std::string& path, serve::BundleFiles* files);

// Compiles what is at `path`, as the service does, with `options`. The result is an exit status.
int CompileBundleFiles(std::string_view command, const std::string& path, const serve::BundleFiles& files,
                       const serve::BundleOptions& options, const CommonOptions& common,
                       std::shared_ptr<const serve::Bundle>* bundle);

// What is wrong with the file or text that `name` names, as an exit status: 3 where a limit was reached.
int ComplainOf(std::string_view command, std::string_view name, const absl::Status& status);

// Makes `text` all that is in the file at `path`: at once, where there is one already. "-" is standard output. The
// result is an exit status.
int WriteWhole(std::string_view command, const std::string& path, std::string_view text);

// The commands that write bundles and keys; `arguments` are those behind the name. Each returns an exit status.
int BundleBuildCommand(const std::vector<std::string_view>& arguments);
int BundleKeygenCommand(const std::vector<std::string_view>& arguments);
int BundleSignCommand(const std::vector<std::string_view>& arguments);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_BUNDLE_INPUT_H_
