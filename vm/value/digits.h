// Decimal digits: zeros taken off a coefficient, and digits read and written as text, several at a time.
//
// Internal to the library. Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_DIGITS_H_
#define HCLVM_VM_VALUE_DIGITS_H_

#include <cstdint>
#include <cstring>

namespace hcl::internal {

inline constexpr int64_t kPowersOfTen[] = {1,
                                           10,
                                           100,
                                           1'000,
                                           10'000,
                                           100'000,
                                           1'000'000,
                                           10'000'000,
                                           100'000'000,
                                           1'000'000'000,
                                           10'000'000'000,
                                           100'000'000'000,
                                           1'000'000'000'000,
                                           10'000'000'000'000,
                                           100'000'000'000'000,
                                           1'000'000'000'000'000,
                                           10'000'000'000'000'000,
                                           100'000'000'000'000'000,
                                           1'000'000'000'000'000'000};
inline constexpr int kMaxPowerOfTen = 18;  // the largest index above

// Multiplication by this undoes one by five, modulo 2^64.
inline constexpr uint64_t kInverseOfFive = 0xcccc'cccc'cccc'cccd;
static_assert(kInverseOfFive * 5 == 1);

// Divides by five if that leaves no rest. A multiple of five times the inverse is the quotient, and what is no multiple
// gives more than any quotient is: so one multiplication both tests and divides.
inline bool TakeFive(uint64_t* value) {
  const uint64_t quotient = *value * kInverseOfFive;
  if (quotient > UINT64_MAX / 5) return false;
  *value = quotient;
  return true;
}

// The same for ten. The rotation divides by two, and makes what was odd too large.
inline bool TakeTen(uint64_t* value) {
  const uint64_t quotient = *value * kInverseOfFive;
  const uint64_t half = quotient >> 1 | quotient << 63;
  if (half > UINT64_MAX / 10) return false;
  *value = half;
  return true;
}

// The same for a signed number. A multiple of ten is 2k after the multiplication, with k from -kMost to kMost; the sum
// makes that a range that begins at zero.
inline bool TakeSignedTen(int64_t* value) {
  constexpr uint64_t kMost = INT64_MAX / 10;
  const uint64_t twice = static_cast<uint64_t>(*value) * kInverseOfFive + 2 * kMost;
  const uint64_t tenth = twice >> 1 | twice << 63;
  if (tenth > 2 * kMost) return false;
  *value = static_cast<int64_t>(tenth - kMost);
  return true;
}
inline bool IsMultipleOfTen(int64_t value) { return TakeSignedTen(&value); }

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

// The eight bytes at `text`, the first one lowest.
inline uint64_t LoadEight(const char* text) {
  uint64_t bytes;
  std::memcpy(&bytes, text, sizeof(bytes));
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : __builtin_bswap64(bytes);
}

// Whether all eight bytes are digits: their upper halves are 3, also when six is added, which carries out of ':' and
// what follows it.
inline bool AreEightDigits(uint64_t bytes) {
  constexpr uint64_t kUpper = 0xf0f0'f0f0'f0f0'f0f0;
  const uint64_t carried = bytes + 0x0606'0606'0606'0606;
  return ((bytes & kUpper) | ((carried & kUpper) >> 4)) == 0x3333'3333'3333'3333;
}

// The number that eight digits stand for. Neighbors are joined, to numbers of two digits and then to one of eight.
inline uint32_t ReadEightDigits(uint64_t bytes) {
  constexpr uint64_t kPair = 0x0000'00ff'0000'00ff;
  constexpr uint64_t kMillionAndHundred = (uint64_t{1'000'000} << 32) + 100;
  constexpr uint64_t kTenThousandAndOne = (uint64_t{10'000} << 32) + 1;
  bytes -= 0x3030'3030'3030'3030;
  bytes = bytes * 10 + (bytes >> 8);
  return static_cast<uint32_t>(((bytes & kPair) * kMillionAndHundred + (bytes >> 16 & kPair) * kTenThousandAndOne) >>
                               32);
}

// Reads digits from `at` on into *value, up to the first byte that is none or to `end`, and returns where that is. The
// value is that of the last digits, modulo 2^64, when there are more than 19.
inline const char* ReadDigits(const char* at, const char* end, uint64_t* value) {
  for (; end - at >= 8; at += 8) {
    const uint64_t bytes = LoadEight(at);
    if (!AreEightDigits(bytes)) break;
    *value = *value * 100'000'000 + ReadEightDigits(bytes);
  }
  for (; at != end && *at >= '0' && *at <= '9'; ++at) *value = *value * 10 + static_cast<uint64_t>(*at - '0');
  return at;
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
