// hclvm decode: hcldec, and one decoded value for each line of a file of scopes. Tested by tests/hcldec_test.sh.

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hcldec/decode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"

namespace hcl::cmd {

// The options of hcldec and some more. Those that need many evaluations or dynamic blocks are not in hcldec itself,
// which has the command line of the reference's program.
int DecodeCommand(const std::vector<std::string_view>& arguments) {
  DecodeOptions options;
  CommandSyntax syntax;
  syntax.usage = "hclvm decode --spec FILE [options] [FILE ...]";
  syntax.summary =
      "Decodes configs by a spec file, and prints JSON, as the program hcldec does: exit status 2 stands for\n"
      "diagnostics. With --scopes, compiles them once and prints a line of JSON for each line of scopes, as hclvm run\n"
      "does. Without a FILE, or for \"-\", it reads standard input.";
  AddDecodeOptions(&options, &syntax);
  AddDialectOption(&options.dialect, &syntax);
  syntax.options.push_back({"--scopes", "", "FILE", "variables: one JSON object a line; they hide those of --vars",
                            [&](std::string_view v) { return options.scopes = std::string(v), ""; }});
  syntax.options.push_back({"--dynamic", "", "", "expand dynamic blocks",
                            [&](std::string_view) { return options.dynamic_blocks = true, ""; }});
  syntax.options.push_back({"--threads", "-j", "N", "worker threads for scopes; 0: as many as there are cores (1)",
                            [&](std::string_view v) { return SetThreads(v, &options.run.threads); }});
  syntax.options.push_back(
      {"--quiet", "-q", "", "no summary of scopes", [&](std::string_view) { return options.run.quiet = true, ""; }});
  std::vector<std::string_view> files;
  int status = kSuccess;
  if (!ParseOrExplain("decode", syntax, arguments, &files, &status)) return status;
  return Decode(options, files);
}

}  // namespace hcl::cmd
