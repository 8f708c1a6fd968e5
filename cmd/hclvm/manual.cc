// Tested by cmd/hclvm/manual_test.cc and tests/manual_test.py.

#include "hclvm/cmd/hclvm/manual.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/version.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// Text as it stands: nothing in it is a request, and a hyphen can be searched for and copied.
std::string Plain(std::string_view text) {
  std::string out = absl::StrReplaceAll(
      ToAbsl(text), {{"\\", "\\e"}, {"-", "\\-"}, {"\n\n", "\n.PP\n"}, {"'", "\\(aq"}, {"^", "\\(ha"}, {"~", "\\(ti"}});
  if (!out.empty() && out[0] == '.') out.insert(0, "\\&");
  return out;
}

std::string Section(std::string_view title, const std::string& text) {
  return text.empty() ? "" : absl::StrCat(".SH ", ToAbsl(title), "\n", text);
}

std::string OptionText(const Option& option) {
  std::string out = ".TP\n";
  if (!option.short_name.empty()) absl::StrAppend(&out, "\\fB", Plain(option.short_name), "\\fR, ");
  absl::StrAppend(&out, "\\fB", Plain(option.name), "\\fR");
  if (!option.placeholder.empty()) absl::StrAppend(&out, " \\fI", Plain(option.placeholder), "\\fR");
  return absl::StrCat(out, "\n", Plain(FullHelp(option)), "\n");
}

std::string Reference(const Command& command) {
  return absl::StrCat(".BR ", Plain(PageName(command)), " (", PageSection(command), ")");
}

// The programs, and what belongs to the same program.
std::string SeeAlso(const Command& command) {
  std::string out;
  for (const Command& other : Commands()) {
    if (&other == &command || (!other.name.empty() && other.program != command.program)) continue;
    absl::StrAppend(&out, out.empty() ? "" : " ,\n", Reference(other));
  }
  return out + "\n";
}

}  // namespace

std::string PageName(const Command& command) { return absl::StrReplaceAll(FullName(command), {{" ", "-"}}); }

int PageSection(const Command& command) {
  return command.program == "hclvm-serve" || command.program == "hclvm-envoy" ? 8 : 1;
}

std::string ManualPage(const Command& command) {
  const int section = PageSection(command);
  std::string commands, options, examples;
  for (const Command* one : CommandsOf(command)) {
    absl::StrAppend(&commands, ".TP\n", Reference(*one), "\n", Plain(one->summary), "\n");
  }
  for (const Option* option : OptionsOf(command)) absl::StrAppend(&options, OptionText(*option));
  absl::StrAppend(&options, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint a short description\n");
  if (!command.examples.empty()) {
    examples = absl::StrCat(".nf\n", Plain(command.examples), ".fi\n");
  }
  return absl::StrCat(
      ".\\\" Made by `hclvm manual`.\n.TH ", absl::AsciiStrToUpper(PageName(command)), " ", section, " \"\" \"hclvm ",
      kVersion, "\" \"", section == 8 ? "System administration" : "User commands", "\"\n",
      Section("NAME", absl::StrCat(Plain(PageName(command)), " \\- ", Plain(command.summary), "\n")),
      Section("SYNOPSIS", absl::StrCat(".B ", Plain(FullName(command)), "\n", Plain(command.arguments), "\n")),
      Section("DESCRIPTION", absl::StrCat(Plain(command.description), "\n")), Section("COMMANDS", commands),
      Section("OPTIONS", options), Section("EXIT STATUS", absl::StrCat(Plain(command.exit_status), "\n")),
      Section("EXAMPLES", examples), Section("SEE ALSO", SeeAlso(command)));
}

}  // namespace hcl::cmd
