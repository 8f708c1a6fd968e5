// Searching for texts. Tested by base/find_text_test.cc.

#include "hclvm/base/find_text.h"

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hcl::internal {
namespace {

// Texts up to here are looked at without the preparation that makes longer searches linear: at most a comparison for
// each byte.
constexpr size_t kShort = 64;

#if defined(__SSE2__)

// The `size` bytes at `from`, of which there are at most 16: no others are read.
__m128i LoadUpTo16(const char* from, size_t size) {
  uint64_t low = 0, high = 0;
  if (size >= 8) {
    std::memcpy(&low, from, 8);
    if (size == 8) return _mm_cvtsi64_si128(static_cast<int64_t>(low));
    std::memcpy(&high, from + size - 8, 8);
    high >>= 8 * (16 - size);
    return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
  }
  if (size >= 4) {
    uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + size - 4, 4);
    low = first | static_cast<uint64_t>(last) << (8 * (size - 4));
  } else if (size != 0) {
    const auto byte = [from, size](size_t at) {
      return static_cast<uint64_t>(static_cast<unsigned char>(from[at])) << (8 * at);
    };
    low = byte(0) | byte(size / 2) | byte(size - 1);
  }
  return _mm_cvtsi64_si128(static_cast<int64_t>(low));
}

// Sixteen places at a time: those where the needle's first byte and its last one stand are compared whole. The last
// sixteen overlap others, so that nothing behind the text is read.
size_t FindShort(std::string_view text, std::string_view needle, size_t from) {
  if (needle.size() > text.size() - from) return std::string_view::npos;
  const size_t places = text.size() - from - needle.size() + 1;
  const char* const begin = text.data() + from;
  const size_t last = needle.size() - 1;
  const __m128i first_byte = _mm_set1_epi8(needle[0]), last_byte = _mm_set1_epi8(needle[last]);
  const auto find = [&](size_t at, __m128i firsts, __m128i lasts, size_t count) {
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(firsts, first_byte), _mm_cmpeq_epi8(lasts, last_byte));
    uint32_t mask = static_cast<uint32_t>(_mm_movemask_epi8(both)) & ((uint32_t{1} << count) - 1);
    for (; mask != 0; mask &= mask - 1) {
      const char* const place = begin + at + __builtin_ctz(mask);
      if (last == 1 || std::memcmp(place + 1, needle.data() + 1, last - 1) == 0) return place;
    }
    return static_cast<const char*>(nullptr);
  };
  const char* found = nullptr;
  if (places < 16) {
    found = find(0, LoadUpTo16(begin, places), LoadUpTo16(begin + last, places), places);
  } else {
    const auto load = [](const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
    for (size_t at = 0; found == nullptr; at = at + 32 <= places ? at + 16 : places - 16) {
      found = find(at, load(begin + at), load(begin + at + last), 16);
      if (at + 16 == places) break;
    }
  }
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(found - text.data());
}

#else

size_t FindShort(std::string_view text, std::string_view needle, size_t from) {
  for (size_t at = from; at + needle.size() <= text.size(); ++at) {
    at = FindByte(text.substr(0, text.size() - needle.size() + 1), needle[0], at);
    if (at == std::string_view::npos) break;
    if (std::memcmp(text.data() + at, needle.data(), needle.size()) == 0) return at;
  }
  return std::string_view::npos;
}

#endif

}  // namespace

// memmem is linear in glibc and on macOS, whatever the needle; std::string_view::find may be quadratic on hostile
// texts.
size_t FindText(std::string_view text, std::string_view needle, size_t from) {
  if (needle.size() == 1) return FindByte(text, needle[0], from);
  if (from > text.size()) return std::string_view::npos;
  if (!needle.empty() && text.size() - from <= kShort) return FindShort(text, needle, from);
#if defined(__GLIBC__) || defined(__APPLE__)
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
#else
  return text.find(needle, from);
#endif
}

}  // namespace hcl::internal
