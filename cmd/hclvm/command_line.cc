// Command lines. Tested by cmd/hclvm/command_line_test.cc.

#include "hclvm/cmd/hclvm/command_line.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

const Option* FindOption(const CommandSyntax& syntax, std::string_view name) {
  for (const Option& option : syntax.options) {
    if (option.name == name || (!option.short_name.empty() && option.short_name == name)) return &option;
  }
  return nullptr;
}

std::string Unknown(const CommandSyntax& syntax, std::string_view name) {
  std::vector<std::string_view> names = {"--help"};
  for (const Option& option : syntax.options) names.push_back(option.name);
  const std::string_view nearest = NearestName(name, names);
  std::string message = absl::StrCat("unknown option ", ToAbsl(name));
  if (!nearest.empty()) absl::StrAppend(&message, "; did you mean ", ToAbsl(nearest), "?");
  return message;
}

}  // namespace

// Short options are tried as a whole first, so that "-" and one letter before a value, "-j4", is the last reading of an
// argument. A lone "-" stands for standard input and is no option. Setters run as their options are met: a later one
// overrides, and the first fault ends the parse.
ParseOutcome ParseCommandLine(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                              std::vector<std::string_view>* positional, std::string* message) {
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
      *message = HelpText(syntax);
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
    const Option* option = FindOption(syntax, name);
    bool attached = has_value;
    if (option == nullptr && argument[1] != '-' && argument.size() > 2) {
      option = FindOption(syntax, argument.substr(0, 2));
      if (option != nullptr && option->placeholder.empty()) option = nullptr;
      attached = option != nullptr;
      value = argument.substr(argument[2] == '=' ? 3 : 2);
    }
    if (option == nullptr) {
      *message = Unknown(syntax, name);
      return ParseOutcome::kError;
    }
    if (option->placeholder.empty() && has_value) {
      *message = absl::StrCat(ToAbsl(name), " takes no value");
      return ParseOutcome::kError;
    }
    if (!option->placeholder.empty() && !attached) {
      if (n + 1 >= arguments.size()) {
        *message = absl::StrCat(ToAbsl(name), " needs a value: ", ToAbsl(option->placeholder));
        return ParseOutcome::kError;
      }
      value = arguments[++n];
    }
    const std::string fault = option->set(value);
    if (!fault.empty()) {
      *message = absl::StrCat(ToAbsl(name), ": ", fault);
      return ParseOutcome::kError;
    }
  }
  return ParseOutcome::kOk;
}

// Made of the table that is parsed by, so that no option is missing in it. The column is as wide as the widest option.
std::string HelpText(const CommandSyntax& syntax) {
  std::string out = absl::StrCat("usage: ", ToAbsl(syntax.usage), "\n\n", ToAbsl(syntax.summary), "\n\noptions:\n");
  std::vector<std::string> lefts;
  size_t width = 0;
  auto left = [](std::string_view short_name, std::string_view name, std::string_view placeholder) {
    std::string text =
        absl::StrCat("  ", short_name.empty() ? "    " : absl::StrCat(ToAbsl(short_name), ", "), ToAbsl(name));
    if (!placeholder.empty()) absl::StrAppend(&text, " ", ToAbsl(placeholder));
    return text;
  };
  for (const Option& option : syntax.options) lefts.push_back(left(option.short_name, option.name, option.placeholder));
  lefts.push_back(left("-h", "--help", ""));
  for (const std::string& text : lefts) width = std::max(width, text.size());
  for (size_t n = 0; n < lefts.size(); ++n) {
    const std::string_view help = n < syntax.options.size() ? syntax.options[n].help : "print this text";
    absl::StrAppend(&out, lefts[n], std::string(width + 2 - lefts[n].size(), ' '), ToAbsl(help), "\n");
  }
  if (!syntax.notes.empty()) absl::StrAppend(&out, "\n", ToAbsl(syntax.notes), "\n");
  return out;
}

}  // namespace hcl::cmd
