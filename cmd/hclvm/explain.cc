// Tested by cmd/hclvm/explain_test.cc and tests/terminal_test.py.

#include "hclvm/cmd/hclvm/explain.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/terminal.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kPage =
#include "hclvm/cmd/hclvm/diagnostics_page.inc"
    ;

// The text behind the heading of the section whose heading begins so, up to the next heading.
std::string_view SectionOf(std::string_view heading) {
  const size_t begin = kPage.find(heading);
  if (begin == std::string_view::npos) return "";
  std::string_view rest = kPage.substr(begin + heading.size());
  rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  size_t end = 0;
  bool is_example = false;
  while (end < rest.size()) {
    const std::string_view line = rest.substr(end, rest.find('\n', end) - end);
    if (line.substr(0, 3) == "```") is_example = !is_example;
    // A "#" in an example begins a comment.
    if (!is_example && (line.substr(0, 2) == "# " || line.substr(0, 3) == "## ")) break;
    end += line.size() + 1;
  }
  return rest.substr(0, end);
}

}  // namespace

bool LooksLikeCode(std::string_view argument) {
  if (absl::StartsWithIgnoreCase(ToAbsl(argument), "HCL")) argument.remove_prefix(3);
  return argument.size() == 4 && std::all_of(argument.begin(), argument.end(), absl::ascii_isdigit);
}

std::string ExplainCode(DiagnosticCode code) {
  std::string out = absl::StrCat(CodeText(code), " ", ToAbsl(SummaryOf(code)), "\n");
  std::string_view rest = SectionOf(absl::StrCat("\n## ", CodeText(code), " "));
  while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  rest.remove_prefix(std::min<size_t>(rest.size(), 1));
  bool is_example = false;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.substr(0, 3) == "```") {
      is_example = !is_example;
      continue;
    }
    absl::StrAppend(&out, is_example && !line.empty() ? "    " : "", ToAbsl(line), "\n");
  }
  return out;
}

// What the command has written before is in a buffer, unless its output is a terminal as well.
ExplainHint::~ExplainHint() {
  if (!code_ || !IsTerminal(STDERR_FILENO)) return;
  std::fflush(stdout);
  const std::string line = absl::StrCat("\nhclvm explain ", CodeText(*code_), " says more.\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void ExplainHint::Suggest(DiagnosticCode code) {
  if (!code_) code_ = code;
}

}  // namespace hcl::cmd
