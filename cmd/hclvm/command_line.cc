// Command lines. Tested by cmd/hclvm/command_line_test.cc.

#include "hclvm/cmd/hclvm/command_line.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

const Option* FindOption(const CommandSyntax& syntax, std::string_view name) {
  for (const Option* option : OptionsOf(*syntax.command)) {
    if (option->name == name || (!option->short_name.empty() && option->short_name == name)) return option;
  }
  return nullptr;
}

// The same for what `syntax` calls it now. An old name is written as the new one is, but for what it says itself.
struct Given {
  const Option* option = nullptr;
  const OldOption* old = nullptr;  // null where it has the name of today

  bool takes_value() const { return old != nullptr ? !old->is_switch : !option->placeholder.empty(); }
};

Given FindGiven(const CommandSyntax& syntax, std::string_view name) {
  const OldOption* const old = FindOldOption(*syntax.command, name);
  return {FindOption(syntax, old == nullptr ? name : old->name), old};
}

const OptionSetter* FindSetter(const CommandSyntax& syntax, std::string_view name) {
  for (const OptionSetter& setter : syntax.setters) {
    if (setter.option == name) return &setter;
  }
  return nullptr;
}

std::string Unknown(const CommandSyntax& syntax, std::string_view name) {
  std::vector<std::string_view> names = {"--help"};
  for (const Option* option : OptionsOf(*syntax.command)) names.push_back(option->name);
  const std::string_view nearest = NearestName(name, names);
  std::string message = absl::StrCat("unknown option ", ToAbsl(name));
  if (!nearest.empty()) absl::StrAppend(&message, "; did you mean ", ToAbsl(nearest), "?");
  return message;
}

// What the table and the program do not have alike, or nothing. Looked for in every call, so that any test of a command
// finds it.
std::string Mismatch(const CommandSyntax& syntax) {
  const std::vector<const Option*> options = OptionsOf(*syntax.command);
  for (const Option* option : options) {
    if (FindSetter(syntax, option->name) == nullptr) return absl::StrCat(ToAbsl(option->name), " has no setter");
  }
  for (const OptionSetter& setter : syntax.setters) {
    if (FindOption(syntax, setter.option) == nullptr) {
      return absl::StrCat(ToAbsl(setter.option), " is not in the table of commands");
    }
  }
  return options.size() == syntax.setters.size() ? "" : "an option has two setters";
}

}  // namespace

// Short options are tried as a whole first, so that "-" and one letter before a value, "-j4", is the last reading of an
// argument. A lone "-" stands for standard input and is no option. Setters run as their options are met: a later one
// overrides, and the first fault ends the parse.
ParseOutcome ParseCommandLine(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                              std::vector<std::string_view>* positional, std::string* message) {
  *message = Mismatch(syntax);
  if (!message->empty()) return ParseOutcome::kError;
  bool options_ended = false;
  for (size_t n = 0; n < arguments.size(); ++n) {
    std::string_view argument = arguments[n];
    if (options_ended || argument.size() < 2 || argument[0] != '-') {
      positional->push_back(argument);
      continue;
    }
    if (argument == "--") {
      options_ended = true;
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      *message = HelpText(*syntax.command);
      return ParseOutcome::kHelp;
    }
    std::string_view name = argument;
    std::string_view value;
    const size_t equals = argument.find('=');
    const bool has_value = argument[1] == '-' && equals != std::string_view::npos;
    if (has_value) {
      name = argument.substr(0, equals);
      value = argument.substr(equals + 1);
    }
    const Given given = FindGiven(syntax, name);
    const Option* option = given.option;
    bool takes_value = option != nullptr && given.takes_value();
    bool attached = has_value;
    if (option == nullptr && argument[1] != '-' && argument.size() > 2) {
      option = FindOption(syntax, argument.substr(0, 2));
      if (option != nullptr && option->placeholder.empty()) option = nullptr;
      attached = takes_value = option != nullptr;
      value = argument.substr(argument[2] == '=' ? 3 : 2);
    }
    if (option == nullptr) {
      *message = Unknown(syntax, name);
      return ParseOutcome::kError;
    }
    if (!takes_value && has_value) {
      *message = absl::StrCat(ToAbsl(name), " takes no value");
      return ParseOutcome::kError;
    }
    if (takes_value && !attached) {
      if (n + 1 >= arguments.size()) {
        *message = absl::StrCat(ToAbsl(name), " needs a value: ", ToAbsl(option->placeholder));
        return ParseOutcome::kError;
      }
      value = arguments[++n];
    }
    const std::string old_value = given.old == nullptr ? "" : absl::StrCat(ToAbsl(given.old->value), ToAbsl(value));
    const std::string fault = FindSetter(syntax, option->name)->set(given.old == nullptr ? value : old_value);
    if (!fault.empty()) {
      *message = absl::StrCat(ToAbsl(name), ": ", fault);
      return ParseOutcome::kError;
    }
  }
  return ParseOutcome::kOk;
}

// Words are cut at blanks alone, so that an option and its value in a text stay as they are.
std::string Wrapped(std::string_view text, size_t width, std::string_view indent) {
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > width) {
      absl::StrAppend(&out, "\n", ToAbsl(indent));
      column = 0;
    }
    if (!word.empty()) {
      absl::StrAppend(&out, column > 0 ? " " : "", ToAbsl(word));
      column += word.size() + (column > 0 ? 1 : 0);
    }
    if (end < text.size() && text[end] == '\n') {
      out += '\n';
      if (end + 1 < text.size() && text[end + 1] != '\n') out += indent;
      column = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The column of the texts is as wide as the widest option, but for very wide ones, whose texts begin in the next line.
namespace {

// The commands of a command, one a line, with an empty line behind them. Programs list theirs by themselves.
std::string CommandList(const Command& command) {
  if (command.name.empty()) return "";
  std::string out;
  for (const Command* one : CommandsOf(command)) {
    constexpr size_t kColumn = 10;
    const std::string name(LastName(*one));
    absl::StrAppend(&out, "  ", name, std::string(kColumn - std::min(kColumn - 1, name.size()), ' '),
                    ToAbsl(one->summary), "\n");
  }
  return out.empty() ? "" : absl::StrCat("commands:\n", out, "\n");
}

}  // namespace

std::string HelpText(const Command& command) {
  constexpr size_t kWidth = 100;
  constexpr size_t kWidestLeft = 36;
  std::string out = absl::StrCat("usage: ", FullName(command), " ", ToAbsl(command.arguments), "\n\n",
                                 Wrapped(command.description, kWidth, ""), "\n\n", CommandList(command), "options:\n");
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Option* option : OptionsOf(command)) {
    std::string left =
        absl::StrCat("  ", option->short_name.empty() ? "    " : absl::StrCat(ToAbsl(option->short_name), ", "),
                     ToAbsl(option->name));
    if (!option->placeholder.empty()) absl::StrAppend(&left, " ", ToAbsl(option->placeholder));
    lines.emplace_back(std::move(left), FullHelp(*option));
  }
  lines.emplace_back("  -h, --help", "print this text");
  size_t width = 0;
  for (const auto& [left, help] : lines) {
    if (left.size() <= kWidestLeft) width = std::max(width, left.size());
  }
  const std::string indent(width + 2, ' ');
  for (const auto& [left, help] : lines) {
    absl::StrAppend(&out, left, left.size() > width ? absl::StrCat("\n", indent) : indent.substr(left.size()),
                    Wrapped(help, kWidth - indent.size(), indent), "\n");
  }
  absl::StrAppend(&out, "\n", Wrapped(absl::StrCat("exit status: ", ToAbsl(command.exit_status)), kWidth, ""), "\n");
  if (command.examples.empty()) return out;
  absl::StrAppend(&out, "\nexamples:\n");
  std::string_view rest = command.examples;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    absl::StrAppend(&out, "  ", ToAbsl(rest.substr(0, end)), "\n");
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace hcl::cmd
