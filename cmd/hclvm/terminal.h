// What is written for people at a terminal: whether in color.
//
// Tested by cmd/hclvm/terminal_test.cc and tests/terminal_test.py.

#ifndef HCLVM_CMD_HCLVM_TERMINAL_H_
#define HCLVM_CMD_HCLVM_TERMINAL_H_

namespace hcl::cmd {

// Whether the descriptor is a terminal.
bool IsTerminal(int file);

// Whether what goes to the descriptor has colors: on a terminal, unless NO_COLOR is set and not empty (no-color.org) or
// TERM is "dumb"; anywhere where CLICOLOR_FORCE is set and neither empty nor "0". NO_COLOR counts more.
bool UsesColor(int file);

// The same of these values of the environment, which may be null.
bool UsesColor(bool is_terminal, const char* no_color, const char* clicolor_force, const char* term);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_TERMINAL_H_
