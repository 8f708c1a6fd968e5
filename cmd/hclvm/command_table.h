// The table of all programs, commands and options. The programs read their command lines by it, and --help, the manual
// pages and the completions of shells are made of it.
//
// Data alone: what an option does is its setter (cmd/hclvm/command_line.h), so that hclvm can describe hclvm-serve and
// hclvm-envoy without their libraries. Everything here lives as long as the process and never changes.
//
// Tested by cmd/hclvm/command_table_test.cc.

#ifndef HCLVM_CMD_HCLVM_COMMAND_TABLE_H_
#define HCLVM_CMD_HCLVM_COMMAND_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace hcl::cmd {

struct Option {
  std::string_view name;        // "--scopes"
  std::string_view short_name;  // "-s", or empty
  // What the value is; empty: a switch without a value. Alternatives have "|" between them. One in lower case is a word
  // to write, FILE and FILE.json are files, DIR is a directory; completions offer these.
  std::string_view placeholder;
  std::string_view help;           // without what the next two say
  std::string_view default_value;  // empty: none that a text could name
  bool repeats = false;
};

// A name that an option had before. It still works, and neither help nor documentation shows it.
struct OldOption {
  std::string_view program;   // "hclvm"
  std::string_view command;   // "functions"; empty: the program itself
  std::string_view old_name;  // "--json"
  std::string_view name;      // "--output"
  // Stands before the value that is given, as in "max_fuel="; of a switch, it is all of the value.
  std::string_view value;
  bool is_switch = false;
};

// A program, or one command of a program.
struct Command {
  std::string_view program;  // "hclvm"
  // "run"; empty: the program itself; "bundle build" is a command of the command "bundle".
  std::string_view name;
  std::string_view arguments;    // behind the name: "CONFIG --scopes FILE.ndjson [options]"
  std::string_view positional;   // what arguments without an option are, as Option::placeholder says it; empty: none
  std::string_view summary;      // one line, in the imperative
  std::string_view description;  // paragraphs, with "\n\n" between them
  std::vector<absl::Span<const Option>> options;  // groups, in the order of the help; --help is not among them
  std::string_view exit_status;                   // a paragraph
  std::string_view examples;                      // lines to type, each with "\n" at its end; may be empty
};

// All commands: each program, and its commands behind it.
const std::vector<Command>& Commands();

// The one of that name; `name` is empty for the program itself. It must exist.
const Command& FindCommand(std::string_view program, std::string_view name);

// The commands of `program`, without itself and without the commands of commands.
std::vector<const Command*> CommandsOf(std::string_view program);
// The commands of a program, or of a command.
std::vector<const Command*> CommandsOf(const Command& command);

// What a command is called below the one that it belongs to: "build" of "bundle build".
std::string_view LastName(const Command& command);

// "hclvm run", or "hclvm".
std::string FullName(const Command& command);

// All options of `command`, in the order of the help.
std::vector<const Option*> OptionsOf(const Command& command);

// What `name` was before on command lines of `command`; null where it never was a name.
const OldOption* FindOldOption(const Command& command, std::string_view name);

// All names that options had before.
absl::Span<const OldOption> OldOptions();

// The option's help with its default and whether it repeats: "threads (1)".
std::string FullHelp(const Option& option);

// The alternatives of a placeholder.
std::vector<std::string_view> Alternatives(std::string_view placeholder);

// What a shell can offer for a placeholder.
struct Offer {
  std::vector<std::string_view> words;  // those to write
  bool files = false;                   // also when directories is set
  bool directories = false;
};
Offer OfferFor(std::string_view placeholder);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COMMAND_TABLE_H_
