// Unicode 15.0: UTF-8, NFC, grapheme clusters, case, identifier properties. The only user of utf8proc.
//
// What a later version has assigned, or has changed, is as in 15.0, also with a utf8proc of that version: only
// DisplayWidth() is as that has it.
//
// All functions are pure and thread-safe, and take time that is linear in the text. Tested by base/unicode_test.cc and
// base/unicode_nfc_test.cc.

#ifndef HCLVM_BASE_UNICODE_H_
#define HCLVM_BASE_UNICODE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hcl::internal {

// Offset of the first byte that is not part of well-formed UTF-8 (surrogates and overlong forms are not), or npos.
size_t FindInvalidUtf8(std::string_view text);

// The code point that starts at `text[offset]`, and the bytes it takes. Malformed input gives U+FFFD and one byte.
// Requires offset < text.size().
struct CodePoint {
  char32_t value;
  uint32_t bytes;
};
CodePoint DecodeUtf8(std::string_view text, size_t offset);

// Appends `code_point` as UTF-8; surrogates and values over U+10FFFF as U+FFFD. Or writes it to `to`, which has room
// for four bytes; the end of what is written.
void AppendUtf8(char32_t code_point, std::string* out);
char* WriteUtf8(char32_t code_point, char* to);

// True when every byte is below 0x80.
bool IsAscii(std::string_view text);

// True when `text` is known to be in NFC without normalizing it (ASCII, or a quick check); false means "do normalize".
bool IsKnownNfc(std::string_view text);

// Whether `text`, which is in NFC, joins nothing before it: behind any other text in NFC, both are in NFC together. May
// be false where that is so, but for a few characters. Takes constant time.
bool JoinsNothing(std::string_view text);

// `text` in Normalization Form C (UAX #15). Malformed UTF-8 is replaced by U+FFFD first.
std::string ToNfc(std::string_view text);

// Length in bytes of the extended grapheme cluster (UAX #29) that starts at `offset`; "\r\n" is one. At least 1.
// Requires offset < text.size().
size_t GraphemeBytes(std::string_view text, size_t offset);

// Number of extended grapheme clusters; and of those that begin before `end`, from the one at *offset on, which becomes
// the offset behind them. Requires *offset <= end <= text.size().
size_t CountGraphemes(std::string_view text);
size_t CountGraphemes(std::string_view text, size_t* offset, size_t end);

// Columns that `text` takes on a terminal (wide characters count 2, combining ones 0, control characters 1).
size_t DisplayWidth(std::string_view text);

// Simple (one to one) case mapping of each code point, as Go's strings.ToUpper and ToLower do.
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);
// The same, written to `to`, which has room for kMostCaseBytes of each byte of `text`. The end of what is written.
constexpr size_t kMostCaseBytes = 3;
char* WriteUpper(std::string_view text, char* to);
char* WriteLower(std::string_view text, char* to);

// Unicode White_Space.
bool IsSpace(char32_t code_point);

// ID_Start and ID_Continue of UAX #31. "_" counts as
// ID_Start, which is the profile that the reference uses.
bool IsIdStart(char32_t code_point);
bool IsIdContinue(char32_t code_point);

// True when `text` is an HCL identifier: ID_Start (ID_Continue | '-')*.
bool IsIdentifier(std::string_view text);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_UNICODE_H_
