// Text of others for terminals and logs.
//
// Names of files and blocks, keys and texts come from whoever wrote a config, and what a terminal takes for a command
// can stand in them: to change colours, to hide lines, to set a title. Whatever is written for people goes through
// here; JSON has escapes. Pure and thread-safe. Tested by base/printable_test.cc.

#ifndef HCLVM_BASE_PRINTABLE_H_
#define HCLVM_BASE_PRINTABLE_H_

#include <string>
#include <string_view>

namespace hcl::internal {

// Whether terminals take `c` for a command, or it turns the direction of writing around: what Printable() leaves out.
bool IsTerminalControl(char32_t c);

// `text` in one line, with blanks in place of controls but the tab, and of characters that turn the direction of
// writing around. Malformed UTF-8 becomes U+FFFD.
std::string Printable(std::string_view text);

// The same for a text of several lines: line feeds stay.
std::string PrintableLines(std::string_view text);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_PRINTABLE_H_
