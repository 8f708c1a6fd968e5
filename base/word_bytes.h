// Eight bytes of text at a time, in a word whose lowest bits are the first byte.
//
// What is marked is marked by the high bit of its byte. Tested by base/word_bytes_test.cc.

#ifndef HCLVM_BASE_WORD_BYTES_H_
#define HCLVM_BASE_WORD_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hcl::internal {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

constexpr uint64_t RepeatByte(uint8_t byte) { return 0x0101010101010101u * byte; }

// The eight bytes from `bytes` on.
inline uint64_t LoadWord(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Marks the bytes beyond ASCII.
constexpr uint64_t MarkNonAscii(uint64_t word) { return word & RepeatByte(0x80); }

// Marks the bytes below `bound`, which is at most 0x80. Right up to the first that is marked; bytes after it may be
// marked that are not below.
constexpr uint64_t MarkBelow(uint8_t bound, uint64_t word) {
  return (word - RepeatByte(bound)) & ~word & RepeatByte(0x80);
}

// Marks the bytes that are `byte`, as exactly as MarkBelow.
constexpr uint64_t MarkByte(uint8_t byte, uint64_t word) { return MarkBelow(1, word ^ RepeatByte(byte)); }

// The index of the first byte marked. Requires that there is one.
inline size_t FirstMarked(uint64_t marks) { return static_cast<size_t>(__builtin_ctzll(marks)) / 8; }

// A bit for each byte of `marks`, the first the lowest.
constexpr uint32_t GatherMarks(uint64_t marks) {
  return static_cast<uint32_t>((((marks >> 7) & RepeatByte(1)) * 0x0102040810204080u) >> 56);
}

}  // namespace hcl::internal

#endif  // HCLVM_BASE_WORD_BYTES_H_
