// RunScopes: what a command adds to RunNdjson(). Tested by cmd/hclvm/scope_runner_test.cc and tests/cli_test.sh.

#include "hclvm/cmd/hclvm/scope_runner.h"

#include <unistd.h>

#include <chrono>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/cmd/hclvm/command_line.h"

namespace hcl::cmd {
namespace {

void PrintToStderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::string Describe(const NdjsonReport& report, const RunOptions& options, bool color) {
  std::string text;
  if (options.json_diagnostics) {
    for (const Diagnostic& diagnostic : report.diagnostics.kept()) {
      absl::StrAppend(&text, ToJson(diagnostic, report.source), "\n");
    }
    return text;
  }
  TextOptions text_options;
  text_options.color = color;
  absl::StrAppend(&text, options.name, ":", report.line, ":\n", ToText(report.diagnostics, report.source, text_options),
                  "\n");
  if (report.is_last) {
    absl::StrAppend(&text, "(Further lines with errors are reported on standard output only.)\n\n");
  }
  return text;
}

}  // namespace

// A failure of reading or writing counts more than what was found in lines, as then lines are missing.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error) {
  const auto start = std::chrono::steady_clock::now();
  const bool color = isatty(STDERR_FILENO) != 0;
  NdjsonOptions lines = options;
  lines.describe = [&](const NdjsonReport& report) { return Describe(report, options, color); };
  lines.tell = PrintToStderr;
  NdjsonCounts counts;
  const absl::Status status =
      RunNdjson(std::move(program), lines, ReadFrom(fileno(input), options.name), WriteTo(output), &counts);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (counts.threads < options.threads) {
    PrintToStderr(absl::StrCat("hclvm run: ", counts.threads, " of ", options.threads, " threads do the work\n"));
  }
  if (!options.quiet) {
    PrintToStderr(absl::StrFormat("%d lines, %d with errors, %.3f s, %.0f evaluations per second\n", counts.lines,
                                  counts.errors, seconds,
                                  seconds > 0 ? static_cast<double>(counts.lines) / seconds : 0.0));
  }
  if (!status.ok()) {
    *error = std::string(status.message());
    return absl::IsResourceExhausted(status) ? kLimitReached : kInputError;
  }
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
