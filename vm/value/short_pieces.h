// The pieces of a short string between separators of one byte, by its words: no byte is looked at alone. All pieces of
// a string of up to eight bytes, and a single piece of any short string.
//
// Tested by vm/value/short_pieces_test.cc.

#ifndef HCLVM_VM_VALUE_SHORT_PIECES_H_
#define HCLVM_VM_VALUE_SHORT_PIECES_H_

#include <cstdint>

#include "absl/base/optimization.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/short_part.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

class ShortPieces {
 public:
  // Whether there are such pieces. The bytes behind the text are zero, which hence is no separator.
  static bool Take(const Value& text, const Value& separator) {
    const uint64_t head = HeadBits(separator);
    return TagOf(text) == Tag::kShortString && BitsOf(text) <= 64 && (head & 0xffff) == kOneByte && head != kOneByte;
  }

  // Requires Take().
  ShortPieces(const Value& text, const Value& separator)
      : left_(HeadBits(text) >> 16 | PayloadBits(text) << 48),
        ends_(BytesLike(kOnes * (HeadBits(separator) >> 16), left_)),
        size_(BitsOf(text)) {
    HCL_DCHECK(Take(text, separator));
  }

  uint32_t count() const { return static_cast<uint32_t>(ends_ * kOnes >> 56) + 1; }

  // The next piece but for the last.
  Value Next() {
    HCL_DCHECK(ends_ != 0);
    const auto bits = static_cast<uint32_t>(__builtin_ctzll(ends_)) - begin_;
    const Value piece = Made(bits, left_ & ~(~uint64_t{0} << bits));
    left_ = left_ >> bits >> 8;  // which may be all 64
    begin_ += bits + 8;
    ends_ &= ends_ - 1;
    return piece;
  }
  // The last one, when Next() has given all others.
  Value Last() const { return Made(size_ - begin_, left_); }

 private:
  static constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
  static constexpr uint64_t kOneByte = static_cast<uint64_t>(Tag::kShortString) | 1 << 8;

  static uint32_t BitsOf(const Value& text) { return static_cast<uint32_t>(HeadBits(text) >> 8 & 0xff) * 8; }
  static Value Made(uint32_t bits, uint64_t bytes) {
    return ValueAccess::Make(Tag::kShortString, uint64_t{bits} << 5 | bytes << 16, bytes >> 48);
  }
  // One in each byte that is as in the pattern, exactly: the sum carries into no other byte.
  static uint64_t BytesLike(uint64_t pattern, uint64_t bytes) {
    constexpr uint64_t kLow = kOnes * 0x7f;
    const uint64_t difference = bytes ^ pattern;
    return ~(((difference & kLow) + kLow) | difference | kLow) >> 7;
  }

  uint64_t left_;       // the text from begin_ on
  uint64_t ends_;       // a one in each byte that is a separator, from begin_ on
  uint32_t size_;       // in bits, as begin_ is
  uint32_t begin_ = 0;  // of the next piece
};

// Whether the text is short and the separator has one byte.
inline bool HasShortPieces(const Value& text, const Value& separator) {
  constexpr uint64_t kOneByte = static_cast<uint64_t>(Tag::kShortString) | 1 << 8;
  return TagOf(text) == Tag::kShortString && (HeadBits(separator) & 0xffff) == kOneByte;
}

// The piece at `place`, or false where the text has fewer pieces. Requires HasShortPieces(). `piece` may be `whole`.
inline bool ShortPieceAt(const Value& whole, const Value& separator, uint32_t place, Value* piece) {
  HCL_DCHECK(HasShortPieces(whole, separator));
  const Value text = ByWords(whole);  // mostly a copy that was just made
  const auto size = static_cast<uint32_t>(HeadBits(text) >> 8 & 0xff);
  // A bit where each piece ends, from `begin` on: at a separator, or after the text, where the zeros do not count.
  const uint32_t behind = uint32_t{1} << size;
  uint32_t ends = (FindFirstByte(text, separator) & (behind - 1)) | behind;
  uint32_t begin = 0;
  for (; place > 0; --place) {
    begin = static_cast<uint32_t>(__builtin_ctz(ends)) + 1;
    ends &= ends - 1;
    if (ends == 0) return false;
  }
  const uint32_t end = static_cast<uint32_t>(__builtin_ctz(ends));
  const uint32_t bytes = end - begin;
  // Both words, from two bytes before the piece on.
  const unsigned __int128 words = static_cast<unsigned __int128>(PayloadBits(text)) << 64 | HeadBits(text);
  const unsigned __int128 rest = words >> 8 * begin;
  uint64_t first = static_cast<uint64_t>(rest) >> 16;
  uint64_t second = 0;
  if (ABSL_PREDICT_TRUE(bytes <= 6)) {
    first &= ~(~uint64_t{0} << 8 * bytes);
  } else {
    const uint32_t unused = 8 * (static_cast<uint32_t>(kMaxInlineString) - bytes);
    second = static_cast<uint64_t>(rest >> 64) << unused >> unused;
  }
  *piece = ValueAccess::Make(Tag::kShortString, uint64_t{bytes} << 8 | first << 16, second);
  return true;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SHORT_PIECES_H_
