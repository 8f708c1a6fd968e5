// Tested by cmd/hclvm/terminal_test.cc and tests/terminal_test.py.

#include "hclvm/cmd/hclvm/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace hcl::cmd {

bool IsTerminal(int file) { return isatty(file) != 0; }

bool UsesColor(bool is_terminal, const char* no_color, const char* clicolor_force, const char* term) {
  const auto is_set = [](const char* value) { return value != nullptr && *value != '\0'; };
  if (is_set(no_color)) return false;
  if (is_set(clicolor_force) && std::string_view(clicolor_force) != "0") return true;
  return is_terminal && !(term != nullptr && std::string_view(term) == "dumb");
}

bool UsesColor(int file) {
  return UsesColor(IsTerminal(file), std::getenv("NO_COLOR"), std::getenv("CLICOLOR_FORCE"), std::getenv("TERM"));
}

}  // namespace hcl::cmd
