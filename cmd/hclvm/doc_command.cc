// hclvm doc: what a module declares, as Markdown. Tested by tests/cli_test.sh.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/module/module_doc.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {
namespace {

// The last name in a path: the title of a module is the same wherever the command runs.
std::string_view BaseName(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

// A module with errors has no documentation: what it declares is not what it will declare.
int DocCommand(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "doc";
  CommonOptions common;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (ConfigCount(positional, common) != 1) {
    return Complain(kName, "give one directory or file (see hclvm doc --help)", kUsageError);
  }
  const std::string_view path = OnlyConfig(positional, common);
  const std::shared_ptr<const Program> program = LoadConfig(kName, path, common, &status);
  if (program == nullptr) return status;
  const std::string out = internal::ModuleDoc(*program, BaseName(path));
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace hcl::cmd
