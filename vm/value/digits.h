// Decimal digits as text, several at a time.
//
// Internal to the sources of numbers. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_DIGITS_H_
#define HCLVM_VM_VALUE_DIGITS_H_

#include <cstdint>
#include <cstring>

namespace hcl::internal {

// "00" to "99", one after the other.
struct DigitPairs {
  char text[200];
};
constexpr DigitPairs MakeDigitPairs() {
  DigitPairs pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs.text[2 * i] = static_cast<char>('0' + i / 10);
    pairs.text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
inline constexpr DigitPairs kDigitPairs = MakeDigitPairs();

inline void WriteTwoDigits(uint32_t value, char* out) { std::memcpy(out, kDigitPairs.text + value * 2, 2); }

// Writes the value with zeros in front; it is below 10^8.
inline void WriteEightDigits(uint32_t value, char* out) {
  const uint32_t high = value / 10'000;
  const uint32_t low = value % 10'000;
  WriteTwoDigits(high / 100, out);
  WriteTwoDigits(high % 100, out + 2);
  WriteTwoDigits(low / 100, out + 4);
  WriteTwoDigits(low % 100, out + 6);
}

// Writes the value without zeros in front so that it ends before `end`, and returns where it begins. There must be room
// for 20 digits.
inline char* WriteBackwards(uint64_t value, char* end) {
  while (value >= 100'000'000) {
    end -= 8;
    WriteEightDigits(static_cast<uint32_t>(value % 100'000'000), end);
    value /= 100'000'000;
  }
  auto rest = static_cast<uint32_t>(value);
  while (rest >= 100) {
    end -= 2;
    WriteTwoDigits(rest % 100, end);
    rest /= 100;
  }
  if (rest < 10) {
    *--end = static_cast<char>('0' + rest);
    return end;
  }
  end -= 2;
  WriteTwoDigits(rest, end);
  return end;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_DIGITS_H_
