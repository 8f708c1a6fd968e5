// RunScopes: what a command adds to RunNdjson(). Tested by cmd/hclvm/scope_runner_test.cc and tests/cli_test.sh.

#include "hclvm/cmd/hclvm/scope_runner.h"

#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/print_numbers.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/progress_line.h"

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
  absl::StrAppend(&text, options.name, ":", report.line);
  if (report.entry != nullptr) absl::StrAppend(&text, ": ", internal::ToAbsl(report.entry->path));
  absl::StrAppend(&text, ":\n", ToText(report.diagnostics, report.source, text_options), "\n");
  if (report.is_last) {
    absl::StrAppend(&text, "(Further lines with errors are reported on standard output only.)\n\n");
  }
  return text;
}

// The lines as elements of an array. They come whole, and none is empty.
NdjsonOutput InArray(NdjsonOutput output, bool* is_open) {
  return [output = std::move(output), is_open](std::string_view lines) {
    std::string elements;
    elements.reserve(lines.size() + lines.size() / 8);
    for (size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
      elements.append(*is_open ? ",\n" : "[\n");
      elements.append(lines.substr(0, end));
      lines.remove_prefix(end + 1);
      *is_open = true;
    }
    return output(elements);
  };
}

}  // namespace

// A failure of reading or writing counts more than what was found in lines, as then lines are missing.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error) {
  const auto start = std::chrono::steady_clock::now();
  const bool color = isatty(STDERR_FILENO) != 0;
  NdjsonOptions lines = options;
  lines.describe = [&](const NdjsonReport& report) { return Describe(report, options, color); };
  ProgressLine progress(stderr, BytesToRead(input));
  lines.tell = [&](std::string_view text) {
    progress.Hide();
    PrintToStderr(text);
  };
  if (!options.quiet && color && isatty(fileno(output)) == 0) {
    lines.progress = [&](const NdjsonProgress& done) { progress.Show(done); };
  }
  NdjsonCounts counts;
  bool is_open = false;
  const NdjsonOutput write = options.json_array ? InArray(WriteTo(output), &is_open) : WriteTo(output);
  absl::Status status = RunNdjson(std::move(program), lines, ReadFrom(fileno(input), options.name), write, &counts);
  progress.Hide();
  if (options.json_array) {
    const absl::Status ended = WriteTo(output)(is_open ? "\n]\n" : "[]\n");
    if (status.ok()) status = ended;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (counts.threads < options.threads) {
    PrintToStderr(absl::StrCat("hclvm run: ", counts.threads, " of ", options.threads, " threads do the work\n"));
  }
  if (!options.quiet) {
    const double rate = seconds > 0 ? static_cast<double>(counts.lines) / seconds : 0.0;
    PrintToStderr(absl::StrCat(counts.lines, " lines, ", counts.errors, " with errors, ",
                               internal::PrintNumbers("%.3f s, %.0f evaluations per second\n", seconds, rate)));
  }
  if (!status.ok()) {
    *error = std::string(status.message());
    return absl::IsResourceExhausted(status) ? kLimitReached : kInputError;
  }
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
