// RunScopes: what a command adds to RunNdjson(). Tested by cmd/hclvm/scope_runner_test.cc and tests/cli_test.sh.

#include "hclvm/cmd/hclvm/scope_runner.h"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/print_numbers.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/progress_line.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/workbench/request_stream.h"

namespace hcl::cmd {
namespace {

void PrintToStderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

// How many diagnostics of a line are those of earlier lines.
struct Repeated {
  size_t errors = 0;
  size_t warnings = 0;
};

// What has been told of earlier lines: the same mistake in many lines is told once. Thread-safe.
class ToldErrors {
 public:
  // Returns the diagnostics that are new, and counts the others in *repeated.
  Diagnostics TakeNew(const Diagnostics& diagnostics, Repeated* repeated) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Diagnostics taken(diagnostics.kept().size());
    for (const Diagnostic& diagnostic : diagnostics.kept()) {
      const SourceRange at = diagnostic.subject.value_or(SourceRange());
      std::string key =
          absl::StrCat(static_cast<int>(diagnostic.code), ":", at.begin, ":", at.end, ":",
                       diagnostic.source == nullptr ? "" : diagnostic.source->name(), ":", diagnostic.detail);
      if (told_.size() < kMaxTold && !told_.insert(std::move(key)).second) {
        ++(diagnostic.severity == Severity::kError ? repeated->errors : repeated->warnings);
      } else {
        taken.Add(diagnostic);
        if (!first_) first_ = diagnostic.code;
      }
    }
    return taken;
  }
  // The code that was told first. Not while lines are evaluated.
  std::optional<DiagnosticCode> first() const { return first_; }

 private:
  static constexpr size_t kMaxTold = 10'000;

  std::mutex mutex_;
  std::set<std::string> told_;
  std::optional<DiagnosticCode> first_;
};

// Lines whose errors were described, which need no answer of their own on the same terminal. Thread-safe.
class DescribedLines {
 public:
  void Add(const NdjsonReport& report) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.insert(report.line);
  }

  // Answers without those of these lines, and with the codes alone of other lines that failed. Answers come in the
  // order of the lines, and a line is described before its answer comes.
  NdjsonOutput WithoutThem(NdjsonOutput output, std::string name) {
    return [this, output = std::move(output), name = std::move(name)](std::string_view lines) {
      constexpr std::string_view kFailed = "{\"diagnostics\":";
      constexpr std::string_view kCode = "\"code\":\"";
      constexpr size_t kCodeSize = 7;  // "HCL3001"
      std::string kept;
      for (size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
        const std::string_view line = lines.substr(0, end + 1);
        lines.remove_prefix(end + 1);
        ++line_;
        if (line.substr(0, kFailed.size()) != kFailed) {
          kept.append(line);
        } else if (!TakeDescribed(line_)) {
          const size_t code = line.find(kCode);
          absl::StrAppend(&kept, name, ":", line_, ": error[",
                          internal::ToAbsl(line.substr(code + kCode.size(), kCodeSize)), "]\n");
        }
      }
      return output(kept);
    };
  }

 private:
  bool TakeDescribed(uint64_t line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lines_.erase(line) > 0;
  }

  std::mutex mutex_;
  std::set<uint64_t> lines_;
  uint64_t line_ = 0;  // that of the answer
};

// Returns a line for what `repeated` counts, or nothing where it counts nothing.
std::string RepeatedText(const Repeated& repeated) {
  std::string text;
  if (repeated.errors > 0) absl::StrAppend(&text, repeated.errors, repeated.errors == 1 ? " error" : " errors");
  if (repeated.errors > 0 && repeated.warnings > 0) text += " and ";
  if (repeated.warnings > 0) {
    absl::StrAppend(&text, repeated.warnings, repeated.warnings == 1 ? " warning" : " warnings");
  }
  return text.empty() ? "" : text + " as in other lines\n";
}

// Whether lines may hold what is declared sensitive.
bool HasSensitive(const Program& program) {
  const internal::ModuleTables* const module = internal::TablesOf(program).module();
  return module != nullptr && module->has_sensitive;
}

std::string Describe(const NdjsonReport& report, const Program& program, const RunOptions& options, bool color,
                     ToldErrors* told) {
  std::string text;
  if (options.json_diagnostics) {
    for (const Diagnostic& diagnostic : report.diagnostics.kept()) {
      absl::StrAppend(&text, ToJson(diagnostic, report.source), "\n");
    }
    return text;
  }
  TextOptions text_options;
  text_options.color = color;
  text_options.hides_text = report.source != &program.source() && HasSensitive(program);
  Repeated repeated;
  const Diagnostics news = told->TakeNew(report.diagnostics, &repeated);
  absl::StrAppend(&text, options.name, ":", report.line);
  if (report.entry != nullptr) absl::StrAppend(&text, ": ", internal::ToAbsl(report.entry->path));
  absl::StrAppend(&text, ":\n", ToText(news, report.source, text_options));
  if (report.diagnostics.left_out() > 0)
    absl::StrAppend(&text, report.diagnostics.left_out(), " more were left out.\n");
  absl::StrAppend(&text, RepeatedText(repeated), "\n");
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

// What the descriptor gives. What is damaged is told with the name of the file.
NdjsonInput Uncompressed(int descriptor, const std::string& name) {
  return [input = internal::Uncompressed(ReadFrom(descriptor, name)), name](char* room,
                                                                            size_t size) -> absl::StatusOr<size_t> {
    absl::StatusOr<size_t> got = input(room, size);
    if (!absl::IsDataLoss(got.status())) return got;
    return absl::DataLossError(absl::StrCat("cannot read ", name, ": ", got.status().message()));
  };
}

}  // namespace

// A failure of reading or writing counts more than what was found in lines, as then lines are missing.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error) {
  const auto start = std::chrono::steady_clock::now();
  const bool is_terminal = IsTerminal(STDERR_FILENO);
  const bool color = UsesColor(STDERR_FILENO);
  NdjsonOptions lines = options;
  ToldErrors told;
  const std::shared_ptr<const Program> shown = program;
  DescribedLines described;
  lines.describe = [&](const NdjsonReport& report) {
    if (options.tells_once) described.Add(report);
    return Describe(report, *shown, options, color, &told);
  };
  ProgressLine progress(stderr, BytesToRead(input));
  lines.tell = [&](std::string_view text) {
    progress.Hide();
    PrintToStderr(text);
  };
  if (!options.quiet && is_terminal && !IsTerminal(fileno(output))) {
    lines.progress = [&](const NdjsonProgress& done) { progress.Show(done); };
  }
  NdjsonCounts counts;
  bool is_open = false;
  const NdjsonOutput write = options.json_array   ? InArray(WriteTo(output), &is_open)
                             : options.tells_once ? described.WithoutThem(WriteTo(output), options.name)
                                                  : WriteTo(output);
  absl::Status status = RunNdjson(std::move(program), lines, Uncompressed(fileno(input), options.name), write, &counts);
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
  if (options.explain != nullptr && !options.json_diagnostics && told.first()) options.explain->Suggest(*told.first());
  if (!status.ok()) {
    *error = std::string(status.message());
    return absl::IsResourceExhausted(status) ? kLimitReached : kInputError;
  }
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
