// hclvm: HCL compiled once and evaluated many times, from the command line.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/standard_streams.h"
#include "hclvm/cmd/hclvm/version.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

struct Subcommand {
  std::string_view name;  // as the table has it
  int (*run)(const std::vector<std::string_view>& arguments);
};

constexpr Subcommand kSubcommands[] = {
    {"run", RunCommand},         {"eval", EvalCommand},           {"check", CheckCommand},
    {"decode", DecodeCommand},   {"disasm", DisasmCommand},       {"doc", DocCommand},
    {"explain", ExplainCommand}, {"functions", FunctionsCommand}, {"completion", CompletionCommand},
    {"manual", ManualCommand},   {"test", TestCommand},           {"diff", DiffCommand},
    {"bench", BenchCommand},     {"profile", ProfileCommand},     {"coverage", CoverageCommand},
    {"fmt", FmtCommand},         {"convert", ConvertCommand},     {"repl", ReplCommand},
    {"lsp", LspCommand},         {"bundle", BundleCommand},
};

// Made of the table, so that each command has its line.
std::string Help() {
  std::string out =
      "usage: hclvm COMMAND [arguments]\n\n"
      "HCL (HashiCorp configuration language), compiled once and evaluated many times.\n\ncommands:\n";
  for (const Command* command : CommandsOf("hclvm")) {
    absl::StrAppend(&out, "  ", ToAbsl(command->name), std::string(12 - command->name.size(), ' '),
                    ToAbsl(command->summary), "\n");
  }
  absl::StrAppend(&out, "\n\"hclvm COMMAND --help\" describes a command, and \"hclvm --version\" prints the version.\n",
                  "exit status: ", Wrapped(FindCommand("hclvm", "").exit_status, 100, ""), "\n");
  return out;
}

// Help that was asked for goes to stdout with status 0; the same text for a call without a command is a complaint.
int Main(const std::vector<std::string_view>& arguments) {
  if (arguments.size() > 1 && arguments[0] == "help") {
    std::vector<std::string_view> asked(arguments.begin() + 1, arguments.end());
    asked.push_back("--help");
    return Main(asked);
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    const std::string help = Help();
    std::fwrite(help.data(), 1, help.size(), arguments.empty() ? stderr : stdout);
    return arguments.empty() ? kUsageError : kSuccess;
  }
  if (arguments[0] == "--version" || arguments[0] == "-v") {
    std::printf("hclvm %s\n", kVersion);
    return kSuccess;
  }
  std::vector<std::string_view> names;
  for (const Subcommand& command : kSubcommands) {
    if (command.name == arguments[0]) return command.run({arguments.begin() + 1, arguments.end()});
    names.push_back(command.name);
  }
  const std::string_view nearest = NearestName(arguments[0], names);
  const std::string line = absl::StrCat("hclvm: no command \"", internal::Printable(arguments[0]), "\"",
                                        nearest.empty() ? "" : absl::StrCat("; did you mean ", ToAbsl(nearest), "?"),
                                        " (see hclvm --help)\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kUsageError;
}

}  // namespace
}  // namespace hcl::cmd

int main(int argc, char** argv) {
  hcl::cmd::OccupyClosedStreams();
  hcl::cmd::NoteLargeFiles();
  return hcl::cmd::FinishOutput("hclvm", hcl::cmd::GuardMemory("hclvm", [&] {
                                  return hcl::cmd::Main({argv + 1, argv + argc});
                                }));
}
