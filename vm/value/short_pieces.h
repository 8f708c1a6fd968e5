// The pieces of a string of up to eight bytes between separators of one byte, by its words: no byte is looked at alone.
//
// Tested by vm/value/short_pieces_test.cc.

#ifndef HCLVM_VM_VALUE_SHORT_PIECES_H_
#define HCLVM_VM_VALUE_SHORT_PIECES_H_

#include <cstdint>

#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
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

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SHORT_PIECES_H_
