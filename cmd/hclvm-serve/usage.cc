// Tested by tests/serve/loopback_test.py.

#include "hclvm/cmd/hclvm-serve/usage.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"

namespace hcl::serve {

using internal::ToAbsl;

int Complain(std::string_view command, std::string_view message, int status) {
  const std::string line = absl::StrCat(ToAbsl(command), ": ", internal::PrintableLines(message), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return status;
}

std::optional<int> ReadArguments(std::string_view command, const cmd::CommandSyntax& syntax,
                                 const std::vector<std::string_view>& arguments,
                                 std::vector<std::string_view>* positional) {
  std::string message;
  switch (cmd::ParseCommandLine(syntax, arguments, positional, &message)) {
    case cmd::ParseOutcome::kHelp:
      std::fwrite(message.data(), 1, message.size(), stdout);
      return cmd::kSuccess;
    case cmd::ParseOutcome::kError:
      return Complain(command, absl::StrCat(message, " (see ", ToAbsl(command), " --help)"), cmd::kUsageError);
    case cmd::ParseOutcome::kOk:
      break;
  }
  return std::nullopt;
}

}  // namespace hcl::serve
