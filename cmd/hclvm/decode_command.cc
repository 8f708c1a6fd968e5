// hclvm decode: hcldec, and one decoded value for each line of a file of scopes. Tested by tests/hcldec_test.sh.

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hcldec/decode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"

namespace hcl::cmd {

// The options of hcldec, by the names that other commands have for them, and some more. Those that need many
// evaluations or dynamic blocks are not in hcldec itself, which has the command line of the reference's program.
int DecodeCommand(const std::vector<std::string_view>& arguments) {
  DecodeOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", "decode");
  AddDecodeOptions(&options, &syntax);
  AddDialectOption(&options.dialect, &syntax);
  AddDiagnosticsOption(&options.json_diagnostics, &syntax);
  syntax.setters.push_back({"--typed", [&](std::string_view) { return options.format.with_type = true, ""; }});
  syntax.setters.push_back({"--scopes", [&](std::string_view v) { return options.scopes = std::string(v), ""; }});
  syntax.setters.push_back({"--dynamic", [&](std::string_view) { return options.dynamic_blocks = true, ""; }});
  syntax.setters.push_back({"--threads", [&](std::string_view v) { return SetThreads(v, &options.run.threads); }});
  syntax.setters.push_back({"--quiet", [&](std::string_view) { return options.run.quiet = true, ""; }});
  std::vector<std::string_view> files;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &files, &status)) return status;
  return Decode(options, files);
}

}  // namespace hcl::cmd
