// hclvm completion: the completions of shells. Tested by tests/completion_test.py.

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/completion.h"

namespace hcl::cmd {

using internal::ToAbsl;

int CompletionCommand(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "completion";
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.empty() || positional.size() > 2) {
    return Complain(kName, "give a shell: bash, zsh or fish (see hclvm completion --help)", kUsageError);
  }
  const std::string_view program = positional.size() == 2 ? positional[1] : "";
  const bool is_known =
      program.empty() || std::any_of(Commands().begin(), Commands().end(),
                                     [&](const Command& command) { return command.program == program; });
  if (!is_known) return Complain(kName, absl::StrCat("there is no program ", ToAbsl(program)), kUsageError);
  const std::string out = CompletionScript(positional[0], program);
  if (out.empty()) {
    return Complain(kName,
                    absl::StrCat("there are completions for bash, zsh and fish, not for ", ToAbsl(positional[0])),
                    kUsageError);
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace hcl::cmd
