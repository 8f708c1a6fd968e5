// Charsets. Tested by vm/functions/charset_functions_test.cc.

#include "hclvm/vm/functions/charset.h"

#include <iterator>

#include "absl/strings/match.h"
#include "hclvm/base/absl_string.h"

namespace hcl::internal {
namespace {

struct Name {
  std::string_view name;
  Charset charset;
};

// The registry of IANA, as Terraform's functions know it (golang.org/x/text/encoding/ianaindex). The preferred name of
// each comes first.
constexpr Name kNames[] = {
    {"US-ASCII", Charset::kAscii},
    {"ANSI_X3.4-1968", Charset::kAscii},
    {"ANSI_X3.4-1986", Charset::kAscii},
    {"ISO646-US", Charset::kAscii},
    {"ISO_646.irv:1991", Charset::kAscii},
    {"IBM367", Charset::kAscii},
    {"cp367", Charset::kAscii},
    {"csASCII", Charset::kAscii},
    {"iso-ir-6", Charset::kAscii},
    {"us", Charset::kAscii},
    {"ISO-8859-1", Charset::kLatin1},
    {"ISO_8859-1:1987", Charset::kLatin1},
    {"ISO_8859-1", Charset::kLatin1},
    {"CP819", Charset::kLatin1},
    {"IBM819", Charset::kLatin1},
    {"csISOLatin1", Charset::kLatin1},
    {"iso-ir-100", Charset::kLatin1},
    {"l1", Charset::kLatin1},
    {"latin1", Charset::kLatin1},
    {"UTF-8", Charset::kUtf8},
    {"csUTF8", Charset::kUtf8},
    {"UTF-16", Charset::kUtf16},
    {"csUTF16", Charset::kUtf16},
    {"UTF-16BE", Charset::kUtf16Be},
    {"csUTF16BE", Charset::kUtf16Be},
    {"UTF-16LE", Charset::kUtf16Le},
    {"csUTF16LE", Charset::kUtf16Le},
    {"windows-1252", Charset::kWindows1252},
    {"cswindows1252", Charset::kWindows1252},
};

constexpr Charset kCharsets[] = {Charset::kAscii,   Charset::kLatin1,  Charset::kUtf8,       Charset::kUtf16,
                                 Charset::kUtf16Be, Charset::kUtf16Le, Charset::kWindows1252};

// Windows-1252 from 0x80 to 0x9f; elsewhere it is Latin-1. 0: no character.
constexpr uint16_t kWindows1252[] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};
constexpr char32_t kFirstWindows = 0x80;
constexpr char32_t kEndWindows = kFirstWindows + std::size(kWindows1252);
static_assert(kEndWindows == 0xa0);

bool IsInWindowsRange(char32_t value) { return value >= kFirstWindows && value < kEndWindows; }

// Surrogates: two of them stand for a character beyond 16 bits.
constexpr char32_t kFirstHigh = 0xd800;
constexpr char32_t kFirstLow = 0xdc00;
constexpr char32_t kEndLow = 0xe000;
constexpr char32_t kFirstPair = 0x10000;

void AppendUnit(Charset charset, char32_t unit, std::string* out) {
  const char high = static_cast<char>(unit >> 8);
  const char low = static_cast<char>(unit & 0xff);
  if (charset == Charset::kUtf16Le) {
    out->append({low, high});
  } else {
    out->append({high, low});
  }
}

bool AppendWindows1252(char32_t character, std::string* out) {
  if (character < 0x100 && !IsInWindowsRange(character)) {
    out->push_back(static_cast<char>(character));
    return true;
  }
  for (size_t n = 0; n < std::size(kWindows1252); ++n) {
    if (kWindows1252[n] != character || character == 0) continue;
    out->push_back(static_cast<char>(kFirstWindows + n));
    return true;
  }
  return false;
}

bool AppendByteBelow(char32_t end, char32_t character, std::string* out) {
  if (character >= end) return false;
  out->push_back(static_cast<char>(character));
  return true;
}

constexpr std::string_view kBigEndianMark = "\xfe\xff";
constexpr std::string_view kLittleEndianMark = "\xff\xfe";

}  // namespace

std::optional<Charset> FindCharset(std::string_view name) {
  for (const Name& known : kNames) {
    if (absl::EqualsIgnoreCase(ToAbsl(known.name), ToAbsl(name))) return known.charset;
  }
  return std::nullopt;
}

std::string_view CharsetName(Charset charset) {
  for (const Name& known : kNames) {
    if (known.charset == charset) return known.name;
  }
  return "";
}

absl::Span<const Charset> Charsets() { return kCharsets; }

std::string_view CharsetPrefix(Charset charset) { return charset == Charset::kUtf16 ? kBigEndianMark : ""; }

bool AppendEncoded(Charset charset, char32_t character, std::string* out) {
  switch (charset) {
    case Charset::kAscii:
      return AppendByteBelow(0x80, character, out);
    case Charset::kLatin1:
      return AppendByteBelow(0x100, character, out);
    case Charset::kWindows1252:
      return AppendWindows1252(character, out);
    case Charset::kUtf8:
      AppendUtf8(character, out);
      return true;
    case Charset::kUtf16:
    case Charset::kUtf16Be:
    case Charset::kUtf16Le:
      if (character < kFirstPair) {
        AppendUnit(charset, character, out);
      } else {
        AppendUnit(charset, kFirstHigh + ((character - kFirstPair) >> 10), out);
        AppendUnit(charset, kFirstLow + ((character - kFirstPair) & 0x3ff), out);
      }
      return true;
  }
  return false;
}

CharsetReader::CharsetReader(Charset charset, std::string_view bytes)
    : bytes_(bytes), charset_(charset), is_little_endian_(charset == Charset::kUtf16Le) {
  if (charset != Charset::kUtf16) return;
  is_little_endian_ = bytes.substr(0, 2) == kLittleEndianMark;
  if (is_little_endian_ || bytes.substr(0, 2) == kBigEndianMark) at_ = 2;
}

std::optional<char32_t> CharsetReader::Next() {
  const auto byte = static_cast<unsigned char>(bytes_[at_]);
  switch (charset_) {
    case Charset::kAscii:
      if (byte >= 0x80) return std::nullopt;
      break;
    case Charset::kLatin1:
      break;
    case Charset::kWindows1252:
      if (!IsInWindowsRange(byte)) break;
      if (kWindows1252[byte - kFirstWindows] == 0) return std::nullopt;
      ++at_;
      return kWindows1252[byte - kFirstWindows];
    case Charset::kUtf8:
      return NextUtf8();
    case Charset::kUtf16:
    case Charset::kUtf16Be:
    case Charset::kUtf16Le:
      return NextUtf16();
  }
  ++at_;
  return byte;
}

// DecodeUtf8() gives U+FFFD for what is malformed, in one byte, and for that character itself, in three.
std::optional<char32_t> CharsetReader::NextUtf8() {
  const CodePoint point = DecodeUtf8(bytes_, at_);
  if (point.value == 0xfffd && point.bytes == 1) return std::nullopt;
  at_ += point.bytes;
  return point.value;
}

char32_t CharsetReader::UnitAt(size_t at) const {
  const auto first = static_cast<unsigned char>(bytes_[at]);
  const auto second = static_cast<unsigned char>(bytes_[at + 1]);
  return is_little_endian_ ? char32_t{second} << 8 | first : char32_t{first} << 8 | second;
}

std::optional<char32_t> CharsetReader::NextUtf16() {
  if (bytes_.size() - at_ < 2) return std::nullopt;
  const char32_t unit = UnitAt(at_);
  if (unit < kFirstHigh || unit >= kEndLow) {
    at_ += 2;
    return unit;
  }
  if (unit >= kFirstLow || bytes_.size() - at_ < 4) return std::nullopt;
  const char32_t low = UnitAt(at_ + 2);
  if (low < kFirstLow || low >= kEndLow) return std::nullopt;
  at_ += 4;
  return kFirstPair + ((unit - kFirstHigh) << 10) + (low - kFirstLow);
}

}  // namespace hcl::internal
