// hclvm run: a config over many scopes, the main job. Options and files here; the work is cmd/hclvm/scope_runner.h.
// Tested by tests/cli_test.sh and examples/run_test.sh.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/scope_runner.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {
namespace {

constexpr std::string_view kName = "run";

}  // namespace

// The config is compiled, and its entry found, before the scopes are opened: a mistake in it is reported once and not
// for each line.
int RunCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  RunOptions options;
  std::optional<std::string> scopes;
  std::optional<std::string> entry_path;
  CommandSyntax syntax;
  syntax.usage = "hclvm run CONFIG --scopes FILE.ndjson [options]";
  syntax.summary =
      "Compiles CONFIG once and evaluates it for every line of FILE, a JSON object of variables. Prints one line of "
      "JSON\n"
      "for each, in order: {\"value\": ...} or {\"diagnostics\": [...]}; a bad line does not stop the others. A "
      "summary goes\n"
      "to stderr. \"-\" is standard input.";
  syntax.options = {
      {"--scopes", "-s", "FILE", "the variables: one JSON object a line",
       [&](std::string_view v) { return scopes = std::string(v), ""; }},
      {"--entry", "-e", "PATH", "evaluate only this attribute, such as policy.admin.allow",
       [&](std::string_view v) { return entry_path = std::string(v), ""; }},
      {"--threads", "-j", "N", "worker threads; 0: as many as there are cores (1)",
       [&](std::string_view v) { return SetThreads(v, &options.threads); }},
      {"--timeout", "", "MS", "milliseconds that each line may take",
       [&](std::string_view v) { return SetTimeout(v, &options.timeout); }},
      {"--typed", "", "", "print {\"type\": T, \"value\": V} for {\"value\": ...}",
       [&](std::string_view) { return options.typed = true, ""; }},
      {"--quiet", "-q", "", "no summary", [&](std::string_view) { return options.quiet = true, ""; }},
  };
  AddCheckAllOption(&options.check_all, &syntax);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(kName, syntax, arguments, &positional, &status)) return status;
  if (ConfigCount(positional, common) != 1 || !scopes) {
    return Complain(kName, "give one CONFIG and --scopes FILE (see hclvm run --help)", kUsageError);
  }
  const std::string_view config = OnlyConfig(positional, common);
  if (config == "-" && *scopes == "-") {
    return Complain(kName, "only one of CONFIG and --scopes can be standard input", kUsageError);
  }
  std::shared_ptr<const Program> program = LoadConfig(kName, config, common, &status);
  if (program == nullptr) return status;
  options.limits = common.compile.limits;
  options.json_diagnostics = common.json_diagnostics;
  options.name = *scopes == "-" ? "<stdin>" : *scopes;
  if (entry_path) {
    std::string message;
    const Entry* entry = FindEntryOrSuggest(*program, *entry_path, &message);
    if (entry == nullptr) return Complain(kName, message, kUsageError);
    options.entry = entry;
  }
  std::FILE* input = *scopes == "-" ? stdin : std::fopen(scopes->c_str(), "rb");
  if (input == nullptr) {
    return Complain(kName, absl::StrCat("cannot read ", *scopes, ": ", std::strerror(errno)), kInputError);
  }
  std::string error;
  status = RunScopes(program, options, input, stdout, &error);
  if (input != stdin) std::fclose(input);
  if (!error.empty()) return Complain(kName, error, status);
  return status;
}

}  // namespace hcl::cmd
