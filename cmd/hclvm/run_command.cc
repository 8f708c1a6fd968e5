// hclvm run: a config over many scopes, the main job. Options and files here; the work is cmd/hclvm/scope_runner.h.
// Tested by tests/cli_test.sh and examples/run_test.sh.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/cmd/hclvm/scope_runner.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {
namespace {

constexpr std::string_view kName = "run";

// A message where there is no such form.
std::string SetForm(std::string_view form, RunOptions* options) {
  options->text = form == "text";
  options->json_array = form == "json";
  return options->text || options->json_array || form == "ndjson" ? "" : "must be ndjson, json or text";
}

}  // namespace

// The config is compiled, and its entry found, before the scopes are opened: a mistake in it is reported once and not
// for each line.
int RunCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  RunOptions options;
  std::optional<std::string> scopes;
  std::vector<std::string> entries;
  DataOption data;
  bool has_form = false;  // that of the command line
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--scopes", [&](std::string_view v) { return scopes = std::string(v), ""; }},
      {"--entry", [&](std::string_view v) { return entries.emplace_back(v), ""; }},
      {"--threads", [&](std::string_view v) { return SetThreads(v, &options.threads); }},
      {"--timeout", [&](std::string_view v) { return SetTimeout(v, &options.timeout); }},
      {"--output", [&](std::string_view v) { return has_form = true, SetForm(v, &options); }},
      {"--typed", [&](std::string_view) { return options.typed = true, ""; }},
      {"--quiet", [&](std::string_view) { return options.quiet = true, ""; }},
  };
  data.AddTo(&syntax);
  AddCheckAllOption(&options.check_all, &syntax);
  AddUnknownInputOption(&options.unknown_input, &syntax);
  AddShowSensitiveOption(&options.show_sensitive, &syntax);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (ConfigCount(positional, common) != 1 || !scopes) {
    return Complain(kName, "give one CONFIG and --scopes FILE, or --scopes - for standard input (see hclvm run --help)",
                    kUsageError);
  }
  const std::string_view config = OnlyConfig(positional, common);
  if (config == "-" && *scopes == "-") {
    return Complain(kName, "only one of CONFIG and --scopes can be standard input", kUsageError);
  }
  if (options.text && options.typed) {
    return Complain(kName, "--typed needs an output that is JSON", kUsageError);
  }
  std::shared_ptr<const Program> program = LoadConfig(kName, config, common, &status);
  if (program == nullptr) return status;
  options.tells_once = !has_form && !common.json_diagnostics && entries.size() <= 1 && IsTerminal(STDOUT_FILENO) &&
                       IsTerminal(STDERR_FILENO);
  options.limits = common.compile.limits;
  options.json_diagnostics = common.json_diagnostics;
  options.name = *scopes == "-" ? "<stdin>" : *scopes;
  for (const std::string& path : entries) {
    std::string message;
    const Entry* entry = internal::FindEntryOrSuggest(*program, path, &message);
    if (entry == nullptr) return Complain(kName, message, kUsageError);
    const std::vector<const Entry*>& others = options.entries;
    if (std::find(others.begin(), others.end(), entry) != others.end()) {
      return Complain(kName, absl::StrCat("--entry ", path, " is given twice"), kUsageError);
    }
    options.entries.push_back(entry);
  }
  status = data.Read(kName, common, options.check_all);
  if (status == kSuccess) status = data.Make(program, common, &options.base);
  if (status != kSuccess) return status;
  std::FILE* input = *scopes == "-" ? stdin : std::fopen(scopes->c_str(), "rb");
  if (input == nullptr) {
    return Complain(kName, absl::StrCat("cannot read ", *scopes, ": ", std::strerror(errno)), kInputError);
  }
  std::string error;
  options.explain = &common.explain;
  status = RunScopes(program, options, input, stdout, &error);
  if (input != stdin) std::fclose(input);
  if (!error.empty()) return Complain(kName, error, status);
  if (status == kInputError) {
    const std::string hint = ModuleHint(kName, config, common);
    if (!hint.empty()) Complain(kName, hint, status);
  }
  return status;
}

}  // namespace hcl::cmd
