// Command lines: options and positional arguments of one command, and its help text, by the table of commands.
//
// Abseil's flags are global to a process and know neither subcommands nor repeated or short options; this is the little
// that hclvm needs instead. Tested by cmd/hclvm/command_line_test.cc.

#ifndef HCLVM_CMD_HCLVM_COMMAND_LINE_H_
#define HCLVM_CMD_HCLVM_COMMAND_LINE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {

// Exit statuses of all programs.
inline constexpr int kSuccess = 0;
inline constexpr int kInputError = 1;  // diagnostics are on stderr
inline constexpr int kUsageError = 2;
inline constexpr int kLimitReached = 3;

// What an option does with its value (empty for a switch). Returns what is wrong with it, or nothing.
struct OptionSetter {
  std::string_view option;  // "--scopes"
  std::function<std::string(std::string_view)> set;
};

// How a command line is read: by the command's row in the table, with a setter for each of its options.
struct CommandSyntax {
  const Command* command = nullptr;
  std::vector<OptionSetter> setters;
};

enum class ParseOutcome { kOk, kHelp, kError };

// Reads `arguments` (behind the command). "--name=value", "--name value", "-n value", "-nvalue"; "--" ends the
// options; "-" is a positional argument. On kHelp *message is the help text, on kError one line that says what is
// wrong. It is an error, whatever the arguments are, when the setters are not those of the command's options.
ParseOutcome ParseCommandLine(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                              std::vector<std::string_view>* positional, std::string* message);

// The help text of `command`.
std::string HelpText(const Command& command);

// `text` in lines of at most `width` columns, where its words allow that; paragraphs stay apart. Each line but the
// first has `indent` before it.
std::string Wrapped(std::string_view text, size_t width, std::string_view indent);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COMMAND_LINE_H_
