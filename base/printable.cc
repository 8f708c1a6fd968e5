// Text for terminals. Tested by base/printable_test.cc.

#include "hclvm/base/printable.h"

#include <cstddef>

#include "hclvm/base/unicode.h"

namespace hcl::internal {

// The controls of ASCII, and those of ISO 6429, which some terminals follow as well; what ends a line or turns the
// direction of writing around, so that a reader sees another text than is there.
bool IsTerminalControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

namespace {

std::string WithoutControls(std::string_view text, bool keeps_lines) {
  std::string printable;
  printable.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeUtf8(text, at);
    const bool is_kept = code_point.value == '\t' || (keeps_lines && code_point.value == '\n');
    AppendUtf8(IsTerminalControl(code_point.value) && !is_kept ? U' ' : code_point.value, &printable);
    at += code_point.bytes;
  }
  return printable;
}

}  // namespace

std::string Printable(std::string_view text) { return WithoutControls(text, /*keeps_lines=*/false); }

std::string PrintableLines(std::string_view text) { return WithoutControls(text, /*keeps_lines=*/true); }

}  // namespace hcl::internal
