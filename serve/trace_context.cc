// Traces and identifiers. Tested by serve/trace_context_test.cc.
//
// Identifiers come of a generator that the system's randomness seeds, one for each thread: they name decisions, and
// keep no secret. The generator is xoshiro256++, of 2^256 - 1 states, so that two services do not meet.

#include "hclvm/serve/trace_context.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>

namespace hcl::serve {
namespace {

// The two digits of each byte.
constexpr std::array<char, 512> Digits() {
  constexpr char kOne[] = "0123456789abcdef";
  std::array<char, 512> digits{};
  for (size_t byte = 0; byte < 256; ++byte) {
    digits[2 * byte] = kOne[byte >> 4];
    digits[2 * byte + 1] = kOne[byte & 15];
  }
  return digits;
}
constexpr std::array<char, 512> kDigits = Digits();

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsZero(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

uint64_t Rotate(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

}  // namespace

// Version 00 has 55 characters; later ones may have more behind another dash, and ff is none.
std::optional<TraceContext> ParseTraceParent(std::string_view text) {
  constexpr size_t kSize = 55;
  if (text.size() < kSize || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  const TraceContext context = {text.substr(3, 32), text.substr(36, 16)};
  if (!IsHex(version) || version == "ff" || !IsHex(context.trace_id) || !IsHex(context.span_id) ||
      !IsHex(text.substr(53, 2)) || IsZero(context.trace_id) || IsZero(context.span_id)) {
    return std::nullopt;
  }
  if (text.size() > kSize && (version == "00" || text[kSize] != '-')) return std::nullopt;
  return context;
}

IdSource::IdSource() {
  std::random_device device;
  for (uint64_t& word : state_) word = static_cast<uint64_t>(device()) << 32 | device();
  state_[0] |= 1;
}

uint64_t IdSource::NextWord() {
  const uint64_t result = Rotate(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = Rotate(state_[3], 45);
  return result;
}

std::string_view IdSource::Next() {
  uint64_t words[2] = {NextWord(), NextWord()};
  // Version 4, variant 1.
  words[0] = (words[0] & ~uint64_t{0xf000}) | 0x4000;
  words[1] = (words[1] & ~(uint64_t{3} << 62)) | uint64_t{1} << 63;
  text_[8] = text_[13] = text_[18] = text_[23] = '-';
  // Where the digits of each byte stand.
  constexpr size_t kPlaces[16] = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};
  for (size_t byte = 0; byte < 16; ++byte) {
    const uint64_t bits = words[byte / 8] >> (56 - 8 * (byte % 8)) & 0xff;
    std::memcpy(text_ + kPlaces[byte], kDigits.data() + 2 * bits, 2);
  }
  return {text_, sizeof(text_)};
}

double IdSource::NextFraction() { return static_cast<double>(NextWord() >> 11) * 0x1p-53; }

}  // namespace hcl::serve
