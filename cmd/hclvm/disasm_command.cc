// hclvm disasm: the bytecode of a config or expression. Tested by tests/cli_test.sh.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

using internal::ToAbsl;

// Prints what the compiler made, with the functions and limits that `hclvm eval` has, so that the listing is of the
// code that would run, unless --no-optimize asks for simpler code.
int DisasmCommand(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "disasm";
  CommonOptions common;
  std::optional<std::string> expression;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--expression", [&](std::string_view v) { return expression = std::string(v), ""; }},
      {"--no-optimize", [&](std::string_view) { return common.compile.optimize = false, ""; }},
  };
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (ConfigCount(positional, common) + (expression ? 1 : 0) != 1) {
    return Complain(kName, "give one expression (-e) or one config (see hclvm disasm --help)", kUsageError);
  }
  std::shared_ptr<const Program> program;
  if (expression) {
    auto source = std::make_shared<const Source>("<expression>", *expression);
    Diagnostics diagnostics(common.compile.limits.max_diagnostics);
    program = CompileExpression(source, common.compile, &diagnostics);
    PrintDiagnostics(diagnostics, source.get(), common);
    status = StatusOf(diagnostics);
  } else {
    program = LoadConfig(kName, OnlyConfig(positional, common), common, &status);
  }
  if (program == nullptr) return status;
  std::string out = "variables:";
  for (const std::string_view name : program->variables()) absl::StrAppend(&out, " ", ToAbsl(name));
  absl::StrAppend(&out, "\n", program->Disassemble());
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace hcl::cmd
