// Unicode: ASCII is handled here, everything else by tables; utf8proc knows how wide characters are.

#include "hclvm/base/unicode.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "absl/base/attributes.h"
#include "hclvm/base/code_point_set.h"
#include "hclvm/base/unicode_tables.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/internal/dcheck.h"
#include "utf8proc.h"

namespace hcl::internal {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

uint8_t ByteAt(std::string_view text, size_t offset) { return static_cast<uint8_t>(text[offset]); }

bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Of a text of less than eight bytes, by words that lie over each other.
bool IsShortAscii(const char* data, size_t size) {
  if (size >= 4) {
    uint32_t begin, end;
    std::memcpy(&begin, data, sizeof(begin));
    std::memcpy(&end, data + size - sizeof(end), sizeof(end));
    return ((begin | end) & 0x80808080u) == 0;
  }
  return size == 0 || ((data[0] | data[size / 2] | data[size - 1]) & 0x80) == 0;
}

// Offset of the first byte at or after `offset` that is not ASCII, or the text's size. Every source passes through here
// when it is checked to be UTF-8, so this goes in steps of 32 bytes. The last bytes are read as the end of a whole word
// that begins before them: no loop over single bytes, except in a text that is shorter than a word.
size_t SkipAscii(std::string_view text, size_t offset) {
  const char* const data = text.data();
  const size_t size = text.size();
  for (; offset + 32 <= size; offset += 32) {
    const char* const at = data + offset;
    if (MarkNonAscii(LoadWord(at) | LoadWord(at + 8) | LoadWord(at + 16) | LoadWord(at + 24)) != 0) break;
  }
  for (; offset + 8 <= size; offset += 8) {
    const uint64_t marks = MarkNonAscii(LoadWord(data + offset));
    if (marks != 0) return offset + FirstMarked(marks);
  }
  if (size < 8) {
    if (offset == 0 && IsShortAscii(data, size)) return size;
    while (offset < size && ByteAt(text, offset) < 0x80) ++offset;
    return offset;
  }
  if (offset == size) return size;
  // The last word, without the bytes that have been looked at.
  const uint64_t marks = MarkNonAscii(LoadWord(data + size - 8)) >> 8 * (8 - (size - offset));
  return marks != 0 ? offset + FirstMarked(marks) : size;
}

// The sequence of four bytes at `at`, of which `left` are there, or {kReplacement, 0}. Values over U+10FFFF are no
// characters.
ABSL_ATTRIBUTE_NOINLINE CodePoint DecodeFour(const uint8_t* at, size_t left) {
  const bool is_whole = at[0] >= 0xF0 && at[0] <= 0xF4 && left > 3;
  if (!is_whole || !IsContinuation(at[1]) || !IsContinuation(at[2]) || !IsContinuation(at[3])) return {kReplacement, 0};
  const char32_t value = (at[0] & 0x07u) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu);
  if (value < 0x10000 || value > 0x10FFFF) return {kReplacement, 0};
  return {value, 4};
}

// Well-formed sequence at `offset`, or {kReplacement, 0} when there is none. Each length has a least value, below which
// the form is overlong; surrogates are no characters (RFC 3629). A length of 0, and not the value, says that the text
// is malformed: U+FFFD may also be written there. Nearly all characters have three bytes at most, and each of a text is
// asked for, so that these need no call.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline CodePoint DecodeStrict(std::string_view text, size_t offset) {
  const auto* const at = reinterpret_cast<const uint8_t*>(text.data()) + offset;
  const size_t left = text.size() - offset;
  const uint8_t first = at[0];
  if (first < 0x80) return {first, 1};
  if (first < 0xE0) {
    if (first < 0xC2 || left < 2 || !IsContinuation(at[1])) return {kReplacement, 0};
    return {(first & 0x1Fu) << 6 | (at[1] & 0x3Fu), 2};
  }
  if (first >= 0xF0) return DecodeFour(at, left);
  if (left < 3 || !IsContinuation(at[1]) || !IsContinuation(at[2])) return {kReplacement, 0};
  const char32_t value = (first & 0x0Fu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
  if (value < 0x800 || (value >= 0xD800 && value <= 0xDFFF)) return {kReplacement, 0};
  return {value, 3};
}

bool IsAsciiLetter(char32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool IsAsciiDigit(char32_t c) { return c >= '0' && c <= '9'; }

// Decodes, maps and encodes each character; malformed bytes come out as U+FFFD. The mapped text may be longer than its
// source, since the cases of a letter need not have equally many bytes.
template <typename MapAscii, typename MapOther>
char* MapCodePoints(std::string_view text, MapAscii map_ascii, MapOther map_other, char* to) {
  for (size_t at = 0; at < text.size();) {
    const uint8_t byte = ByteAt(text, at);
    if (byte < 0x80) {
      *to++ = map_ascii(text[at]);
      ++at;
      continue;
    }
    const CodePoint code_point = DecodeUtf8(text, at);
    to = WriteUtf8(map_other(code_point.value), to);
    at += code_point.bytes;
  }
  return to;
}

std::string Mapped(std::string_view text, char* (*write)(std::string_view, char*)) {
  std::string mapped(kMostCaseBytes * text.size(), '\0');
  mapped.resize(static_cast<size_t>(write(text, mapped.data()) - mapped.data()));
  return mapped;
}

}  // namespace

size_t FindInvalidUtf8(std::string_view text) {
  for (size_t at = SkipAscii(text, 0); at < text.size();) {
    const CodePoint code_point = DecodeStrict(text, at);
    if (code_point.bytes == 0) return at;
    at += code_point.bytes;
    if (at < text.size() && ByteAt(text, at) < 0x80) at = SkipAscii(text, at);
  }
  return std::string_view::npos;
}

CodePoint DecodeUtf8(std::string_view text, size_t offset) {
  HCL_DCHECK(offset < text.size());
  CodePoint code_point = DecodeStrict(text, offset);
  if (code_point.bytes == 0) code_point.bytes = 1;
  return code_point;
}

char* WriteUtf8(char32_t code_point, char* to) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) code_point = kReplacement;
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    *to++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *to++ = static_cast<char>(0xC0 | code_point >> 6);
    *to++ = tail(0);
  } else if (code_point < 0x10000) {
    *to++ = static_cast<char>(0xE0 | code_point >> 12);
    *to++ = tail(6);
    *to++ = tail(0);
  } else {
    *to++ = static_cast<char>(0xF0 | code_point >> 18);
    *to++ = tail(12);
    *to++ = tail(6);
    *to++ = tail(0);
  }
  return to;
}

void AppendUtf8(char32_t code_point, std::string* out) {
  char bytes[4];
  out->append(bytes, static_cast<size_t>(WriteUtf8(code_point, bytes) - bytes));
}

bool IsAscii(std::string_view text) { return SkipAscii(text, 0) == text.size(); }

// False for malformed text as well: whoever normalizes it replaces what is malformed first.
bool IsKnownNfc(std::string_view text) {
  for (size_t at = SkipAscii(text, 0); at < text.size();) {
    const CodePoint code_point = DecodeStrict(text, at);
    if (code_point.bytes == 0) return false;
    if (!kNfcSafe.Has(code_point.value)) return false;
    at += code_point.bytes;
  }
  return true;
}

bool JoinsNothing(std::string_view text) { return text.empty() || kNfcSafe.Has(DecodeStrict(text, 0).value); }

namespace {

// What the rules of UAX #29 have to know of a cluster that goes up to a character of class `last`.
class ClusterRules {
 public:
  explicit ClusterRules(GraphemeClass first)
      : last_(first),
        is_pictographic_(first == GraphemeClass::kPictographic),
        is_half_flag_(first == GraphemeClass::kRegionalIndicator) {}

  // Whether a character of class `next` goes on with the cluster; takes it where it does.
  bool Join(GraphemeClass next) {
    if (!Joins(next)) return false;
    is_half_flag_ = next == GraphemeClass::kRegionalIndicator && !is_half_flag_;
    is_joined_ = next == GraphemeClass::kZwj && is_pictographic_;
    is_pictographic_ = next == GraphemeClass::kPictographic || (next == GraphemeClass::kExtend && is_pictographic_);
    last_ = next;
    return true;
  }

 private:
  using G = GraphemeClass;

  // Rules GB3 to GB13.
  bool Joins(G next) const {
    if (last_ == G::kCr) return next == G::kLf;
    if (IsControl(last_) || IsControl(next)) return false;
    if (next == G::kExtend || next == G::kZwj || next == G::kSpacingMark || last_ == G::kPrepend) return true;
    switch (next) {
      case G::kL:
      case G::kLv:
      case G::kLvt:
        return last_ == G::kL;
      case G::kV:
        return last_ == G::kL || last_ == G::kV || last_ == G::kLv;
      case G::kT:
        return last_ == G::kV || last_ == G::kT || last_ == G::kLv || last_ == G::kLvt;
      case G::kPictographic:
        return is_joined_;
      case G::kRegionalIndicator:
        return is_half_flag_;
      default:
        return false;
    }
  }

  static bool IsControl(G kind) { return kind == G::kCr || kind == G::kLf || kind == G::kControl; }

  G last_;
  bool is_pictographic_;    // it ends in a pictograph and what extends it
  bool is_joined_ = false;  // and a joiner
  bool is_half_flag_;       // it ends in the first of two regional indicators
};

}  // namespace

// Two characters of ASCII are one cluster only as "\r\n", and that decides almost every call. A character of ASCII
// before another one does not: a combining mark may follow it. Most other characters decide as quickly.
size_t GraphemeBytes(std::string_view text, size_t offset) {
  HCL_DCHECK(offset < text.size());
  const uint8_t first = ByteAt(text, offset);
  if (offset + 1 == text.size()) return 1;
  if (first < 0x80 && ByteAt(text, offset + 1) < 0x80) return first == '\r' && text[offset + 1] == '\n' ? 2 : 1;
  const CodePoint code_point = DecodeUtf8(text, offset);
  size_t end = offset + code_point.bytes;
  if (end < text.size() && kAlone.Has(code_point.value) && kAlone.Has(DecodeUtf8(text, end).value)) return end - offset;
  ClusterRules rules(GraphemeClassOf(code_point.value));
  while (end < text.size()) {
    const CodePoint next = DecodeUtf8(text, end);
    if (!rules.Join(GraphemeClassOf(next.value))) break;
    end += next.bytes;
  }
  return end - offset;
}

// A character that stands alone is looked at once. What follows the last one of a run of these may join it.
size_t CountGraphemes(std::string_view text, size_t* offset, size_t end) {
  HCL_DCHECK(*offset <= end && end <= text.size());
  size_t count = 0;
  size_t at = *offset;
  while (at < end) {
    size_t last = at;
    const size_t before = count;
    for (; at < end; ++count) {
      const CodePoint code_point = DecodeStrict(text, at);
      if (!kAlone.Has(code_point.value)) break;
      last = at;
      at += code_point.bytes;
    }
    if (at == text.size()) break;
    at = last + GraphemeBytes(text, last);
    if (count == before) ++count;
  }
  *offset = at;
  return count;
}

size_t CountGraphemes(std::string_view text) {
  // Of ASCII, only "\r\n" is one of two characters.
  if (IsAscii(text) && text.find('\r') == std::string_view::npos) return text.size();
  size_t at = 0;
  return CountGraphemes(text, &at, text.size());
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const uint8_t byte = ByteAt(text, at);
    if (byte < 0x80) {
      ++width;
      ++at;
      continue;
    }
    const CodePoint code_point = DecodeUtf8(text, at);
    // Diagnostics show each control character as a blank.
    const bool is_control = code_point.value < 0xA0;
    width +=
        is_control
            ? 1
            : static_cast<size_t>(std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point.value))));
    at += code_point.bytes;
  }
  return width;
}

char* WriteUpper(std::string_view text, char* to) {
  const auto ascii = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; };
  return MapCodePoints(text, ascii, SimpleUpper, to);
}

char* WriteLower(std::string_view text, char* to) {
  const auto ascii = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; };
  return MapCodePoints(text, ascii, SimpleLower, to);
}

std::string ToUpper(std::string_view text) { return Mapped(text, WriteUpper); }

std::string ToLower(std::string_view text) { return Mapped(text, WriteLower); }

bool IsSpace(char32_t code_point) {
  if (code_point < 0x80) return code_point == ' ' || (code_point >= '\t' && code_point <= '\r');
  return code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 || code_point == 0x2029 ||
         code_point == 0x202F || code_point == 0x205F || code_point == 0x3000;
}

bool IsIdStart(char32_t code_point) {
  if (code_point < 0x80) return IsAsciiLetter(code_point) || code_point == '_';
  return HasIdStart(code_point);
}

bool IsIdContinue(char32_t code_point) {
  if (code_point < 0x80) return IsAsciiLetter(code_point) || IsAsciiDigit(code_point) || code_point == '_';
  return HasIdContinue(code_point);
}

// The dash is HCL's addition (native-syntax.md, "Identifiers"), and not a first character.
bool IsIdentifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeStrict(text, at);
    if (code_point.bytes == 0) return false;
    const bool fits = at == 0 ? IsIdStart(code_point.value) : IsIdContinue(code_point.value) || code_point.value == '-';
    if (!fits) return false;
    at += code_point.bytes;
  }
  return true;
}

}  // namespace hcl::internal
