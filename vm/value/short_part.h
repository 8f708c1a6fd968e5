// HasShortPrefix and HasShortPart: whether a short string begins with another, or contains it.
//
// Internal to the VM. Tested by vm/value/short_part_test.cc.

#ifndef HCLVM_VM_VALUE_SHORT_PART_H_
#define HCLVM_VM_VALUE_SHORT_PART_H_

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// The text of a short string, its first byte the lowest.
inline unsigned __int128 BytesOfShort(const Value& text) {
  return static_cast<unsigned __int128>(PayloadBits(text)) << 48 | HeadBits(text) >> 16;
}

// A bit for each place of the text of a short string, and of the zeros behind it, the first the lowest, where the first
// byte of `part` stands; of one that is empty, a zero.
inline uint32_t FindFirstByte(const Value& text, const Value& part) {
  const auto byte = static_cast<uint8_t>(HeadBits(part) >> 16);
#if defined(__SSE2__)
  const __m128i bytes = _mm_set_epi64x(static_cast<int64_t>(PayloadBits(text)), static_cast<int64_t>(HeadBits(text)));
  const __m128i found = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<uint32_t>(_mm_movemask_epi8(found)) >> 2;
#else
  uint32_t places = 0;
  unsigned __int128 bytes = BytesOfShort(text);
  for (uint32_t place = 0; place < kMaxInlineString; ++place, bytes >>= 8) {
    if (static_cast<uint8_t>(bytes) == byte) places |= uint32_t{1} << place;
  }
  return places;
#endif
}

// Both are short strings, compared as two words: six bytes in the first, eight in the second. The text's bytes behind
// the prefix do not count. In the first word a mask drops them, whose shift is defined because size is at most 6 there;
// in the second word a shift to the left does, and the first word counts as a whole then.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool HasShortPrefix(const Value& text, const Value& prefix) {
  const uint64_t size = (HeadBits(prefix) >> 8) & 0xff;
  if (((HeadBits(text) >> 8) & 0xff) < size) return false;
  const uint64_t first = (HeadBits(text) ^ HeadBits(prefix)) >> 16;
  if (ABSL_PREDICT_TRUE(size <= 6)) return (first & ~(~uint64_t{0} << (8 * size))) == 0;
  const uint64_t second = PayloadBits(text) ^ PayloadBits(prefix);
  return first == 0 && (second << (8 * (kMaxInlineString - size))) == 0;
}

// What is left of HasShortPart() where the first byte of `part` stands at one of the `places`, which may be behind the
// text. Out of line: mostly there is no such place, or the part stands at the first one.
ABSL_ATTRIBUTE_NOINLINE inline bool StandsAtOneOf(uint32_t places, const Value& text, const Value& part) {
  const auto size = static_cast<uint32_t>(HeadBits(part) >> 8 & 0xff);
  const auto text_size = static_cast<uint32_t>(HeadBits(text) >> 8 & 0xff);
  if (size == 0 || size > text_size) return size == 0;
  places &= (uint32_t{2} << (text_size - size)) - 1;
  const unsigned __int128 wanted = BytesOfShort(part);
  const int behind = 128 - 8 * static_cast<int>(size);
  unsigned __int128 bytes = BytesOfShort(text);
  for (; places != 0; places >>= 1, bytes >>= 8) {
    if ((places & 1) != 0 && (bytes ^ wanted) << behind == 0) return true;
  }
  return false;
}

// Whether `text` contains `part`. Requires that both are short strings. Only where the part's first byte stands, it is
// compared whole.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool HasShortPart(const Value& text, const Value& part) {
  const uint32_t places = FindFirstByte(text, part);
  if (places == 0) return (HeadBits(part) >> 8 & 0xff) == 0;
  return ((places & 1) != 0 && HasShortPrefix(text, part)) || StandsAtOneOf(places, text, part);
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SHORT_PART_H_
