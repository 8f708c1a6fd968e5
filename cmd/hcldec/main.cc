// hcldec: the reference's program of that name. Tested by tests/hcldec_test.sh and by tests/specsuite.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hcldec/decode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/standard_streams.h"

namespace hcl::cmd {
namespace {

// stdout is for decoded values, so help goes to stderr, with the status of a wrong call. A wrong call gets the help
// text behind its message.
int Main(const std::vector<std::string_view>& arguments) {
  DecodeOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hcldec", "");
  AddDecodeOptions(&options, &syntax);
  syntax.setters.push_back({"--diags", [&](std::string_view v) {
                              options.json_diagnostics = v == "json";
                              return v.empty() || v == "json" ? "" : "only json is supported";
                            }});
  syntax.setters.push_back({"--with-type", [&](std::string_view) { return options.format.with_type = true, ""; }});
  std::vector<std::string_view> files;
  std::string message;
  switch (ParseCommandLine(syntax, arguments, &files, &message)) {
    case ParseOutcome::kOk:
      return Decode(options, files);
    case ParseOutcome::kHelp:
      std::fwrite(message.data(), 1, message.size(), stderr);
      return kUsageError;
    case ParseOutcome::kError:
      break;
  }
  std::fprintf(stderr, "%s\n%s", message.c_str(), HelpText(*syntax.command).c_str());
  return kUsageError;
}

}  // namespace
}  // namespace hcl::cmd

int main(int argc, char** argv) {
  hcl::cmd::OccupyClosedStreams();
  hcl::cmd::NoteLargeFiles();
  return hcl::cmd::FinishOutput("hcldec", hcl::cmd::GuardMemory("hcldec", [&] {
                                  return hcl::cmd::Main({argv + 1, argv + argc});
                                }));
}
