// The order of strings, bytewise, by their words.
//
// Tested by vm/value/set_order_test.cc.

#ifndef HCLVM_VM_VALUE_STRING_ORDER_H_
#define HCLVM_VM_VALUE_STRING_ORDER_H_

#include <cstdint>

#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Two words that compare as the string or integer does that they are made of.
using Words = unsigned __int128;

constexpr Words Join(uint64_t high, uint64_t low) { return static_cast<Words>(high) << 64 | low; }
constexpr uint64_t HighOf(Words words) { return static_cast<uint64_t>(words >> 64); }
constexpr uint64_t LowOf(Words words) { return static_cast<uint64_t>(words); }

// Stands for the length of a text of which the words hold only the beginning.
inline constexpr uint64_t kLonger = kMaxInlineString + 1;

// Those of a short string: its bytes, the first one on top, and `length`, its own or kLonger, below them. Of strings
// with the same bytes up to zeros at the end, the longer one is greater.
inline Words WordsOf(const Value& short_string, uint64_t length) {
  const uint64_t head = HeadBits(short_string);
  const uint64_t payload = PayloadBits(short_string);
  return Join(__builtin_bswap64(head >> 16 | payload << 48), __builtin_bswap64(payload >> 16) | length);
}
inline Words WordsOfShort(const Value& string) { return WordsOf(string, HeadBits(string) >> 8 & 0xff); }

// Compares two string values: below, at or above zero.
inline int CompareStrings(const Value& a, const Value& b) {
  if (TagOf(a) == Tag::kShortString && TagOf(b) == Tag::kShortString) {
    const Words words_a = WordsOfShort(a);
    const Words words_b = WordsOfShort(b);
    return words_a < words_b ? -1 : words_b < words_a ? 1 : 0;
  }
  return a.AsString().compare(b.AsString());
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_STRING_ORDER_H_
