// hclvm test: the tests of modules. Options here; the work is cmd/hclvm/test_session.h. Tested by
// tests/test_command_test.sh.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/coverage_options.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/cmd/hclvm/test_session.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/test_report.h"

namespace hcl::cmd {

using internal::TestReport;
using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "test";
constexpr std::chrono::milliseconds kWatchInterval{200};

struct TestCommandOptions {
  TestSessionOptions session;
  std::string format = "text";
  std::optional<std::string> functions;
  std::optional<std::string> junit;
  CoverageOptions coverage;
  bool lists = false;
  bool watches = false;
};

// Chooses names by a pattern, as the function regexall() reads it.
class NamePattern {
 public:
  explicit NamePattern(std::string_view pattern) : pattern_(pattern) {
    CompileOptions options;
    options.functions = StandardFunctions();
    Diagnostics found;
    const auto source = std::make_shared<const Source>("--run", "length(regexall(pattern, name)) > 0");
    evaluator_ = std::make_unique<Evaluator>(CompileExpression(source, options, &found));
  }

  // What is wrong with the pattern, or nothing.
  std::string Fault() {
    const Evaluation& evaluation = Evaluate("");
    return evaluation.ok() ? "" : evaluation.diagnostics().kept()[0].detail;
  }
  bool Matches(std::string_view name) {
    const Evaluation& evaluation = Evaluate(name);
    return evaluation.ok() && evaluation.value().is_true();
  }

 private:
  const Evaluation& Evaluate(std::string_view name) {
    const std::string normalized = internal::ToNfc(name);
    evaluator_->Bind("pattern", Value::StringView(pattern_));
    evaluator_->Bind("name", Value::StringView(normalized));
    return evaluator_->Run();
  }

  const std::string pattern_;
  std::unique_ptr<Evaluator> evaluator_;
};

std::string SetPattern(std::string_view pattern, TestSessionOptions* options) {
  const auto made = std::make_shared<NamePattern>(internal::ToNfc(pattern));
  options->chooses = [made](std::string_view name) { return made->Matches(name); };
  return made->Fault();
}

// "0/4".
std::string SetShard(std::string_view value, TestSessionOptions* options) {
  const std::vector<std::string> parts = absl::StrSplit(ToAbsl(value), '/');
  const bool ok = parts.size() == 2 && absl::SimpleAtoi(parts[0], &options->shard) &&
                  absl::SimpleAtoi(parts[1], &options->shards) && options->shard < options->shards;
  return ok ? "" : "must be NUMBER/COUNT, such as 0/4, with a number below the count";
}

std::string SetFormat(std::string_view value, std::string* format) {
  *format = std::string(value);
  return value == "text" || value == "json" || value == "junit" || value == "tap" ? ""
                                                                                  : "must be text, json, junit or tap";
}

void List(const TestReport& report) {
  std::string out;
  for (const internal::FileReport& file : report.files) {
    for (const internal::CaseReport& one : file.cases) absl::StrAppend(&out, file.path, ": ", one.name, "\n");
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}

std::string InForm(const TestReport& report, const std::string& format) {
  if (format == "json") return internal::ToJson(report);
  if (format == "junit") return internal::ToJunit(report);
  if (format == "tap") return internal::ToTap(report);
  return internal::ToText(report, UsesColor(STDOUT_FILENO));
}

int WriteJunit(const TestReport& report, const std::string& path, int status) {
  std::string fault;
  if (WriteFile(path, internal::ToJunit(report), &fault) == kSuccess) return status;
  return Complain(kName, fault, kInputError);
}

int RunOnce(const TestCommandOptions& options, const std::vector<std::string_view>& paths,
            std::set<std::string>* watched) {
  TestSession session(options.session);
  int status = session.Read(paths);
  if (options.lists) {
    List(session.report());
    return status;
  }
  if (!session.report().files.empty()) {
    status = session.Run();
    const std::string out = InForm(session.report(), options.format);
    std::fwrite(out.data(), 1, out.size(), stdout);
    if (options.junit) status = WriteJunit(session.report(), *options.junit, status);
    if (options.session.counts_coverage) status = FinishCoverage(kName, session.Coverage(), options.coverage, status);
  }
  *watched = session.watched();
  return status;
}

// What tells that a file has changed: its time and size; of a folder, those of the files in it.
std::string StateOf(const std::set<std::string>& paths) {
  std::string state;
  const auto add = [&state](const std::filesystem::path& path) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
    const auto size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
    absl::StrAppend(&state, path.string(), " ", error ? 0 : time, " ", error ? 0 : size, "\n");
  };
  for (const std::string& path : paths) {
    std::error_code error;
    std::set<std::filesystem::path> inside;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
      inside.insert(at->path());
    }
    for (const std::filesystem::path& one : inside) add(one);
    if (inside.empty()) add(path);
  }
  return state;
}

// Ends with the process.
[[noreturn]] void Watch(const TestCommandOptions& options, const std::vector<std::string_view>& paths) {
  std::set<std::string> watched;
  while (true) {
    RunOnce(options, paths, &watched);
    std::fflush(stdout);
    for (const std::string_view path : paths) watched.emplace(path);
    const std::string before = StateOf(watched);
    while (StateOf(watched) == before) std::this_thread::sleep_for(kWatchInterval);
    std::fputs("\n", stdout);
  }
}

}  // namespace

int TestCommand(const std::vector<std::string_view>& arguments) {
  TestCommandOptions options;
  CommandSyntax syntax;
  TestSessionOptions& session = options.session;
  UnknownInput unknown_input = UnknownInput::kError;
  bool has_unknown_input = false;
  syntax.command = &FindCommand("hclvm", kName);
  AddUnknownInputOption(&unknown_input, &syntax);
  syntax.setters.back().set = [&, set = syntax.setters.back().set](std::string_view value) {
    return has_unknown_input = true, set(value);
  };
  const std::vector<OptionSetter> setters = {
      {"--run", [&](std::string_view v) { return SetPattern(v, &session); }},
      {"--list", [&](std::string_view) { return options.lists = true, ""; }},
      {"--fail-fast", [&](std::string_view) { return session.stops_at_failure = true, ""; }},
      {"--threads", [&](std::string_view v) { return SetThreads(v, &session.threads); }},
      {"--update", [&](std::string_view) { return session.run.updates_answers = true, ""; }},
      {"--watch", [&](std::string_view) { return options.watches = true, ""; }},
      {"--format", [&](std::string_view v) { return SetFormat(v, &options.format); }},
      {"--junit", [&](std::string_view v) { return options.junit = std::string(v), ""; }},
      {"--coverage", [&](std::string_view) { return session.counts_coverage = true, ""; }},
      {"--coverage-format",
       [&](std::string_view v) { return session.counts_coverage = true, SetCoverageFormat(v, &options.coverage); }},
      {"--coverage-output",
       [&](std::string_view v) {
         return session.counts_coverage = true, options.coverage.output = std::string(v), "";
       }},
      {"--fail-under",
       [&](std::string_view v) { return session.counts_coverage = true, SetFailUnder(v, &options.coverage); }},
      {"--shard", [&](std::string_view v) { return SetShard(v, &session); }},
      {"--functions", [&](std::string_view v) { return options.functions = std::string(v), ""; }},
  };
  syntax.setters.insert(syntax.setters.end(), setters.begin(), setters.end());
  AddCheckAllOption(&session.run.check_all, &syntax);
  AddShowSensitiveOption(&session.run.show_sensitive, &syntax);
  AddCommonOptions(&session.common, &syntax);
  std::vector<std::string_view> paths;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &paths, &status)) return status;
  if (options.lists && options.watches) return Complain(kName, "--list does not go with --watch", kUsageError);
  if (options.junit && options.coverage.output && IsSameFile(*options.junit, *options.coverage.output)) {
    return Complain(kName, "--junit and --coverage-output name one file", kUsageError);
  }
  if (has_unknown_input) session.run.unknown_input = unknown_input;
  session.run.limits = session.counts_coverage ? internal::RecordingLimits(session.common.compile.limits)
                                               : session.common.compile.limits;
  session.shows_progress = IsTerminal(STDERR_FILENO);
  if (options.functions && !ReadHostFunctions(kName, *options.functions, &session.common, &status)) return status;
  if (paths.empty()) paths.emplace_back(".");
  if (options.watches) Watch(options, paths);
  std::set<std::string> watched;
  return RunOnce(options, paths, &watched);
}

}  // namespace hcl::cmd
