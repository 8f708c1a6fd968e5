// hclvm explain: what a code means, and why values are what they are. Tested by tests/cli_test.sh and
// tests/explain_command_test.sh.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/cmd/hclvm/bundle_config.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/explain.h"
#include "hclvm/cmd/hclvm/explain_values.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "explain";

// The code that is meant, of a text that looks like one.
std::optional<DiagnosticCode> CodeOf(std::string_view argument) {
  const size_t digits = argument.size() - 4;
  return FindDiagnosticCode(absl::StrCat("HCL", ToAbsl(argument.substr(digits))));
}

// A message where the value is no number of a line.
std::string SetLine(std::string_view value, uint64_t* line) {
  return absl::SimpleAtoi(ToAbsl(value), line) && *line > 0 ? "" : "must be the number of a line, from 1";
}

std::string SetFormat(std::string_view value, std::string* format) {
  *format = std::string(value);
  return value == "text" || value == "json" || value == "html" ? "" : "must be text, json or html";
}

// Nothing is printed when one of the codes is wrong: half an answer would hide the mistake above it.
int ExplainCodes(const std::vector<std::string_view>& codes) {
  if (codes.empty()) return Complain(kName, "give a code, such as HCL3201 (see hclvm explain --help)", kUsageError);
  std::string out;
  for (const std::string_view argument : codes) {
    if (!LooksLikeCode(argument)) {
      return Complain(kName,
                      absl::StrCat("\"", ToAbsl(argument), "\" is no code; codes are written as HCL3201, and a config ",
                                   "needs --scopes FILE or --log FILE"),
                      kUsageError);
    }
    const std::optional<DiagnosticCode> code = CodeOf(argument);
    if (!code) return Complain(kName, absl::StrCat("there is no code ", ToAbsl(argument)), kInputError);
    absl::StrAppend(&out, out.empty() ? "" : "\n\n", ExplainCode(*code));
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace

int ExplainCommand(const std::vector<std::string_view>& arguments) {
  ExplainValuesOptions options;
  std::optional<std::string> functions;
  bool has_line = false;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--scopes", [&](std::string_view v) { return options.scopes = std::string(v), ""; }},
      {"--line", [&](std::string_view v) { return has_line = true, SetLine(v, &options.line); }},
      {"--log", [&](std::string_view v) { return options.log = std::string(v), ""; }},
      {"--id", [&](std::string_view v) { return options.id = std::string(v), ""; }},
      {"--entry", [&](std::string_view v) { return options.entries.emplace_back(v), ""; }},
      {"--full", [&](std::string_view) { return options.explain.full = true, ""; }},
      {"--format", [&](std::string_view v) { return SetFormat(v, &options.format); }},
      {"--functions", [&](std::string_view v) { return functions = std::string(v), ""; }},
  };
  options.data.AddTo(&syntax);
  AddCheckAllOption(&options.explain.check_all, &syntax);
  AddUnknownInputOption(&options.explain.unknown_input, &syntax);
  AddShowSensitiveOption(&options.explain.show_sensitive, &syntax);
  AddModuleOption(&options.common, &syntax);
  AddCommonOptions(&options.common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (!options.scopes && !options.log) return ExplainCodes(positional);
  TakeBundles(positional, &options.common);
  if (options.scopes && options.log) return Complain(kName, "--scopes does not go with --log", kUsageError);
  if (options.log.has_value() != options.id.has_value()) {
    return Complain(kName, "--log FILE and --id ID go together", kUsageError);
  }
  if (options.log && has_line) return Complain(kName, "--line goes with --scopes", kUsageError);
  if (ConfigCount(positional, options.common) != 1) {
    return Complain(kName, "give one CONFIG with --scopes FILE or --log FILE (see hclvm explain --help)", kUsageError);
  }
  if (functions && !ReadHostFunctions(kName, *functions, &options.common, &status)) return status;
  options.common.compile = internal::RecordingOptions(options.common.compile);
  status = options.data.Read(kName, options.common, options.explain.check_all);
  return status == kSuccess ? ExplainValues(OnlyConfig(positional, options.common), options) : status;
}

}  // namespace hcl::cmd
