// Tested by cmd/hclvm/completion_test.cc and tests/completion_test.py.

#include "hclvm/cmd/hclvm/completion.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_table.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr Option kHelp = {"--help", "-h", "", "print this text", ""};

std::vector<const Option*> AllOptions(const Command& command) {
  std::vector<const Option*> options = OptionsOf(command);
  options.push_back(&kHelp);
  return options;
}

// In single quotes, for all three shells.
std::string Quoted(std::string_view text, std::string_view quote_inside) {
  return absl::StrCat("'", absl::StrReplaceAll(ToAbsl(text), {{"'", ToAbsl(quote_inside)}}), "'");
}

std::string Words(const Offer& offer) {
  std::string words;
  for (const std::string_view word : offer.words) absl::StrAppend(&words, words.empty() ? "" : " ", ToAbsl(word));
  return words;
}

// What is chosen: one program, or all.
std::vector<const Command*> Chosen(std::string_view program) {
  std::vector<const Command*> chosen;
  for (const Command& command : Commands()) {
    if (program.empty() || command.program == program) chosen.push_back(&command);
  }
  return chosen;
}

// Programs among `commands`, in their order.
std::vector<const Command*> ProgramsOf(const std::vector<const Command*>& commands) {
  std::vector<const Command*> programs;
  for (const Command* command : commands) {
    if (command->name.empty()) programs.push_back(command);
  }
  return programs;
}

std::string Names(const std::vector<const Command*>& programs) {
  std::string names;
  for (const Command* program : programs) absl::StrAppend(&names, " ", ToAbsl(program->program));
  return names;
}

// ---- bash

constexpr std::string_view kBashBegin = R"(# Completions for bash, made by `hclvm completion bash`.

_hclvm() {
  local program=${1##*/} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' options='' words='' paths='' value=''
  # An "=" is a word of its own.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  ((COMP_CWORD < 2)) || command=${COMP_WORDS[1]}
)";
// Behind what is said of commands that have commands.
constexpr std::string_view kBashBranches = R"(  case "$program $command" in
)";
constexpr std::string_view kBashEnd = R"(  esac
  [[ $value == yes || $current != -* ]] || words=$options paths=''
  COMPREPLY=()
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $paths ]]; then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$paths" -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
)";

std::string BashPaths(const Offer& offer) { return offer.files ? "-f" : offer.directories ? "-d" : ""; }

// One branch: what options there are, and what each takes; `arguments` are the words of the first argument.
std::string BashBranch(const Command& command, std::string_view pattern) {
  std::string options, values;
  for (const Option* option : AllOptions(command)) {
    absl::StrAppend(&options, options.empty() ? "" : " ", ToAbsl(option->name));
    if (!option->short_name.empty()) absl::StrAppend(&options, " ", ToAbsl(option->short_name));
    if (option->placeholder.empty()) continue;
    const Offer offer = OfferFor(option->placeholder);
    absl::StrAppend(&values, "        ", ToAbsl(option->name),
                    option->short_name.empty() ? "" : absl::StrCat(" | ", ToAbsl(option->short_name)),
                    ") value=yes words='", Words(offer), "' paths='", BashPaths(offer), "' ;;\n");
  }
  Offer offer = OfferFor(command.positional);
  for (const Command* one : CommandsOf(command)) offer.words.push_back(LastName(*one));
  std::string out = absl::StrCat("    ", ToAbsl(pattern), ")\n      options='", options, "'\n      words='",
                                 Words(offer), "' paths='", BashPaths(offer), "'\n");
  if (!values.empty()) absl::StrAppend(&out, "      case $previous in\n", values, "      esac\n");
  return absl::StrAppend(&out, "      ;;\n"), out;
}

std::string BashScript(const std::vector<const Command*>& commands) {
  std::string out(kBashBegin);
  const std::vector<const Command*> programs = ProgramsOf(commands);
  for (const Command* command : commands) {
    for (const Command* one : command->name.empty() ? std::vector<const Command*>() : CommandsOf(*command)) {
      absl::StrAppend(&out, "  ((COMP_CWORD < 3)) || [[ \"$program $command ${COMP_WORDS[2]}\" != '", FullName(*one),
                      "' ]] || command+=\" ${COMP_WORDS[2]}\"\n");
    }
  }
  absl::StrAppend(&out, ToAbsl(kBashBranches));
  for (const Command* command : commands) {
    if (!command->name.empty()) absl::StrAppend(&out, BashBranch(*command, absl::StrCat("'", FullName(*command), "'")));
  }
  // Behind their commands, as this pattern fits these as well.
  for (const Command* program : programs) {
    absl::StrAppend(&out, BashBranch(*program, absl::StrCat("'", ToAbsl(program->program), " '*")));
  }
  return absl::StrCat(out, ToAbsl(kBashEnd), "complete -F _hclvm", Names(programs), "\n");
}

// ---- zsh

std::string ZshText(std::string_view text) {
  return absl::StrReplaceAll(ToAbsl(text), {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

std::string ZshAction(std::string_view placeholder) {
  const Offer offer = OfferFor(placeholder);
  if (offer.files) return "_files";
  if (offer.directories) return "_files -/";
  return offer.words.empty() ? " " : absl::StrCat("(", Words(offer), ")");
}

std::string ZshOption(const Option& option, std::string_view name, std::string_view other) {
  const bool has_value = !option.placeholder.empty();
  std::string spec;
  if (option.repeats) {
    spec = "*";
  } else if (!other.empty()) {
    spec = absl::StrCat("(", ToAbsl(other), ")");
  }
  absl::StrAppend(&spec, ToAbsl(name),
                  !has_value                  ? ""
                  : name.substr(0, 2) == "--" ? "="
                                              : "+",
                  "[", ZshText(FullHelp(option)), "]");
  if (has_value) absl::StrAppend(&spec, ":", ZshText(option.placeholder), ":", ZshAction(option.placeholder));
  return Quoted(spec, "'\\''");
}

std::string ZshArguments(const Command& command) {
  std::vector<std::string> specs;
  for (const Option* option : AllOptions(command)) {
    specs.push_back(ZshOption(*option, option->name, option->short_name));
    if (!option->short_name.empty()) specs.push_back(ZshOption(*option, option->short_name, option->name));
  }
  if (!command.positional.empty()) {
    specs.push_back(
        Quoted(absl::StrCat("*:", ZshText(command.positional), ":", ZshAction(command.positional)), "'\\''"));
  }
  return absl::StrCat("_arguments -s -S \\\n        ", absl::StrJoin(specs, " \\\n        "), "\n");
}

// What has commands: the first word is one of them, or an option. Recursion follows the words of a name.
std::string ZshProgram(const Command& program) {
  const std::vector<const Command*> commands = CommandsOf(program);
  if (commands.empty()) return absl::StrCat("      ", ZshArguments(program));
  std::string names, branches;
  for (const Command* command : commands) {
    const std::string_view name = LastName(*command);
    absl::StrAppend(&names, " ", Quoted(absl::StrCat(ToAbsl(name), ":", ZshText(command->summary)), "'\\''"));
    absl::StrAppend(&branches, "        ", ToAbsl(name), ") shift words; ((CURRENT--)); ",
                    CommandsOf(*command).empty() ? ZshArguments(*command) : "\n" + ZshProgram(*command),
                    "        ;;\n");
  }
  return absl::StrCat("      if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n        commands=(", names,
                      ")\n        _describe command commands\n        return\n      fi\n      case $words[2] in\n",
                      branches, "        *) ", ZshArguments(program), "        ;;\n      esac\n");
}

// Both for a folder of completions, from which zsh loads it when it is asked for the first time, and for `source`.
std::string ZshScript(const std::vector<const Command*>& commands) {
  const std::vector<const Command*> programs = ProgramsOf(commands);
  std::string out = absl::StrCat("#compdef", Names(programs), "\n",
                                 "# Completions for zsh, made by `hclvm completion zsh`.\n\n_hclvm() {\n",
                                 "  local -a commands\n  case $service in\n");
  for (const Command* program : programs) {
    absl::StrAppend(&out, "    ", ToAbsl(program->program), ")\n", ZshProgram(*program), "      ;;\n");
  }
  return absl::StrCat(out, "  esac\n}\n\n",
                      "if [[ $funcstack[1] == _hclvm ]]; then\n  _hclvm \"$@\"\nelse\n  compdef _hclvm",
                      Names(programs), "\nfi\n");
}

// ---- fish

std::string FishOption(const Option& option, const std::string& begin) {
  std::string line = absl::StrCat(begin, " -l ", ToAbsl(option.name.substr(2)));
  if (!option.short_name.empty()) absl::StrAppend(&line, " -s ", ToAbsl(option.short_name.substr(1)));
  if (!option.placeholder.empty()) {
    const Offer offer = OfferFor(option.placeholder);
    absl::StrAppend(&line, offer.files || offer.directories ? " -r -F" : " -x");
    if (!offer.words.empty()) absl::StrAppend(&line, " -a ", Quoted(Words(offer), "\\'"));
  }
  return absl::StrCat(line, " -d ", Quoted(FullHelp(option), "\\'"), "\n");
}

std::string FishCommand(const Command& command) {
  const std::vector<const Command*> commands = CommandsOf(command);
  const std::string complete = absl::StrCat("complete -c ", ToAbsl(command.program));
  std::string begin = complete;
  if (!command.name.empty()) {
    // What belongs to a command with commands is not for these.
    absl::StrAppend(&begin, " -n '", commands.empty() ? "__hclvm_command " : "__hclvm_only ", ToAbsl(command.name),
                    "'");
  } else if (!commands.empty()) {
    absl::StrAppend(&begin, " -n '__hclvm_no_command'");
  }
  std::string out;
  if (command.name.empty()) absl::StrAppend(&out, "\n", complete, " -f\n");
  for (const Command* one : commands) {
    const std::string where =
        command.name.empty() ? "__hclvm_first" : absl::StrCat("__hclvm_only ", ToAbsl(command.name));
    absl::StrAppend(&out, complete, " -n '", where, "' -a ", ToAbsl(LastName(*one)), " -d ",
                    Quoted(one->summary, "\\'"), "\n");
  }
  const Offer offer = OfferFor(command.positional);
  if (offer.files || offer.directories) absl::StrAppend(&out, begin, " -F\n");
  if (!offer.words.empty()) absl::StrAppend(&out, begin, " -a ", Quoted(Words(offer), "\\'"), "\n");
  for (const Option* option : AllOptions(command)) absl::StrAppend(&out, FishOption(*option, begin));
  return out;
}

constexpr std::string_view kFishBegin = R"(# Completions for fish, made by `hclvm completion fish`.

function __hclvm_first
    test (count (commandline -opc)) -eq 1
end
function __hclvm_command
    set -l words (commandline -opc)
    set -q words[2]; and test "$words[2]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -q words[3]; and test "$words[3]" = "$argv[2]"
end
function __hclvm_only
    test (count (commandline -opc)) -eq 2; and __hclvm_command $argv
end
function __hclvm_no_command
    set -l words (commandline -opc)
    not set -q words[2]; or string match -q -- '-*' "$words[2]"
end
)";

}  // namespace

std::string CompletionScript(std::string_view shell, std::string_view program) {
  const std::vector<const Command*> commands = Chosen(program);
  if (shell == "bash") return BashScript(commands);
  if (shell == "zsh") return ZshScript(commands);
  if (shell != "fish") return "";
  std::string out(kFishBegin);
  for (const Command* command : commands) absl::StrAppend(&out, FishCommand(*command));
  return out;
}

}  // namespace hcl::cmd
