// Integers of 32 bits in as few bytes as each takes, for tables that are read only when something fails.
//
// Tested by vm/range_table_test.cc and vm/read_table_test.cc.

#ifndef HCLVM_VM_PACKED_INTEGERS_H_
#define HCLVM_VM_PACKED_INTEGERS_H_

#include <cstddef>
#include <cstdint>

namespace hcl::internal {

constexpr size_t kMaxPackedBytes = 5;  // of one integer

// Writes `value` at `to` and returns the place behind it. Seven bits in each byte, the lowest first; the top bit says
// that more follow: a number below 128 takes one byte.
inline uint8_t* PutPacked(uint32_t value, uint8_t* to) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to = static_cast<uint8_t>(value);
  return to + 1;
}

// The same for two, which mostly take one byte each.
inline uint8_t* PutPackedPair(uint32_t first, uint32_t second, uint8_t* to) {
  if ((first | second) >= 0x80) return PutPacked(second, PutPacked(first, to));
  to[0] = static_cast<uint8_t>(first);
  to[1] = static_cast<uint8_t>(second);
  return to + 2;
}

// Reads what PutPacked() has written at *at, and moves *at behind it. Tables are written in the process that reads
// them, hence no test for a broken integer.
inline uint32_t TakePacked(const uint8_t** at) {
  uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    const uint8_t byte = *(*at)++;
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

// Small distances in both directions become small numbers. Differences are modulo 2^32, as are sums.
inline uint32_t Zigzag(uint32_t difference) { return (difference << 1) ^ (0 - (difference >> 31)); }
inline uint32_t Unzigzag(uint32_t number) { return (number >> 1) ^ (0 - (number & 1)); }

}  // namespace hcl::internal

#endif  // HCLVM_VM_PACKED_INTEGERS_H_
