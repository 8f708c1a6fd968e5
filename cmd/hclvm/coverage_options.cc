// Coverage of commands. Tested by tests/coverage_command_test.sh.

#include "hclvm/cmd/hclvm/coverage_options.h"

#include <cstdio>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"

namespace hcl::cmd {

using internal::CoverageReport;
using internal::ToAbsl;
namespace {

std::string InForm(const CoverageReport& report, const std::string& format) {
  if (format == "json") return ToJson(report);
  if (format == "lcov") return ToLcov(report);
  if (format == "cobertura") return ToCobertura(report);
  if (format == "html") return ToHtml(report);
  return ToText(report);
}

}  // namespace

std::string SetCoverageFormat(std::string_view value, CoverageOptions* options) {
  options->format = std::string(value);
  for (const char* const format : {"text", "json", "lcov", "cobertura", "html"}) {
    if (value == format) return "";
  }
  return "must be text, json, lcov, cobertura or html";
}

std::string SetFailUnder(std::string_view value, CoverageOptions* options) {
  const bool ok =
      absl::SimpleAtod(ToAbsl(value), &options->fail_under) && options->fail_under >= 0 && options->fail_under <= 100;
  return ok ? "" : "must be a number from 0 to 100";
}

int FinishCoverage(std::string_view command, const CoverageReport& report, const CoverageOptions& options, int status) {
  const std::string text = InForm(report, options.format);
  std::string fault;
  if (!options.output) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else if (WriteFile(*options.output, text, &fault) != kSuccess) {
    return Complain(command, fault, kInputError);
  }
  if (report.percent() >= options.fail_under) return status;
  Complain(command, absl::StrFormat("coverage is %.1f %%, and less than %g %%", report.percent(), options.fail_under),
           kInputError);
  return status == kSuccess ? kInputError : status;
}

}  // namespace hcl::cmd
