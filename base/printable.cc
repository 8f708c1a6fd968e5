// Text for terminals. Tested by base/printable_test.cc.

#include "hclvm/base/printable.h"

#include <cstddef>

#include "hclvm/base/unicode.h"

namespace hcl::internal {
namespace {

// The controls of ASCII, and those of ISO 6429, which some terminals follow as well.
bool IsControl(char32_t code_point) { return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0); }

std::string WithoutControls(std::string_view text, bool keeps_lines) {
  std::string printable;
  printable.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeUtf8(text, at);
    const bool is_kept = code_point.value == '\t' || (keeps_lines && code_point.value == '\n');
    AppendUtf8(IsControl(code_point.value) && !is_kept ? U' ' : code_point.value, &printable);
    at += code_point.bytes;
  }
  return printable;
}

}  // namespace

std::string Printable(std::string_view text) { return WithoutControls(text, /*keeps_lines=*/false); }

std::string PrintableLines(std::string_view text) { return WithoutControls(text, /*keeps_lines=*/true); }

}  // namespace hcl::internal
