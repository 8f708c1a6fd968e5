// hclvm lsp: the language server. Tested by tests/lsp/neovim_test.sh and lsp/session_test.cc.

#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/lsp/session.h"

namespace hcl::cmd {

int LspCommand(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "lsp";
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (!positional.empty()) return Complain(kName, "takes no arguments (see hclvm lsp --help)", kUsageError);
  // An editor that has gone is noticed when something is written to it.
  std::signal(SIGPIPE, SIG_IGN);
  std::string error;
  status = lsp::RunSession(STDIN_FILENO, STDOUT_FILENO, &error);
  return error.empty() ? status : Complain(kName, error, status);
}

}  // namespace hcl::cmd
