// CodePointSet: sets of code points that are asked of each character of a text, and so take a few instructions.
//
// Internal to base/unicode.cc, and tested with it: the members are checked against utf8proc.

#ifndef HCLVM_BASE_CODE_POINT_SET_H_
#define HCLVM_BASE_CODE_POINT_SET_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace hcl::internal {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

// A bit for each code point of the Basic Multilingual Plane and of the blocks with emoji; no others are members.
class CodePointSet {
 public:
  template <size_t kCount>
  constexpr explicit CodePointSet(const CodePointRange (&ranges)[kCount]) {
    for (const CodePointRange& range : ranges) Add(range);
  }
  // The members of both.
  template <size_t kCount>
  constexpr CodePointSet(const CodePointSet& other, const CodePointRange (&ranges)[kCount]) : words_(other.words_) {
    for (const CodePointRange& range : ranges) Add(range);
  }

  bool Has(char32_t code_point) const {
    if (code_point < kPlane) return IsSet(code_point);
    const char32_t emoji = code_point - kEmoji;  // very large below that
    return emoji < kEmojiCount && IsSet(kPlane + emoji);
  }

 private:
  static constexpr char32_t kPlane = 0x10000;
  static constexpr char32_t kEmoji = 0x1F000;
  static constexpr char32_t kEmojiCount = 0xB00;

  bool IsSet(char32_t position) const { return (words_[position / 64] >> position % 64 & 1) != 0; }

  // Whole words at a time, since compilers bound what they evaluate.
  constexpr void Add(const CodePointRange& range) {
    const char32_t shift = range.first < kPlane ? 0 : kEmoji - kPlane;
    const char32_t end = range.last - shift + 1;
    for (char32_t at = range.first - shift; at < end;) {
      const char32_t bits = end - at < 64 - at % 64 ? end - at : 64 - at % 64;
      words_[at / 64] |= ~uint64_t{0} >> (64 - bits) << at % 64;
      at += bits;
    }
  }

  std::array<uint64_t, (kPlane + kEmojiCount) / 64> words_ = {};
};

// Characters of the scripts that are common in configurations, two of which never are one grapheme cluster, whatever
// stands around them: of the classes Other, Extended_Pictographic, Control, LF, LV and LVT of UAX #29.
inline constexpr CodePointRange kRangesAlone[] = {
    {0x0000, 0x000C},    // all of ASCII but the carriage return
    {0x000E, 0x02FF},    // Latin, IPA
    {0x038E, 0x03A1},    // Greek
    {0x03A3, 0x0482},    // Greek, Cyrillic
    {0x048A, 0x052F},    // Cyrillic
    {0x0531, 0x0556},    // Armenian
    {0x0561, 0x0587},    // Armenian
    {0x05D0, 0x05EA},    // Hebrew letters
    {0x061B, 0x064A},    // Arabic letters
    {0x0660, 0x066F},    // Arabic digits
    {0x0671, 0x06D5},    // Arabic letters
    {0x06EE, 0x06FF},    // Arabic letters and digits
    {0x0904, 0x0939},    // Devanagari letters
    {0x0964, 0x0980},    // Devanagari digits
    {0x0E01, 0x0E30},    // Thai letters
    {0x0E3F, 0x0E46},    // Thai letters
    {0x10D0, 0x10FF},    // Georgian
    {0x1E00, 0x1EFF},    // Latin of many languages
    {0x2002, 0x200B},    // blanks
    {0x200E, 0x2064},    // dashes, quotes, bullets
    {0x2074, 0x208E},    // superscripts and subscripts
    {0x20A0, 0x20C0},    // currency
    {0x2100, 0x2125},    // symbols like letters
    {0x212C, 0x2328},    // numbers, arrows, mathematics, technical symbols
    {0x232B, 0x2426},    // technical symbols
    {0x2460, 0x2ADB},    // shapes, dingbats, arrows, mathematics
    {0x3000, 0x3029},    // CJK punctuation
    {0x3041, 0x3096},    // Hiragana
    {0x309B, 0x30FF},    // Katakana
    {0x3105, 0x312F},    // Bopomofo
    {0x3131, 0x318E},    // Hangul letters
    {0x3220, 0xA48C},    // CJK ideographs, Yi
    {0xAC00, 0xD7A3},    // Hangul syllables
    {0xFF01, 0xFF9D},    // wide and narrow forms
    {0x1F000, 0x1F1E5},  // games, enclosed letters
    {0x1F200, 0x1F3FA},  // emoji
    {0x1F400, 0x1FAFF},  // emoji
};
// What else text in NFC may have, of these scripts: signs, and parts of emoji.
inline constexpr CodePointRange kRangesJoining[] = {
    {0x000D, 0x000D},    // the carriage return
    {0x0900, 0x093B},    // Devanagari letters and signs
    {0x093D, 0x094C},    // Devanagari vowels
    {0x0E01, 0x0E37},    // Thai vowels
    {0x0E3F, 0x0E47},    // Thai vowels
    {0x2002, 0x2064},    // joiners
    {0xFE00, 0xFE0F},    // variation selectors
    {0xFF01, 0xFFBE},    // wide and narrow forms
    {0x1F000, 0x1FAFF},  // flags, tones of skin
};

inline constexpr CodePointSet kAlone(kRangesAlone);
// Of the properties NFC_Quick_Check=Yes and ccc=0: text of nothing else is in NFC.
inline constexpr CodePointSet kNfcSafe(kAlone, kRangesJoining);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_CODE_POINT_SET_H_
