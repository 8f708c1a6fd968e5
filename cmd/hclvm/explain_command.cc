// hclvm explain: what a code means. Tested by tests/cli_test.sh.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/explain.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "explain";

// The code that is meant, of a text that looks like one.
std::optional<DiagnosticCode> CodeOf(std::string_view argument) {
  const size_t digits = argument.size() - 4;
  return FindDiagnosticCode(absl::StrCat("HCL", ToAbsl(argument.substr(digits))));
}

}  // namespace

// Nothing is printed when one of the codes is wrong: half an answer would hide the mistake above it.
int ExplainCommand(const std::vector<std::string_view>& arguments) {
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  std::vector<std::string_view> codes;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &codes, &status)) return status;
  if (codes.empty()) return Complain(kName, "give a code, such as HCL3201 (see hclvm explain --help)", kUsageError);
  std::string out;
  for (const std::string_view argument : codes) {
    if (!LooksLikeCode(argument)) {
      return Complain(kName, absl::StrCat("\"", ToAbsl(argument), "\" is no code; codes are written as HCL3201"),
                      kUsageError);
    }
    const std::optional<DiagnosticCode> code = CodeOf(argument);
    if (!code) return Complain(kName, absl::StrCat("there is no code ", ToAbsl(argument)), kInputError);
    absl::StrAppend(&out, out.empty() ? "" : "\n\n", ExplainCode(*code));
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

}  // namespace hcl::cmd
