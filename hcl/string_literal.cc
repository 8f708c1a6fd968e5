// Escapes of template text: one pass, into memory of the encoded length (no escape decodes to more bytes).

#include "hclvm/hcl/string_literal.h"

#include <cstring>
#include <string>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"

namespace hcl {
namespace internal {
namespace {

constexpr int kNotHex = -1;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNotHex;
}

class Decoder {
 public:
  Decoder(std::string_view source, SourceRange range, TextKind kind, char* out, Diagnostics* diagnostics)
      : source_(source), at_(range.begin), end_(range.end), kind_(kind), out_(out), diagnostics_(diagnostics) {}

  // The end of what was written.
  char* Run() {
    while (at_ < end_) {
      const char c = source_[at_];
      if (c == '\\' && kind_ == TextKind::kQuoted) {
        Backslash();
      } else if ((c == '$' || c == '%') && end_ - at_ >= 3 && source_[at_ + 1] == c && source_[at_ + 2] == '{') {
        Write(source_.substr(at_ + 1, 2));
        at_ += 3;
      } else {
        *out_++ = c;
        ++at_;
      }
    }
    return out_;
  }

 private:
  void Write(std::string_view text) {
    std::memcpy(out_, text.data(), text.size());
    out_ += text.size();
  }

  // The scanner has made sure that a character follows. The set of escapes is that of native-syntax.md, "Template
  // Expressions".
  void Backslash() {
    const char selector = source_[at_ + 1];
    switch (selector) {
      case 'n':
        return Simple('\n');
      case 'r':
        return Simple('\r');
      case 't':
        return Simple('\t');
      case '"':
      case '\\':
        return Simple(selector);
      case 'u':
        return CodePointEscape(4);
      case 'U':
        return CodePointEscape(8);
      default:
        return Unknown();
    }
  }

  void Simple(char c) {
    *out_++ = c;
    at_ += 2;
  }

  // The character behind the backslash stays, so that the text remains readable in tools; `bytes` covers all of it, as
  // the message quotes it.
  void Unknown() {
    const uint32_t bytes = DecodeUtf8(source_.substr(0, end_), at_ + 1).bytes;
    const std::string_view selector = source_.substr(at_ + 1, bytes);
    std::string detail = "There is no escape sequence \"\\";
    detail.append(selector).append("\". Those that exist are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN.");
    diagnostics_->AddError({at_, at_ + 1 + bytes}, DiagnosticCode::kInvalidEscape, std::move(detail));
    Write(selector);
    at_ += 1 + bytes;
  }

  // Eight digits fill `value` exactly, so no escape overflows it. A broken one is kept as it is written: it is no
  // longer than its source, which is all the room there is.
  void CodePointEscape(uint32_t digits) {
    uint32_t value = 0;
    uint32_t next = at_ + 2;
    while (next < end_ && next < at_ + 2 + digits && HexValue(source_[next]) != kNotHex) {
      value = value << 4 | static_cast<uint32_t>(HexValue(source_[next]));
      ++next;
    }
    const char* problem = nullptr;
    if (next < at_ + 2 + digits) {
      problem = digits == 4 ? "After \\u there must be four hexadecimal digits."
                            : "After \\U there must be eight hexadecimal digits.";
    } else if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      problem = "These digits do not name a Unicode character.";
    }
    if (problem != nullptr) {
      diagnostics_->AddError({at_, next}, DiagnosticCode::kInvalidEscape, problem);
      Write(source_.substr(at_, next - at_));
    } else {
      WriteCodePoint(value);
    }
    at_ = next;
  }

  void WriteCodePoint(char32_t value) {
    std::string text;
    AppendUtf8(value, &text);
    Write(text);
  }

  std::string_view source_;
  uint32_t at_;
  uint32_t end_;
  TextKind kind_;
  char* out_;
  Diagnostics* diagnostics_;
};

}  // namespace

// The bytes behind the decoded text stay unused in the arena. Decoding twice to know the length would cost more than
// they do, and only text with escapes comes here.
std::string_view DecodeTemplateText(std::string_view source, SourceRange range, TextKind kind, Arena* arena,
                                    Diagnostics* diagnostics) {
  char* const begin = arena->NewArray<char>(range.end - range.begin);
  char* const end = Decoder(source, range, kind, begin, diagnostics).Run();
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace internal
}  // namespace hcl
