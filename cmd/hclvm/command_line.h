// Command lines: options and positional arguments of one subcommand, and its help text, from one table.
//
// Abseil's flags are global to a process and know neither subcommands nor repeated or short options; this is the little
// that hclvm needs instead. Tested by cmd/hclvm/command_line_test.cc.

#ifndef HCLVM_CMD_HCLVM_COMMAND_LINE_H_
#define HCLVM_CMD_HCLVM_COMMAND_LINE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::cmd {

// Exit statuses of all programs.
inline constexpr int kSuccess = 0;
inline constexpr int kInputError = 1;  // diagnostics are on stderr
inline constexpr int kUsageError = 2;
inline constexpr int kLimitReached = 3;

struct Option {
  std::string_view name;         // "--scopes"
  std::string_view short_name;   // "-s", or empty
  std::string_view placeholder;  // "FILE"; empty: a switch without a value
  std::string_view help;
  // Takes the value (empty for a switch). Returns what is wrong with it, or nothing.
  std::function<std::string(std::string_view)> set;
};

struct CommandSyntax {
  std::string_view usage;    // "hclvm run CONFIG --scopes FILE [options]"
  std::string_view summary;  // one paragraph
  std::vector<Option> options;
  std::string_view notes;  // printed behind the options
};

enum class ParseOutcome { kOk, kHelp, kError };

// Reads `arguments` (behind the subcommand). "--name=value", "--name value", "-n value", "-nvalue"; "--" ends the
// options; "-" is a positional argument. On kHelp *message is the help text, on kError one line that says what is
// wrong.
ParseOutcome ParseCommandLine(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                              std::vector<std::string_view>* positional, std::string* message);

// The help text of `syntax`.
std::string HelpText(const CommandSyntax& syntax);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COMMAND_LINE_H_
