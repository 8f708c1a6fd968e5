// hclvm manual: manual pages. Tested by tests/manual_test.py.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/manual.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "manual";

int WriteAll(const std::string& folder) {
  for (const Command& command : Commands()) {
    const int section = PageSection(command);
    const std::filesystem::path into = std::filesystem::path(folder) / absl::StrCat("man", section);
    std::error_code error;
    std::filesystem::create_directories(into, error);
    std::string fault;
    if (error) {
      fault = absl::StrCat("cannot make ", into.string(), ": ", error.message());
    } else {
      const std::filesystem::path page = into / absl::StrCat(PageName(command), ".", section);
      WriteFile(page.string(), ManualPage(command), &fault);
    }
    if (!fault.empty()) return Complain(kName, fault, kInputError);
  }
  return kSuccess;
}

}  // namespace

int ManualCommand(const std::vector<std::string_view>& arguments) {
  std::optional<std::string> folder;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {{"--into", [&](std::string_view v) { return folder = std::string(v), ""; }}};
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() > (folder ? 0 : 1)) {
    return Complain(kName, "give one page, or --into DIR (see hclvm manual --help)", kUsageError);
  }
  if (folder) return WriteAll(*folder);
  const std::string_view page = positional.empty() ? "hclvm" : positional[0];
  std::vector<std::string> names;
  for (const Command& command : Commands()) {
    names.push_back(PageName(command));
    if (names.back() != page) continue;
    const std::string out = ManualPage(command);
    std::fwrite(out.data(), 1, out.size(), stdout);
    return kSuccess;
  }
  const std::string_view nearest = NearestName(page, {names.begin(), names.end()});
  return Complain(kName,
                  absl::StrCat("there is no page ", ToAbsl(page),
                               nearest.empty() ? "" : absl::StrCat("; did you mean ", ToAbsl(nearest), "?")),
                  kUsageError);
}

}  // namespace hcl::cmd
