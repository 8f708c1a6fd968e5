// Skipping with the instructions of newer processors (AVX2, carry-less multiplication), which JsonSkipper asks for
// before it comes here. Tested by vm/json/json_skip_test.cc.
//
// All headers stand before the options: what is inline in them must not be compiled for processors that not all have,
// since a program may use that copy everywhere.

#include "hclvm/vm/json/json_skip_code.h"

#if HCLVM_JSON_SKIP_X86

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,pclmul"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,pclmul")
#endif

namespace hcl::internal {
namespace {

inline uint64_t PrefixXor(uint64_t bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<int64_t>(bits)), _mm_set1_epi8(static_cast<char>(0xff)), 0);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
}

class Block {
 public:
  explicit Block(const char* bytes)
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes) + 1)) {}

  uint64_t Equal(uint8_t byte) const {
    const __m256i wanted = _mm256_set1_epi8(static_cast<char>(byte));
    return Gather(_mm256_cmpeq_epi8(low_, wanted), _mm256_cmpeq_epi8(high_, wanted));
  }
  uint64_t AtLeast(uint8_t byte) const {
    if (byte == 0x80) return Gather(low_, high_);
    const __m256i least = _mm256_set1_epi8(static_cast<char>(byte));
    return Gather(_mm256_cmpeq_epi8(_mm256_max_epu8(low_, least), low_),
                  _mm256_cmpeq_epi8(_mm256_max_epu8(high_, least), high_));
  }
  // Both opening brackets are one byte, and both closing ones, but for the bit 0x20.
  uint64_t Brackets() const { return Gather(IsBracket(low_), IsBracket(high_)); }
  uint64_t Controls() const { return Gather(IsControl(low_), IsControl(high_)); }
  bool IsPlain() const { return IsNowhere(_mm256_or_si256(IsOdd(low_), IsOdd(high_))); }
  bool IsPrintable() const { return IsNowhere(_mm256_or_si256(IsLow(low_), IsLow(high_))); }

 private:
  static uint64_t Gather(__m256i low, __m256i high) {
    return uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(high))} << 32 |
           static_cast<uint32_t>(_mm256_movemask_epi8(low));
  }
  static __m256i IsBracket(__m256i bytes) {
    const __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
    return _mm256_or_si256(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{')),
                           _mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}')));
  }
  static __m256i IsControl(__m256i bytes) {
    return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
  }
  // Of control characters and what is beyond ASCII, whose bytes are less than a blank, with their signs.
  static __m256i IsLow(__m256i bytes) { return _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), bytes); }
  static __m256i IsOdd(__m256i bytes) {
    return _mm256_or_si256(IsLow(bytes), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
  }
  static bool IsNowhere(__m256i marks) { return _mm256_movemask_epi8(marks) == 0; }

  __m256i low_;
  __m256i high_;
};

#include "hclvm/internal/name_table.h"
#include "hclvm/vm/json/json_skip_scan.inc"

}  // namespace

const SkipCode kAvx2Skip = {SkipToQuote, SkipToBracket, SkipToNameOrBrace};

}  // namespace hcl::internal

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // HCLVM_JSON_SKIP_X86
