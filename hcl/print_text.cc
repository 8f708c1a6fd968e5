// Literal text with escapes: for each place the fewest that give the same text again.

#include "hclvm/hcl/print_text.h"

namespace hcl {
namespace internal {
namespace {

// A control character or a sign in four hexadecimal digits.
void AppendCodePointEscape(char c, std::string* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out->append("\\u00");
  out->push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
  out->push_back(kDigits[static_cast<unsigned char>(c) & 0xF]);
}

// Control characters without an escape of one letter become `\u00NN`; raw, they would be legal but not visible.
void AppendEscaped(char c, std::string* out) {
  switch (c) {
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    case '"':
    case '\\':
      out->push_back('\\');
      out->push_back(c);
      return;
    default:
      break;
  }
  const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  if (is_control) return AppendCodePointEscape(c, out);
  out->push_back(c);
}

}  // namespace

void AppendQuoted(std::string_view text, std::string* out) {
  out->push_back('"');
  AppendTemplateText(text, true, '\0', out);
  out->push_back('"');
}

// A sign before a brace is doubled (native-syntax.md, "Template Literals"). One at the end of the text, before a
// sequence of its own sign, would make `$${` of the two. In quotes an escape divides them; elsewhere there are none,
// and a space does, which the sequence strips.
void AppendTemplateText(std::string_view text, bool quoted, char sequence, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_sign = c == '$' || c == '%';
    const bool is_last = i + 1 == text.size();
    if (is_sign && !is_last && text[i + 1] == '{') {
      out->push_back(c);
      out->push_back(c);
    } else if (is_sign && is_last && c == sequence) {
      if (quoted) {
        AppendCodePointEscape(c, out);
      } else {
        out->push_back(c);
        out->push_back(' ');
      }
    } else if (quoted) {
      AppendEscaped(c, out);
    } else {
      out->push_back(c);
    }
  }
}

}  // namespace internal
}  // namespace hcl
