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

// Place by place: those where the first byte stands are compared whole.
size_t FindInFew(std::string_view text, std::string_view needle, size_t from) {
  for (size_t at = from; at + needle.size() <= text.size(); ++at) {
    at = FindByte(text.substr(0, text.size() - needle.size() + 1), needle[0], at);
    if (at == std::string_view::npos) break;
    if (std::memcmp(text.data() + at, needle.data(), needle.size()) == 0) return at;
  }
  return std::string_view::npos;
}

#if defined(__SSE2__)

// Sixteen places at a time: those where the needle's first byte and its last one stand are compared whole. The last
// sixteen overlap others, so that nothing behind the text is read. Fewer take longer to prepare than to look at.
size_t FindShort(std::string_view text, std::string_view needle, size_t from) {
  constexpr size_t kPlaces = 16;
  const size_t last = needle.size() - 1;
  if (text.size() - from < last + kPlaces) return FindInFew(text, needle, from);
  const size_t end = text.size() - last - kPlaces;
  const __m128i first_byte = _mm_set1_epi8(needle[0]), last_byte = _mm_set1_epi8(needle[last]);
  const auto load = [&text](size_t at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at)); };
  for (size_t at = from;; at = at + kPlaces < end ? at + kPlaces : end) {
    const __m128i both =
        _mm_and_si128(_mm_cmpeq_epi8(load(at), first_byte), _mm_cmpeq_epi8(load(at + last), last_byte));
    for (auto mask = static_cast<uint32_t>(_mm_movemask_epi8(both)); mask != 0; mask &= mask - 1) {
      const size_t place = at + static_cast<size_t>(__builtin_ctz(mask));
      if (std::memcmp(text.data() + place + 1, needle.data() + 1, last - 1) == 0) return place;
    }
    if (at == end) return std::string_view::npos;
  }
}

#else

size_t FindShort(std::string_view text, std::string_view needle, size_t from) { return FindInFew(text, needle, from); }

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
