// What commands that report coverage have in common.
//
// Tested by tests/coverage_command_test.sh.

#ifndef HCLVM_CMD_HCLVM_COVERAGE_OPTIONS_H_
#define HCLVM_CMD_HCLVM_COVERAGE_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>

#include "hclvm/workbench/coverage_report.h"

namespace hcl::cmd {

struct CoverageOptions {
  std::string format = "text";        // or json, lcov, cobertura, html
  std::optional<std::string> output;  // a file; without one, standard output
  double fail_under = 0;              // percent
};

// Each returns what is wrong with the value, or nothing.
std::string SetCoverageFormat(std::string_view value, CoverageOptions* options);
std::string SetFailUnder(std::string_view value, CoverageOptions* options);

// Writes the report. Returns `status`, or kInputError, which has been explained, where the report cannot be written or
// the coverage is less than it has to be.
int FinishCoverage(std::string_view command, const internal::CoverageReport& report, const CoverageOptions& options,
                   int status);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COVERAGE_OPTIONS_H_
