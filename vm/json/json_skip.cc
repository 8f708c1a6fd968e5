// Skipping. Tested by vm/json/json_skip_test.cc.
//
// Sixty-four bytes at a time become masks with a bit for each byte: where quotes are, and where brackets. Which bytes
// are in strings is then arithmetic, and only brackets outside of them are looked at one by one. What few blocks have
// (backslashes, control characters, bytes beyond ASCII) is found by one test for all three. That is all that has to be
// known of a value that nobody reads, so that it costs a fraction of what reading it does.

#include "hclvm/vm/json/json_skip.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/json/json_cursor.h"
#include "hclvm/vm/json/json_skip_code.h"

namespace hcl::internal {
namespace {

inline uint64_t PrefixXor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

#if defined(__SSE2__)

class Block {
 public:
  explicit Block(const char* bytes) {
    for (int n = 0; n < 4; ++n) lanes_[n] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + n);
  }

  uint64_t Equal(uint8_t byte) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(byte));
    return Gather([&](__m128i lane) { return _mm_cmpeq_epi8(lane, wanted); });
  }
  uint64_t AtLeast(uint8_t byte) const {
    const __m128i least = _mm_set1_epi8(static_cast<char>(byte));
    return Gather([&](__m128i lane) { return _mm_cmpeq_epi8(_mm_max_epu8(lane, least), lane); });
  }
  // Both opening brackets are one byte, and both closing ones, but for the bit 0x20.
  uint64_t Brackets() const {
    return Gather([](__m128i lane) {
      const __m128i folded = _mm_or_si128(lane, _mm_set1_epi8(0x20));
      return _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    });
  }
  uint64_t Controls() const { return Gather(IsControl); }
  bool IsPlain() const {
    return IsNowhere([](__m128i lane) { return _mm_or_si128(_mm_cmpeq_epi8(lane, _mm_set1_epi8('\\')), IsLow(lane)); });
  }
  bool IsPrintable() const { return IsNowhere(IsLow); }

 private:
  static __m128i IsControl(__m128i lane) { return _mm_cmpeq_epi8(_mm_min_epu8(lane, _mm_set1_epi8(0x1f)), lane); }
  // Of control characters and what is beyond ASCII, whose bytes are less than a blank, with their signs.
  static __m128i IsLow(__m128i lane) { return _mm_cmplt_epi8(lane, _mm_set1_epi8(' ')); }

  template <typename Test>
  bool IsNowhere(const Test& test) const {
    __m128i marks = _mm_setzero_si128();
    for (const __m128i lane : lanes_) marks = _mm_or_si128(marks, test(lane));
    return _mm_movemask_epi8(marks) == 0;
  }
  template <typename Test>
  uint64_t Gather(const Test& test) const {
    uint64_t mask = 0;
    for (int n = 0; n < 4; ++n) mask |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(test(lanes_[n])))} << 16 * n;
    return mask;
  }

  __m128i lanes_[4];
};

#else

class Block {
 public:
  explicit Block(const char* bytes) {
    for (int n = 0; n < 8; ++n) words_[n] = LoadWord(bytes + 8 * n);
  }

  uint64_t Equal(uint8_t byte) const {
    return Gather([&](uint64_t word) { return MarkZero(word ^ RepeatByte(byte)); });
  }
  uint64_t AtLeast(uint8_t byte) const {
    const uint64_t to_carry = RepeatByte(static_cast<uint8_t>(0x80 - (byte & 0x7f)));
    return Gather([&](uint64_t word) { return ((word & kLow) + to_carry) & MarkNonAscii(word); });
  }
  // Both opening brackets are one byte, and both closing ones, but for the bit 0x20.
  uint64_t Brackets() const {
    return Gather([](uint64_t word) {
      const uint64_t folded = word | RepeatByte(0x20);
      return MarkZero(folded ^ RepeatByte('{')) | MarkZero(folded ^ RepeatByte('}'));
    });
  }
  uint64_t Controls() const {
    return Gather([](uint64_t word) { return MarkZero(word & RepeatByte(0xe0)); });
  }
  bool IsPlain() const {
    uint64_t odd = 0;
    for (const uint64_t word : words_) {
      odd |= MarkNonAscii(word) | MarkZero(word & RepeatByte(0xe0)) | MarkZero(word ^ RepeatByte('\\'));
    }
    return odd == 0;
  }
  bool IsPrintable() const {
    uint64_t odd = 0;
    for (const uint64_t word : words_) odd |= MarkNonAscii(word) | MarkZero(word & RepeatByte(0xe0));
    return odd == 0;
  }

 private:
  static constexpr uint64_t kLow = RepeatByte(0x7f);

  // Marks the bytes that are zero. Exact, unlike MarkByte(), behind the first of them as well.
  static constexpr uint64_t MarkZero(uint64_t word) { return ~(((word & kLow) + kLow) | word | kLow); }

  template <typename Mark>
  uint64_t Gather(const Mark& mark) const {
    uint64_t bits = 0;
    for (int n = 0; n < 8; ++n) bits |= uint64_t{GatherMarks(mark(words_[n]))} << 8 * n;
    return bits;
  }

  uint64_t words_[8];
};

#endif

#include "hclvm/vm/json/json_skip_scan.inc"

}  // namespace

const SkipCode JsonSkipper::kPlain = {SkipToQuote, SkipToBracket, SkipToNameOrBrace};

std::vector<const SkipCode*> JsonSkipper::Codes() {
  std::vector<const SkipCode*> codes = {&kPlain};
#if HCLVM_JSON_SKIP_X86
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
  if (has_avx2 && __builtin_cpu_supports("pclmul")) codes.push_back(&kAvx2Skip);
#endif
  return codes;
}

const SkipCode* JsonSkipper::Best() {
  static const SkipCode* const best = Codes().back();
  return best;
}

// Scalars that are no strings end where something begins that cannot be one. Of two that stand side by side the caller
// finds the second where it wants a comma.
const char* JsonSkipper::Skip(const char* at, const char* end, uint32_t depth) {
  if (*at == '"') return SkipString(at, end);
  if (*at == '{' || *at == '[') {
    return depth == 0 ? nullptr : code_->to_bracket(at, end, depth, &kinds_);
  }
  const char* const begin = at;
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' || c == 'E';
  };
  while (at < end && is_part(*at)) ++at;
  return at == begin ? nullptr : at;
}

// What the scan stops at may be a text that is a property's value: no colon follows it.
const char* JsonSkipper::SkipProperties(const char* at, const char* end, uint32_t depth, const NameTable& wanted) {
  for (;;) {
    at = code_->to_name(at, end, depth + 1, wanted, &kinds_);
    if (at == nullptr || *at != '"') return at;
    const char* const behind = SkipString(at, end);
    if (behind == nullptr) return nullptr;
    const char* next = behind;
    while (next < end && (*next == ' ' || *next == '\n' || *next == '\r' || *next == '\t')) ++next;
    if (next < end && *next == ':') return at;
    at = behind;
  }
}

// Most strings are short, and end before the first byte that needs a look.
const char* JsonSkipper::SkipString(const char* at, const char* end) {
  constexpr ptrdiff_t kStep = 16;
  const char* from = at + 1;
  for (int step = 0; step < 2 && end - from >= kStep; ++step, from += kStep) {
    const StringBytes bytes = ClassifyString(from);
    if ((bytes.quotes | bytes.others | bytes.non_ascii) == 0) continue;
    const uint32_t before = (bytes.quotes - 1) & ~bytes.quotes;
    if (bytes.quotes == 0 || ((bytes.others | bytes.non_ascii) & before) != 0) break;
    return from + __builtin_ctz(bytes.quotes) + 1;
  }
  return code_->to_quote(from, end);
}

}  // namespace hcl::internal
