// What `hclvm explain CONFIG` does: why entries have their values for one recorded request.
//
// Tested by tests/explain_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_EXPLAIN_VALUES_H_
#define HCLVM_CMD_HCLVM_EXPLAIN_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/workbench/explain.h"

namespace hcl::cmd {

struct ExplainValuesOptions {
  CommonOptions common;  // of a program that records (RecordingOptions)
  internal::ExplainOptions explain;
  DataOption data;                    // has read its files
  std::optional<std::string> scopes;  // the file of --scopes
  std::optional<std::string> log;     // or that of --log
  std::optional<std::string> id;      // of the decision in it
  uint64_t line = 1;                  // of the scope in the file
  std::vector<std::string> entries;   // none: that of the decision, or all
  std::string format = "text";        // or json, html
};

// Prints the explanations for the config at `path`. Returns an exit status.
int ExplainValues(std::string_view path, const ExplainValuesOptions& options);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_EXPLAIN_VALUES_H_
