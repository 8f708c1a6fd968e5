// Literal text with escapes: for each place the fewest that give the same text again.

#include "hclvm/hcl/print_text.h"

#include "hclvm/base/printable.h"
#include "hclvm/base/unicode.h"

namespace hcl {
namespace internal {
namespace {

// In four hexadecimal digits.
void AppendCodePointEscape(char32_t c, std::string* out) {
  out->append("\\u");
  for (const int shift : {12, 8, 4, 0}) out->push_back("0123456789abcdef"[c >> shift & 0xF]);
}

// Control characters without an escape of one letter become `\uNNNN`, and so does what turns the direction of writing
// around; raw, they would be legal but not visible. `bytes` are those of one character.
void AppendEscaped(std::string_view bytes, char32_t c, std::string* out) {
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
      out->append({'\\', static_cast<char>(c)});
      return;
    default:
      break;
  }
  IsTerminalControl(c) ? AppendCodePointEscape(c, out) : void(out->append(bytes));
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
        AppendCodePointEscape(static_cast<char32_t>(c), out);
      } else {
        out->push_back(c);
        out->push_back(' ');
      }
    } else if (quoted) {
      const CodePoint code_point = DecodeUtf8(text, i);
      AppendEscaped(text.substr(i, code_point.bytes), code_point.value, out);
      i += code_point.bytes - 1;
    } else {
      out->push_back(c);
    }
  }
}

}  // namespace internal
}  // namespace hcl
