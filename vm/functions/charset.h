// Charsets: encodings of characters as bytes, other than the UTF-8 that strings are in.
//
// Tested by vm/functions/charset_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CHARSET_H_
#define HCLVM_VM_FUNCTIONS_CHARSET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/unicode.h"

namespace hcl::internal {

enum class Charset : uint8_t { kAscii, kLatin1, kUtf8, kUtf16, kUtf16Be, kUtf16Le, kWindows1252 };

// The charset that IANA has under this name or alias, in letters of either case.
std::optional<Charset> FindCharset(std::string_view name);

// "UTF-16LE": the name that IANA prefers.
std::string_view CharsetName(Charset charset);

// All of them.
absl::Span<const Charset> Charsets();

// What stands before the characters: the byte order mark of UTF-16.
std::string_view CharsetPrefix(Charset charset);

// Appends the bytes of a character; false when the charset does not have it.
bool AppendEncoded(Charset charset, char32_t character, std::string* out);

// Reads characters from bytes. `bytes` must outlive it.
class CharsetReader {
 public:
  // UTF-16 is read in the order that a byte order mark says, which is skipped, and big-endian without one.
  CharsetReader(Charset charset, std::string_view bytes);

  bool at_end() const { return at_ == bytes_.size(); }
  // Where the next character begins.
  size_t offset() const { return at_; }
  // The next character, or nothing when the bytes there are none. Requires that it is not at the end.
  std::optional<char32_t> Next();

 private:
  std::optional<char32_t> NextUtf8();
  std::optional<char32_t> NextUtf16();
  // The two bytes at `at`, which must be there.
  char32_t UnitAt(size_t at) const;

  std::string_view bytes_;
  Charset charset_;
  bool is_little_endian_;
  size_t at_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_CHARSET_H_
