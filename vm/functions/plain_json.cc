// JSON of small values. Tested by vm/functions/short_ways_test.cc.

#include "hclvm/vm/functions/plain_json.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Beyond this, a host's wish to stop has to be noticed in between.
constexpr uint64_t kMaxBytes = 16 << 10;
// Recursion goes no deeper.
constexpr uint32_t kMaxDepth = 64;

// Quotes, signs and separators; true, false, null. As JsonTextBytes().
constexpr uint64_t kShort = 8;

// The letter behind the backslash where a character has a short escape; 'u' where it has a long one; otherwise 0.
char EscapeOf(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '<':
    case '>':
    case '&':
      return 'u';
    default:
      return static_cast<unsigned char>(c) < 0x20 ? 'u' : '\0';
  }
}

// Whether the first `size` of sixteen bytes are ASCII and need no escape. Nearly all are; '<' and '>' differ in one
// bit.
#if defined(__SSE2__)
inline bool IsPlainBlock(uint64_t first, uint64_t rest, size_t size) {
  const __m128i bytes = _mm_set_epi64x(static_cast<int64_t>(rest), static_cast<int64_t>(first));
  const auto is = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  const __m128i angles = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8('<' ^ '>')), _mm_set1_epi8('<' | '>'));
  // As signed bytes, those that are not ASCII are below all others.
  const __m128i escaped = _mm_or_si128(_mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)), angles),
                                       _mm_or_si128(_mm_or_si128(is('"'), is('\\')), is('&')));
  return (static_cast<uint32_t>(_mm_movemask_epi8(escaped)) & ((1U << size) - 1)) == 0;
}
#else
inline bool IsPlainWord(uint64_t word, size_t size) {
  constexpr uint64_t kAngleBit = RepeatByte('<' ^ '>');
  if (size < 8) word |= RepeatByte(' ') << (8 * size);
  return (MarkNonAscii(word) | MarkBelow(0x20, word) | MarkByte('"', word) | MarkByte('\\', word) |
          MarkByte('<' | '>', word | kAngleBit) | MarkByte('&', word)) == 0;
}

inline bool IsPlainBlock(uint64_t first, uint64_t rest, size_t size) {
  return IsPlainWord(first, size) && (size <= 8 || IsPlainWord(rest, size - 8));
}
#endif

// The text of a short string, with zeros behind it.
struct ShortText {
  explicit ShortText(const Value& string)
      : first(HeadBits(string) >> 16 | PayloadBits(string) << 48),
        rest(PayloadBits(string) >> 16),
        size(HeadBits(string) >> 8 & 0xff) {}

  uint64_t first;
  uint64_t rest;
  size_t size;
};

// The last block overlaps the one before. What is not short is nearly as long as a block.
bool IsPlainText(const Value& string) {
  if (TagOf(string) == Tag::kShortString) {
    const ShortText text(string);
    return IsPlainBlock(text.first, text.rest, text.size);
  }
  const std::string_view text = string.AsString();
  const auto is_plain = [](const char* at, const char* rest) { return IsPlainBlock(LoadWord(at), LoadWord(rest), 16); };
  for (size_t at = 0; at + 16 < text.size(); at += 16) {
    if (!is_plain(text.data() + at, text.data() + at + 8)) return false;
  }
  const char* const end = text.data() + text.size();
  return is_plain(text.size() < 16 ? text.data() : end - 16, end - 8);
}

bool MeasureText(const Value& string, PlainJsonSize* size) {
  size->bytes += string.AsString().size() + kShort;
  if (size->bytes > kMaxBytes) return false;
  if (IsPlainText(string)) return true;
  // Nothing is escaped beyond ASCII but the separators of lines and paragraphs, U+2028 and U+2029, which the slow path
  // writes. What stands behind an escape is no longer behind the character that it was behind, and may join another
  // one.
  constexpr char kLeadOfSeparators = '\xe2';
  bool is_behind_escape = false;
  for (const char c : string.AsString()) {
    const bool is_ascii = static_cast<signed char>(c) >= 0;
    if (!is_ascii && (is_behind_escape || c == kLeadOfSeparators)) return false;
    const char escape = EscapeOf(c);
    size->escapes += escape == '\0' ? 0 : escape == 'u' ? 5 : 1;
    is_behind_escape = escape != '\0';
  }
  return true;
}

bool Measure(const Value& value, PlainJsonSize* size) {
  if (value.is_string()) return MeasureText(value, size);
  size->bytes += kShort;
  if (size->bytes > kMaxBytes) return false;
  if (value.is_number()) {
    const Number number = value.AsNumber();
    if (!number.is_inline()) return false;
    size->bytes += number.DigitCount();
    return true;
  }
  if (value.is_sequence()) {
    const absl::Span<const Value> elements = value.elements();
    return std::all_of(elements.begin(), elements.end(), [size](const Value& v) { return Measure(v, size); });
  }
  if (!value.is_mapping()) return value.is_bool() || value.is_null();
  for (size_t i = 0; i < value.size(); ++i) {
    if (!MeasureText(value.shape().keys[i], size) || !Measure(value.values()[i], size)) return false;
  }
  return true;
}

// More than is written behind the end of a text.
constexpr uint64_t kSlack = 16;

// Writes what has been measured.
template <bool kHasEscapes>
class Writer {
 public:
  explicit Writer(char* out) : out_(out) {}

  char* end() const { return out_; }

  void Write(const Value& value) {
    if (value.is_string()) return WriteText(value);
    if (value.is_number()) return WriteNumber(value.AsNumber());
    if (value.is_sequence()) return WriteSequence(value);
    if (value.is_mapping()) return WriteMapping(value);
    Append(value.is_null() ? "null" : value.is_true() ? "true" : "false");
  }

 private:
  void Append(std::string_view text) {
    std::memcpy(out_, text.data(), text.size());
    out_ += text.size();
  }

  void WriteText(const Value& string) {
    *out_++ = '"';
    if (kHasEscapes && !IsPlainText(string)) {
      WriteEscaped(string.AsString());
    } else if (TagOf(string) == Tag::kShortString) {
      const ShortText text(string);
      std::memcpy(out_, &text.first, sizeof(text.first));
      std::memcpy(out_ + sizeof(text.first), &text.rest, sizeof(text.rest));
      out_ += text.size;
    } else {
      Append(string.AsString());
    }
    *out_++ = '"';
  }

  void WriteEscaped(std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text) {
      const char escape = EscapeOf(c);
      if (escape != '\0') *out_++ = '\\';
      *out_++ = escape != '\0' ? escape : c;
      if (escape != 'u') continue;
      Append("00");
      *out_++ = kHex[static_cast<size_t>(c >> 4)];
      *out_++ = kHex[static_cast<size_t>(c & 15)];
    }
  }

  void WriteNumber(const Number& number) {
    if (number.scale() != 0) {
      std::string digits;  // takes memory for long fractions only
      number.AppendTo(&digits);
      return Append(digits);
    }
    constexpr size_t kMostDigits = 20;
    char digits[kMostDigits];
    const auto value = static_cast<uint64_t>(number.coefficient());
    const bool negative = number.coefficient() < 0;
    const char* const begin = WriteBackwards(negative ? 0 - value : value, digits + kMostDigits);
    if (negative) *out_++ = '-';
    Append({begin, static_cast<size_t>(digits + kMostDigits - begin)});
  }

  void WriteSequence(const Value& value) {
    *out_++ = '[';
    for (const Value& element : value.elements()) {
      Write(element);
      *out_++ = ',';
    }
    Close(value.size(), ']');
  }

  void WriteMapping(const Value& value) {
    *out_++ = '{';
    const Value* key = value.shape().keys;
    for (const Value& item : value.values()) {
      WriteText(*key++);
      *out_++ = ':';
      Write(item);
      *out_++ = ',';
    }
    Close(value.size(), '}');
  }

  // In place of the last comma.
  void Close(size_t items, char bracket) {
    if (items > 0) --out_;
    *out_++ = bracket;
  }

  char* out_;
};

template <bool kHasEscapes>
char* WriteTo(const Value& value, char* out) {
  Writer<kHasEscapes> writer(out);
  writer.Write(value);
  return writer.end();
}

}  // namespace

bool MeasurePlainJson(const Value& value, PlainJsonSize* size) {
  return value.depth() <= kMaxDepth && !value.has_marks() && Measure(value, size);
}

// What the size is too large by is given back.
Value MakePlainJson(const Value& value, const PlainJsonSize& size, Arena* arena) {
  char* const text = arena->NewArray<char>(size.bytes + size.escapes + kSlack);
  char* const end = size.escapes > 0 ? WriteTo<true>(value, text) : WriteTo<false>(value, text);
  arena->Rewind(end);
  return Value::StringView({text, static_cast<size_t>(end - text)});
}

}  // namespace hcl::internal
