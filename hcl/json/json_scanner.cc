// JsonScanner: dispatched by a table over bytes.
//
// Tokens are longer than RFC 8259 has them: `01`, `+1` and `1.` are one number, which the parser then judges as a
// whole.

#include "hclvm/hcl/json/json_scanner.h"

#include <array>

#include "hclvm/base/unicode.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hcl {
namespace internal {
namespace {

constexpr uint8_t kBlank = 1;         // white space
constexpr uint8_t kKeywordByte = 2;   // goes on a keyword
constexpr uint8_t kNumberByte = 4;    // goes on a number
constexpr uint8_t kKeywordStart = 8;  // starts a keyword

struct ByteInfo {
  JsonToken token = JsonToken::kInvalid;  // that starts here
  uint8_t classes = 0;
};

// `e` is a letter and a part of numbers, so the classes are bits and the first byte decides which of them a token has.
// A plus and a dot start a number as well, which is then not well-formed: one message about the number is better than
// one about each of its characters.
constexpr std::array<ByteInfo, 256> MakeByteTable() {
  std::array<ByteInfo, 256> table{};
  for (const char c : {' ', '\t', '\n', '\r'}) table[static_cast<uint8_t>(c)].classes = kBlank;
  for (size_t c = 'a'; c <= 'z'; ++c) {
    table[c] = table[c - 0x20] = ByteInfo{JsonToken::kKeyword, kKeywordByte | kKeywordStart};
  }
  table['_'].classes = kKeywordByte;
  for (const char c : {'-', '+', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}) {
    table[static_cast<uint8_t>(c)] = ByteInfo{JsonToken::kNumber, kNumberByte};
  }
  table['e'].classes |= kNumberByte;
  table['E'].classes |= kNumberByte;
  table['{'].token = JsonToken::kOpenBrace;
  table['}'].token = JsonToken::kCloseBrace;
  table['['].token = JsonToken::kOpenBracket;
  table[']'].token = JsonToken::kCloseBracket;
  table[','].token = JsonToken::kComma;
  table[':'].token = JsonToken::kColon;
  table['='].token = JsonToken::kEquals;
  table['"'].token = JsonToken::kString;
  return table;
}

constexpr std::array<ByteInfo, 256> kBytes = MakeByteTable();

const ByteInfo& InfoOf(char c) { return kBytes[static_cast<uint8_t>(c)]; }

// Offset of the first quote, backslash or control character in [begin, end), or `end`. Strings are most of a JSON text
// and mostly free of these, so that whole blocks are passed over. There is no unsigned comparison in SSE2: a byte is at
// most 0x1F when it is its own minimum with that.
uint32_t FindStringSpecial(const char* data, uint32_t begin, uint32_t end) {
#if defined(__SSE2__)
  for (; end - begin >= 16; begin += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + begin));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    const int mask = _mm_movemask_epi8(_mm_or_si128(control, marks));
    if (mask != 0) return begin + static_cast<uint32_t>(__builtin_ctz(static_cast<unsigned>(mask)));
  }
#endif
  for (; begin < end; ++begin) {
    const char c = data[begin];
    if (c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20) return begin;
  }
  return end;
}

}  // namespace

// One look into the table decides. White space belongs to that table too, as JSON has no comments that would need more.
JsonToken JsonScanner::Next() {
  while (cursor_ < size_ && InfoOf(data_[cursor_]).classes == kBlank) ++cursor_;
  range_.begin = range_.end = cursor_;
  if (cursor_ == size_) return JsonToken::kEnd;
  const JsonToken token = InfoOf(data_[cursor_]).token;
  switch (token) {
    case JsonToken::kString:
      return String();
    case JsonToken::kNumber:
      return Word(token, kNumberByte);
    case JsonToken::kKeyword:
      return Word(token, kKeywordByte);
    case JsonToken::kInvalid:
      return Foreign();
    default:
      range_.end = ++cursor_;
      return token;
  }
}

JsonToken JsonScanner::Word(JsonToken kind, uint8_t byte_class) {
  while (cursor_ < size_ && (InfoOf(data_[cursor_]).classes & byte_class) != 0) ++cursor_;
  range_.end = cursor_;
  return kind;
}

// A string ends at its quote, or before a control character: a forgotten quote is likelier than a raw line end. Escapes
// are only passed over, with the character behind the backslash, which may be a quote; what they are worth is looked at
// by the parser, and only for strings that have some.
JsonToken JsonScanner::String() {
  has_escapes_ = is_closed_ = false;
  ++cursor_;
  while (true) {
    cursor_ = FindStringSpecial(data_, cursor_, size_);
    if (cursor_ == size_ || static_cast<uint8_t>(data_[cursor_]) < 0x20) break;
    if (data_[cursor_] == '"') {
      ++cursor_;
      is_closed_ = true;
      break;
    }
    has_escapes_ = true;
    ++cursor_;
    if (cursor_ < size_ && static_cast<uint8_t>(data_[cursor_]) >= 0x20) ++cursor_;
  }
  range_.end = cursor_;
  return JsonToken::kString;
}

JsonToken JsonScanner::Foreign() {
  cursor_ += DecodeUtf8(std::string_view(data_, size_), cursor_).bytes;
  range_.end = cursor_;
  return JsonToken::kInvalid;
}

}  // namespace internal
}  // namespace hcl
